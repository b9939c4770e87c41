"""Undo restores exact bytes and mode, or refuses by name; it touches only its own files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import UndoRefused
from engine.transaction import Action, Change, Entry, FileRecord, Undone, commit, history, recover, undo
from engine.workspace import Workspace
from tests.faults.harness import (
    ALL_NEW,
    ALL_OLD,
    CHANGES,
    NEW,
    Features,
    QuietDisk,
    apply,
    digest,
    take_back,
    tree,
    workspace_at,
)

EDIT_AGAIN = Change("edited.py", digest(NEW["edited.py"][0]), b"once more\n")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with workspace_at(tmp_path / "w") as opened:
        apply(opened, QuietDisk())
        yield opened


@pytest.fixture
def root(workspace: Workspace) -> Path:
    return Path(workspace.root)


def test_there_and_back_and_there_again(workspace: Workspace, root: Path) -> None:
    paths = tuple(change.path for change in CHANGES)
    assert undo(workspace, disk=QuietDisk()) == Undone("000001", "five files", paths, by="000002")
    assert tree(root) == ALL_OLD
    assert undo(workspace, "2", disk=QuietDisk()) == Undone("000002", "five files", paths, by="000003")
    assert tree(root) == ALL_NEW
    assert undo(workspace, disk=QuietDisk()).id == "000001"
    assert tree(root) == ALL_OLD
    assert [(entry.id, entry.undone, entry.undoes) for entry in history(workspace)] == [
        ("000001", True, None),
        ("000002", True, "000001"),
        ("000003", False, "000002"),
        ("000004", False, "000001"),
    ]


def test_the_history_says_what_happened(workspace: Workspace) -> None:
    (entry,) = history(workspace)
    assert entry == Entry(
        id="000001",
        proposal="five files",
        time=entry.time,
        undone=False,
        undoes=None,
        files=tuple(
            FileRecord(
                change.path,
                Action.CREATE if change.before is None else Action.DELETE if change.after is None else Action.MODIFY,
                change.before,
                None if change.after is None else digest(change.content()),
            )
            for change in CHANGES
        ),
    )
    assert entry.time.endswith("+00:00")


def test_the_last_one_first(workspace: Workspace, root: Path) -> None:
    commit(workspace, [EDIT_AGAIN], proposal="second", disk=QuietDisk())
    assert undo(workspace, disk=QuietDisk()).proposal == "second"
    assert undo(workspace, disk=QuietDisk()).proposal == "five files"
    assert tree(root) == ALL_OLD
    with pytest.raises(UndoRefused, match="nothing to undo"):
        undo(workspace, disk=QuietDisk())


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("edited.py", b"edited since", "edited.py: was changed since; nothing was undone"),
        ("created.py", b"edited since", "created.py: was changed since; nothing was undone"),
        ("deleted.py", b"made again", "deleted.py: was changed since; nothing was undone"),
        ("edited.py", None, "edited.py: was changed since; nothing was undone"),
    ],
)
def test_refused_by_name(workspace: Workspace, root: Path, path: str, content: bytes | None, reason: str) -> None:
    if content is None:
        (root / path).unlink()
    else:
        (root / path).write_bytes(content)
    before = tree(root)
    with pytest.raises(UndoRefused) as caught:
        take_back(workspace, QuietDisk())
    assert str(caught.value) == reason
    assert tree(root) == before


def test_a_later_transaction_is_named(workspace: Workspace) -> None:
    commit(workspace, [EDIT_AGAIN], proposal="second", disk=QuietDisk())
    with pytest.raises(UndoRefused, match=r"edited\.py: was changed since, by transaction 000002"):
        undo(workspace, "000001", disk=QuietDisk())


@pytest.mark.parametrize(("id", "reason"), [("000009", "no such transaction"), ("x", "no such transaction")])
def test_an_unknown_transaction(workspace: Workspace, id: str, reason: str) -> None:
    with pytest.raises(UndoRefused, match=reason):
        undo(workspace, id, disk=QuietDisk())


def test_undone_already(workspace: Workspace) -> None:
    undo(workspace, disk=QuietDisk())
    with pytest.raises(UndoRefused, match="000001 is undone already"):
        undo(workspace, "000001", disk=QuietDisk())


@pytest.mark.parametrize("damage", ["missing", "altered"])
def test_a_backup_that_cannot_be_trusted(workspace: Workspace, root: Path, damage: str) -> None:
    backup = root / ".hunkdeck/history/000001-0"
    if damage == "missing":
        backup.unlink()
    else:
        backup.write_bytes(b"altered")
    with pytest.raises(UndoRefused, match=rf"edited\.py: its old content (is|was) {damage}"):
        take_back(workspace, QuietDisk())
    assert tree(root) == ALL_NEW


def test_a_file_of_somebody_else_keeps_its_directory(workspace: Workspace, root: Path) -> None:
    (root / "made/on/mine.py").write_bytes(b"not yours")
    take_back(workspace, QuietDisk())
    kept = {"made/": (b"", 0), "made/on/": (b"", 0), "made/on/mine.py": (b"not yours", 0o644)}
    assert tree(root) == {**ALL_OLD, **kept}


def test_a_save_during_the_undo_is_not_lost(workspace: Workspace, root: Path) -> None:
    class Editor(QuietDisk):
        def before(self, operation: str, name: str) -> None:
            if (operation, name) == ("exchange", "edited.py"):
                (root / "tmp").write_bytes(b"saved")
                os.rename(root / "tmp", root / "edited.py")

    with pytest.raises(UndoRefused, match=r"edited\.py: was changed by somebody else meanwhile"):
        undo(workspace, disk=Editor())
    assert (root / "edited.py").read_bytes() == b"saved"


def test_a_damaged_record_is_left_out(workspace: Workspace, root: Path) -> None:
    (root / ".hunkdeck/history/000001.json").write_bytes(b"damaged")
    assert history(workspace) == []
    with pytest.raises(UndoRefused, match="nothing to undo"):
        undo(workspace, disk=QuietDisk())
    commit(workspace, [EDIT_AGAIN], proposal="second", disk=QuietDisk())
    assert [entry.id for entry in history(workspace)] == ["000002"]


def test_the_order_does_not_depend_on_the_clock(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.transaction.perform._now", lambda: "1999-01-01T00:00:00.000+00:00")
    commit(workspace, [EDIT_AGAIN], proposal="second", disk=QuietDisk())
    assert [(entry.id, entry.time[:4]) for entry in history(workspace)][1] == ("000002", "1999")
    assert undo(workspace, disk=QuietDisk()).proposal == "second"


def test_recover_after_undo_finds_nothing(workspace: Workspace) -> None:
    take_back(workspace, QuietDisk(Features(exchange=False)))
    assert recover(workspace) == ()
