"""The native envelope: who proposes what, why, and what happens if a part of it fails.

    {"schema"?: 1, "id"?, "title"?, "description"?, "agent"?: {"name"?, "session"?}, "call_id"?,
     "on_failure"?: "rollback" | "stop" | "continue", "dry_run"?, "changes": [Change…]}

`changes.py` says what a change is. A `schema` other than 1 is refused: it may mean something else by the same names.
"""

from __future__ import annotations

from engine.formats.changes import CHANGES, change_hunks
from engine.formats.fields import Field, Kind, Reader, Table
from engine.formats.payload import Format, Payload, Tool
from engine.model import Agent, Mode, Proposal

NAME = "hunkdeck"
_SCHEMA = 1

_AGENT: Table = (
    Field("name", Kind.STRING, "Your name"),
    Field("session", Kind.STRING, "The session that this belongs to"),
)
_TABLE: Table = (
    Field("schema", Kind.INTEGER, "The version of this format: 1", aliases=("version",)),
    Field("id", Kind.STRING, "What you call this proposal"),
    Field("title", Kind.STRING, "One line for the list of proposals"),
    Field("description", Kind.STRING, "What this proposal does and why"),
    Field("agent", Kind.OBJECT, "Who sends it", tables=(_AGENT,)),
    Field("call_id", Kind.STRING, "The id of the tool call that this answers"),
    Field(
        "on_failure",
        Kind.STRING,
        "What happens when an accepted hunk cannot be applied: nothing is written (rollback, the default), "
        "those before it stay (stop), or all that can be applied are (continue)",
        choices=tuple(mode.value for mode in Mode),
    ),
    Field("dry_run", Kind.BOOLEAN, "Preview changes without applying", default=False),
    Field(
        "changes",
        Kind.ARRAY,
        "The changes, file by file; each hunk is reviewed on its own",
        required=True,
        not_empty=True,
        tables=tuple(CHANGES.values()),
    ),
)


def _detect(payload: Payload) -> bool:
    return "changes" in payload.object


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    envelope = reader.record(payload.data, _TABLE)
    schema = envelope.integer("schema")
    if schema not in (None, _SCHEMA):
        field = "schema" if "schema" in payload.object else "version"
        raise reader.bad(f"version {schema} of this format is unknown; this reads version {_SCHEMA}", field)
    agent = reader.record(envelope.values.get("agent", {}), _AGENT, "agent")
    mode = envelope.optional_text("on_failure")
    hunks = [hunk for item, at in envelope.items("changes") for hunk in change_hunks(reader, item, at)]
    return Proposal(
        format=NAME,
        hunks=tuple(hunks),
        id=envelope.optional_text("id"),
        title=envelope.optional_text("title"),
        description=envelope.optional_text("description"),
        agent=Agent(agent.optional_text("name"), agent.optional_text("session")),
        call_id=envelope.optional_text("call_id"),
        mode=Mode(mode) if mode else None,
        dry_run=envelope.flag("dry_run"),
        notes=reader.notes,
    )


FORMAT = Format(
    name=NAME,
    shape='JSON object with "changes"',
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "propose_changes",
        "Propose changes to several files at once. A person reviews every hunk and may accept some and reject others; "
        "the result says which were applied, which were not, and why. Keep each hunk small, say `why`, and copy "
        "old_text from the file exactly, with enough lines around it to be unique.",
        _TABLE,
    ),
)
