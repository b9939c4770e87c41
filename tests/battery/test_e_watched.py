"""Group E, the proposal directory while somebody watches it: what is shown, when, and what is never applied."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.queue.desk import Desk, Item, open_queue
from engine.queue.following import Arrivals
from engine.queue.sending import NotCurrent
from engine.result import Result
from engine.review import Accept, AcceptAll
from tests.battery.bench import Bench
from tests.engine.queue.support import edits

ONE = edits(("one", "1"))
TWO = edits(("one", "1"), ("two", "2"))


class Watched:
    """A desk that looks whenever it notices something, as the app does."""

    def __init__(self, desk: Desk, queue: Path) -> None:
        self.desk = desk
        self.queue = queue
        self.seen: list[Arrivals] = []
        self._stop = threading.Event()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        for noticed in self.desk.watch(self._stop):
            if noticed.queue:
                with self._changed:
                    self.seen.append(self.desk.look_again())
                    self._changed.notify()

    def until(self, wanted: Callable[[Arrivals], object], seconds: float = 20) -> Arrivals:
        with self._changed:
            assert self._changed.wait_for(lambda: any(map(wanted, self.seen)), seconds), self.seen
            return next(found for found in self.seen if wanted(found))

    def send(self, item: Item) -> Result:
        with self._changed:
            return self.desk.send(item)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def drop(self, name: str, data: bytes) -> None:
        (self.queue / ".new").write_bytes(data)
        (self.queue / ".new").rename(self.queue / name)

    def planned(self, data: bytes) -> Item:
        self.drop("p.json", data)
        (item,) = self.until(lambda found: found.new).new
        self.desk.plan(item)
        return item


@pytest.fixture
def watched(bench: Bench) -> Iterator[Watched]:
    bench.seconds = 60
    queue = Path(bench.root, ".hunkdeck", "queue")
    queue.mkdir(parents=True)
    bench.put("a.txt", b"one\ntwo\nthree\n")
    with open_queue(bench.workspace) as desk:
        watched = Watched(desk, queue)
        try:
            yield watched
        finally:
            watched.close()


def test_E13_half_written(watched: Watched) -> None:
    """A writer that rests in the middle: nothing is shown, no error either, until it is all there."""
    with open(watched.queue / "p.json", "wb", buffering=0) as file:
        for start in range(0, len(TWO), 20):
            file.write(TWO[start : start + 20])
            if start + 20 < len(TWO):
                deadline = time.monotonic() + 0.1
                while time.monotonic() < deadline:
                    assert not any(watched.seen)
    (item,) = watched.until(lambda found: found.new).new
    assert (item.error, item.source.data) == (None, TWO)
    assert [len(found.new) for found in watched.seen if found.new] == [1]


def test_E14_renamed_in(watched: Watched) -> None:
    watched.until(lambda found: True)
    started = time.monotonic()
    watched.drop("p.json", ONE)
    watched.until(lambda found: found.new, seconds=1)
    assert time.monotonic() - started < 1
    watched.drop("q.json", ONE)
    watched.until(lambda found: [item.name for item in found.new] == ["q"])
    assert [item.name for found in watched.seen for item in found.new] == ["p", "q"]
    assert not any(found.revised for found in watched.seen)


def test_E15_deleted_before_a_decision(watched: Watched) -> None:
    item = watched.planned(ONE)
    (watched.queue / "p.json").unlink()
    assert watched.until(lambda found: found.withdrawn).withdrawn == [item]
    said = json.loads((watched.queue / "p.result.json").read_text())
    assert (said["final"], said["code"], item.finished) == (True, "withdrawn", True)


def test_E15_deleted_after_a_decision(watched: Watched, bench: Bench) -> None:
    bench.knows("a.txt", b"1\ntwo\nthree\n")
    item = watched.planned(ONE)
    item.act(Accept((0,)))
    (watched.queue / "p.json").unlink()
    assert watched.until(lambda found: found.gone).gone == [item]
    assert item.source_gone
    assert watched.send(item).success
    assert bench.read("a.txt") == b"1\ntwo\nthree\n"


def test_E16_rewritten_under_review(watched: Watched, bench: Bench) -> None:
    bench.knows("a.txt", b"1\ntwo\nthree\n")
    item = watched.planned(TWO)
    item.act(Accept((0, 1)))
    old = item.digest
    watched.drop("p.json", edits(("one", "1"), ("two", "evil")))
    assert watched.until(lambda found: found.revised).revised == [item]
    watched.desk.plan(item)
    assert (list(item.state.decisions), item.digest != old) == ([0], True)
    assert not watched.send(item).final
    assert bench.read("a.txt") == b"1\ntwo\nthree\n"


def test_E17_rewritten_after_the_decision(watched: Watched, bench: Bench) -> None:
    """Nobody has looked yet: the new bytes are refused, and so are the old ones, which nobody wants any more."""
    item = watched.planned(ONE)
    item.act(AcceptAll())
    (watched.queue / "p.json").write_bytes(edits(("one", "evil")))
    with pytest.raises(NotCurrent, match="revised meanwhile"):
        watched.send(item)
    assert bench.read("a.txt") == b"one\ntwo\nthree\n"
    assert not (watched.queue / "p.result.json").exists()


def test_E20_no_regular_file(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_bytes(ONE)
    (watched.queue / "link.json").symlink_to(tmp_path / "secret.json")
    (watched.queue / "folder.json").mkdir()
    os.mkfifo(watched.queue / "pipe.json")
    watched.drop("p.json", ONE)
    watched.until(lambda found: found.new)
    assert [item.name for item in watched.desk.items] == ["p"]
    assert watched.desk.ignored == [
        "folder.json: is a directory",
        "link.json: is a symbolic link",
        "pipe.json: is a named pipe (FIFO)",
    ]


def test_E22_the_directory_comes_and_goes(watched: Watched) -> None:
    item = watched.planned(ONE)
    shutil.move(watched.queue, watched.queue.parent / "away")
    watched.queue.mkdir()
    watched.drop("q.json", ONE)
    watched.until(lambda found: [item.name for item in found.new] == ["q"])
    shutil.rmtree(watched.queue)
    shutil.move(watched.queue.parent / "away", watched.queue)
    watched.drop("r.json", ONE)
    watched.until(lambda found: [item.name for item in found.new] == ["r"])
    assert not item.finished
