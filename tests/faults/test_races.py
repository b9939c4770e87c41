"""Others write at the same time: an editor that saves in a tight loop, somebody who swaps directories for links."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.errors import Conflict, HunkdeckError, PathBlocked
from engine.rename import Flag, rename_with
from engine.transaction import Change, commit, recover
from engine.workspace import Workspace
from tests.faults.harness import digest

SECONDS = 2.0


class Unsynced(Disk):
    def flush(self, fd: int) -> None:
        pass


@contextmanager
def child(work: Callable[[int, int], None]) -> Iterator[tuple[int, int]]:
    """Another process, and a pipe to and from it; it ends when its pipe is closed."""
    their_in, our_out = os.pipe()
    our_in, their_out = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(our_out)
        os.close(our_in)
        with suppress(BaseException):
            work(their_in, their_out)
        os._exit(0)
    os.close(their_in)
    os.close(their_out)
    try:
        yield our_in, our_out
    finally:
        os.close(our_out)
        os.close(our_in)
        os.waitpid(pid, 0)


def exchange_is_possible(directory: Path) -> bool:
    (directory / "one").write_bytes(b"1")
    (directory / "two").write_bytes(b"2")
    fd = os.open(directory, os.O_RDONLY)
    try:
        return rename_with(Flag.EXCHANGE, fd, "one", "two")
    finally:
        os.close(fd)


def test_no_save_of_an_editor_is_lost(tmp_path: Path) -> None:
    if not exchange_is_possible(tmp_path):
        pytest.skip("this file system cannot exchange names")
    root = tmp_path / "w"
    root.mkdir()
    file = root / "file.py"

    def save_on_command(commands: int, answers: int) -> None:
        while command := os.read(commands, 4):
            for number in range(int.from_bytes(command)):
                (root / "editor.tmp").write_bytes(b"save %d" % number)
                os.rename(root / "editor.tmp", file)
            os.write(answers, b"k")

    outcomes = {"applied": 0, "conflict": 0}
    chance = random.Random(1)
    deadline = time.monotonic() + SECONDS
    with child(save_on_command) as (answers, commands), Workspace(root) as workspace:
        while time.monotonic() < deadline:
            file.write_bytes(b"shown")
            saves = chance.randrange(1, 120)
            os.write(commands, saves.to_bytes(4))
            try:
                commit(workspace, [Change("file.py", digest(b"shown"), b"applied")], proposal="p", disk=Unsynced())
                outcomes["applied"] += 1
            except Conflict:
                outcomes["conflict"] += 1
            os.read(answers, 1)
            assert file.read_bytes() == b"save %d" % (saves - 1)
            assert [path.name for path in root.iterdir() if path.name.startswith(".hunkdeck-")] == []
    print(outcomes)
    assert sum(outcomes.values()) > 0


def test_nothing_is_written_beyond_a_directory_that_is_swapped_for_a_link(tmp_path: Path) -> None:
    if not exchange_is_possible(tmp_path):
        pytest.skip("this file system cannot exchange names")
    root, outside = tmp_path / "w", tmp_path / "outside"
    (root / "src").mkdir(parents=True)
    outside.mkdir()
    for directory in (root / "src", outside):
        (directory / "file.py").write_bytes(b"0")
    (root / "link").symlink_to(outside)

    def swap(commands: int, answers: int) -> None:
        fd = os.open(root, os.O_RDONLY)
        os.set_blocking(commands, False)
        swaps = 0
        while True:
            rename_with(Flag.EXCHANGE, fd, "src", "link")
            swaps += 1
            with suppress(BlockingIOError):
                if swaps % 100 == 0 and not os.read(commands, 1):
                    return

    before, tries = b"0", 0
    deadline = time.monotonic() + SECONDS
    with child(swap), Workspace(root) as workspace:
        while time.monotonic() < deadline:
            tries += 1
            after = b"%d" % tries
            with suppress(HunkdeckError):
                commit(workspace, [Change("src/file.py", digest(before), after)], proposal="p", disk=Unsynced())
                before = after
            with suppress(HunkdeckError):
                recover(workspace, disk=Unsynced())
                found = workspace.read("src/file.py")
                before = found.data if found else before
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"file.py": b"0"}
    if (root / "src").is_symlink():
        (root / "src").unlink()
        os.rename(root / "link", root / "src")
    with Workspace(root) as workspace:
        recover(workspace)
        assert workspace.entries("src") == ["file.py"]
    print(f"{tries} tries")


def test_a_parent_that_is_a_link_is_a_conflict(tmp_path: Path) -> None:
    root, outside = tmp_path / "w", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "src").symlink_to(outside)
    with Workspace(root) as workspace:
        with pytest.raises(Conflict, match="beyond a symbolic link"):
            commit(workspace, [Change("src/new.py", None, b"x")], proposal="p")
        with pytest.raises(PathBlocked, match="beyond a symbolic link"):
            workspace.read("src/new.py")
    assert list(outside.iterdir()) == []
