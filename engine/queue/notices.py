"""Changes in directories, as they happen: watchfiles (the kernel tells), or polling where the kernel cannot know.

Nothing is missed between two calls of `next`, and nothing before the first: watching begins with `Notices(…)`. A
directory that vanishes is watched again when it is back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from engine.queue.store import Stop

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

_STEP_MS = 20
"""How often watchfiles looks whether the kernel has told it something."""
_GATHER_MS = 100
"""Changes that come one after the other are told together, at most this long."""
_CHECK_S = 2.0
"""How often the directories themselves are looked at: they may have been replaced."""
_POLL_MS = 300
_TELL_NOTHING = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "vboxsf", "virtiofs", "prl_fs", "lustre"}
"""File systems on which the kernel does not see what other machines do."""

Identity = tuple[int, int] | None


class Notices:
    """What happens in these directories (not below them)."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = sorted(set(paths))
        self._watcher: RustNotify | None = None
        self._watched: dict[str, Identity] = {}
        self._subscribe()

    def __enter__(self) -> Notices:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def watch(self, paths: Iterable[str]) -> None:
        """These from now on. What happened meanwhile in those that were watched before may be lost: look there."""
        self._paths = sorted(set(paths))
        self._subscribe()

    def next(self, timeout: float | None, stop: Stop | None = None) -> set[str] | None:
        """Paths at which something changed; an empty set: look yourself, something may have been missed.

        None after `timeout` seconds without news, or a little later than `stop` was set.
        """
        while not (stop and stop.is_set()):
            if {path: _identity(path) for path in self._paths} != self._watched:
                self._subscribe()
                return set()
            pause = _CHECK_S if timeout is None else min(timeout, _CHECK_S)
            changes = self._wait(pause, stop)
            if changes is not None:
                return changes
            if timeout is not None:
                timeout -= pause
                if timeout <= 0:
                    return None
        return None

    def _wait(self, seconds: float, stop: Stop | None) -> set[str] | None:
        assert self._watcher is not None
        try:
            told = self._watcher.watch(_GATHER_MS, _STEP_MS, max(int(seconds * 1000), 1), stop)
        except FileNotFoundError:
            return None
        if told == "signal":
            raise KeyboardInterrupt
        return {path for _, path in told} if isinstance(told, set) else None

    def _subscribe(self) -> None:
        """Watch what is there now; what is not, is looked for again and again."""
        from watchfiles._rust_notify import RustNotify

        self._close()
        while True:
            self._watched = {path: _identity(path) for path in self._paths}
            there = [path for path, identity in self._watched.items() if identity]
            try:
                self._watcher = RustNotify(there, False, any(map(must_poll, there)), _POLL_MS, False, True)
                return
            except FileNotFoundError:
                continue  # gone since

    def _close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None


def _identity(path: str) -> Identity:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def must_poll(path: str) -> bool:
    """The kernel does not tell what happens there."""
    asked = os.environ.get("WATCHFILES_FORCE_POLLING", "").lower()
    if asked:
        return asked not in ("false", "disable", "disabled")
    try:
        kind = _kind_of_file_system(path)
    except OSError:
        return False
    return kind in _TELL_NOTHING or kind.startswith("fuse.")


def _kind_of_file_system(path: str) -> str:
    """By Linux's own list of mounts; elsewhere unknown."""
    device = os.stat(path).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    if not os.path.exists("/proc/self/mountinfo"):
        return ""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as mounts:
        for line in mounts:
            if line.split(" ", 3)[2] == wanted:
                return line.partition(" - ")[2].split(" ", 1)[0]
    return ""
