"""The proposal directory: what counts as a proposal, where verdicts appear, what moves away."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engine.errors import WorkspaceError
from engine.queue.desk import Counts, Desk, Item, open_queue
from engine.queue.records import STORE
from engine.review import Accept, AcceptAll, RejectAll
from engine.workspace import Workspace
from tests.engine.queue.support import FOUR, TEXT, edits, lists, read, verdicts, write

ONE = edits(("one", "1"))


@pytest.fixture
def queue(workspace: Workspace) -> Path:
    write(workspace, a=TEXT)
    folder = Path(workspace.root, ".hunkdeck", "queue")
    folder.mkdir(parents=True)
    return folder


def put(queue: Path, **files: bytes) -> None:
    """`put(queue, a=…)` makes a.json; each is newer than the one before."""
    for age, (name, data) in enumerate(files.items()):
        (queue / f"{name}.json").write_bytes(data)
        os.utime(queue / f"{name}.json", (1_000 + age, 1_000 + age))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name not in ("done", STORE))


def finish(desk: Desk, item: Item) -> None:
    desk.plan(item)
    item.act(AcceptAll())
    item.act(RejectAll())
    assert desk.send(item).final


def test_the_oldest_comes_first_and_only_regular_files_with_known_endings_count(
    workspace: Workspace, queue: Path
) -> None:
    put(queue, newer=ONE, old=ONE, b=ONE, a=ONE)
    for name, age in (("old", 1), ("a", 7), ("b", 7)):
        os.utime(queue / f"{name}.json", (age, age))
    for name in (".hidden.json", "half.json.tmp", "backup.json~", "x.result.json", "program.py", "no-ending"):
        (queue / name).write_bytes(ONE)
    (queue / "UPPER.DIFF").write_text("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n")
    (queue / "link.json").symlink_to(queue / "old.json")
    (queue / "folder.json").mkdir()
    os.mkfifo(queue / "pipe.json")
    with open_queue(workspace) as desk:
        assert [item.name for item in desk.items] == ["old", "a", "b", "newer", "UPPER"]
        desk.read_all()
        assert [item.unreadable for item in desk.items] == [False] * 5


def test_a_verdict_appears_beside_the_proposal_and_a_final_one_moves_it(workspace: Workspace, queue: Path) -> None:
    put(queue, p=FOUR)
    with open_queue(workspace) as desk:
        (item,) = desk.items
        desk.plan(item)
        item.act(Accept((0,)))
        assert names(queue) == ["p.json"]
        desk.send(item)
        said = json.loads((queue / "p.result.json").read_text())
        assert (said["final"], lists(said)) == (False, {"applied": [0], "pending": [1, 2, 3]})
        item.act(RejectAll())
        desk.send(item)
    said = json.loads((queue / "p.result.json").read_text())
    assert (said["final"], lists(said)) == (True, {"applied": [0], "rejected": [1, 2, 3]})
    assert names(queue) == ["p.result.json"]
    assert names(queue / "done") == ["p.json", "p.result.json"]
    assert (queue / "done" / "p.result.json").read_bytes() == (queue / "p.result.json").read_bytes()
    assert (queue / "done" / "p.json").read_bytes() == FOUR
    assert os.listdir(queue.parent / "reviews") == []


def test_a_name_that_comes_again_is_a_new_proposal(workspace: Workspace, queue: Path) -> None:
    for old, new in (("one", "1"), ("1", "uno"), ("uno", "eins")):
        put(queue, p=edits((old, new)))
        with open_queue(workspace) as desk:
            assert names(queue) == ["p.json"]
            finish(desk, desk.items[0])
    assert names(queue / "done") == [
        "p.2.json",
        "p.2.result.json",
        "p.3.json",
        "p.3.result.json",
        "p.json",
        "p.result.json",
    ]
    assert json.loads((queue / "p.result.json").read_text())["success"]
    assert read(workspace).startswith("eins\n")


def test_names_that_differ_in_their_ending_only_get_their_own_answers(workspace: Workspace, queue: Path) -> None:
    put(queue, p=ONE)
    (queue / "p.diff").write_text("--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-two\n+2\n")
    with open_queue(workspace) as desk:
        assert sorted(item.name for item in desk.items) == ["p.diff", "p.json"]
        for item in desk.items:
            finish(desk, item)
    assert names(queue) == ["p.diff.result.json", "p.json.result.json"]
    assert names(queue / "done") == ["p.diff", "p.diff.result.json", "p.json", "p.json.result.json"]


def test_unreadable_proposals_are_listed_and_answered(workspace: Workspace, queue: Path) -> None:
    put(queue, bad=b"{", good=ONE)
    with open_queue(workspace) as desk:
        bad, _ = desk.items
        assert (bad.name, bad.unreadable, desk.counts()) == ("bad", False, Counts(2))
        desk.read_all()
        assert (bad.name, bad.unreadable, desk.counts()) == ("bad", True, Counts(2, 1, open=1))
        desk.send(bad)
    said = json.loads((queue / "bad.result.json").read_text())
    assert (said["final"], said["success"], said["code"]) == (True, False, "unreadable")
    assert names(queue) == ["bad.result.json", "good.json"]


def test_a_proposal_larger_than_the_limit_is_not_read(workspace: Workspace, queue: Path) -> None:
    with open(queue / "huge.json", "wb") as file:
        file.truncate(1 << 40)
    with open_queue(workspace) as desk:
        assert "larger than" in (desk.items[0].error or "")


def test_what_was_shown_stays_under_review_when_its_file_is_taken_away(workspace: Workspace, queue: Path) -> None:
    put(queue, p=FOUR, undecided=ONE)
    with open_queue(workspace) as desk:
        desk.plan(desk.items[0])
        desk.items[0].act(Accept((0,)))
    (queue / "p.json").unlink()
    (queue / "undecided.json").unlink()
    with open_queue(workspace) as desk:
        (item,) = desk.items
        desk.plan(item)
        assert (item.name, item.source_gone, verdicts(item)) == ("p", True, {0: "accept"})
        item.act(RejectAll())
        assert desk.send(item).final
    assert names(queue) == ["p.result.json"]
    with open_queue(workspace) as desk:
        assert desk.items == []


def test_a_directory_elsewhere_keeps_its_modes_and_the_state_stays_with_the_workspace(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write(workspace, a=TEXT)
    elsewhere = tmp_path_factory.mktemp("shared")
    elsewhere.chmod(0o775)
    put(elsewhere, p=ONE)
    with open_queue(workspace, str(elsewhere)) as desk:
        finish(desk, desk.items[0])
    assert (elsewhere.stat().st_mode & 0o777, names(elsewhere)) == (0o775, ["p.result.json"])
    assert names(elsewhere / "done") == ["p.json", "p.result.json"]
    assert Path(workspace.root, ".hunkdeck", "reviews").is_dir()


def test_a_directory_that_is_not_there_is_said_so(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="not a directory that can be opened"):
        open_queue(workspace, "/nowhere/at/all")


def test_looking_at_a_queue_that_is_not_there_is_fine(workspace: Workspace) -> None:
    with open_queue(workspace, look_only=True) as desk:
        assert desk.items == []
    assert os.listdir(workspace.root) == []


def test_looking_removes_no_old_answers(workspace: Workspace, queue: Path) -> None:
    put(queue, p=ONE)
    (queue / "p.result.json").write_text("{}")
    open_queue(workspace, look_only=True).close()
    assert names(queue) == ["p.json", "p.result.json"]
    open_queue(workspace).close()
    assert names(queue) == ["p.json"]


def test_ten_thousand_proposals_are_listed_without_reading_one_and_read_without_planning_one(
    workspace: Workspace, queue: Path
) -> None:
    for number in range(10_000):
        (queue / f"{number:05}.json").write_bytes(ONE)
    with open_queue(workspace) as desk:
        assert all(item.proposal is None for item in desk.items)
        desk.read_all()
        assert desk.counts() == Counts(10_000, 10_000, open=10_000)
        assert all(item.plan is None for item in desk.items)
        desk.plan(desk.items[0])
        desk.items[0].act(Accept((0,)))
        assert desk.counts() == Counts(10_000, 10_000, accepted=1, open=9_999)
