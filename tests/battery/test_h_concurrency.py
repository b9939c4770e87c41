"""Group H: others write at the same time, and undo is asked for afterwards."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from engine.disk import Disk, PrivateDirectory, open_state
from engine.errors import Conflict, HunkdeckError, UndoRefused
from engine.locks import Owner, ReviewerLock, transaction_lock
from engine.model import Code, Create, Delete, Mode, Move, TextEdit
from engine.rename import Flag, rename_with
from engine.review import Accept
from engine.settle import Status
from engine.transaction import commit, history, recover, undo
from engine.workspace import Workspace
from tests.battery.bench import NEW, OLD, Bench
from tests.battery.command import start
from tests.battery.machine import in_child
from tests.faults.harness import QuietDisk

EDIT = TextEdit("old", "new")


def state_of(bench: Bench) -> PrivateDirectory:
    state = open_state(bench.workspace, disk=Disk(), create=True)
    assert state is not None
    return state


def replaced(path: Path, content: bytes) -> None:
    """As editors save: a file beside it, then a rename."""
    interim = path.with_name("editor.tmp")
    interim.write_bytes(content)
    interim.rename(path)


def test_H01_two_reviewers(bench: Bench) -> None:
    with state_of(bench) as state, ReviewerLock(state) as first:
        assert first.acquire()
        ours = os.getpid()

        def second() -> None:
            lock = ReviewerLock(state_of(bench))
            assert not lock.acquire()
            assert lock.owner() == Owner(ours, os.uname().nodename)

        assert in_child(second) == 0


def _hold_and_tell(bench: Bench, told: int) -> None:
    lock = ReviewerLock(state_of(bench))
    lock.acquire()
    with transaction_lock(state_of(bench)):
        os.write(told, b"x")
        signal.pause()


def test_H02_stale_locks(bench: Bench) -> None:
    """Killed while it held both locks, and the pid in the file is somebody else's now."""
    tells, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        _hold_and_tell(bench, told)
        os._exit(0)
    os.read(tells, 1)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(tells)
    os.close(told)
    (bench.root / ".hunkdeck/reviewer.lock").write_text(f'{{"pid": {os.getppid()}, "host": "x"}}')
    with state_of(bench) as state, ReviewerLock(state) as lock:
        assert lock.acquire()
    bench.assert_ok(("a.txt", Create("new\n")))


def test_H03_editor_saves_between_show_and_accept(bench: Bench) -> None:
    bench.put("a.txt")
    bench.put("b.txt")
    planned = bench.plan(("a.txt", EDIT), ("b.txt", EDIT))
    bench.put("a.txt", b"old, but edited\n")
    result = bench.apply(planned, Accept((0, 1)), mode=Mode.CONTINUE)
    assert [(hunk.status, hunk.code) for hunk in result.hunks] == [
        (Status.FAILED, Code.CONFLICT),
        (Status.APPLIED, None),
    ]
    assert (bench.read("a.txt"), bench.read("b.txt")) == (b"old, but edited\n", NEW)
    bench.put("b.txt")
    planned = bench.plan(("a.txt", EDIT), ("b.txt", EDIT))
    bench.assert_conflicts(planned, lambda: bench.put("a.txt", b"old again\n"), "was changed since it was shown")


def test_H04_editor_saves_in_a_loop(bench: Bench) -> None:
    """Each round the editor saves a known number of times: the last save must be there afterwards."""
    file = bench.put("a.txt", b"shown")
    if not exchange_works(bench.root):
        pytest.skip("this file system cannot exchange names")
    commands, command = os.pipe()
    answers, answer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(command)
        while count := os.read(commands, 1):
            for number in range(count[0]):
                replaced(file, b"save %d" % number)
            os.write(answer, b"k")
        os._exit(0)
    chance, deadline = random.Random(1), time.monotonic() + 1.5
    outcomes = {"applied": 0, "conflict": 0}
    while time.monotonic() < deadline:
        file.write_bytes(b"shown")
        saves = chance.randrange(1, 100)
        os.write(command, bytes([saves]))
        try:
            commit(bench.workspace, [bench.change("a.txt", b"shown", NEW)], proposal="p", disk=QuietDisk())
            outcomes["applied"] += 1
        except Conflict:
            outcomes["conflict"] += 1
        os.read(answers, 1)
        assert bench.read("a.txt") == b"save %d" % (saves - 1)
    for fd in (command, commands, answers, answer):
        os.close(fd)
    os.waitpid(pid, 0)
    bench.knows("a.txt", bench.read("a.txt"))
    assert sum(outcomes.values()) > 10


