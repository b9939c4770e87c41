"""JSON without the parts that hide something: what it accepts, every other reader understands in the same way.

Refused, each with a message of its own: duplicate keys, NaN and infinities, numbers that overflow, very long integers,
deep nesting, raw control characters, lone surrogates, and anything behind the first document.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.errors import UnreadableProposal

MAX_DEPTH = 100
_MAX_DIGITS = 100
_MAX_KEY = 60
"""How much of an unknown key an error or a note repeats."""
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class _Flaw:
    """Stands in the decoded tree for a value that must not be there, so that the error can name its path."""

    message: str


def loads(text: str, *, format: str | None = None, at: str = "") -> object:
    """The value of one JSON document. `at` is the path of the field that held it, where it came out of a string."""
    try:
        value: object = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_number, parse_int=_integer
        )
    except RecursionError:
        _refuse_depth(text, format, at)
        raise
    except json.JSONDecodeError as error:
        _refuse_depth(text, format, at)
        where = _position(error.lineno, error.colno, at)
        raise UnreadableProposal(_explain(error), format=format, where=where) from None
    if _is_deep(value):
        _refuse_depth(text, format, at)
    for path, flaw in _flaws(value, at, texts=_ESCAPED_SURROGATE.search(text) is not None):
        raise UnreadableProposal(flaw, format=format, where=path or None)
    return value


def child(at: str, key: str | int) -> str:
    """The JSON path of a field or an item below `at`."""
    if isinstance(key, int):
        return f"{at}[{key}]"
    shown = key if len(key) <= _MAX_KEY else key[:_MAX_KEY] + "…"
    return f"{at}.{shown}" if at else shown


def tokens(text: str) -> Iterator[re.Match[str]]:
    """Strings and brackets, as far as the text goes; a string that is cut off is one token too."""
    return _STRING_OR_BRACKET.finditer(text)


def _is_deep(value: object) -> bool:
    """Whether lists and objects are nested too deep. Level by level: most documents have thousands of items on few."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return False
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, dict | list)]
    return True


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refuse_depth(text: str, format: str | None, at: str) -> None:
    """Name the place where the text is nested too deep, if there is one."""
    depth = 0
    for match in tokens(text):
        token = match.group()
        if token in ("[", "{"):
            depth += 1
        elif token in ("]", "}"):
            depth -= 1
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            message = f"nested more than {MAX_DEPTH} levels deep"
            raise UnreadableProposal(message, format=format, where=_position(line, column, at))


def _position(line: int, column: int, at: str) -> str:
    place = f"line {line} column {column}"
    return f"{at}, {place}" if at else place


def _explain(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string"):
        return "the JSON ends too early: it was cut off, or a bracket or quote is missing"
    if error.msg == "Extra data":
        return "there is more text behind the JSON document; send one document only"
    if error.msg.startswith("Invalid control character"):
        return "raw control character in a string; write it as \\n, \\t or \\u00XX"
    return f"not valid JSON: {error.msg[0].lower()}{error.msg[1:]}"


def _object(pairs: list[tuple[str, object]]) -> object:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    counts = Counter(key for key, _ in pairs)
    doubled = next(key for key, count in counts.items() if count > 1)
    return _Flaw(f"the key {doubled[:_MAX_KEY]!r} is given twice")


def _constant(name: str) -> object:
    return _Flaw(f"{name} is not a JSON number")


def _number(digits: str) -> object:
    value = float(digits)
    return value if math.isfinite(value) else _Flaw("the number is too large")


def _integer(digits: str) -> object:
    if len(digits) > _MAX_DIGITS:
        return _Flaw(f"an integer of {len(digits)} digits is too long")
    return int(digits)


def _flaws(value: object, at: str, *, texts: bool) -> Iterator[tuple[str, str]]:
    """What must not be there, with its path. `texts`: strings have to be looked at as well."""
    if isinstance(value, _Flaw):
        yield at, value.message
    elif isinstance(value, str):
        if texts and _SURROGATE.search(value):
            yield at, "the text has a lone surrogate (half of a \\ud83d\\ude00 pair), which no file can hold"
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if texts or not isinstance(item, str):
                yield from _flaws(item, child(at, index), texts=texts)
    elif isinstance(value, dict):
        for key, item in value.items():
            if texts:
                yield from _flaws(key, at, texts=texts)
            if texts or not isinstance(item, str):
                yield from _flaws(item, child(at, key), texts=texts)
