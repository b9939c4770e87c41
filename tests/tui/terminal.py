"""A real terminal for tests and benchmarks: a pty with a process in it, and an emulator of what is on the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pyte
from rich.cells import cell_len


class Terminal:
    """Runs `command` on a pty of the given size; everything it writes is kept and emulated."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 80,
        rows: int = 24,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        emulate: bool = True,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen) if emulate else None
        self.seen = b""
        """Every byte that the process wrote."""
        self._leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})}
        environment.pop("NO_COLOR", None) if "NO_COLOR" not in (env or {}) else None
        self.process = subprocess.Popen(
            list(command),
            stdin=follower,
            stdout=follower,
            stderr=follower,
            cwd=cwd,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(follower)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._leader)

    def press(self, keys: str) -> None:
        os.write(self._leader, keys.encode())

    def click(self, words: str, *, last: bool = False) -> None:
        """The mouse on the first place (or the last) where the screen shows these words, once it does."""
        self.wait_for(words)
        lines = list(enumerate(self.screen.display))
        row, line = next((row, line) for row, line in (reversed(lines) if last else lines) if words in line)
        at = line.rindex(words) if last else line.index(words)
        self._mouse(0, cell_len(line[:at]) + len(words) // 2, row, "Mm")

    def wheel(self, *, up: bool = False) -> None:
        """One notch of the wheel in the middle of the screen."""
        self._mouse(64 if up else 65, self.screen.columns // 2, self.screen.lines // 2, "M")

    def _mouse(self, button: int, column: int, row: int, ends: str) -> None:
        self.press("".join(f"\x1b[<{button};{column + 1};{row + 1}{end}" for end in ends))

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._leader, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    def answer(self, keys: str, seconds: float = 10) -> float:
        """Seconds from pressing to the first byte that comes back, not counting the emulator's own work."""
        started = time.perf_counter()
        self.press(keys)
        ready, _, _ = select.select([self._leader], [], [], seconds)
        took = time.perf_counter() - started
        if not ready:
            raise AssertionError(f"no answer to {keys!r}\n{self.text}")
        self.read(0)
        return took

    def read(self, seconds: float) -> bool:
        """Take in what comes within `seconds`; False where nothing did, or the process is gone."""
        ready, _, _ = select.select([self._leader], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._leader, 1 << 16)
        except OSError:
            return False
        if self._stream is not None:  # whoever does not look need not pay for it
            self.seen += data
            self._stream.feed(data)
        return bool(data)

    def wait_for(self, condition: str | Callable[[str], bool], seconds: float = 20) -> float:
        """Seconds until the screen shows a text (or fulfils a condition). AssertionError shows the screen instead."""
        started = time.perf_counter()
        while not (condition(self.text) if callable(condition) else condition in self.text):
            left = seconds - (time.perf_counter() - started)
            if left <= 0 or (not self.read(min(left, 0.05)) and self.process.poll() is not None and not self.read(0)):
                raise AssertionError(f"never on the screen: {condition!r}\n{self.text}")
        return time.perf_counter() - started

    def settle(self, quiet: float = 0.05) -> None:
        """Until nothing has come for `quiet` seconds."""
        while self.read(quiet):
            pass

    def wait(self, seconds: float = 20) -> int:
        """The exit code, once the process has ended."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read(0.02)
        while self.read(0):
            pass
        return self.process.wait(timeout=1)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)


def _take_terminal() -> None:
    """Make the pty the process's controlling terminal, so that /dev/tty is this one."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
