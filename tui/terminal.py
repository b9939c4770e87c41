"""The terminal, also where standard input or output is a pipe.

A full-screen app reads keys from descriptor 0, asks 1 for its size and paints on 2. `on_terminal` puts `/dev/tty` on
those of the three that are something else, and gives them back afterwards: the payload can come from a pipe and the
verdict go into one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

_DEVICE = "/dev/tty"
_STREAMS = (0, 1, 2)


def has_terminal() -> bool:
    """Whether somebody sits in front of this process."""
    try:
        os.close(os.open(_DEVICE, os.O_RDWR | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def is_interactive() -> bool:
    """A terminal, and what is printed goes there: not a pipe, not a log."""
    return sys.stdout.isatty() and has_terminal()


def wants_plain() -> bool:
    """The terminal cannot place a cursor, or says that it cannot."""
    return os.environ.get("TERM", "dumb") in ("", "dumb")


@contextmanager
def on_terminal() -> Iterator[None]:
    """Descriptors 0, 1 and 2 lead to the terminal inside, and where they led before behind it."""
    _flush()
    kept = {fd: _copy(fd) for fd in _STREAMS if not os.isatty(fd)}
    try:
        if kept:
            device = os.open(_DEVICE, os.O_RDWR | os.O_CLOEXEC)
            for fd in kept:
                os.dup2(device, fd)
            os.close(device)
        yield
    finally:
        _flush()
        for fd, copy in kept.items():
            _give_back(fd, copy)


def terminal_input() -> TextIO | None:
    """Lines that the person types, where standard input is something else; None without a terminal."""
    try:
        return open(_DEVICE, encoding="utf-8", errors="replace")
    except OSError:
        return None


def drop_typed_ahead(lines: TextIO) -> None:
    """Lines that were typed (or pasted) before the question was there are not an answer to it."""
    if lines.isatty():
        import termios

        termios.tcflush(lines.fileno(), termios.TCIFLUSH)


def _copy(fd: int) -> int | None:
    """None: it was closed."""
    try:
        return os.dup(fd)
    except OSError:
        return None


def _give_back(fd: int, copy: int | None) -> None:
    if copy is None:
        with suppress(OSError):
            os.close(fd)
        return
    os.dup2(copy, fd)
    os.close(copy)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
