"""What the review app is measured on: proposals of many hunks, a very long file, a very long line; and a bare app."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.tui.terminal import Terminal

COLUMNS, ROWS = 120, 40
_PER_FILE = 500
_PER_PROPOSAL = 10_000
"""More would be larger than a proposal may be."""
_HELLO = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("hello")
Hello().run()
"""


def write_many(home: Path, hunks: int) -> None:
    """A proposal for every ten thousand hunks, a file for every five hundred, each hunk with about twenty lines."""
    edits = []
    for start in range(0, hunks, _PER_FILE):
        path = f"src/module_{start // _PER_FILE}.py"
        blocks = [_block(number) for number in range(start, min(start + _PER_FILE, hunks))]
        _write(home / path, "".join(blocks))
        edits += [_edit(path, block, block.replace("= 9 *", "= 10 *")) for block in blocks]
    for number, start in enumerate(range(0, hunks, _PER_PROPOSAL)):
        _propose(home, edits[start : start + _PER_PROPOSAL], number)


def write_long_file(home: Path, lines: int = 1_000_000) -> None:
    """Edits at the beginning, in the middle and at the end of one file."""
    _write(home / "long.py", "".join(f"line_{number} = {number}\n" for number in range(lines)))
    places = (1, lines // 2, lines - 1)
    _propose(home, [_edit("long.py", f"line_{n} = {n}\n", f"line_{n} = None  # function_0\n") for n in places])


def write_long_line(home: Path, length: int = 10_000_000) -> None:
    """Edits of a file that is one long line between two short ones."""
    middle = "".join(f"item{number}," for number in range(length // 11))
    _write(home / "long.txt", f"first\n{middle}\nlast\n")
    edits = [("first", "function_0"), (f"item{length // 22},", "changed,"), ("last", "end")]
    _propose(home, [_edit("long.txt", old, new) for old, new in edits])


def _block(number: int) -> str:
    lines = [f"    value_{number}_{line} = {line} * {number}" for line in range(18)]
    return "\n".join([f"def function_{number}():", *lines, ""]) + "\n"


def _edit(path: str, old: str, new: str) -> dict[str, str]:
    return {"file_path": path, "old_string": old, "new_string": new}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _propose(home: Path, edits: list[dict[str, str]], number: int = 0) -> None:
    _write(home / f"proposal-{number}.json", json.dumps({"description": "a large one", "edits": edits}))


def start_app(home: Path) -> Terminal:
    proposals = sorted(path.name for path in home.glob("proposal-*.json"))
    command = [str(Path(sys.executable).with_name("hunkdeck")), "review", *proposals, "--workspace", "."]
    return Terminal(command, cwd=str(home), env=_environment(home), columns=COLUMNS, rows=ROWS)


def start_bare(home: Path) -> Terminal:
    return Terminal([sys.executable, "-c", _HELLO], cwd=str(home), env=_environment(home), columns=COLUMNS, rows=ROWS)


def _environment(home: Path) -> dict[str, str]:
    """Nobody's own configuration."""
    return {"XDG_CONFIG_HOME": os.path.join(home, "no-config")}


def memory(terminal: Terminal) -> int:
    """The resident set of the process in bytes."""
    status = Path(f"/proc/{terminal.process.pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.split("\n") if line.startswith("VmRSS"))
