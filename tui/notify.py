"""Telling a person who looks elsewhere that something waits: bell, terminal title, desktop notification, a command.

Only counts are ever told, never a word of an agent. What comes in quick succession is told together.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from tui.settings import Settings

_BELL = "\a"
_KEEP_TITLE, _GIVE_TITLE_BACK = "\x1b[22;0t", "\x1b[23;0t"
_DESKTOP = {"osc9": "\x1b]9;{text}\a", "osc777": "\x1b]777;notify;hunkdeck;{text}\a"}

Later = Callable[[float, Callable[[], None]], object]
"""Call something after so many seconds."""


class Notifier:
    """`write` goes to the terminal as it is, `later` calls something after so many seconds."""

    def __init__(self, settings: Settings, write: Callable[[str], None], later: Later) -> None:
        self._settings = settings
        self._write = write
        self._later = later
        self._came = False
        self._untold = 0
        self._waiting = 0
        self._title: str | None = None
        self._quiet_until = 0.0
        self._planned = False
        self._running: subprocess.Popen[bytes] | None = None

    def show_waiting(self, waiting: int) -> None:
        """How many proposals wait; in the title of the terminal once something came while nobody may have looked."""
        self._waiting = waiting
        if not self._settings.title or not self._came:
            return
        title = f"hunkdeck: {waiting} waiting" if waiting else "hunkdeck"
        if title != self._title:
            first, self._title = self._title is None, title
            self._write(f"{_KEEP_TITLE if first else ''}\x1b]0;{title}\a")

    def came(self, count: int) -> None:
        """So many proposals are new, or were revised."""
        self._came = True
        self.show_waiting(self._waiting)
        self._untold += count
        quiet = self._quiet_until - monotonic()
        if quiet <= 0:
            self._tell()
        elif not self._planned:
            self._planned = True
            self._later(quiet, self._tell)

    def _tell(self) -> None:
        self._planned = False
        count, self._untold = self._untold, 0
        if not count:
            return
        self._quiet_until = monotonic() + self._settings.notify_every
        text = f"{count} new, {self._waiting} waiting"
        if self._settings.bell:
            self._write(_BELL)
        if self._settings.notify in _DESKTOP:
            self._write(_DESKTOP[self._settings.notify].format(text=text))
        if self._settings.notify_command:
            self._run(count)

    def _run(self, count: int) -> None:
        """The person's own command, word by word and without a shell; never two of them at once."""
        if self._running is not None and self._running.poll() is None:
            return
        figures = {"{new}": str(count), "{waiting}": str(self._waiting)}
        words = [_filled(word, figures) for word in self._settings.notify_command]
        with suppress(OSError):  # a notification that cannot be shown must not end a review
            self._running = subprocess.Popen(
                words,
                cwd=os.path.expanduser("~"),  # not the workspace: a relative name must not be looked for there
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def finished(self) -> int | None:
        """The exit code of the command, once it has ended; None where none was run."""
        return self._running.wait() if self._running else None

    def close(self) -> None:
        """Give the terminal its title back."""
        if self._title is not None:
            self._title = None
            self._write(_GIVE_TITLE_BACK)


def _filled(word: str, figures: dict[str, str]) -> str:
    for name, figure in figures.items():
        word = word.replace(name, figure)
    return word
