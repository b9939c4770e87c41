"""The review app in a real terminal: every byte that it writes is kept, and told apart into text and what steers.

The app may steer the terminal, proposals and files may not: `assert_tty_clean` takes out the sequences that the app is
known to write, and nothing of what is left may be a control, bidi or invisible character.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.battery.command import PROJECT, assert_clean
from tests.tui.terminal import Terminal

_OURS = re.compile(
    rb"\x1b\[[0-9;]*m"  # colours
    rb"|\x1b\[\d+;\d+H"  # where the next cells go
    rb"|\x1b\[\?\d+[hl]|\x1b\[\?\d+\$p|\x1b\[>\d+u|\x1b\[<u"  # modes, and asking for them
    rb"|\x1b\]22;[a-z]*\x07"  # the shape of the mouse pointer
    rb"|\x1b\[2[23];0t|\x1b\]0;hunkdeck: \d+ waiting\x07"  # the window's title, kept and put back
    rb"|\x1b\[2J|\x1b\[H"
)
_QUIET, _ESCAPE_ALONE = 0.06, 0.2
"""Seconds without output that count as done; esc is taken for the start of a sequence for a moment."""


def open_app(root: Path, *args: str, columns: int = 110, rows: int = 34, env: dict[str, str] | None = None) -> Terminal:
    """`hunkdeck ARGS` with a home of its own, so that nobody's configuration counts."""
    home = root.parent / "home"
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "tests.battery.command_line", *args]
    size = {"COLUMNS": str(columns), "LINES": str(rows)}
    environment = {"HOME": str(home), "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1", **size, **(env or {})}
    return Terminal(command, columns=columns, rows=rows, cwd=str(root), env=environment)


def tour(terminal: Terminal, keys: Iterable[str]) -> list[str]:
    """Press one after the other; the screen after each."""
    screens = []
    for key in keys:
        terminal.press(key)
        terminal.settle(_ESCAPE_ALONE if key.endswith("\x1b") else _QUIET)
        screens.append(terminal.text)
    return screens


def text_written(seen: bytes) -> str:
    """What was written without what the app steers the terminal with."""
    return _OURS.sub(b"", seen).decode().replace("\r\n", "\n")


def assert_tty_clean(seen: bytes) -> None:
    assert_clean(text_written(seen))
    assert "Traceback" not in text_written(seen)
