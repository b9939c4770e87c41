"""Edits by line number, one or a list of them.

{"command": "replace" | "delete", "path", "start_line", "end_line"?, "new_content"?, "expected"?}
{"command": "insert", "path", "insert_line", "new_content"}       0 is the top of the file
"""

from __future__ import annotations

from engine.formats.edits import LINE_COMMANDS, LINE_EDIT_FIELDS, line_edit
from engine.formats.fields import Field, Kind, Reader, Record, Table
from engine.formats.payload import Format, Payload, Tool
from engine.model import Hunk, Proposal

NAME = "edit_lines"

_TABLE: Table = (
    LINE_EDIT_FIELDS[0],
    Field("path", Kind.STRING, "File path (e.g., 'src/main.py')", required=True),
    *LINE_EDIT_FIELDS[1:],
    Field("dry_run", Kind.BOOLEAN, "Preview changes without applying. Default: false", default=False),
)
_LINES = {"start_line", "end_line", "insert_line", "new_content"}
_EDITOR_TOOL = {"insert_text", "new_str", "old_str", "file_text"}
"""Fields of Anthropic's text editor tool, whose `insert` is another one."""


def _detect(payload: Payload) -> bool:
    if isinstance(payload.data, list):
        return any(isinstance(item, dict) and "command" in item for item in payload.data[:1])
    call = payload.object
    if "command" not in call or not _EDITOR_TOOL.isdisjoint(call):
        return False
    return call["command"] in LINE_COMMANDS or not _LINES.isdisjoint(call)


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    if isinstance(payload.data, list):
        records = [reader.record(item, _TABLE, f"[{index}]") for index, item in enumerate(payload.data)]
    else:
        records = [reader.record(payload.data, _TABLE)]
    hunks = tuple(Hunk(record.text("path"), line_edit(reader, record)) for record in records)
    return Proposal(NAME, hunks, dry_run=_dry_run(reader, records), notes=reader.notes)


def _dry_run(reader: Reader, records: list[Record]) -> bool:
    wanted = bool(records) and records[0].flag("dry_run")
    for record in records:
        if record.flag("dry_run") is not wanted:
            raise reader.bad("dry_run must be the same for all edits of a list", record.path_of("dry_run"))
    return wanted


FORMAT = Format(
    name=NAME,
    shape='JSON object with "command" (replace, insert or delete), "path" and line numbers; or a list of them',
    detect=_detect,
    parse=_parse,
    tool=Tool(
        NAME,
        "Edit files by replacing, inserting, or deleting specific lines.\n\n"
        "Advantages over pattern-based edits: no whitespace matching issues, automatic indentation.\n\n"
        "Commands:\n"
        "1. replace: replace lines start_line to end_line with new_content\n"
        "2. insert: insert new_content after insert_line (0 = beginning)\n"
        "3. delete: delete lines start_line to end_line\n\n"
        "New content is auto-indented to match its context; indent_level (number of spaces) overrides that. Line "
        "numbers count the file as it is on disk: read it again after an edit, or send `expected`.",
        _TABLE,
    ),
)
