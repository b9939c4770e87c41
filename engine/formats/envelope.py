"""What surrounds a tool's input on its way here: a hook's event, a stream's event, or a bare tool call.

    {"tool_name", "tool_input", "tool_use_id"?, "session_id"?, "hook_event_name"?, …}     PreToolUse, BeforeTool
    {"event": "tool_call", "data": {"id"?, "name", "arguments"}}                          a stream of events
    {"name" | "tool_name", "input" | "arguments" | "args", "id"?}                         a tool call

The input may be an object, a string of JSON, or (a Codex patch) plain text. Any format may be inside.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.formats.fields import Field, Kind, Reader, Table
from engine.formats.limits import Limits
from engine.formats.payload import Payload, make_payload

_INPUTS = ("tool_input", "input", "arguments", "args", "parameters")
_NAMES = ("tool_name", "name")
_IDS = ("tool_use_id", "call_id", "id")
_EVENT: Table = (
    Field("event", Kind.STRING, "The kind of event", required=True, choices=("tool_call",)),
    Field("data", Kind.OBJECT, "The tool call", required=True),
)
_CALL: Table = (
    Field("tool_name", Kind.STRING, "The tool that is called", required=True, aliases=("name",)),
    Field("tool_use_id", Kind.STRING, "The id of the call", aliases=("call_id", "id")),
    Field("session_id", Kind.STRING, "The agent's session"),
)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A payload, and what was wrapped around it."""

    payload: Payload
    tool: str | None = None
    session: str | None = None
    call_id: str | None = None


def unwrap(payload: Payload, format: str | None) -> Envelope:
    """The tool input inside an envelope; a payload that has none comes back as it is."""
    reader = Reader(format or "envelope", payload.limits)
    data, at = payload.data, ""
    if payload.object.keys() >= {"event", "data"}:
        data, at = reader.record(data, _EVENT).values["data"], "data"
    if not isinstance(data, dict):
        return Envelope(payload)
    inputs = [name for name in _INPUTS if name in data]
    if not inputs or not any(name in data for name in _NAMES):
        if at:
            raise reader.bad("expected a tool call with name and arguments", at)
        return Envelope(payload)
    call = reader.record({key: data[key] for key in (*_NAMES, *_IDS, "session_id") if key in data}, _CALL, at)
    inner = _input(data[inputs[0]], payload.limits, format, f"{at}.{inputs[0]}" if at else inputs[0])
    session, call_id = call.optional_text("session_id"), call.optional_text("tool_use_id")
    return Envelope(inner, call.text("tool_name"), session, call_id)


def _input(value: object, limits: Limits, format: str | None, at: str) -> Payload:
    if isinstance(value, str | dict | list):
        return make_payload(value, limits, format, at=at)
    raise Reader(format or "envelope", limits).bad("expected the input of a tool", at)
