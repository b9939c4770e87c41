"""The review app in a real terminal, beside a bare Textual app in the same run.

    python -m benchmarks.tui [--hunks 10,10000,50000]

First content: from starting the process to the first hunk on the screen. Key to paint: from writing the key to the
first byte of the answer. Memory: the process's resident set after the first screen.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.tui.terminal import Terminal

ROUNDS = 5
KEYS = {
    "line": "j",
    "hunk": "]",
    "file": "}",
    "accept": "y",
    "fold": "z",
    "page": "\x1b[6~",
    "end": "G",
    "top": "g",
}
REPEATS = 15
HELLO = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("hello")
    def on_key(self, event):
        self.query_one(Static).update("pressed " + event.key + " " + str(id(event)))
Hello().run()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hunks", default="10,10000,50000")
    counts = [int(count) for count in parser.parse_args().hunks.split(",")]
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        for count in counts:
            _write_case(home / str(count), count)
        first = {count: [] for count in [0, *counts]}  # type: dict[int, list[float]]
        for _ in range(ROUNDS):
            first[0].append(_first_hello(home))
            for count in counts:
                first[count].append(_first_content(home / str(count)))
        hello_memory = _hello_memory(home)
        _print_first(first)
        figures = {count: _keys(home / str(count)) for count in counts}
    _print_keys(figures)
    for count, (_, memory) in figures.items():
        print(f"memory, {count:6} hunks: {memory / 1e6:6.0f} MB, {memory / hello_memory:.2f} x the bare app")


def _write_case(home: Path, hunks: int) -> None:
    """One proposal; a file for every five hundred hunks, each hunk with about twenty lines."""
    home.mkdir()
    edits = []
    for start in range(0, hunks, 500):
        path = f"src/module_{start // 500}.py"
        blocks = [_block(number) for number in range(start, min(start + 500, hunks))]
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text("".join(blocks))
        edits += [
            {"file_path": path, "old_string": block, "new_string": block.replace("= 9 *", "= 10 *")} for block in blocks
        ]
    (home / "proposal.json").write_text(json.dumps({"description": "a large one", "edits": edits}))


def _block(number: int) -> str:
    lines = [f"    value_{number}_{line} = {line} * {number}" for line in range(18)]
    return "\n".join([f"def function_{number}():", *lines, ""]) + "\n"


def _command() -> list[str]:
    return [str(Path(sys.executable).with_name("hunkdeck")), "review", "proposal.json", "--workspace", "."]


def _start(home: Path) -> Terminal:
    return Terminal(_command(), columns=120, rows=40, cwd=str(home))


def _first_content(home: Path) -> float:
    with _start(home) as terminal:
        return terminal.wait_for("function_0", 120)


def _first_hello(home: Path) -> float:
    with Terminal([sys.executable, "-c", HELLO], columns=120, rows=40, cwd=str(home)) as terminal:
        return terminal.wait_for("hello", 60)


def _hello_memory(home: Path) -> int:
    with Terminal([sys.executable, "-c", HELLO], columns=120, rows=40, cwd=str(home)) as terminal:
        terminal.wait_for("hello", 60)
        terminal.settle(0.3)
        return _memory(terminal)


def _memory(terminal: Terminal) -> int:
    status = Path(f"/proc/{terminal.process.pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.split("\n") if line.startswith("VmRSS"))


def _keys(home: Path) -> tuple[dict[str, list[float]], int]:
    with _start(home) as terminal:
        terminal.wait_for("function_0", 120)
        terminal.settle(1.0)
        times = {name: [_paint(terminal, key) for _ in range(REPEATS)] for name, key in KEYS.items()}
        times["collapse all"] = [_paint(terminal, "Z") for _ in range(REPEATS)]
        terminal.settle(0.3)
        return times, _memory(terminal)


def _paint(terminal: Terminal, key: str) -> float:
    """From the key to the first byte of what it changes on the screen."""
    terminal.settle(0.03)
    started = time.perf_counter()
    terminal.press(key)
    terminal.read(2.0)
    return time.perf_counter() - started


def _print_first(first: dict[int, list[float]]) -> None:
    hello = min(first[0])
    print(f"first content, bare Textual app: {hello * 1000:6.0f} ms")
    for count, times in first.items():
        if count:
            print(f"first content, {count:6} hunks:    {min(times) * 1000:6.0f} ms, {min(times) / hello:.2f} x")


def _print_keys(figures: dict[int, tuple[dict[str, list[float]], int]]) -> None:
    smallest = min(figures)
    for count, (times, _) in figures.items():
        for name, values in times.items():
            p50, p95 = statistics.median(values), sorted(values)[int(len(values) * 0.95)]
            base = sorted(figures[smallest][0][name])[int(REPEATS * 0.95)]
            print(f"{count:6} hunks  {name:12} p50 {p50 * 1000:5.1f} ms  p95 {p95 * 1000:5.1f} ms  {p95 / base:.2f} x")


if __name__ == "__main__":
    main()
