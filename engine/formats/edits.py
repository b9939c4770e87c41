"""What the JSON formats share: text edits and line edits made from checked fields."""

from __future__ import annotations

from engine.formats.fields import Field, Kind, Reader, Record, Table
from engine.model import LineCommand, LineEdit, TextEdit
from engine.text import normalise_newlines

START_LINE = Field("start_line", Kind.INTEGER, "Optional: line range hint for disambiguation (1-based)", minimum=1)
END_LINE = Field("end_line", Kind.INTEGER, "Optional: line range hint for disambiguation (inclusive)", minimum=1)

LINE_COMMANDS = tuple(command.value for command in LineCommand)
LINE_EDIT_FIELDS: Table = (
    Field("command", Kind.STRING, "Action: 'replace', 'insert', or 'delete'", required=True, choices=LINE_COMMANDS),
    Field("start_line", Kind.INTEGER, "Starting line number (1-indexed). Required for replace/delete.", minimum=1),
    Field(
        "end_line", Kind.INTEGER, "Ending line number (inclusive). For replace/delete; default: start_line.", minimum=1
    ),
    Field(
        "insert_line",
        Kind.INTEGER,
        "Line number after which to insert (0 = beginning). Required for insert.",
        minimum=0,
    ),
    Field("new_content", Kind.STRING, "New content to insert/replace. Required for replace/insert."),
    Field("indent_level", Kind.INTEGER, "Override auto-indent with specific number of spaces.", minimum=0),
    Field("expected", Kind.STRING, "Optional: what these lines hold now; the edit is refused if they do not."),
)


def text_edit(old: str, new: str, *, replace_all: bool = False) -> TextEdit:
    """An edit in our newlines; an empty `old` creates a file, whose content stays as it was sent."""
    return TextEdit(normalise_newlines(old), normalise_newlines(new) if old else new, replace_all=replace_all)


def hinted_edit(reader: Reader, record: Record, old: str, new: str) -> TextEdit:
    """A text edit with the optional line range of `record`."""
    start, end = record.integer("start_line"), record.integer("end_line")
    check_range(reader, record, start, end)
    return TextEdit(normalise_newlines(old), normalise_newlines(new), start_line=start, end_line=end)


def check_range(reader: Reader, record: Record, start: int | None, end: int | None) -> None:
    if start is not None and end is not None and end < start:
        raise reader.bad(f"end_line {end} is before start_line {start}", record.path_of("end_line"))


def line_edit(reader: Reader, record: Record) -> LineEdit:
    """A line edit out of a record of `LINE_EDIT_FIELDS`."""
    command = LineCommand(record.text("command"))
    inserting = command is LineCommand.INSERT
    needed = ["insert_line"] if inserting else ["start_line"]
    needed += [] if command is LineCommand.DELETE else ["new_content"]
    for name in needed:
        if name not in record:
            raise reader.bad(f"{command} needs {name}", record.path_of(name))
    start = record.integer(needed[0]) or 0
    end = record.integer("end_line")
    if not inserting:
        check_range(reader, record, start, end)
    expected = record.optional_text("expected")
    return LineEdit(
        command,
        start,
        start if inserting or end is None else end,
        "" if command is LineCommand.DELETE else normalise_newlines(record.text("new_content")),
        record.integer("indent_level"),
        None if expected is None else normalise_newlines(expected),
    )
