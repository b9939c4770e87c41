"""From bytes to something a format can look at: strictly UTF-8 text, and the JSON value where the text is JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import UnreadableProposal
from engine.formats import strict_json
from engine.formats.fields import Table, json_schema
from engine.formats.limits import DEFAULT_LIMITS, Limits
from engine.model import Proposal

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "a UTF-8 byte order mark"),
    (b"\xff\xfe\x00\x00", "a UTF-32 byte order mark"),
    (b"\x00\x00\xfe\xff", "a UTF-32 byte order mark"),
    (b"\xff\xfe", "a UTF-16 byte order mark"),
    (b"\xfe\xff", "a UTF-16 byte order mark"),
)


@dataclass(frozen=True, slots=True)
class Payload:
    """What an agent sent, as text, and decoded where it is JSON."""

    text: str
    data: object = None
    """The decoded JSON object or array; None where the text is not JSON."""
    limits: Limits = DEFAULT_LIMITS

    @property
    def object(self) -> dict[str, object]:
        """The JSON object; empty where there is none, so that detection can simply look for keys."""
        return self.data if isinstance(self.data, dict) else {}


@dataclass(frozen=True, slots=True)
class Tool:
    """How an agent is offered a format: the tables that the parser checks against, and advice."""

    name: str
    description: str
    table: Table

    def definition(self) -> dict[str, object]:
        return {"name": self.name, "description": self.description, "input_schema": json_schema(self.table)}


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write a proposal."""

    name: str
    shape: str
    """What it looks like, in one line."""
    detect: Callable[[Payload], bool]
    parse: Callable[[Payload], Proposal]
    tool: Tool


def decode(data: bytes, limits: Limits, format: str | None) -> str:
    """The text of a payload; only clean UTF-8 is one."""
    if len(data) > limits.max_bytes:
        raise UnreadableProposal(f"{len(data)} bytes; at most {limits.max_bytes} are read", format=format)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            raise UnreadableProposal(f"begins with {name}; save it as UTF-8 without one", format=format, where="line 1")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 (Latin-1, or a binary file?); save it as UTF-8"
        raise UnreadableProposal(message, format=format, where=f"line {line}") from None
    if text[1:2] == "\0" or text[:1] == "\0":
        raise UnreadableProposal("looks like UTF-16; save it as UTF-8", format=format, where="line 1")
    return text


def is_json(text: str) -> bool:
    """JSON that could be a proposal begins with a bracket; nothing that comes as plain text does."""
    return text.lstrip(" \t\r\n").startswith(("{", "["))


def make_payload(value: object, limits: Limits, format: str | None, *, at: str = "") -> Payload:
    """A payload out of text, or out of a value that was already decoded."""
    if not isinstance(value, str):
        return Payload("", value, limits)
    return Payload(value, strict_json.loads(value, format=format, at=at) if is_json(value) else None, limits)
