"""Who waits for an answer, so that the reviewer sees it: a small hidden file, locked as long as its owner lives."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from engine.disk import PrivateDirectory

PREFIX = ".hunkdeck-waits-"


class Waiters:
    """Those of one proposal directory."""

    def __init__(self, directory: PrivateDirectory) -> None:
        self._directory = directory
        self._until: dict[str, float] = {}

    @contextmanager
    def waiting(self, id: str, until: float) -> Iterator[None]:
        name, fd = self._locked_file()
        try:
            self._directory.sign(fd, json.dumps({"id": id, "until": until}).encode())
            yield
        finally:
            self._directory.discard(name)
            os.close(fd)

    def _locked_file(self) -> tuple[str, int]:
        """A file of our own; one that was taken for a dead waiter's before it was locked is made again."""
        while True:
            name = f"{PREFIX}{os.urandom(8).hex()}"
            fd = self._directory.lock_file(name)
            fcntl.flock(fd, fcntl.LOCK_EX)
            if os.fstat(fd).st_nlink:
                return name, fd
            os.close(fd)

    def look(self) -> None:
        """Read again who waits; what the dead left behind goes."""
        self._until = {}
        for name in os.listdir(self._directory.fd):
            if name.startswith(PREFIX):
                self._look_at(name)

    def until(self, id: str) -> float | None:
        """The latest time that anybody waits for this answer, as of the last look."""
        return self._until.get(id)

    def _look_at(self, name: str) -> None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._directory.fd)
            try:
                if not _is_locked(fd):
                    self._directory.discard(name)
                    return
                told = json.loads(os.read(fd, 4096))
                whose, until = str(told["id"]), float(told["until"])
                if until > time.time():
                    self._until[whose] = max(until, self._until.get(whose, 0.0))
            finally:
                os.close(fd)


def _is_locked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False
