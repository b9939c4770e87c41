"""The JSON formats: payload in, whole proposal out."""

from __future__ import annotations

import json

import pytest

from engine.model import (
    Agent,
    Create,
    Delete,
    Hunk,
    LineCommand,
    LineEdit,
    Mode,
    Move,
    NotebookEdit,
    Proposal,
    Rewrite,
    TextEdit,
    Write,
)
from tests.engine.formats.support import read

SHA = "ab" * 32
PATCH = "*** Begin Patch\n*** Delete File: a\n*** End Patch"
XY = {"old_string": "x", "new_string": "y"}
OLD_NEW = {"oldText": "x", "newText": "y"}


def line(
    command: str, start: int, end: int, new: str = "", indent: int | None = None, expected: str | None = None
) -> LineEdit:
    return LineEdit(LineCommand(command), start, end, new, indent, expected)


def claude(path: str, op: object, why: str | None = None) -> Proposal:
    return Proposal("claude", (Hunk(path, op, why=why),))  # type: ignore[arg-type]


PROPOSALS: list[tuple[object, Proposal]] = [
    # ------------------------------------------------------------ hunkdeck
    (
        {
            "schema": 1,
            "id": "p1",
            "title": "T",
            "description": "D",
            "agent": {"name": "n", "session": "s"},
            "on_failure": "stop",
            "dry_run": True,
            "call_id": "c",
            "extra": 1,
            "changes": [
                {"change_type": "move_file", "id": "m", "path": "a", "new_path": "b"},
                {
                    "change_type": "multi_patch",
                    "id": "mp",
                    "path": "f",
                    "base_sha256": f"sha256:{SHA.upper()}",
                    "rank": 2,
                    "patches": [
                        {
                            "old_text": "x\r\n",
                            "new_text": "y\r\nz",
                            "why": "w",
                            "group": "g",
                            "rank": 0,
                            "start_line": 3,
                            "end_line": 4,
                        },
                        {
                            "command": "replace",
                            "start_line": 5,
                            "end_line": 6,
                            "new_content": "n\r\n",
                            "expected": "o\r\n",
                            "id": "own",
                        },
                    ],
                },
                {"change_type": "patch", "path": "l", "old_content": "1", "new_content": "2", "why": "because"},
                {"change_type": "new_file", "path": "n", "content": "c\r\n"},
                {"change_type": "delete_file", "path": "d"},
            ],
        },
        Proposal(
            "hunkdeck",
            (
                Hunk("a", Move("b"), id="m"),
                Hunk("f", TextEdit("x\n", "y\nz", start_line=3, end_line=4), "mp", "w", "g", 0, SHA),
                Hunk("f", line("replace", 5, 6, "n\n", expected="o\n"), id="own", rank=2, base_sha256=SHA),
                Hunk("l", TextEdit("1", "2"), why="because"),
                Hunk("n", Create("c\r\n")),
                Hunk("d", Delete()),
            ),
            id="p1",
            title="T",
            description="D",
            agent=Agent("n", "s"),
            call_id="c",
            mode=Mode.STOP,
            dry_run=True,
            notes=("ignored field extra",),
        ),
    ),
    # ------------------------------------------------------------ multi_edit
    (
        {
            "description": "d",
            "edits": [{"file_path": "a", **XY, "replace_all": True}, {"file_path": "b", **XY, "foo": 1}],
        },
        Proposal(
            "multi_edit",
            (Hunk("a", TextEdit("x", "y", replace_all=True)), Hunk("b", TextEdit("x", "y"))),
            description="d",
            mode=Mode.ROLLBACK,
            notes=("ignored field edits[1].foo",),
        ),
    ),
    (
        {"description": "d", "edits": json.dumps([{"file_path": "a", **XY}]), "atomic": False, "dry_run": True},
        Proposal("multi_edit", (Hunk("a", TextEdit("x", "y")),), description="d", mode=Mode.CONTINUE, dry_run=True),
    ),
    (
        {"file_path": "a", "edits": [XY, {"old_string": "", "new_string": "n"}, {"file_path": "b", **XY}]},
        Proposal(
            "multi_edit",
            (Hunk("a", TextEdit("x", "y")), Hunk("a", TextEdit("", "n")), Hunk("b", TextEdit("x", "y"))),
            mode=Mode.ROLLBACK,
        ),
    ),
    (
        {
            "description": "b",
            "invocations": [
                {"tool_name": "Edit", "input": {"file_path": "a", **XY}},
                {"tool_name": "Write", "input": {"file_path": "w", "content": "c"}},
                {"tool_name": "MultiEdit", "input": {"file_path": "m", "edits": [XY]}},
            ],
        },
        Proposal(
            "multi_edit",
            (Hunk("a", TextEdit("x", "y")), Hunk("w", Write("c")), Hunk("m", TextEdit("x", "y"))),
            description="b",
            mode=Mode.ROLLBACK,
        ),
    ),
    # ------------------------------------------------------------ apply_patch_json
    (
        {
            "path": "p",
            "patches": [{"old_text": "a", "new_text": "b"}, {"old_text": "c", "new_text": "", "start_line": 7}],
        },
        Proposal("apply_patch_json", (Hunk("p", TextEdit("a", "b")), Hunk("p", TextEdit("c", "", start_line=7)))),
    ),
    (
        {"path": "p", "old_text": "a", "new_text": "b", "end_line": None},
        Proposal("apply_patch_json", (Hunk("p", TextEdit("a", "b")),)),
    ),
    (
        {"path": "p", "new_text": "b", "insert_line": 3},
        Proposal("apply_patch_json", (Hunk("p", line("insert", 2, 2, "b")),)),
    ),
    (
        [{"change_type": "patch", "id": "1", "path": "p", "old_content": "a", "new_content": "b"}],
        Proposal("apply_patch_json", (Hunk("p", TextEdit("a", "b"), id="1"),)),
    ),
    # ------------------------------------------------------------ pi
    ({"path": "p", **OLD_NEW}, Proposal("pi", (Hunk("p", TextEdit("x", "y")),), mode=Mode.ROLLBACK)),
    (
        {"path": "p", "oldText": "1", "newText": "2", "multi": [OLD_NEW, {"path": "q", **OLD_NEW}]},
        Proposal(
            "pi",
            (Hunk("p", TextEdit("1", "2")), Hunk("p", TextEdit("x", "y")), Hunk("q", TextEdit("x", "y"))),
            mode=Mode.CONTINUE,
        ),
    ),
    (
        {"path": "p", "edits": json.dumps([OLD_NEW])},
        Proposal("pi", (Hunk("p", TextEdit("x", "y")),), mode=Mode.ROLLBACK),
    ),
    ({"patch": PATCH, "path": None}, Proposal("pi", (Hunk("a", Delete()),), mode=Mode.ROLLBACK)),
    # ------------------------------------------------------------ edit_lines
    (
        [
            {"command": "replace", "path": "a", "start_line": 2, "end_line": 3, "new_content": "n", "indent_level": 4},
            {"command": "delete", "path": "a", "start_line": 9, "expected": "gone", "new_content": "ignored"},
            {"command": "insert", "path": "b", "insert_line": 0, "new_content": "top"},
        ],
        Proposal(
            "edit_lines",
            (
                Hunk("a", line("replace", 2, 3, "n", 4)),
                Hunk("a", line("delete", 9, 9, expected="gone")),
                Hunk("b", line("insert", 0, 0, "top")),
            ),
        ),
    ),
    (
        {"command": "delete", "path": "a", "start_line": 1, "end_line": 2, "dry_run": True},
        Proposal("edit_lines", (Hunk("a", line("delete", 1, 2)),), dry_run=True),
    ),
    # ------------------------------------------------------------ claude
    ({"file_path": "f", "old_string": "a\r\nb", "new_string": "c"}, claude("f", TextEdit("a\nb", "c"))),
    ({"file_path": "f", **XY, "replace_all": True}, claude("f", TextEdit("x", "y", replace_all=True))),
    (
        {"file_path": "f", **XY, "instruction": "why", "allow_multiple": True},
        claude("f", TextEdit("x", "y", replace_all=True), "why"),
    ),
    ({"filePath": "f", "oldString": "x", "newString": "y", "replaceAll": False}, claude("f", TextEdit("x", "y"))),
    ({"file_path": "f", "content": "a\r\nb"}, claude("f", Write("a\r\nb"))),
    ({"path": "f", "content": ""}, claude("f", Write(""))),
    ({"command": "str_replace", "path": "f", "old_str": "x"}, claude("f", TextEdit("x", ""))),
    ({"command": "create", "path": "f", "file_text": "t\r\n"}, claude("f", Create("t\r\n"))),
    ({"command": "insert", "path": "f", "insert_line": 4, "insert_text": "t"}, claude("f", line("insert", 4, 4, "t"))),
    ({"command": "insert", "path": "f", "insert_line": 0, "new_str": "t"}, claude("f", line("insert", 0, 0, "t"))),
    (
        {"notebook_path": "n.ipynb", "cell_id": "c", "new_source": "s"},
        claude("n.ipynb", NotebookEdit(LineCommand.REPLACE, "s", "c")),
    ),
    (
        {"notebook_path": "n.ipynb", "new_source": "s", "cell_type": "markdown", "edit_mode": "insert"},
        claude("n.ipynb", NotebookEdit(LineCommand.INSERT, "s", None, "markdown")),
    ),
    (
        {"notebook_path": "n.ipynb", "cell_id": "c", "edit_mode": "delete"},
        claude("n.ipynb", NotebookEdit(LineCommand.DELETE, "", "c")),
    ),
    # ------------------------------------------------------------ rewrite
    (
        {"pattern": "def $OLD($$$ARGS)", "rewrite": "def new_$OLD($$$ARGS)", "path": "src/", "language": "python"},
        Proposal("rewrite", (Hunk("src/", Rewrite("def $OLD($$$ARGS)", "def new_$OLD($$$ARGS)", "python")),)),
    ),
]


@pytest.mark.parametrize(("payload", "expected"), PROPOSALS)
def test_proposal(payload: object, expected: Proposal) -> None:
    assert read(payload) == expected


def test_ignored_fields_are_listed_up_to_a_point() -> None:
    edit = {"file_path": "a", **XY, **{f"f{n}": n for n in range(25)}}
    notes = read(edit).notes
    assert notes[0] == "ignored field f0"
    assert notes[-1] == "ignored 5 more fields"
    assert len(notes) == 21
    assert read({"file_path": "a", **XY, "k" * 1000: 1}).notes == (f"ignored field {'k' * 60}…",)


def test_old_equal_to_new_and_conflict_markers_are_literal() -> None:
    markers = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n*** End Patch\n"
    proposal = read({"file_path": "f", "old_string": markers, "new_string": markers})
    assert proposal == claude("f", TextEdit(markers, markers))
