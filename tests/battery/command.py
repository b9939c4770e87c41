"""The command line as people meet it: in a pipe or in a pseudo-terminal, with everything that it printed."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.battery.rules import VARIABLE

PROJECT = Path(__file__).resolve().parents[2]
FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]"
)
"""I5: no such character of a proposal or a file may reach a terminal."""
PATIENCE = 60
MEMORY = "HUNKDECK_BATTERY_MEMORY"
"""How many bytes the command may use."""
RAW_WIDGETS = "HUNKDECK_BATTERY_RAW_WIDGETS"
"""Set: the app's widgets get text as it is, and only the guard of the screen is left."""


@dataclass(frozen=True)
class Ran:
    """A command that has ended."""

    code: int
    out: str
    err: str = ""

    @property
    def said(self) -> str:
        return self.out + self.err


def assert_clean(text: str) -> None:
    found = FORBIDDEN.search(text)
    assert found is None, f"I5: U+{ord(found.group()):04X} in {text[max(found.start() - 30, 0) : found.end() + 30]!r}"


def run(home: Path, *args: str, stdin: bytes = b"", memory: int | None = None) -> Ran:
    """`hunkdeck ARGS` in a pipe, with at most `memory` bytes: no forbidden character, no traceback."""
    environment = _environment() | ({MEMORY: str(memory)} if memory else {})
    done = subprocess.run(
        [*_PYTHON, *args], cwd=home, input=stdin, capture_output=True, env=environment, timeout=PATIENCE, check=False
    )
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    return _checked(ran)


def run_in_terminal(home: Path, *args: str, colours: bool = False) -> Ran:
    """`hunkdeck ARGS` in a pseudo-terminal of its own; with colours only the escapes for those may appear."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*_PYTHON, *args], cwd=home, stdin=follower, stdout=follower, stderr=follower, env=_environment(colours=colours)
    )
    os.close(follower)
    painted = b""
    with suppress(OSError):  # the other side is closed
        while chunk := os.read(leader, 1 << 16):
            painted += chunk
    os.close(leader)
    text = painted.decode().replace("\r\n", "\n")
    if colours:
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return _checked(Ran(process.wait(PATIENCE), text))


def start(home: Path, *args: str) -> subprocess.Popen[bytes]:
    """`hunkdeck ARGS`, not waited for; what it prints is thrown away."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen([*_PYTHON, *args], cwd=home, stdin=quiet, stdout=quiet, stderr=quiet, env=_environment())


def start_piped(home: Path, *args: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen([*_PYTHON, *args], cwd=home, stdin=pipe, stdout=pipe, stderr=pipe, env=_environment())


def start_with_terminal(home: Path, *args: str) -> tuple[subprocess.Popen[bytes], int]:
    """The process, and the descriptor that is the other side of its terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*_PYTHON, *args],
        cwd=home,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=_environment(),
        start_new_session=True,
    )
    os.close(follower)
    return process, leader


_PYTHON = (sys.executable, "-m", "tests.battery.command_line")


def _environment(*, colours: bool = False) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "TMPDIR", VARIABLE)}
    plain = {} if colours else {"NO_COLOR": "1"}
    return {**kept, **plain, "PYTHONPATH": str(PROJECT), "TERM": "xterm-256color", "PYTHONUTF8": "1"}


def _checked(ran: Ran) -> Ran:
    assert_clean(ran.said)
    assert "Traceback" not in ran.said, ran.said
    return ran
