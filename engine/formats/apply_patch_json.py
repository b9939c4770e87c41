"""Search and replace in one file, several hunks at a time: the `apply_patch` tool with JSON arguments.

{"path", "patches": [{"old_text", "new_text", "start_line"?, "end_line"?}…]}
{"path", "old_text", "new_text"}           the former shape, one hunk
{"path", "new_text", "insert_line"}        Cline's editor: in front of that line, counted from 1
[Change…]                                  what its user interface passes on (`changes.py`)
"""

from __future__ import annotations

from engine.formats.changes import TEXT_PATCH, change_hunks
from engine.formats.edits import hinted_edit
from engine.formats.fields import Field, Kind, Reader, Record, Table
from engine.formats.payload import Format, Payload, Tool
from engine.model import Hunk, LineCommand, LineEdit, Proposal
from engine.text import normalise_newlines

NAME = "apply_patch_json"

_PATH = Field("path", Kind.STRING, "Path to the file to edit", required=True)
_TABLE: Table = (
    _PATH,
    Field(
        "patches",
        Kind.ARRAY,
        "Array of replacements to apply atomically",
        required=True,
        not_empty=True,
        tables=(TEXT_PATCH,),
    ),
)
_FORMER: Table = (_PATH, *TEXT_PATCH)
_INSERTION: Table = (
    _PATH,
    Field("new_text", Kind.STRING, "The lines to insert", required=True),
    Field("insert_line", Kind.INTEGER, "The line in front of which to insert", required=True, minimum=1),
)


def _detect(payload: Payload) -> bool:
    if isinstance(payload.data, list):
        return any(isinstance(item, dict) and "change_type" in item for item in payload.data[:1])
    return any(key in payload.object for key in ("patches", "old_text", "new_text"))


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    if isinstance(payload.data, list):
        if len(payload.data) > payload.limits.max_hunks:
            raise reader.bad(f"{len(payload.data)} changes; at most {payload.limits.max_hunks} are read", "")
        hunks = [hunk for i, item in enumerate(payload.data) for hunk in change_hunks(reader, item, f"[{i}]")]
    elif "patches" in payload.object:
        call = reader.record(payload.data, _TABLE)
        records = [reader.record(item, TEXT_PATCH, at) for item, at in call.items("patches")]
        hunks = [_hunk(reader, call.text("path"), record) for record in records]
    elif payload.object.get("insert_line") is not None and payload.object.get("old_text") is None:
        hunks = [_insertion(reader.record(payload.data, _INSERTION))]
    else:
        call = reader.record(payload.data, _FORMER)
        hunks = [_hunk(reader, call.text("path"), call)]
    return Proposal(NAME, tuple(hunks), notes=reader.notes)


def _hunk(reader: Reader, path: str, patch: Record) -> Hunk:
    return Hunk(path, hinted_edit(reader, patch, patch.text("old_text"), patch.text("new_text")))


def _insertion(call: Record) -> Hunk:
    behind = (call.integer("insert_line") or 1) - 1
    op = LineEdit(LineCommand.INSERT, behind, behind, normalise_newlines(call.text("new_text")))
    return Hunk(call.text("path"), op)


FORMAT = Format(
    name=NAME,
    shape='JSON object with "path" and "patches", or with "old_text" and "new_text"; or a list of changes',
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "apply_patch",
        "Apply one or more search-and-replace patches to one file. All old_text must exist and be unique before any "
        "is applied; give line hints where the text is not unique. Batch the imports, signatures and logic of one "
        "refactoring in one call. A person reviews every patch.",
        _TABLE,
    ),
)
