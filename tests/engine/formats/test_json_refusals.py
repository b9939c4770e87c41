"""What each kind of bad field is told, with its JSON path."""

from __future__ import annotations

import pytest

from tests.engine.formats.support import refusal

PATCH = "*** Begin Patch\n*** Delete File: a\n*** End Patch"
XY = {"old_string": "x", "new_string": "y"}
OLD_NEW = {"oldText": "x", "newText": "y"}

REFUSED: list[tuple[object, str, str | None, str]] = [
    # ------------------------------------------------------------ hunkdeck
    ({"changes": []}, "hunkdeck", "changes", "changes must not be empty"),
    ({"changes": {}}, "hunkdeck", "changes", "expected a list, got an object"),
    ({"changes": "x"}, "hunkdeck", "changes", "expected a list, got a string"),
    ({"changes": None}, "hunkdeck", "changes", "required field changes is null"),
    ({"changes": [3]}, "hunkdeck", "changes[0]", "expected an object, got an integer"),
    ({"changes": [{}]}, "hunkdeck", "changes[0].change_type", "required field change_type is missing"),
    (
        {"changes": [{"change_type": "rm"}]},
        "hunkdeck",
        "changes[0].change_type",
        "'rm' is not one of multi_patch, patch, new_file, delete_file, move_file",
    ),
    (
        {"changes": [{"change_type": "delete_file", "path": 3}]},
        "hunkdeck",
        "changes[0].path",
        "expected a string, got an integer",
    ),
    (
        {"changes": [{"change_type": "delete_file", "path": "a", "rank": True}]},
        "hunkdeck",
        "changes[0].rank",
        "expected an integer, got true or false",
    ),
    (
        {"changes": [{"change_type": "delete_file", "path": "a", "rank": 1.5}]},
        "hunkdeck",
        "changes[0].rank",
        "expected an integer, got a number",
    ),
    (
        {"changes": [{"change_type": "delete_file", "path": "a", "base_sha256": "xyz"}]},
        "hunkdeck",
        "changes[0].base_sha256",
        "expected a SHA-256 as 64 hex digits",
    ),
    (
        {"changes": [{"change_type": "multi_patch", "path": "a", "patches": [{"old_text": "x"}]}]},
        "hunkdeck",
        "changes[0].patches[0].new_text",
        "required field new_text is missing",
    ),
    (
        {"changes": [{"change_type": "multi_patch", "path": "a", "patches": [{"command": "swap"}]}]},
        "hunkdeck",
        "changes[0].patches[0].command",
        "'swap' is not one of replace, insert, delete",
    ),
    ({"schema": 2, "changes": [{}]}, "hunkdeck", "schema", "version 2 of this format is unknown; this reads version 1"),
    (
        {"version": 9, "changes": [{}]},
        "hunkdeck",
        "version",
        "version 9 of this format is unknown; this reads version 1",
    ),
    (
        {"schema": 1, "version": 1, "changes": [{}]},
        "hunkdeck",
        "version",
        "schema and version are the same field; send one of them",
    ),
    (
        {"on_failure": "explode", "changes": [{}]},
        "hunkdeck",
        "on_failure",
        "'explode' is not one of rollback, stop, continue",
    ),
    ({"agent": "me", "changes": [{}]}, "hunkdeck", "agent", "expected an object, got a string"),
    # ------------------------------------------------------------ multi_edit
    ({"edits": [{"file_path": "a", **XY}]}, "multi_edit", "description", "required field description is missing"),
    (
        {"description": "", "edits": [{"file_path": "a", **XY}]},
        "multi_edit",
        "description",
        "description must not be empty",
    ),
    ({"description": "d", "edits": []}, "multi_edit", "edits", "edits must not be empty"),
    (
        {
            "description": "d",
            "edits": [{"file_path": "a", **XY}, {"file_path": "a", "old_string": None, "new_string": ""}],
        },
        "multi_edit",
        "edits[1].old_string",
        "required field old_string is null",
    ),
    ({"description": "d", "edits": [XY]}, "multi_edit", "edits[0].file_path", "required field file_path is missing"),
    (
        {"description": "d", "edits": [{"file_path": "a", **XY, "replace_all": 1}]},
        "multi_edit",
        "edits[0].replace_all",
        "expected true or false, got an integer",
    ),
    (
        {"description": "d", "edits": "[{"},
        "multi_edit",
        "edits, line 1 column 3",
        "the JSON ends too early: it was cut off, or a bracket or quote is missing",
    ),
    (
        {"description": "d", "invocations": [{"tool_name": "Bash", "input": {"command": "rm"}}]},
        "multi_edit",
        "invocations[0].input.command",
        "'rm' is not one of str_replace, create, insert",
    ),
    # ------------------------------------------------------------ apply_patch_json
    ({"path": "a", "patches": []}, "apply_patch_json", "patches", "patches must not be empty"),
    ({"patches": [{"old_text": "a", "new_text": "b"}]}, "apply_patch_json", "path", "required field path is missing"),
    ({"path": "a", "new_text": "b"}, "apply_patch_json", "old_text", "required field old_text is missing"),
    (
        {"path": "a", "new_text": "b", "insert_line": 0},
        "apply_patch_json",
        "insert_line",
        "insert_line must be 1 or more, got 0",
    ),
    (
        {"path": "a", "patches": [{"old_text": "a", "new_text": "b", "start_line": 4, "end_line": 3}]},
        "apply_patch_json",
        "patches[0].end_line",
        "end_line 3 is before start_line 4",
    ),
    (
        {"path": "a", "patches": [{"old_text": "a", "new_text": "b", "start_line": 0}]},
        "apply_patch_json",
        "patches[0].start_line",
        "start_line must be 1 or more, got 0",
    ),
    (
        {"path": "a", "patches": [{"old_text": "a", "new_text": "b", "start_line": 10**30}]},
        "apply_patch_json",
        "patches[0].start_line",
        "start_line is too large",
    ),
    # ------------------------------------------------------------ pi
    ({"path": "a", "oldText": "x"}, "pi", "newText", "incomplete top-level edit: missing newText"),
    ({"newText": "y", "multi": [OLD_NEW]}, "pi", "path", "incomplete top-level edit: missing path, oldText"),
    (
        {"multi": [{"path": "a", **OLD_NEW}, OLD_NEW]},
        "pi",
        "multi[1].path",
        "multi[1] has no path, and there is no top-level path to inherit",
    ),
    ({"path": "a", "multi": []}, "pi", "multi", "multi must not be empty"),
    ({"path": "a", "patch": PATCH}, "pi", "path", "patch excludes all other parameters; remove path"),
    ({"multi": [OLD_NEW], "patch": PATCH}, "pi", "multi", "patch excludes all other parameters; remove multi"),
    ({"patch": "bad"}, "pi", "line 1", "the first line of a patch must be '*** Begin Patch'"),
    # ------------------------------------------------------------ edit_lines
    ({"command": "replace", "path": "a", "start_line": 1}, "edit_lines", "new_content", "replace needs new_content"),
    ({"command": "replace", "path": "a", "new_content": "x"}, "edit_lines", "start_line", "replace needs start_line"),
    ({"command": "insert", "path": "a", "new_content": "x"}, "edit_lines", "insert_line", "insert needs insert_line"),
    ({"command": "delete", "path": "a"}, "edit_lines", "start_line", "delete needs start_line"),
    (
        {"command": "delete", "path": "a", "start_line": 0},
        "edit_lines",
        "start_line",
        "start_line must be 1 or more, got 0",
    ),
    (
        {"command": "insert", "path": "a", "insert_line": -1, "new_content": ""},
        "edit_lines",
        "insert_line",
        "insert_line must be 0 or more, got -1",
    ),
    (
        {"command": "delete", "path": "a", "start_line": 3, "end_line": 2},
        "edit_lines",
        "end_line",
        "end_line 2 is before start_line 3",
    ),
    ({"command": "delete", "start_line": 3}, "edit_lines", "path", "required field path is missing"),
    (
        {"command": "swap", "path": "a", "start_line": 3},
        "edit_lines",
        "command",
        "'swap' is not one of replace, insert, delete",
    ),
    (
        [{"command": "delete", "path": "a", "start_line": True}],
        "edit_lines",
        "[0].start_line",
        "expected an integer, got true or false",
    ),
    (
        [
            {"command": "delete", "path": "a", "start_line": 1},
            {"command": "delete", "path": "a", "start_line": 1, "dry_run": True},
        ],
        "edit_lines",
        "[1].dry_run",
        "dry_run must be the same for all edits of a list",
    ),
    # ------------------------------------------------------------ claude
    ({"file_path": "a", "old_string": "x"}, "claude", "new_string", "required field new_string is missing"),
    (
        {"file_path": "a", "path": "b", "content": ""},
        "claude",
        "path",
        "file_path and path are the same field; send one of them",
    ),
    ({"command": "view", "path": "a"}, "claude", "command", "'view' is not one of str_replace, create, insert"),
    ({"notebook_path": "n", "cell_id": "c"}, "claude", "new_source", "edit_mode replace needs new_source"),
    (
        {"notebook_path": "n", "new_source": "c", "edit_mode": "insert"},
        "claude",
        "cell_type",
        "edit_mode insert needs cell_type",
    ),
    # ------------------------------------------------------------ rewrite
    ({"pattern": "f($A)", "rewrite": "g($B)", "path": "."}, "rewrite", "rewrite", "$B is not bound by pattern"),
    ({"pattern": "f($_A)", "rewrite": "g($_A)", "path": "."}, "rewrite", "rewrite", "$_A is not bound by pattern"),
    ({"pattern": "f($$$)", "rewrite": "g($$$A)", "path": "."}, "rewrite", "rewrite", "$A is not bound by pattern"),
    ({"pattern": "", "rewrite": "", "path": "."}, "rewrite", "pattern", "pattern must not be empty"),
    ({"pattern": "a", "rewrite": "b"}, "rewrite", "path", "required field path is missing"),
]


@pytest.mark.parametrize(("payload", "format", "where", "message"), REFUSED)
def test_refused(payload: object, format: str, where: str | None, message: str) -> None:
    assert refusal(payload) == (format, where, message)
