"""Who waits is seen as long as they live."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engine.disk import Disk, PrivateDirectory, SharedDirectory
from engine.queue.waiters import Waiters


def test_a_reviewer_who_looks_while_the_waiting_begins_does_not_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = SharedDirectory(os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY), Disk())
    reviewer, agent = Waiters(directory), Waiters(directory)
    made = PrivateDirectory.lock_file
    looks = 0

    def looked_at(self: PrivateDirectory, name: str) -> int:
        nonlocal looks
        fd = made(self, name)
        if looks < 2:  # in between, it looks like what a dead one left
            looks += 1
            reviewer.look()
        return fd

    monkeypatch.setattr(PrivateDirectory, "lock_file", looked_at)
    until = time.time() + 60
    with agent.waiting("p", until):
        reviewer.look()
        assert (looks, reviewer.until("p")) == (2, until)
    reviewer.look()
    assert (reviewer.until("p"), os.listdir(tmp_path)) == (None, [])
    directory.close()
