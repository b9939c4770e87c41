"""Two locks, both `flock`: the kernel frees them when their owner dies, so no stale lock needs a person.

`transaction_lock` is held only while files are recovered, applied or undone; whoever comes second waits.
`ReviewerLock` is held while somebody reviews; whoever comes second is told who that is, and may only look.
The pid and host in the reviewer's file are for that message alone and decide nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType

from engine.disk import PrivateDirectory

TRANSACTION_LOCK = "lock"
REVIEWER_LOCK = "reviewer.lock"


@contextmanager
def transaction_lock(state: PrivateDirectory) -> Iterator[None]:
    """Wait until no other transaction runs, then keep others waiting."""
    fd = state.lock_file(TRANSACTION_LOCK)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds the reviewer's lock, as far as its file tells."""

    pid: int
    host: str


class ReviewerLock:
    """One reviewer at a time decides. `acquire` never waits."""

    def __init__(self, state: PrivateDirectory) -> None:
        self._state = state
        self._fd = -1

    @property
    def held(self) -> bool:
        return self._fd >= 0

    def acquire(self) -> bool:
        """Take the lock, also after an owner that died; False while somebody else holds it."""
        if self.held:
            return True
        fd = self._state.lock_file(REVIEWER_LOCK)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        self._state.sign(fd, json.dumps({"pid": os.getpid(), "host": os.uname().nodename}).encode())
        return True

    def owner(self) -> Owner | None:
        """Who holds it; None where the file does not say."""
        try:
            told = json.loads(self._state.read(REVIEWER_LOCK) or b"")
            return Owner(int(told["pid"]), str(told["host"]))
        except (ValueError, KeyError, TypeError):
            return None

    def release(self) -> None:
        if self.held:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> ReviewerLock:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()
