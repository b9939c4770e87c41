"""Killed at every single operation of a review: the next start goes on, and the files are what the verdict says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.queue.desk import open_queue
from engine.queue.records import STORE
from engine.review import Accept, Reject, RejectAll
from engine.transaction import recover
from engine.workspace import Workspace
from tests.engine.queue.support import TEXT, lists
from tests.faults.harness import Killed, dying_disk

INSERTS = json.dumps(
    [
        {"command": "insert", "path": "a.txt", "insert_line": 0, "new_content": "zero"},
        {"command": "insert", "path": "a.txt", "insert_line": 6, "new_content": "seven"},
        {"command": "insert", "path": "b.txt", "insert_line": 0, "new_content": "b"},
    ]
).encode()
"""Nothing in the file tells that an insertion was made: applied a second time, it would be there twice."""


def review(workspace: Workspace) -> None:
    """One hunk first, then the rest, as a person would who goes on after each start."""
    recover(workspace)
    with open_queue(workspace) as desk:
        for item in desk.items:
            desk.plan(item)
            if item.result is None:
                item.act(Accept((0,)))
                desk.send(item)
            if not item.finished:
                item.act(Accept((2,)))
                item.act(Reject((1,), "no"))
                item.act(RejectAll())
                desk.send(item)


def prepare(home: Path) -> Path:
    queue = home / ".hunkdeck" / "queue"
    queue.mkdir(parents=True)
    (home / "a.txt").write_text(TEXT)
    (home / "b.txt").write_text(TEXT)
    (queue / "p.json").write_bytes(INSERTS)
    return queue


def check(home: Path, queue: Path) -> None:
    assert (home / "a.txt").read_text() == "zero\n" + TEXT
    assert (home / "b.txt").read_text() == "b\n" + TEXT
    said = json.loads((queue / "p.result.json").read_text())
    assert (said["final"], lists(said)) == (True, {"applied": [0, 2], "rejected": [1]})
    assert sorted(name for name in os.listdir(queue) if name != STORE) == ["done", "p.result.json"]
    assert sorted(os.listdir(queue / "done")) == ["p.json", "p.result.json"]
    assert os.listdir(queue.parent / "reviews") == []


def operations(home: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    queue = prepare(home)
    with Workspace(home) as workspace, dying_disk(monkeypatch, 1 << 30) as count:
        review(workspace)
        total = count()
    check(home, queue)
    return total


def test_a_review_that_is_killed_anywhere_ends_with_one_final_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Disk, "flush", lambda disk, fd: None)
    total = operations(tmp_path / "whole", monkeypatch)
    assert total > 60
    for at in range(1, total + 1):
        home = tmp_path / str(at)
        queue = prepare(home)
        with Workspace(home) as workspace:
            with dying_disk(monkeypatch, at), pytest.raises(Killed):
                review(workspace)
            review(workspace)
        check(home, queue)


def test_a_verdict_that_nobody_heard_of_is_taken_back_when_the_proposal_was_revised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed anywhere, then the agent sends another version: the files are what the answers say."""
    monkeypatch.setattr(Disk, "flush", lambda disk, fd: None)
    total = operations(tmp_path / "whole", monkeypatch)
    revised = INSERTS.replace(b"zero", b"nought")
    for at in range(1, total + 1):
        home = tmp_path / str(at)
        queue = prepare(home)
        with Workspace(home) as workspace:
            with dying_disk(monkeypatch, at), pytest.raises(Killed):
                review(workspace)
            if not (queue / "p.json").exists():
                break  # answered for good: what comes now is another proposal
            (queue / "p.json").write_bytes(revised)
            recover(workspace)
            with open_queue(workspace) as desk:
                (item,) = desk.items
                answers = [
                    path for path in (queue / "done" / "p.result.json", queue / "p.result.json") if path.exists()
                ]
                applied = lists(json.loads(answers[0].read_text())).get("applied", []) if answers else []
                assert ((home / "a.txt").read_text() != TEXT) == (0 in applied), (at, applied)
                assert ((home / "b.txt").read_text() != TEXT) == (2 in applied), (at, applied)
                assert item.source.data == revised


def test_a_desk_that_was_killed_leaves_no_lock(tmp_path: Path) -> None:
    prepare(tmp_path)
    with Workspace(tmp_path) as workspace:
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            desk = open_queue(workspace)
            desk.plan(desk.items[0])
            desk.items[0].act(Accept((0,)))
            os.write(writer, b"!")
            os.close(reader)
            os.read(os.pipe()[0], 1)  # until it is killed
        assert os.read(reader, 1) == b"!"
        with open_queue(workspace) as second:
            assert second.read_only == f"in use by pid {child} on {os.uname().nodename}"
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(reader)
        os.close(writer)
        with open_queue(workspace) as desk:
            desk.plan(desk.items[0])
            assert (desk.read_only, list(desk.items[0].state.decisions)) == (None, [0])
