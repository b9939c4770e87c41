"""A desk that stays open: what comes, changes and goes in the proposal directory and in the workspace."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.planning.data import Fit
from engine.queue.desk import Desk, Item, open_queue
from engine.queue.directory_store import open_store
from engine.queue.following import Arrivals
from engine.queue.revision import Change
from engine.queue.watching import Noticed
from engine.review import Accept, Reject, RejectAll
from engine.workspace import Workspace
from tests.engine.queue.support import FOUR, TEXT, edits, lists, read, verdicts, write

ONE = edits(("one", "1"))
TWO = edits(("one", "1"), ("two", "2"))


@pytest.fixture
def queue(workspace: Workspace) -> Path:
    write(workspace, a=TEXT)
    folder = Path(workspace.root, ".hunkdeck", "queue")
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def desk(workspace: Workspace, queue: Path) -> Iterator[Desk]:
    with open_queue(workspace) as desk:
        yield desk


def drop(queue: Path, name: str, data: bytes) -> None:
    """Written elsewhere and renamed in."""
    (queue / f".{name}.new").write_bytes(data)
    (queue / f".{name}.new").rename(queue / f"{name}.json")


def names(items: list[Item]) -> list[str]:
    return [item.name for item in items]


def look_until(desk: Desk, found: Callable[[Arrivals], object]) -> Arrivals:
    """Look when there is a reason to, as an app does that watches."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        arrivals = desk.look_again()
        if found(arrivals):
            return arrivals
        threading.Event().wait(0.01)
    raise AssertionError("nothing was found")


def test_a_proposal_that_is_renamed_in_is_there_once(desk: Desk, queue: Path) -> None:
    assert not desk.look_again()
    drop(queue, "p", ONE)
    found = desk.look_again()
    assert names(found.new) == names(desk.items) == ["p"]
    assert not desk.look_again()
    assert [item.agent for item in desk.items] == [""]
    assert abs(desk.items[0].arrived - time.time()) < 60


def test_what_is_put_names_its_agent_and_who_waits(desk: Desk, workspace: Workspace) -> None:
    store = open_store(workspace)
    until = time.time() + 50
    with store.waiting("p", until):
        store.put("p", ONE, "anna")
        (item,) = desk.look_again().new
        assert (item.name, item.agent, item.waits_until) == ("p", "anna", until)
    assert (names(desk.look_again().told), item.waits_until) == (["p"], None)
    store.close()


def test_a_file_that_is_being_written_is_waited_for(desk: Desk, queue: Path) -> None:
    whole = TWO
    for length in (0, 1, 20, len(whole) - 1):
        (queue / "p.json").write_bytes(whole[:length])
        assert not desk.look_again()
        assert desk.look_again_at is not None
    (queue / "p.json").write_bytes(whole)
    (item,) = desk.look_again().new
    assert (item.error, item.source.data) == (None, whole)


