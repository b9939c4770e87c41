"""A plan whose files are too large to be held together does everything that another does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.model import Code, Copy, Delete, Hunk, Move, Op, Proposal, TextEdit
from engine.planning import plan
from engine.planning.data import ReviewPlan
from engine.review import Accept
from engine.session import apply, decide
from engine.shelf import Shelf, Shelved
from engine.text import FileText
from engine.transaction import undo
from engine.workspace import Workspace

BEFORE = {
    "edited.txt": b"\xef\xbb\xbfone\r\n\xff two\r\n",
    "kept.txt": b"one\n",
    "moved.txt": b"one\ntwo",
    "deleted.bin": b"\0\1\2",
    "source.py": b"x = 1\n",
    "empty.txt": b"",
}
SENT: tuple[tuple[str, Op], ...] = (
    ("edited.txt", TextEdit("one", "three")),
    ("kept.txt", TextEdit("none of it", "x")),
    ("moved.txt", TextEdit("two", "four")),
    ("moved.txt", Move("there.txt")),
    ("deleted.bin", Delete()),
    ("copied.py", Copy("source.py")),
    ("source.py", TextEdit("1", "2")),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, content in BEFORE.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def contents(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.iterdir() if path.is_file()}


def planned(workspace: Workspace) -> ReviewPlan:
    return plan(Proposal("test", tuple(Hunk(path, op) for path, op in SENT), name="p"), workspace)


def told(root: Path) -> tuple[dict[str, bytes], dict[str, object]]:
    """What stands there after all that fits was applied, and what was said; then it is taken back."""
    with Workspace(root) as workspace:
        plan = planned(workspace)
        result = apply(plan, decide(plan, Accept((0, 2, 3, 4, 5, 6))), workspace)
        after = contents(root)
        undo(workspace)
    assert contents(root) == BEFORE
    said = result.to_dict()
    del said["transaction"]
    return after, said


def test_from_the_shelf_or_from_memory_is_the_same(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from_memory = told(root)
    assert from_memory[0]["edited.txt"] == b"\xef\xbb\xbfthree\r\n\xff two\r\n"
    monkeypatch.setattr("engine.planning.whole.HELD_IN_MEMORY", 0)
    with Workspace(root) as workspace:
        held = {file.path: type(file.held) for file in planned(workspace).files}
    assert held == dict.fromkeys(held, Shelved) | {"copied.py": FileText}
    assert told(root) == from_memory


def test_the_plan_keeps_what_was_read_whatever_the_file_becomes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.planning.whole.HELD_IN_MEMORY", 0)
    with Workspace(root) as workspace:
        plan = planned(workspace)
        (root / "edited.txt").write_bytes(b"somebody else")
        assert plan.files[0].content == BEFORE["edited.txt"]
        result = apply(plan, decide(plan, Accept((0,))), workspace)
    assert result.hunks[0].code is Code.CONFLICT
    assert (root / "edited.txt").read_bytes() == b"somebody else"


def test_without_room_for_a_shelf_the_texts_stay_in_memory(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.planning.whole.HELD_IN_MEMORY", 0)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.shelf.os.pwrite", full)
    with Workspace(root) as workspace:
        assert {type(file.held) for file in planned(workspace).files} == {FileText}
        assert planned(workspace).files[3].content == BEFORE["deleted.bin"]


def test_a_shelf_goes_with_its_last_user() -> None:
    def open_files() -> set[str]:
        return set(os.listdir("/dev/fd"))

    before = open_files()
    shelved = Shelf().put(b"some text\n")
    assert shelved.data == b"some text\n"
    assert shelved.text is shelved.text
    assert len(open_files()) == len(before) + 1
    del shelved
    assert len(open_files()) == len(before)
