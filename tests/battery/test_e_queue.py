"""Group E in a proposal directory that is followed while somebody reviews, and J13: one file, many proposals."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.errors import HunkdeckError
from engine.queue.desk import Desk, Item, open_queue
from engine.queue.following import Arrivals
from engine.review import Accept
from tests.battery.bench import NEW, OLD, Bench
from tests.battery.in_app import open_app


def edit(new: str = "new") -> bytes:
    return json.dumps({"file_path": "a.txt", "old_string": "old", "new_string": new}).encode()


@pytest.fixture
def queue(bench: Bench) -> Path:
    bench.put("a.txt")
    folder = bench.root / ".hunkdeck/queue"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o700)
    return folder


@pytest.fixture
def desk(bench: Bench, queue: Path) -> Iterator[Desk]:
    with open_queue(bench.workspace) as desk:
        yield desk


def rename_in(queue: Path, data: bytes, name: str = "p") -> None:
    (queue / f".{name}.tmp").write_bytes(data)
    (queue / f".{name}.tmp").rename(queue / f"{name}.json")


def look_until(desk: Desk, found: Callable[[Arrivals], list[Item]]) -> list[Item]:
    deadline = time.monotonic() + 8
    while time.monotonic() < deadline:
        if items := found(desk.look_again()):
            return items
        threading.Event().wait(0.01)
    raise AssertionError("nothing was found")


def shown(desk: Desk, queue: Path, data: bytes) -> Item:
    rename_in(queue, data)
    (item,) = look_until(desk, lambda found: found.new)
    desk.plan(item)
    return item


def test_E13_half_written(desk: Desk, queue: Path) -> None:
    whole = edit()
    for length in range(len(whole)):
        (queue / "p.json").write_bytes(whole[:length])
        assert not desk.look_again(), "neither shown nor complained about"
    (queue / "p.json").write_bytes(whole)
    (item,) = look_until(desk, lambda found: found.new)
    assert (item.error, item.source.data) == (None, whole)


def test_E14_renamed_in_is_shown_once(desk: Desk, queue: Path) -> None:
    rename_in(queue, edit())
    started = time.monotonic()
    look_until(desk, lambda found: found.new)
    assert time.monotonic() - started < 1
    assert not desk.look_again()
    assert len(desk.items) == 1


def test_E15_deleted_while_under_review(desk: Desk, queue: Path, bench: Bench) -> None:
    item = shown(desk, queue, edit())
    (queue / "p.json").unlink()
    assert look_until(desk, lambda found: found.withdrawn) == [item]
    item = shown(desk, queue, edit("new"))
    item.act(Accept((0,)))
    (queue / "p.json").unlink()
    assert look_until(desk, lambda found: found.gone) == [item]
    assert item.source_gone
    desk.send(item)
    bench.knows("a.txt", NEW)
    assert bench.read("a.txt") == NEW


def test_E16_rewritten_while_under_review(desk: Desk, queue: Path) -> None:
    item = shown(desk, queue, edit())
    item.act(Accept((0,)))
    rename_in(queue, edit("evil"))
    assert look_until(desk, lambda found: found.revised) == [item]
    desk.plan(item)
    assert dict(item.state.decisions) == {}, "another text has to be decided anew"
    item.act(Accept((0,)))
    rename_in(queue, edit("evil") + b"\n")
    look_until(desk, lambda found: found.revised)
    desk.plan(item)
    assert list(item.state.decisions) == [0], "the same hunk on the same text keeps its decision"


def test_E17_rewritten_after_the_accept(desk: Desk, queue: Path, bench: Bench) -> None:
    """The bytes that were accepted, or nothing: never the new ones."""
    item = shown(desk, queue, edit())
    item.act(Accept((0,)))
    rename_in(queue, edit("evil"))
    try:
        desk.send(item)
    except HunkdeckError:
        assert bench.read("a.txt") == OLD
    else:
        bench.knows("a.txt", NEW)
        assert bench.read("a.txt") == NEW


def test_E20_what_is_no_proposal_file(desk: Desk, queue: Path, bench: Bench) -> None:
    (queue / "link.json").symlink_to(bench.outside / "secret.txt")
    os.mkfifo(queue / "fifo.json")
    (queue / "directory.json").mkdir()
    rename_in(queue, edit())
    started = time.monotonic()
    assert [item.name for item in look_until(desk, lambda found: found.new)] == ["p"]
    assert time.monotonic() - started < 2
    assert [item.name for item in desk.items] == ["p"]


def test_E21_ten_thousand_at_once(queue: Path, bench: Bench) -> None:
    bench.seconds = 60
    data = edit()
    for number in range(10_000):
        (queue / f"p{number:05}.json").write_bytes(data)
    os.utime(queue)
    with open_app(bench.root, "watch") as terminal:
        started = time.perf_counter()
        terminal.wait_for(lambda text: "10000 proposals" in text.replace(",", "") and "p0" in text)
        assert time.perf_counter() - started < 8, "a usable list; the figure beside a bare app is in the benchmarks"
        terminal.press("j")
        terminal.press("q")
        assert terminal.wait() == 0


def test_E22_the_directory_goes_and_comes_back(desk: Desk, queue: Path) -> None:
    shutil.rmtree(queue)
    desk.look_again()
    queue.mkdir()
    rename_in(queue, edit())
    assert [item.name for item in look_until(desk, lambda found: found.new)] == ["p"]


def test_J13_many_proposals_on_one_file(desk: Desk, queue: Path, bench: Bench) -> None:
    """A change of another file replans nothing; a change of theirs costs each of them once."""
    bench.seconds = 60
    bench.put("other.txt")
    for number in range(500):
        rename_in(queue, edit(f"new {number}"), f"p{number:03}")
    while len(desk.items) < 500:
        look_until(desk, lambda found: found.new)
    for item in desk.items:
        desk.plan(item)
    plans = [item.plan for item in desk.items]
    started = time.perf_counter()
    assert desk.replan({"other.txt"}) == []
    untouched = time.perf_counter() - started
    assert [item.plan for item in desk.items] == plans
    bench.put("a.txt", b"first\nold\n")
    started = time.perf_counter()
    assert len(desk.replan({"a.txt"})) == 500
    touched = time.perf_counter() - started
    assert untouched < max(touched / 5, 0.05), (untouched, touched)