def test_a_file_that_stays_unreadable_is_listed_and_can_be_answered(
    desk: Desk, queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.queue.following._YOUNG", 0.2)
    (queue / "p.json").write_bytes(b'{"edits": [')
    assert not desk.look_again()
    (item,) = look_until(desk, lambda found: found.new).new
    item.load()
    assert item.unreadable
    desk.send(item)
    assert json.loads((queue / "p.result.json").read_text())["code"] == "unreadable"


def test_a_patch_that_could_be_half_of_one_has_to_be_quiet_for_a_moment(desk: Desk, queue: Path) -> None:
    half = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n"
    (queue / "p.patch").write_text(half)
    assert not desk.look_again()
    (queue / "p.patch").write_text(half + "@@ -2 +2 @@\n-two\n+2\n")
    (item,) = look_until(desk, lambda found: found.new).new
    assert item.proposal is not None
    assert len(item.proposal.hunks) == 2


def decided(desk: Desk, queue: Path, data: bytes) -> Item:
    drop(queue, "p", data)
    (item,) = desk.look_again().new
    desk.plan(item)
    return item


def test_a_revision_keeps_its_place_and_what_looks_the_same(desk: Desk, queue: Path) -> None:
    item = decided(desk, queue, FOUR)
    item.act(Accept((0,)))
    item.act(Reject((3,), "no"))
    drop(queue, "q", ONE)
    desk.look_again()
    drop(queue, "p", edits(("one", "1"), ("two", "zwei"), ("four", "4"), ("six", "6")))
    found = look_until(desk, lambda found: found.revised)
    assert (found.revised, found.new, names(desk.items)) == ([item], [], ["p", "q"])
    assert (item.plan, item.revision) == (None, None)
    desk.plan(item)
    assert verdicts(item) == {0: "accept", 2: "reject"}
    assert item.state.comments == {2: "no"}
    revision = item.revision
    assert revision is not None
    assert revision.hunks == {0: Change.SAME, 1: Change.CHANGED, 2: Change.SAME, 3: Change.NEW}
    assert (revision.was, revision.dropped, revision.number) == ({0: 0, 1: 1, 2: 3}, (2,), 2)


def test_a_revision_survives_a_restart_and_its_removal(desk: Desk, queue: Path, workspace: Workspace) -> None:
    item = decided(desk, queue, ONE)
    item.act(Accept((0,)))
    drop(queue, "p", TWO)
    look_until(desk, lambda found: found.revised)
    desk.close()
    (queue / "p.json").unlink()
    with open_queue(workspace) as again:
        (item,) = again.items
        again.plan(item)
        assert (item.source.data, item.source_gone, verdicts(item)) == (TWO, True, {0: "accept"})


def test_what_was_revised_is_never_applied_unseen(desk: Desk, queue: Path, workspace: Workspace) -> None:
    from engine.queue.sending import NotCurrent

    item = decided(desk, queue, ONE)
    item.act(Accept((0,)))
    drop(queue, "p", edits(("one", "evil")))
    with pytest.raises(NotCurrent, match="revised meanwhile"):
        desk.send(item)
    assert (read(workspace), (queue / "p.result.json").exists()) == (TEXT, False)
    look_until(desk, lambda found: found.revised)
    desk.plan(item)
    assert verdicts(item) == {}


def test_removed_before_a_decision_is_withdrawn(desk: Desk, queue: Path) -> None:
    item = decided(desk, queue, ONE)
    (queue / "p.json").unlink()
    found = look_until(desk, lambda found: found.withdrawn)
    assert (found.withdrawn, item.finished) == ([item], True)
    said = json.loads((queue / "p.result.json").read_text())
    assert (said["final"], said["code"]) == (True, "withdrawn")
    assert item.result is not None
    assert item.result.to_dict() == said


def test_removed_after_a_decision_stays_and_is_answered(desk: Desk, queue: Path, workspace: Workspace) -> None:
    item = decided(desk, queue, TWO)
    item.act(Accept((0,)))
    (queue / "p.json").unlink()
    found = look_until(desk, lambda found: found.gone)
    assert (found.gone, item.source_gone, item.finished) == ([item], True, False)
    assert lists(desk.send(item)) == {"applied": [0], "pending": [1]}
    assert not desk.look_again()
    assert item.source_gone
    item.act(RejectAll())
    assert desk.send(item).final
    said = json.loads((queue / "p.result.json").read_text())
    assert (lists(said), read(workspace)[:2]) == ({"applied": [0], "rejected": [1]}, "1\n")


def test_a_file_that_comes_back_is_no_longer_gone(desk: Desk, queue: Path) -> None:
    item = decided(desk, queue, TWO)
    item.act(Accept((0,)))
    (queue / "p.json").unlink()
    look_until(desk, lambda found: found.gone)
    drop(queue, "p", TWO)
    assert (names(desk.look_again().gone), item.source_gone) == (["p"], False)
    assert verdicts(item) == {0: "accept"}


def test_withdrawn_through_the_store_leaves_at_once_even_when_decided(
    desk: Desk, queue: Path, workspace: Workspace
) -> None:
    item = decided(desk, queue, TWO)
    item.act(Accept((0,)))
    desk.send(item)
    item.act(Accept((1,)))
    store = open_store(workspace)
    assert store.withdraw("p")
    assert (desk.look_again().withdrawn, item.finished) == ([item], True)
    said = json.loads((queue / "p.result.json").read_text())
    assert (said["final"], said["code"], lists(said)) == (True, "withdrawn", {"applied": [0], "failed": [1]})
    assert os.listdir(queue.parent / "reviews") == []
    store.close()


def test_withdrawn_while_the_verdict_is_applied_is_taken_back(
    desk: Desk, queue: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine import session
    from engine.queue import sending

    item = decided(desk, queue, ONE)
    item.act(Accept((0,)))
    store = open_store(workspace)
    real = session.apply

    def slow(*args: object, **options: object) -> object:
        result = real(*args, **options)  # type: ignore[arg-type]
        assert read(workspace) != TEXT
        assert store.withdraw("p")
        return result

    monkeypatch.setattr(session, "apply", slow)
    with pytest.raises(sending.NotCurrent, match="taken back"):
        desk.send(item)
    assert read(workspace) == TEXT
    assert desk.look_again().withdrawn == [item]
    assert json.loads((queue / "p.result.json").read_text())["code"] == "withdrawn"
    store.close()


def test_a_name_that_was_answered_comes_again_as_a_new_proposal(desk: Desk, queue: Path) -> None:
    item = decided(desk, queue, ONE)
    item.act(RejectAll())
    assert desk.send(item).final
    drop(queue, "p", ONE)
    (again,) = desk.look_again().new
    assert (again is item, again.finished, (queue / "p.result.json").exists()) == (False, False, False)


def test_ten_thousand_at_once_come_in_portions(desk: Desk, queue: Path) -> None:
    for number in range(10_000):
        (queue / f"{number:05}.json").write_bytes(ONE)
    started = time.monotonic()
    first = desk.look_again()
    assert 0 < len(first.new) < 10_000
    assert time.monotonic() - started < 5  # a fraction of a second where nothing else runs
    while desk.look_again_at is not None and len(desk.items) < 10_000:
        desk.look_again()
    assert len(desk.items) == 10_000


# ---------------------------------------------------------------- watching


class Watcher:
    """A thread that watches a desk, and what it noticed."""

    def __init__(self, desk: Desk) -> None:
        self.stop = threading.Event()
        self.noticed: list[Noticed] = []
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, args=(desk,))
        self._thread.start()
        self.wait_for(lambda noticed: noticed.queue)

    def _run(self, desk: Desk) -> None:
        for noticed in desk.watch(self.stop):
            with self._changed:
                self.noticed.append(noticed)
                self._changed.notify()

    def wait_for(self, wanted: Callable[[Noticed], object]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: any(wanted(one) for one in self.noticed), 20), self.noticed
            self.noticed.clear()

    def end(self) -> None:
        self.stop.set()
        self._thread.join()


@pytest.fixture
def watcher(desk: Desk) -> Iterator[Watcher]:
    watcher = Watcher(desk)
    yield watcher
    watcher.end()


def test_arrivals_are_noticed(desk: Desk, queue: Path, watcher: Watcher) -> None:
    drop(queue, "p", ONE)
    watcher.wait_for(lambda noticed: noticed.queue)
    assert names(desk.look_again().new) == ["p"]


def test_an_end_of_waiting_is_noticed_though_nothing_happens(desk: Desk, queue: Path, watcher: Watcher) -> None:
    (queue / "p.patch").write_text("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n")
    watcher.wait_for(lambda noticed: noticed.queue)
    while not desk.look_again().new:
        watcher.wait_for(lambda noticed: noticed.queue)


def test_files_that_open_proposals_touch_are_watched_and_no_others(
    desk: Desk, queue: Path, workspace: Workspace, watcher: Watcher
) -> None:
    write(workspace, other="x")
    item = decided(desk, queue, TWO)
    item.act(Accept((0, 1)))
    watcher.wait_for(lambda noticed: "a.txt" in noticed.paths)  # the directory is watched from now on
    write(workspace, other="y", a="zero\none\nTWO\nthree\n")
    watcher.wait_for(lambda noticed: noticed.paths == {"a.txt"})
    assert desk.replan({"a.txt"}) == [item]
    assert item.plan is not None
    assert [hunk.fit for hunk in item.plan.hunks] == [Fit.FITS, Fit.FAILS]
    assert verdicts(item) == {0: "accept"}
    assert desk.replan({"a.txt", "other.txt"}) == []


def test_the_directory_vanishes_and_comes_back(desk: Desk, queue: Path, watcher: Watcher) -> None:
    item = decided(desk, queue, ONE)
    shutil.move(queue, queue.parent / "elsewhere")
    assert not desk.look_again()
    assert not item.finished
    queue.mkdir()
    watcher.wait_for(lambda noticed: noticed.queue)
    drop(queue, "q", ONE)
    assert names(look_until(desk, lambda found: found.new).new) == ["q"]
    shutil.rmtree(queue)
    shutil.move(queue.parent / "elsewhere", queue)
    drop(queue, "r", ONE)
    assert names(look_until(desk, lambda found: found.new).new) == ["r"]


def test_polling_where_the_kernel_tells_nothing(
    workspace: Workspace, queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    with open_queue(workspace) as desk:
        watcher = Watcher(desk)
        drop(queue, "p", ONE)
        watcher.wait_for(lambda noticed: noticed.queue)
        watcher.end()
        assert names(desk.look_again().new) == ["p"]
