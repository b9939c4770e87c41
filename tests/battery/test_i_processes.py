"""Group I, what concerns a whole process: limits, signals, closed terminals and pipes, inherited descriptors."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engine.errors import WriteFailed
from engine.transaction import commit, recover, undo
from tests.battery.bench import NEW, OLD, Bench
from tests.battery.command import FORBIDDEN, run, start_piped, start_with_terminal
from tests.battery.machine import in_child
from tests.faults.harness import QuietDisk


def test_I07_short_write(bench: Bench) -> None:
    bench.put("a.txt")
    big = b"x" * 50_000

    def work() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        changes = [bench.change("b.txt", None, NEW), bench.change("a.txt", OLD, big)]
        with pytest.raises(WriteFailed, match=r"a\.txt: File too large"):
            commit(bench.workspace, changes, proposal="p")

    assert in_child(work) == 0
    assert {path: entry[2] for path, entry in bench.files().items()} == {"a.txt": OLD}


def test_I07_write_in_pieces(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that takes less than it was given goes on with the rest."""
    real = os.write
    monkeypatch.setattr("engine.disk.os.write", lambda fd, data: real(fd, data[:7]))
    commit(bench.workspace, [bench.change("a.txt", None, b"0123456789" * 50)], proposal="p")
    assert bench.read("a.txt") == b"0123456789" * 50


class Signalled(QuietDisk):
    """Gets a signal at every exchange and every creation, twice."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__()
        self.number = number

    def before(self, operation: str, name: str) -> None:
        if operation in ("exchange", "place"):
            os.kill(os.getpid(), self.number)
            os.kill(os.getpid(), self.number)


def assert_whole_after(bench: Bench, number: signal.Signals) -> None:
    bench.put("a.txt")
    bench.put("b.txt")
    changes = [bench.change("a.txt", OLD, NEW), bench.change("b.txt", OLD, NEW), bench.change("c.txt", None, NEW)]
    for name in "abc":
        bench.knows(f"{name}.txt", NEW)

    def work() -> None:
        signal.signal(number, signal.SIG_DFL)
        commit(bench.workspace, changes, proposal="p", disk=Signalled(number))

    status = in_child(work)
    assert (os.WIFSIGNALED(status), os.WTERMSIG(status)) == (True, number)
    assert {bench.read(f"{name}.txt") for name in "abc"} == {NEW}
    assert recover(bench.workspace) == ()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_I17_signal_during_the_commit(bench: Bench, number: signal.Signals) -> None:
    assert_whole_after(bench, number)


def test_I17_ctrl_c_on_the_command_line(bench: Bench) -> None:
    bench.put("a.txt")
    bench.knows("a.txt", NEW)
    commit(bench.workspace, [bench.change("a.txt", OLD, NEW)], proposal="p")
    waiting = start_piped(bench.root, "log", "--follow")
    assert waiting.stdout is not None
    assert waiting.stdout.readline()
    waiting.send_signal(signal.SIGINT)
    _, err = waiting.communicate(timeout=20)
    assert (waiting.returncode, err) == (130, b"")


def test_I18_hangup_during_the_commit(bench: Bench) -> None:
    assert_whole_after(bench, signal.SIGHUP)


def test_I18_terminal_goes_away(bench: Bench) -> None:
    """No busy loop and no orphan when the other side of the terminal is closed."""
    process, leader = start_with_terminal(bench.root, "log", "--follow")
    time.sleep(0.3)
    os.close(leader)
    commit(bench.workspace, [bench.change("a.txt", None, NEW)], proposal="p")
    process.send_signal(signal.SIGHUP)
    assert process.wait(20) != 0


@pytest.mark.parametrize("arguments", [("check", "--diff", "-"), ("check", "--json", "-"), ("show", "big.txt")])
def test_I20_reader_goes_away(bench: Bench, arguments: tuple[str, ...]) -> None:
    bench.put("big.txt", b"line\n" * 50_000)
    proposal = json.dumps({"file_path": "big.txt", "content": "new\n" * 50_000}).encode()
    process = start_piped(bench.root, *arguments)
    assert process.stdin
    assert process.stdout
    assert process.stderr
    with process:
        process.stdout.close()
        if "-" in arguments:
            process.stdin.write(proposal)
        process.stdin.close()
        err = process.stderr.read()
    assert (process.wait(20), err) == (141, b"")


def _with_memory(megabytes: int, work: Callable[[], object]) -> int:
    def limited() -> None:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limit = used + megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        work()

    return in_child(limited)


def test_I21_out_of_memory(bench: Bench) -> None:
    """Whatever fails for lack of memory (a thread's stack, a buffer, Python itself), or nothing does: never mixed."""
    for name in "abcdefgh":
        bench.put(f"{name}.txt")
    changes = [bench.change(f"{name}.txt", OLD, NEW) for name in "abcdefgh"]

    def work() -> None:
        with suppress(WriteFailed, MemoryError):
            commit(bench.workspace, changes, proposal="p")

    assert _with_memory(4, work) == 0
    recover(bench.workspace)
    assert {bench.read(f"{name}.txt") for name in "abcdefgh"} in ({OLD}, {NEW})


def test_I21_out_of_memory_on_the_command_line(bench: Bench) -> None:
    bench.put("a.txt", b"line\n" * 2_000_000)
    proposal = json.dumps({"file_path": "a.txt", "content": "new\n" * 3_900_000}).encode()
    ran = run(bench.root, "apply", "--all", "-", stdin=proposal, memory=200 * 1024 * 1024)
    assert ran.code in (1, 2)
    assert not FORBIDDEN.search(ran.said)


def test_I22_few_descriptors(bench: Bench) -> None:
    changes = [bench.change(f"d{n % 20}/deep/f{n}.py", None, b"%d" % n) for n in range(500)]

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        commit(bench.workspace, changes, proposal="p")
        undo(bench.workspace)
        commit(bench.workspace, changes, proposal="p")

    assert in_child(work) == 0
    assert sum(entry[0] == "file" for entry in bench.files().values()) == 500


def descriptors() -> set[int]:
    return {fd for fd in map(int, os.listdir("/proc/self/fd")) if _is_open(fd)}


def _is_open(fd: int) -> bool:
    try:
        fcntl.fcntl(fd, fcntl.F_GETFD)
    except OSError:
        return False
    return True


def test_I22_no_descriptor_leaks(bench: Bench) -> None:
    bench.put("a.txt", b"0")
    before = descriptors()
    for n in range(300):
        commit(bench.workspace, [bench.change("a.txt", b"%d" % n, b"%d" % (n + 1))], proposal="p", disk=QuietDisk())
    assert descriptors() == before


def test_I23_descriptors_are_not_inherited(bench: Bench) -> None:
    bench.put("a.txt")
    before = descriptors()
    inherited: set[str] = set()

    class Looking(QuietDisk):
        def before(self, operation: str, name: str) -> None:
            for fd in descriptors() - before:
                if not fcntl.fcntl(fd, fcntl.F_GETFD) & fcntl.FD_CLOEXEC:
                    inherited.add(operation)

    commit(
        bench.workspace,
        [bench.change("a.txt", OLD, NEW), bench.change("b.txt", None, NEW)],
        proposal="p",
        disk=Looking(),
    )
    undo(bench.workspace, disk=Looking())
    assert inherited == set()
    assert fcntl.fcntl(bench.workspace.fd, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
    assert subprocess.run(["true"], check=False).returncode == 0
