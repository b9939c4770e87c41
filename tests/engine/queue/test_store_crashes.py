"""Death at every single operation of the directory store: whoever comes next goes on, to exactly one final result."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.queue.directory_store import DirectoryStore, open_store
from engine.queue.records import STORE
from engine.queue.store import Answered, Outcome, State
from engine.workspace import Workspace
from tests.faults.harness import Killed, dying_disk

FINAL = json.dumps({"final": True}).encode()
Story = Callable[[DirectoryStore], None]


def put(store: DirectoryStore) -> None:
    assert store.put("p", b"{}", "anna").outcome in (Outcome.NEW, Outcome.SAME)


def revise(store: DirectoryStore) -> None:
    if store.status("p") is None:
        put(store)
    assert store.put("p", b"[]", "anna").rev == 2


def answer(store: DirectoryStore) -> None:
    if store.status("p") is None:
        put(store)
    claim = store.claim("p")
    if claim is not None:
        assert store.answer("p", claim.token, FINAL, final=True) is Answered.OK


def withdraw(store: DirectoryStore) -> None:
    if store.status("p") is None:
        put(store)
    assert store.withdraw("p")


def listing(folder: Path) -> list[str]:
    hidden = (STORE,)
    return sorted(name for name in os.listdir(folder) if name not in hidden) if folder.exists() else []


ENDS: dict[Story, tuple[list[str], list[str], State]] = {
    put: (["p.json"], [], State.OPEN),
    revise: (["p.json"], [], State.OPEN),
    answer: (["done", "p.result.json"], ["p.json", "p.result.json"], State.FINAL),
    withdraw: (["done", "p.result.json"], ["p.json", "p.result.json"], State.WITHDRAWN),
}


def tell(home: Path, story: Story) -> None:
    with Workspace(home) as workspace:
        store = open_store(workspace, holder="the reviewer")
        try:
            store.recover()
            story(store)
        finally:
            store.close()


def check(home: Path, story: Story) -> None:
    queue = home / ".hunkdeck" / "queue"
    beside, done, state = ENDS[story]
    assert (listing(queue), listing(queue / "done")) == (beside, done)
    left = [name for name in os.listdir(queue / STORE) if name.endswith((".data", ".answer"))]
    assert left == []
    with Workspace(home) as workspace:
        store = open_store(workspace)
        status = store.status("p")
        assert status is not None
        assert status.state is state
        assert (store.wait("p", 0) is None) == (not state.closed)
        store.close()


@pytest.mark.parametrize("story", list(ENDS), ids=lambda story: story.__name__)
def test_killed_anywhere_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, story: Story) -> None:
    monkeypatch.setattr(Disk, "flush", lambda disk, fd: None)
    (tmp_path / "whole").mkdir()
    with dying_disk(monkeypatch, 1 << 30) as count:
        tell(tmp_path / "whole", story)
        total = count()
    check(tmp_path / "whole", story)
    assert total > 10
    for at in range(1, total + 1):
        home = tmp_path / str(at)
        home.mkdir()
        with dying_disk(monkeypatch, at), pytest.raises(Killed):
            tell(home, story)
        tell(home, story)
        check(home, story)


def test_bytes_that_replace_an_answered_proposal_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dropped in while the answer is on its way: they are neither lost nor taken for answered."""
    with Workspace(tmp_path) as workspace:
        store = open_store(workspace)
        store.put("p", b"{}", "")
        claim = store.claim("p")
        assert claim is not None
        queue = tmp_path / ".hunkdeck" / "queue"
        real = Disk.before

        def newer(disk: Disk, operation: str, name: str) -> None:
            if operation == "rename" and name == "p.json":
                (queue / "p.json").write_bytes(b"[]")
            real(disk, operation, name)

        monkeypatch.setattr(Disk, "before", newer)
        assert store.answer("p", claim.token, FINAL, final=True) is Answered.OK
        monkeypatch.undo()
        assert ((queue / "p.json").read_bytes(), listing(queue / "done")) == (b"[]", ["p.result.json"])
        assert [one.id for one in store.list()] == ["p"]
        again = store.claim("p")
        assert again is not None
        assert again.token > claim.token
        assert store.answer("p", claim.token, FINAL, final=True) is Answered.STALE
        store.close()
