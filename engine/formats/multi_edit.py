"""A batch of string replacements over several files.

{"description", "edits": [{"file_path", "old_string", "new_string", "replace_all"?}…], "atomic"?, "dry_run"?}
{"file_path", "edits": [{"old_string", "new_string", "replace_all"?}…]}         Claude Code's former MultiEdit
{"description"?, "invocations": [{"tool_name", "input"}…]}                      its BatchTool
"""

from __future__ import annotations

import sys

from engine.formats.claude import edit_hunk
from engine.formats.edits import text_edit
from engine.formats.fields import Field, Kind, Reader, Record, Table
from engine.formats.payload import Format, Payload, Tool
from engine.model import Hunk, Mode, Proposal

NAME = "multi_edit"

_STRINGS: Table = (
    Field("old_string", Kind.STRING, "The text to replace", required=True, aliases=("oldString",)),
    Field("new_string", Kind.STRING, "The text to replace it with", required=True, aliases=("newString",)),
    Field(
        "replace_all",
        Kind.BOOLEAN,
        "Replace all occurrences in the file (default: false)",
        aliases=("replaceAll",),
        default=False,
    ),
)
_PATH = Field("file_path", Kind.STRING, "The file to edit", required=True, aliases=("filePath", "path"))
_FILE_KEYS = {_PATH.name, *_PATH.aliases}
_FILE_EDIT: Table = (_PATH, *_STRINGS)
_OPTIONS: Table = (
    Field("atomic", Kind.BOOLEAN, "Rollback all on any failure (default: true)", default=True),
    Field("dry_run", Kind.BOOLEAN, "Preview changes without applying", default=False),
)
_DESCRIPTION = "What this batch edit does"
_TABLE: Table = (
    Field("description", Kind.STRING, _DESCRIPTION, required=True, not_empty=True),
    Field("edits", Kind.ARRAY, "Array of file edits", required=True, not_empty=True, tables=(_FILE_EDIT,)),
    *_OPTIONS,
)
_ONE_FILE: Table = (
    _PATH,
    Field("description", Kind.STRING, _DESCRIPTION),
    Field("edits", Kind.ARRAY, "Array of edits", required=True, not_empty=True, tables=(_STRINGS,)),
    *_OPTIONS,
)
_INVOCATION: Table = (
    Field("tool_name", Kind.STRING, "Edit, Write, NotebookEdit or MultiEdit", required=True),
    Field("input", Kind.OBJECT, "The input of that tool", required=True),
)
_BATCH: Table = (
    Field("description", Kind.STRING, _DESCRIPTION),
    Field("invocations", Kind.ARRAY, "Array of tool calls", required=True, not_empty=True, tables=(_INVOCATION,)),
    *_OPTIONS,
)


def _detect(payload: Payload) -> bool:
    call = payload.object
    if "invocations" in call:
        return True
    if "edits" not in call or "multi" in call:
        return False
    items = call["edits"]
    first = str(items[0] if isinstance(items, list) and items else items)[:2000]
    return "old_string" in first or ("path" not in call and "oldText" not in first)


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    if "invocations" in payload.object:
        call = reader.record(payload.data, _BATCH)
        records = [reader.record(item, _INVOCATION, at) for item, at in call.items("invocations")]
        hunks = [hunk for record in records for hunk in _invocation(reader, record)]
    elif not _FILE_KEYS.isdisjoint(payload.object):
        call = reader.record(payload.data, _ONE_FILE)
        hunks = _edits_of_one_file(reader, call)
    else:
        call = reader.record(payload.data, _TABLE)
        records = [reader.record(item, _FILE_EDIT, at) for item, at in call.items("edits")]
        hunks = [_hunk(record.text("file_path"), record) for record in records]
    return Proposal(
        NAME,
        tuple(hunks),
        description=call.optional_text("description"),
        mode=Mode.ROLLBACK if call.flag("atomic", default=True) else Mode.CONTINUE,
        dry_run=call.flag("dry_run"),
        notes=reader.notes,
    )


def _invocation(reader: Reader, invocation: Record) -> list[Hunk]:
    below = invocation.path_of("input")
    value = invocation.values["input"]
    if isinstance(value, dict) and "edits" in value:
        return _edits_of_one_file(reader, reader.record(value, _ONE_FILE, below))
    return [edit_hunk(reader, value, below)]


def _edits_of_one_file(reader: Reader, call: Record) -> list[Hunk]:
    """Edits of a MultiEdit; one that names its own file must not be read as an edit of another."""
    hunks = []
    for item, at in call.items("edits"):
        if isinstance(item, dict) and not _FILE_KEYS.isdisjoint(item):
            record = reader.record(item, _FILE_EDIT, at)
            hunks.append(_hunk(record.text("file_path"), record))
        else:
            hunks.append(_hunk(call.text("file_path"), reader.record(item, _STRINGS, at)))
    return hunks


def _hunk(path: str, edit: Record) -> Hunk:
    op = text_edit(edit.text("old_string"), edit.text("new_string"), replace_all=edit.flag("replace_all"))
    return Hunk(sys.intern(path), op)  # thousands of edits name the same few files


FORMAT = Format(
    name=NAME,
    shape='JSON object with "edits" of old_string and new_string, or "invocations"',
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "MultiEdit",
        "Perform batch edits across multiple files atomically.\n\n"
        "- Provide an array of edits with file paths and replacements\n"
        "- Each edit specifies old_string and new_string, copied from the file exactly\n"
        "- Use replace_all: true for global replacement in a file\n"
        "- Atomic mode: rollback all changes if any edit fails\n"
        "- Use dry_run: true to preview changes\n\n"
        "Best for renaming across a codebase, import path updates, configuration values, license headers.",
        _TABLE,
    ),
)
