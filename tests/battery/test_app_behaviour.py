"""Groups H, I and J in the review app: whose key it is, signals and sizes, errors of its own, work beside the keys."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import signal
import struct
import sys
import termios
import threading
import time
from pathlib import Path

import pytest
from textual import events

from engine.disk import open_state
from engine.locks import ReviewerLock
from tests.battery.bench import NEW, OLD, Bench
from tests.battery.command import PROJECT, assert_clean
from tests.battery.in_app import assert_tty_clean, open_app, text_written, tour
from tests.battery.test_app_items import proposal
from tests.faults.harness import QuietDisk
from tests.tui.reviewing import Review, open_review
from tests.tui.terminal import Terminal
from tui.settings import Settings

CTRL_S = "\x13"


def edits(*changes: tuple[str, str, str]) -> bytes:
    listed = [{"file_path": path, "old_string": old, "new_string": new} for path, old, new in changes]
    return json.dumps({"description": "d", "edits": listed}).encode()


# ---------------------------------------------------------------- whose key it is


def test_H01_the_second_reviewer_is_told_who_the_first_one_is(bench: Bench) -> None:
    bench.put("a.txt")
    file = proposal(bench, ("a.txt", "old", "new"))
    state = open_state(bench.workspace, disk=QuietDisk(), create=True)
    assert state is not None
    with state, ReviewerLock(state) as lock:
        assert lock.acquire()
        with open_app(bench.root, "review", file, columns=140) as terminal:
            terminal.wait_for(f"read-only: in use by pid {os.getpid()}")
            tour(terminal, ["y", "A", CTRL_S, "\r"])
            assert bench.read("a.txt") == OLD
    assert bench.read("a.txt") == OLD


def test_H16_a_key_belongs_to_what_was_focused(bench: Bench) -> None:
    """The first proposal leaves by itself while keys are on their way: they decide nothing about the second one."""
    bench.put("a.txt")
    bench.put("b.txt")

    async def script() -> None:
        proposals = (edits(("a.txt", "old", "new")), edits(("b.txt", "old", "new")))
        async with open_review(bench.workspace, proposals, (100, 30), Settings()) as review:
            first, second = review.app.desk.items
            await review("y")
            late = events.Key("y", "y")  # pressed while the first proposal was in sight
            await _finished_by_somebody_else(review)
            assert review.app.stream.cursor is not None
            assert review.app.stream.cursor.block.section.item is second
            await review.app.on_event(late)
            await review.settled()
            assert dict(second.state.decisions) == {}
            await review("y")
            assert list(second.state.decisions) == [0]
            assert first.finished

    asyncio.run(script())
    bench.knows("a.txt", NEW)


async def _finished_by_somebody_else(review: Review) -> None:
    """A verdict that no key of this moment asked for."""
    review.app.stream.go(next(iter(review.app.sections[review.app.desk.items[0]].hunks.values())))
    with review.app.desk_lock:
        review.app.desk.send(review.app.desk.items[0])
    review.app.replanned(review.app.desk.items)
    await review.settled()


def test_H17_pasting_decides_nothing(bench: Bench) -> None:
    bench.put("a.txt")
    file = proposal(bench, ("a.txt", "old", "new"))
    with open_app(bench.root, "review", file) as terminal:
        terminal.wait_for("exact")
        terminal.press("\x1b[200~yyyyyAY\x13\r\r\x1b[201~")
        tour(terminal, ["]"])
        assert "0 ✓ 0 ✗ 1 ?" in terminal.text
        terminal.press("y")
        terminal.wait_for("1 ✓ 0 ✗ 0 ?")
        terminal.press(CTRL_S)
        terminal.wait_for("enter  Apply")
        terminal.press("\x1b[200~\r\ny\r\n\x1b[201~")
        terminal.settle(0.2)
        assert bench.read("a.txt") == OLD
        terminal.press("q")


# ---------------------------------------------------------------- signals and sizes


def resize(terminal: Terminal, columns: int, rows: int) -> None:
    fcntl.ioctl(terminal._leader, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.kill(terminal.process.pid, signal.SIGWINCH)


def stop_and_continue(terminal: Terminal, how: signal.Signals) -> None:
    """As a shell does it: continued once it has really stopped."""
    os.kill(terminal.process.pid, how)
    deadline = time.monotonic() + 10
    while _state(terminal.process.pid) != "T" and time.monotonic() < deadline:
        terminal.read(0.001)
    os.kill(terminal.process.pid, signal.SIGCONT)


def _state(pid: int) -> str:
    """One letter of Linux; elsewhere nothing is waited for."""
    status = Path(f"/proc/{pid}/stat")
    return status.read_text().rpartition(") ")[2][:1] if status.exists() else "T"


def test_I19_stopped_continued_and_resized_all_the_time(bench: Bench) -> None:
    bench.put("a.txt")
    file = proposal(bench, ("a.txt", "old", "new"))
    with open_app(bench.root, "review", file, env={"COLUMNS": "", "LINES": ""}) as terminal:
        terminal.wait_for("exact")
        for number in range(120):
            resize(terminal, *[(1, 1), (20, 5), (110, 34), (2, 60), (300, 1)][number % 5])
            terminal.press("j" if number % 2 else "k")
            terminal.read(0)
        resize(terminal, 110, 34)
        terminal.settle(0.2)
        for _ in range(5):
            terminal.press("j")
            stop_and_continue(terminal, signal.SIGSTOP)
        terminal.settle(0.2)
        terminal.press("y")
        terminal.wait_for("1 ✓ 0 ✗ 0 ?")
        terminal.press("q")
        assert terminal.wait() == 4


def test_I19_suspended_by_the_shell(bench: Bench) -> None:
    """SIGTSTP is what ctrl+z would be without an app; it goes on where it was after SIGCONT."""
    bench.put("a.txt")
    file = proposal(bench, ("a.txt", "old", "new"))
    with open_app(bench.root, "review", file) as terminal:
        terminal.wait_for("exact")
        stop_and_continue(terminal, signal.SIGTSTP)
        terminal.settle(0.2)
        terminal.press("y")
        terminal.wait_for("1 ✓ 0 ✗ 0 ?")


@pytest.mark.parametrize("sent", [signal.SIGSTOP, signal.SIGTSTP])
def test_I19_stopped_during_an_apply(bench: Bench, sent: signal.Signals) -> None:
    paths = [f"f{number}.txt" for number in range(60)]
    for path in paths:
        bench.put(path)
        bench.knows(path, NEW)
    file = proposal(bench, *((path, "old", "new") for path in paths))
    with open_app(bench.root, "review", file) as terminal:
        terminal.wait_for("exact")
        terminal.press("A")
        terminal.wait_for("60 ✓")
        terminal.press(CTRL_S)
        terminal.wait_for("enter  Apply")
        terminal.press("\r")
        terminal.wait_for(lambda text: "Applying" in text or "60 applied" in text)
        for _ in range(3):
            stop_and_continue(terminal, sent)
        terminal.wait_for("60 applied")
    assert {bench.read(path) for path in paths} == {NEW}


# ---------------------------------------------------------------- errors of our own


@pytest.mark.parametrize(
    ("point", "keys"),
    [
        ("engine.transaction.perform:_pass_commit_point", ["A", CTRL_S, "\r"]),
        ("tui.actions.decide:DecideActions.accept", ["y"]),
        ("tui.actions.apply:ApplyActions._sent", ["A", CTRL_S, "\r"]),
        ("tui.view_model.labels:hunk_warnings", []),
        ("tui.view_model.blocks:build_section", []),
    ],
    ids=["in the transaction", "on a key", "after an apply", "while painting", "at the start"],
)
def test_I24_an_exception_of_our_own(bench: Bench, point: str, keys: list[str]) -> None:
    """No half-applied set; the error is told in words that no proposal can spoil; the terminal is as it was."""
    for path in ("a.txt", "b.txt"):
        bench.put(path)
        bench.knows(path, NEW)
    file = proposal(bench, ("a.txt", "old", "new"), ("b.txt", "old", "new"))
    command = [sys.executable, "-m", "tests.battery.sabotage", point, "review", file]
    env = {"PYTHONPATH": str(PROJECT), "HOME": str(bench.outside.parent), "COLUMNS": "110", "LINES": "34"}
    with Terminal(command, columns=110, rows=34, cwd=str(bench.root), env=env) as terminal:
        if keys:
            terminal.wait_for("exact")
            tour(terminal, keys)
        code = terminal.wait()
        seen = terminal.seen
    assert_tty_clean(seen)
    assert "stopped by an error of its own: RuntimeError: sabotaged" in text_written(seen)
    assert all(
        on in seen and off in seen for on, off in [(b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")]
    )
    assert code != 0 or bench.read("a.txt") == NEW
    assert len({bench.read("a.txt"), bench.read("b.txt")}) == 1


def test_F16_an_exception_on_the_command_line(bench: Bench) -> None:
    bench.put("a.txt")
    file = proposal(bench, ("a.txt", "old", "new"))
    for command in (["check", file], ["apply", "--all", file], ["review", "--plain", file]):
        point = "engine.planning.whole:_by_path" if command[0] != "review" else "tui.plain_view:show_hunk"
        argv = [sys.executable, "-m", "tests.battery.sabotage", point, *command]
        with Terminal(argv, cwd=str(bench.root), env={"PYTHONPATH": str(PROJECT), "NO_COLOR": "1"}) as terminal:
            code = terminal.wait()
            said = terminal.seen.decode().replace("\r\n", "\n")
        assert code == 1
        assert_clean(said)
        assert "stopped by an error of its own: RuntimeError: sabotaged" in said
        assert "Traceback" not in said


# ---------------------------------------------------------------- work beside the keys


def test_J14_keys_are_answered_while_it_works(bench: Bench) -> None:
    """A proposal takes long to place; a key meanwhile shows within 0.1 s (0.3 s on a machine with other work)."""
    bench.seconds = 60
    text = "".join(f"value_{number} = compute({number})\n" for number in range(60_000))
    bench.put("big.py", text.encode())
    near = [(f"value_{n} = computed({n})", f"value_{n} = recompute({n})") for n in range(0, 60_000, 300)]
    slow = [("big.py", old, new) for old, new in near]
    bench.put("a.txt")
    first = proposal(bench, ("a.txt", "old", "new"), name="first")
    second = proposal(bench, *slow, name="second")
    with open_app(bench.root, "review", first, second) as terminal:
        terminal.wait_for("exact")
        delays: list[float] = []
        while "being placed" in terminal.text or "placing" in terminal.text or len(delays) < 6:
            terminal.settle(0.02)
            started = time.perf_counter()
            terminal.press("?" if "this help" not in terminal.text else "\x1b")
            before = terminal.text
            terminal.wait_for(lambda text, before=before: text != before)  # type: ignore[misc]
            delays.append(time.perf_counter() - started)
            if len(delays) > 40:
                break
        terminal.press("q")
    assert sorted(delays)[len(delays) // 2] < 0.3, delays


def test_J14_leaving_ends_the_work(bench: Bench) -> None:
    """Whoever leaves need not wait until everything is planned."""
    bench.seconds = 60
    text = "".join(f"value_{number} = compute({number})\n" for number in range(20_000))
    files = []
    for number in range(12):
        bench.put(f"big{number}.py", text.encode())
        changes = [(f"big{number}.py", f"value_{n} = computed({n})", "x") for n in range(0, 20_000, 100)]
        files.append(proposal(bench, *changes, name=f"p{number}"))
    with open_app(bench.root, "watch", str(_queue(bench, files))) as terminal:
        terminal.wait_for("placing hunks")
        started = time.perf_counter()
        terminal.press("q")
        assert terminal.wait() == 0
        assert time.perf_counter() - started < 10


def _queue(bench: Bench, files: list[str]) -> Path:
    queue = bench.outside.parent / "queue"
    queue.mkdir()
    for file in files:
        os.rename(file, queue / Path(file).name)
    return queue


def test_J14_no_thread_is_left_behind(bench: Bench) -> None:
    bench.put("a.txt")

    async def script() -> None:
        async with open_review(bench.workspace, (edits(("a.txt", "old", "new")),), (80, 24), Settings()) as review:
            await review("y")

    before = threading.active_count()
    asyncio.run(script())
    assert threading.active_count() <= before
