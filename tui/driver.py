"""The terminal's driver, with two mends to how it is stopped and continued.

A process that was stopped from outside (`kill -STOP`) kept its screen. Textual takes every SIGCONT for the end of a
suspension and sets the terminal up a second time: two threads then read the keys, and leaving waits for one of them for
ever. And it does all that inside the signal handler, in the middle of whatever runs; here it waits for its turn.
"""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver


class SteadyDriver(LinuxDriver):
    """Sets the terminal up again only after it was given back, one thing after the other."""

    def _sigtstp_application(self, *arguments: object) -> None:
        self._loop.call_soon_threadsafe(super()._sigtstp_application)

    def _sigcont_application(self, *arguments: object) -> None:
        self._loop.call_soon_threadsafe(self._continue)

    def _continue(self) -> None:
        if self._must_signal_resume:
            super()._sigcont_application()
