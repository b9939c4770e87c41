"""The proposal directory and the app that watches it, in a real terminal.

    python -m benchmarks.queue [--rounds 1000] [--many 10000] [--arrivals 40]

Rename to row: from renaming a proposal into the directory to its name on the screen (where a thousand wait, its row is
below the window: to the count in the top line). It is taken away again after each time. Reviewable: its first hunk is
accepted by a key. Longest block: the longest time that any key took while everything arrived. Kill rounds: see
`tests/faults/kill_rounds.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.results import publish, table
from tests.faults.kill_rounds import play
from tests.tui.terminal import Terminal

HUNKDECK = str(Path(sys.executable).with_name("hunkdeck"))
IDLE_SECONDS = 10.0
PATIENCE = 120.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10_000)
    parser.add_argument("--arrivals", type=int, default=40)
    args = parser.parse_args()
    rows: list[tuple[str, str, str]] = []
    for waiting in (0, 1_000):
        rows += _arrivals(waiting, args.arrivals)
    rows += _flood(args.many)
    rows += _kills(args.rounds)
    publish(
        "The watched queue",
        f"python -m benchmarks.queue --rounds {args.rounds} --many {args.many} --arrivals {args.arrivals}",
        ["Times of the machine that ran it, because the limits are times.", "", *table(("", "figure", "limit"), rows)],
    )


# ---------------------------------------------------------------- a workspace, an app, proposals


@contextmanager
def _watching(waiting: int) -> Iterator[tuple[Path, Terminal]]:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory, "shop")
        (root / ".hunkdeck" / "queue").mkdir(parents=True)
        (root / ".git").mkdir()
        (root / "a.txt").write_text("".join(f"line {number}\n" for number in range(2_000)))
        for number in range(waiting):
            _rename_in(root, _stage(root, f"waiting{number:05}", number))
        env = {"XDG_CONFIG_HOME": str(root / "none")}
        with Terminal([HUNKDECK, "watch"], columns=120, rows=40, cwd=str(root), env=env) as terminal:
            terminal.wait_for(lambda text: _proposals(text) == waiting and "watching" in text, PATIENCE)
            terminal.settle(1.0)
            yield root, terminal


def _stage(root: Path, name: str, line: int) -> Path:
    """A proposal beside the directory, on the same file system."""
    edit = {"file_path": "a.txt", "old_string": f"line {line % 2_000}\n", "new_string": f"LINE {line % 2_000}\n"}
    staged = root / f"{name}.json"
    staged.write_text(json.dumps({"description": name, "edits": [edit]}))
    return staged


def _rename_in(root: Path, staged: Path) -> None:
    os.rename(staged, root / ".hunkdeck" / "queue" / staged.name)


def _until(terminal: Terminal, shown: Callable[[str], bool] | str, started: float) -> float:
    """Seconds since `started` until the screen shows it."""
    terminal.wait_for(shown, PATIENCE)
    return time.perf_counter() - started


def _cpu_seconds(terminal: Terminal) -> float:
    fields = Path(f"/proc/{terminal.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ---------------------------------------------------------------- what is measured


def _arrivals(waiting: int, count: int) -> list[tuple[str, str, str]]:
    with _watching(waiting) as (root, terminal):
        times = [_arrival(root, terminal, number, waiting) for number in range(count)]
        terminal.settle(1.0)
        before, began = _cpu_seconds(terminal), time.monotonic()
        terminal.settle(IDLE_SECONDS)
        idle = (_cpu_seconds(terminal) - before) / (time.monotonic() - began)
    where = f"{waiting:,} waiting" if waiting else "empty queue"
    p50, p95 = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
    return [
        (f"rename to row, {where}: p50", f"{p50 * 1000:.0f} ms", ""),
        (f"rename to row, {where}: p95", f"{p95 * 1000:.0f} ms", "150 ms"),
        (f"idle CPU, {where}", f"{idle:.2%}", "1 %"),
    ]


def _arrival(root: Path, terminal: Terminal, number: int, waiting: int) -> float:
    name = f"new{number:04}"
    staged = _stage(root, name, number)
    terminal.settle(0.2)
    started = time.perf_counter()
    _rename_in(root, staged)
    taken = _until(terminal, (lambda text: _proposals(text) == waiting + 1) if waiting else name, started)
    (root / ".hunkdeck" / "queue" / staged.name).unlink()
    terminal.wait_for(lambda text: _proposals(text) == waiting, PATIENCE)
    return taken


def _proposals(screen: str) -> int:
    """How many the top line counts."""
    found = re.search(r"([\d,]+) proposals?", screen)
    return int(found[1].replace(",", "")) if found else -1


def _flood(count: int) -> list[tuple[str, str, str]]:
    with _watching(0) as (root, terminal):
        staged = [_stage(root, f"many{number:05}", number) for number in range(count)]
        started = time.perf_counter()
        for proposal in staged:
            _rename_in(root, proposal)
        dropped = time.perf_counter() - started
        _until(terminal, "exact", started)
        terminal.press("y")
        first = _until(terminal, "1 ✓", started)
        blocks: list[float] = []
        while _proposals(terminal.text) != count and time.perf_counter() - started < PATIENCE:
            blocks.append(_key(terminal, "jk"[len(blocks) % 2]))
        listed = time.perf_counter() - started
        blocks += [_key(terminal, "jk"[number % 2]) for number in range(40)]
    return [
        (f"{count:,} dropped: renamed", f"{dropped:.2f} s", ""),
        (f"{count:,} dropped: the first is reviewed", f"{first:.2f} s", "1 s"),
        (f"{count:,} dropped: all listed", f"{listed:.2f} s", "10 s"),
        (f"{count:,} dropped: longest block of a key", f"{max(blocks) * 1000:.0f} ms", "100 ms"),
    ]


def _key(terminal: Terminal, key: str) -> float:
    """From a key to the next thing that is drawn."""
    taken = terminal.answer(key, PATIENCE)
    terminal.settle(0.02)
    return taken


def _kills(rounds: int) -> list[tuple[str, str, str]]:
    if not rounds:
        return []
    played = play(rounds, 1)
    for problem in played.problems:
        print(problem, file=sys.stderr)
    return [
        (f"{rounds:,} kill rounds: agents, apps killed", f"{played.kills['agent']}, {played.kills['reviewer']}", ""),
        (f"{rounds:,} kill rounds: lost, doubled or untrue", str(len(played.problems)), "0"),
    ]


if __name__ == "__main__":
    main()