def exchange_works(directory: Path) -> bool:
    for name in ("one", "two"):
        (directory / name).write_bytes(b"")
    fd = os.open(directory, os.O_RDONLY)
    works = rename_with(Flag.EXCHANGE, fd, "one", "two")
    os.close(fd)
    for name in ("one", "two"):
        (directory / name).unlink()
    return works


def test_H05_editor_with_an_open_descriptor(bench: Bench) -> None:
    fd = os.open(bench.put("a.txt"), os.O_WRONLY)

    class Late(QuietDisk):
        def before(self, operation: str, name: str) -> None:
            if (operation, name) == ("rename", "journal-swapping"):
                os.write(fd, b"late")

    applied = commit(bench.workspace, [bench.change("a.txt", OLD, NEW)], proposal="p", disk=Late())
    os.close(fd)
    (note,) = applied.notes
    assert note.startswith("a.txt: somebody wrote to the old file while it was replaced")
    assert (bench.read("a.txt"), bench.read(note.rpartition(" ")[2])) == (NEW, b"late")


def test_H05_written_before_the_exchange(bench: Bench) -> None:
    fd = os.open(bench.put("a.txt"), os.O_WRONLY)

    class Early(QuietDisk):
        def before(self, operation: str, name: str) -> None:
            if (operation, name) == ("exchange", "a.txt"):
                os.pwrite(fd, b"OLD", 0)

    with pytest.raises(Conflict, match="changed by somebody else"):
        commit(bench.workspace, [bench.change("a.txt", OLD, NEW)], proposal="p", disk=Early())
    os.close(fd)
    assert bench.read("a.txt") == b"OLD\n"
    bench.knows("a.txt", b"OLD\n")


def test_H06_formatter_rewrites_after_apply(bench: Bench) -> None:
    bench.put("a.txt")
    bench.put("b.txt")
    bench.assert_ok(("a.txt", EDIT), ("b.txt", EDIT))
    bench.put("a.txt", b"new, formatted\n")
    with pytest.raises(UndoRefused, match=r"a\.txt: was changed since; nothing was undone"):
        undo(bench.workspace)
    assert (bench.read("a.txt"), bench.read("b.txt")) == (b"new, formatted\n", NEW)


@pytest.mark.parametrize("how", ["deleted", "directory", "link", "link outside", "fifo"])
@pytest.mark.parametrize("op", [EDIT, Delete(), Move("b.txt")])
def test_H07_replaced_by_something_else(bench: Bench, how: str, op: TextEdit) -> None:
    file = bench.put("a.txt")
    bench.put("twin.txt")

    def meddle() -> None:
        file.unlink()
        if how == "directory":
            file.mkdir()
        elif how == "fifo":
            os.mkfifo(file)
        elif how.startswith("link"):
            file.symlink_to("twin.txt" if how == "link" else bench.outside / "secret.txt")

    bench.assert_conflicts(bench.plan(("a.txt", op), ("new.txt", Create("x"))), meddle, "any more")


def test_H08_restored_mtime(bench: Bench) -> None:
    file = bench.put("a.txt")
    before = file.stat()

    def meddle() -> None:
        file.write_bytes(b"0ld\n")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        bench.knows("a.txt", b"0ld\n")

    bench.assert_conflicts(bench.plan(("a.txt", EDIT)), meddle, "was changed since it was shown")


def test_H09_git_switches_branches(bench: Bench) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    bench.put("a.txt", b"old\nmaster\n")
    bench.put("same.txt")

    def git(*words: str) -> None:
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=master"]
        subprocess.run(["git", *identity, *words], cwd=bench.root, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "one")
    git("checkout", "-b", "other")
    bench.put("a.txt", b"old\nother\n")
    git("commit", "-am", "two")
    planned = bench.plan(("a.txt", EDIT), ("same.txt", EDIT))
    git("checkout", "master")
    result = bench.apply(planned, Accept((0, 1)), mode=Mode.CONTINUE)
    assert [hunk.code for hunk in result.hunks] == [Code.CONFLICT, None]
    assert bench.read("a.txt") == b"old\nmaster\n"
    shutil.rmtree(bench.root / ".git")


