"""The review app in a real terminal, beside a bare Textual app in the same run.

    python -m benchmarks.tui [--hunks 10,10000,50000] [--rounds 9]

First content: from starting the process to the first hunk on the screen. Key to paint: from writing the key to the
first byte of the answer. Memory: the resident set after the first screen and all those keys. Longest wait: keys that
are pressed all the time while a very long file, a very long line or a large proposal is read and placed.
"""

from __future__ import annotations

import argparse
import compileall
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks.results import publish, table
from benchmarks.tui_cases import memory, start_app, start_bare, write_long_file, write_long_line, write_many
from tests.tui.terminal import Terminal

_HOME = Path(__file__).resolve().parents[1]
_FIRST = b"function_0"
_REPEATS = 40
_P95 = int(_REPEATS * 0.95)
_LOADING = 3.0
"""Seconds for which keys are pressed while something long is read."""


class Key(NamedTuple):
    """A key, and one that is pressed before it so that it has something to do every time."""

    key: str
    before: str = ""


KEYS = {
    "line": Key("j"),
    "hunk": Key("]"),
    "file": Key("}"),
    "accept": Key("y", before="u"),
    "collapse": Key("z"),
    "page": Key("\x1b[6~"),
    "end": Key("G", before="g"),
    "collapse all": Key("Z"),
    "search next": Key("n"),
}
_SMALL_LIMIT, _ALL_LIMIT = 16, 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hunks", default="10,10000,50000")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    counts = [int(count) for count in args.hunks.split(",")]
    for folder in ("engine", "tui"):  # an edited file would be compiled at every start
        compileall.compile_dir(str(_HOME / folder), quiet=1)
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        for count in counts:
            write_many(home / str(count), count)
        write_long_file(home / "long file")
        write_long_line(home / "long line")
        body = [*_first_contents(home, counts, args.rounds), *_keys_and_memory(home, counts)]
        body += _longest_waits(home, ["long file", "long line", str(max(counts))])
    publish("The review app", f"python -m benchmarks.tui --hunks {args.hunks} --rounds {args.rounds}", body)


# ---------------------------------------------------------------- first content


def _first_contents(home: Path, counts: Iterable[int], rounds: int) -> list[str]:
    """The best of some rounds that take turns, as a multiple of the bare app's."""
    best: dict[int, float] = {}
    for _ in range(rounds):
        for count in (0, *counts):
            took = _first(lambda: start_bare(home), b"hello") if not count else _first(_app(home / str(count)), _FIRST)
            best[count] = min(best.get(count, took), took)
    limits = {10_000: "1.6 x", 50_000: "4 x"}
    rows = [[f"{count:,} hunks", f"{best[count] / best[0]:.2f} x", limits.get(count, "")] for count in counts]
    return [*table(["first content, beside a bare Textual app", "measured", "at most"], rows), ""]


def _app(home: Path) -> Callable[[], Terminal]:
    return lambda: start_app(home)


def _first(start: Callable[[], Terminal], words: bytes) -> float:
    started = time.perf_counter()
    with start() as terminal:
        while words not in terminal.seen:
            assert terminal.read(60), terminal.text
        return time.perf_counter() - started


# ---------------------------------------------------------------- keys and memory


def _keys_and_memory(home: Path, counts: list[int]) -> list[str]:
    with start_bare(home) as terminal:
        terminal.wait_for("hello", 60)
        terminal.settle(0.5)
        bare = memory(terminal)
    measured = {count: _keys(home / str(count)) for count in counts}
    small = measured[counts[0]][0]
    rows = []
    for name in KEYS:
        waits = [measured[count][0][name] for count in counts]
        ratios = [f"{wait / small[name]:.2f} x" for wait in waits[1:]]
        limit = _ALL_LIMIT if name == "collapse all" else _SMALL_LIMIT
        rows.append([name, *(f"{wait * 1000:.1f} ms" for wait in waits), *ratios, f"{limit} ms, 1.5 x"])
    heads = [f"{count:,} hunks" for count in counts]
    head = ["key to paint, p95", *heads, *(f"{name} / {heads[0]}" for name in heads[1:]), "at most"]
    sizes = [
        [f"{count:,} hunks", f"{held / bare:.2f} x", "2.5 x" if count == 10_000 else ""]
        for count, (_, held) in measured.items()
    ]
    return [*table(head, rows), "", *table(["memory, beside a bare Textual app", "measured", "at most"], sizes), ""]


def _keys(home: Path) -> tuple[dict[str, float], int]:
    """The p95 of each key, and the memory after all of them."""
    with start_app(home) as terminal:
        terminal.wait_for("exact", 120)
        terminal.settle(1.5)
        waits = {}
        for name, key in KEYS.items():
            if name == "search next":
                _search(terminal, "value_1")
            waits[name] = sorted(_paint(terminal, key) for _ in range(_REPEATS))[_P95]
        terminal.settle(0.5)
        return waits, memory(terminal)


def _search(terminal: Terminal, words: str) -> None:
    for keys in ("/", words, "\r"):
        terminal.press(keys)
        terminal.settle(0.2)


def _paint(terminal: Terminal, key: Key) -> float:
    if key.before:
        terminal.press(key.before)
    terminal.settle(0.04)
    return terminal.answer(key.key)


# ---------------------------------------------------------------- while something long is read


def _longest_waits(home: Path, cases: Iterable[str]) -> list[str]:
    rows = [[case, f"{_longest_wait(home / case) * 1000:.0f} ms", "100 ms"] for case in cases]
    return table(["longest wait of a key while it is read and placed", "measured", "at most"], rows)


def _longest_wait(home: Path) -> float:
    longest = 0.0
    with start_app(home) as terminal:
        terminal.wait_for("function_0", 120)
        until = time.perf_counter() + _LOADING
        while time.perf_counter() < until or "exact" not in terminal.text:
            longest = max(longest, terminal.answer("j"), terminal.answer("k"))
        for keys in ("G", "g", "]", "]", "w", "w", "+", "-"):
            terminal.settle(0.1)
            longest = max(longest, terminal.answer(keys))
    return longest


if __name__ == "__main__":
    main()
