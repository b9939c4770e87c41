"""The inputs of single-edit tools: one adapter of (path, old, new, all?) for the agents that share the idea.

Edit           {"file_path", "old_string", "new_string", "replace_all"?}      Claude Code
replace        the same, with "allow_multiple"? and "instruction"?            Gemini CLI
edit           {"filePath", "oldString", "newString", "replaceAll"?}          opencode
Write          {"file_path" | "filePath" | "path", "content"}                 all of them
NotebookEdit   {"notebook_path", "cell_id"?, "new_source", "cell_type"?, "edit_mode"?}
text editor    {"command": "str_replace" | "create" | "insert", "path", …}    Anthropic's editor tool
"""

from __future__ import annotations

from engine.formats.edits import text_edit
from engine.formats.fields import Field, Kind, Reader, Record, Table
from engine.formats.payload import Format, Payload, Tool
from engine.model import Create, Hunk, LineCommand, LineEdit, NotebookEdit, Op, Proposal, Write
from engine.text import normalise_newlines

NAME = "claude"

_PATH = Field("file_path", Kind.STRING, "The path to the file to modify", required=True, aliases=("filePath", "path"))
_EDIT: Table = (
    _PATH,
    Field("old_string", Kind.STRING, "The text to replace", required=True, aliases=("oldString",)),
    Field(
        "new_string",
        Kind.STRING,
        "The text to replace it with (must be different from old_string)",
        required=True,
        aliases=("newString",),
    ),
    Field(
        "replace_all",
        Kind.BOOLEAN,
        "Replace all occurrences of old_string (default false)",
        aliases=("replaceAll", "allow_multiple"),
        default=False,
    ),
    Field("instruction", Kind.STRING, "Why the change is made", aliases=("description",)),
)
_WRITE: Table = (_PATH, Field("content", Kind.STRING, "The whole content of the file", required=True))
_NOTEBOOK: Table = (
    Field("notebook_path", Kind.STRING, "The path to the notebook", required=True),
    Field("cell_id", Kind.STRING, "The cell to edit; for insert, the cell behind which to insert"),
    Field("new_source", Kind.STRING, "The new source of the cell"),
    Field("cell_type", Kind.STRING, "code or markdown; required for insert", choices=("code", "markdown")),
    Field(
        "edit_mode",
        Kind.STRING,
        "replace (the default), insert or delete",
        choices=tuple(command.value for command in LineCommand),
    ),
)
_COMMAND = Field("command", Kind.STRING, "What to do", required=True, choices=("str_replace", "create", "insert"))
_EDITOR: dict[object, Table] = {
    "str_replace": (
        _COMMAND,
        _PATH,
        Field("old_str", Kind.STRING, "The text to replace", required=True),
        Field("new_str", Kind.STRING, "The text to replace it with; nothing if left out"),
    ),
    "create": (_COMMAND, _PATH, Field("file_text", Kind.STRING, "The content of the new file", required=True)),
    "insert": (
        _COMMAND,
        _PATH,
        Field("insert_line", Kind.INTEGER, "The line behind which to insert; 0 is the top", required=True, minimum=0),
        Field("insert_text", Kind.STRING, "The text to insert", required=True, aliases=("new_str",)),
    ),
}
_EDIT_KEYS = {"old_string", "oldString", "new_string", "newString"}
_PATH_KEYS = {"file_path", "filePath", "notebook_path"}


def looks_like_edit(call: dict[str, object]) -> bool:
    """Is this the input of one of the tools above?"""
    if "command" in call:
        return "path" in call and isinstance(call["command"], str)
    return not _PATH_KEYS.isdisjoint(call) or not _EDIT_KEYS.isdisjoint(call) or {"path", "content"} <= call.keys()


def edit_hunk(reader: Reader, value: object, at: str = "") -> Hunk:
    """The one hunk that a tool input asks for."""
    keys = value.keys() if isinstance(value, dict) else set()
    if "notebook_path" in keys:
        return _notebook(reader, reader.record(value, _NOTEBOOK, at))
    if isinstance(value, dict) and "command" in keys:
        return _editor(reader, value, at)
    if "content" in keys and _EDIT_KEYS.isdisjoint(keys):
        call = reader.record(value, _WRITE, at)
        return Hunk(call.text("file_path"), Write(call.text("content")))
    call = reader.record(value, _EDIT, at)
    op = text_edit(call.text("old_string"), call.text("new_string"), replace_all=call.flag("replace_all"))
    return Hunk(call.text("file_path"), op, why=call.optional_text("instruction"))


def _editor(reader: Reader, value: dict[str, object], at: str) -> Hunk:
    command = reader.tag(value, _COMMAND, at)
    call = reader.record(value, _EDITOR[command], at)
    op: Op
    if command == "create":
        op = Create(call.text("file_text"))
    elif command == "insert":
        line = call.integer("insert_line") or 0
        op = LineEdit(LineCommand.INSERT, line, line, normalise_newlines(call.text("insert_text")))
    else:
        op = text_edit(call.text("old_str"), call.text("new_str"))
    return Hunk(call.text("file_path"), op)


def _notebook(reader: Reader, call: Record) -> Hunk:
    mode = LineCommand(call.optional_text("edit_mode") or "replace")
    needed = {LineCommand.REPLACE: ("new_source", "cell_id"), LineCommand.INSERT: ("new_source", "cell_type")}
    for name in needed.get(mode, ("cell_id",)):
        if name not in call:
            raise reader.bad(f"edit_mode {mode} needs {name}", call.path_of(name))
    source = normalise_newlines(call.text("new_source"))
    op = NotebookEdit(mode, source, call.optional_text("cell_id"), call.optional_text("cell_type"))
    return Hunk(call.text("notebook_path"), op)


def _detect(payload: Payload) -> bool:
    return looks_like_edit(payload.object)


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    return Proposal(NAME, (edit_hunk(reader, payload.data),), notes=reader.notes)


FORMAT = Format(
    name=NAME,
    shape='JSON input of an Edit, Write, NotebookEdit, replace, write_file or text editor tool ("file_path" or "path")',
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "Edit",
        "Replace old_string by new_string in one file. old_string must be copied from the file exactly, indentation "
        "included, and be unique; add lines around it, or use replace_all to change every occurrence.",
        _EDIT,
    ),
)