def test_H10_agent_still_writes(bench: Bench) -> None:
    """Before each operation somebody writes one of the files: whole files only, and no mixed set of ours."""
    for at in range(1, 120):
        bench.put("a.txt")
        bench.put("b.txt")
        (bench.root / "c.txt").unlink(missing_ok=True)
        disk = Meddling(bench, at)
        changes = [bench.change("a.txt", OLD, NEW), bench.change("b.txt", OLD, NEW), bench.change("c.txt", None, NEW)]
        try:
            commit(bench.workspace, changes, proposal="p", disk=disk)
            ours = {bench.read("b.txt"), bench.read("c.txt")}
            assert ours == {NEW}
        except HunkdeckError:
            assert (bench.read("b.txt"), (bench.root / "c.txt").exists()) == (OLD, False)
        if disk.count >= at:
            assert bench.read("a.txt") == b"agent\n"
        bench.check_invariants()
        if disk.count < at:
            return
    pytest.fail("the commit never ends")


class Meddling(QuietDisk):
    def __init__(self, bench: Bench, at: int) -> None:
        super().__init__()
        self.bench, self.at = bench, at

    def before(self, operation: str, name: str) -> None:
        super().before(operation, name)
        if self.count == self.at:
            self.bench.knows("a.txt", b"agent\n")
            replaced(self.bench.root / "a.txt", b"agent\n")


def test_H11_undo_waits_for_an_apply(bench: Bench) -> None:
    bench.put("a.txt")
    bench.assert_ok(("a.txt", EDIT))
    with state_of(bench) as state, transaction_lock(state):
        waiting = start(bench.root, "undo")
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.7)
        assert bench.read("a.txt") == NEW
    assert waiting.wait(20) == 0
    assert bench.read("a.txt") == OLD


def test_H12_undo_after_a_later_transaction(bench: Bench) -> None:
    bench.put("a.txt")
    bench.assert_ok(("a.txt", EDIT))
    bench.assert_ok(("a.txt", TextEdit("new", "newer")))
    with pytest.raises(UndoRefused, match=r"a\.txt: was changed since, by transaction 000002; nothing was undone"):
        undo(bench.workspace, "000001")
    assert bench.read("a.txt") == b"newer\n"


def test_H13_undo_of_a_created_file_that_was_edited(bench: Bench) -> None:
    bench.assert_ok(("a.txt", Create("new\n")), ("b.txt", Create("new\n")))
    bench.put("a.txt", b"mine now\n")
    with pytest.raises(UndoRefused, match=r"a\.txt: was changed since; nothing was undone"):
        undo(bench.workspace)
    assert (bench.read("a.txt"), bench.read("b.txt")) == (b"mine now\n", NEW)


def test_H14_there_and_back(bench: Bench) -> None:
    bench.put("edited.txt", mode=0o640)
    bench.put("deleted.txt", mode=0o755)
    bench.put("moved.txt", b"moved\n", mode=0o600)
    bench.knows("d/moved.txt", b"moved\n")
    before = bench.files()
    bench.assert_ok(
        ("edited.txt", EDIT), ("deleted.txt", Delete()), ("moved.txt", Move("d/moved.txt")), ("new.txt", Create("x"))
    )
    after = bench.files()
    first = undo(bench.workspace)
    assert bench.files() == before
    with pytest.raises(UndoRefused, match="nothing to undo"):
        undo(bench.workspace)
    second = undo(bench.workspace, first.by)
    assert bench.files() == after
    undo(bench.workspace, second.by)
    assert bench.files() == before
    assert len(history(bench.workspace)) == 4


def test_H15_undo_touches_only_its_own(bench: Bench) -> None:
    bench.assert_ok(("made/a.txt", Create("new\n")))
    for path in ("untracked.txt", "made/mine.txt", "made/deep/mine.txt", ".hidden"):
        bench.put(path, b"mine\n")
    undo(bench.workspace)
    assert {path for path, entry in bench.files().items() if entry[0] == "file"} == {
        "untracked.txt",
        "made/mine.txt",
        "made/deep/mine.txt",
        ".hidden",
    }
    assert recover(bench.workspace) == ()


def test_H11_applies_take_turns(bench: Bench) -> None:
    pids = []
    for number in range(4):
        pid = os.fork()
        if pid == 0:
            with suppress(HunkdeckError), Workspace(bench.root) as workspace:
                commit(workspace, [bench.change(f"{number}.txt", None, NEW)], proposal="p")
            os._exit(0)
        pids.append(pid)
    for pid in pids:
        os.waitpid(pid, 0)
    for number in range(4):
        bench.knows(f"{number}.txt", NEW)
    assert [entry.id for entry in history(bench.workspace)] == ["000001", "000002", "000003", "000004"]
