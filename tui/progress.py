"""A progress bar for work that takes long, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tui.out import wants_colours

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 0.3
"""Seconds before a bar appears: short work should not flicker."""


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function to call with (done, total), or None where nobody is watching."""
    if not wants_colours(sys.stderr):
        yield None
        return
    bar = _Bar(what)
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._since = time.monotonic()
        self._shown: Progress | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._shown is None and time.monotonic() - self._since < _PATIENCE:
            return
        if self._shown is None:
            from rich.console import Console
            from rich.progress import Progress

            self._shown = Progress(console=Console(stderr=True), transient=True)
            self._shown.start()
            self._task = self._shown.add_task(self._what, total=total)
        self._shown.update(self._task, completed=done, total=total)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()
