"""One transaction at a time, one reviewer at a time, and nobody has to clean up after a dead one."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.disk import Disk, PrivateDirectory, open_state
from engine.errors import WorkspaceError
from engine.locks import Owner, ReviewerLock, transaction_lock
from engine.transaction import Change, commit, history
from engine.workspace import Workspace


@pytest.fixture
def state(tmp_path: Path) -> Iterator[PrivateDirectory]:
    with Workspace(tmp_path) as workspace:
        opened = open_state(workspace, disk=Disk(), create=True)
        assert opened is not None
        with opened:
            yield opened


def test_a_second_reviewer_is_told_who_the_first_is(state: PrivateDirectory) -> None:
    first, second = ReviewerLock(state), ReviewerLock(state)
    assert first.acquire()
    assert first.acquire()
    assert not second.acquire()
    assert second.owner() == Owner(os.getpid(), os.uname().nodename)
    first.release()
    assert second.acquire()
    second.release()


def test_a_dead_owner_is_in_nobody_s_way(state: PrivateDirectory) -> None:
    ready, done = os.pipe()
    pid = os.fork()
    if pid == 0:
        held = ReviewerLock(state)
        os.write(done, b"y" if held.acquire() else b"n")
        os._exit(0)
    assert os.read(ready, 1) == b"y"
    os.waitpid(pid, 0)
    os.close(ready)
    os.close(done)
    with ReviewerLock(state) as lock:
        assert lock.acquire()
        assert lock.owner() == Owner(os.getpid(), os.uname().nodename)


def test_an_owner_that_did_not_sign(state: PrivateDirectory) -> None:
    state.write("reviewer.lock", b"\xff not json")
    assert ReviewerLock(state).owner() is None


def test_a_lock_that_is_a_pipe_or_a_link(state: PrivateDirectory, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".hunkdeck/lock")
    with pytest.raises(WorkspaceError, match="not a file of hunkdeck's own"), transaction_lock(state):
        pass
    (tmp_path / ".hunkdeck/lock").unlink()
    (tmp_path / ".hunkdeck/lock").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError, match="symbolic links"), transaction_lock(state):
        pass
    assert not (tmp_path / "outside").exists()


def test_transactions_at_the_same_time_take_turns(tmp_path: Path) -> None:
    def apply(number: int) -> None:
        with Workspace(tmp_path) as workspace:
            commit(workspace, [Change(f"{number}.py", None, b"x")], proposal=str(number))

    threads = [threading.Thread(target=apply, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Workspace(tmp_path) as workspace:
        entries = history(workspace)
    assert [entry.id for entry in entries] == [f"{number:06}" for number in range(1, 9)]
    assert {entry.proposal for entry in entries} == {str(number) for number in range(8)}


def test_private_files_are_private_and_whole(state: PrivateDirectory, tmp_path: Path) -> None:
    state.write("a.json", b"1")
    state.write("a.json", b"2")
    assert (state.read("a.json"), state.read("missing"), state.names()) == (b"2", None, ["a.json"])
    assert (tmp_path / ".hunkdeck/a.json").stat().st_mode & 0o777 == 0o600
    os.mkfifo(tmp_path / ".hunkdeck/pipe")
    (tmp_path / ".hunkdeck/dir").mkdir()
    assert (state.read("pipe"), state.read("dir")) == (None, None)


def test_a_wider_state_directory_is_narrowed(tmp_path: Path) -> None:
    (tmp_path / ".hunkdeck").mkdir(mode=0o755)
    with Workspace(tmp_path) as workspace:
        opened = open_state(workspace, disk=Disk(), create=False)
        assert opened is not None
        opened.close()
    assert (tmp_path / ".hunkdeck").stat().st_mode & 0o777 == 0o700
