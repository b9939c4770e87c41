"""What the directory store knows about a proposal beyond its file: revision, token, claim, answer.

.hunkdeck-store/            in the proposal directory
  lock                      held for the moment of every change
  KEY.json                  the record of one id, replaced in one instant: this is what decides
  KEY.data, KEY.answer      written before the record that speaks of them, moved into place after it

So whatever dies in between, the next one to look sees from the record what has to be finished (`rolling.py`).
A proposal that was merely dropped in has no record until something is done about it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from engine.disk import PrivateDirectory
from engine.errors import StoreDown
from engine.queue.store import State

STORE = ".hunkdeck-store"
DATA, ANSWER = ".data", ".answer"
_LOCK = "lock"
_RECORD = ".json"
_BEING_WRITTEN = "being-written"
_PATIENCE = 60.0
"""Seconds: the lock is held for milliseconds, so whoever holds it longer was stopped."""

Stamp = tuple[int, int, int]
"""Inode, size and time of change of a file: another stamp, perhaps other bytes."""


@dataclass(frozen=True, slots=True)
class Record:
    """One proposal."""

    id: str
    file: str
    digest: str
    rev: int = 1
    token: int = 0
    agent: str = ""
    arrived: float = 0.0
    holder: str = ""
    lease: float = 0.0
    """For how many seconds a claim holds."""
    held_until: float = 0.0
    closed: str = ""
    """`final` or `withdrawn`."""
    result: str = ""
    """Digest of the newest answer."""
    answered_with: int = -1
    """The token of that answer."""
    done: tuple[str, str] = ("", "")
    """What the proposal and its answer are called in `done/`."""

    def state(self, now: float) -> State:
        if self.closed:
            return State(self.closed)
        if self.holder and self.held_until > now:
            return State.CLAIMED
        return State.ANSWERED if self.result else State.OPEN

    def revised(self, digest: str) -> Record:
        """Other bytes: whoever holds the old ones can no longer answer."""
        return replace(self, digest=digest, rev=self.rev + 1, token=self.token + 1, holder="", held_until=0.0)

    def encoded(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def decode(data: bytes) -> Record | None:
    """The record, None where it is none: then the proposal counts as just dropped in."""
    try:
        told = json.loads(data)
        file, copy = told.pop("done")
        return Record(done=(file, copy), **told)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


@lru_cache(maxsize=1 << 15)
def key_of(id: str) -> str:
    """An id as a file name, whatever characters it has."""
    return hashlib.sha256(id.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def stamp_of(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns


class Records:
    """The records of one proposal directory."""

    def __init__(self, directory: PrivateDirectory) -> None:
        self._directory = directory
        self._shelf: PrivateDirectory | None = None
        self._known: dict[str, tuple[Stamp, Record | None]] = {}
        self._names: frozenset[str] | None = None

    @property
    def shelf(self) -> PrivateDirectory:
        """Made when it is first needed."""
        if self._shelf is None:
            self._shelf = self._directory.subdirectory(STORE)
        return self._shelf

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else changes a record inside. StoreDown where somebody sits on the lock."""
        fd = self.shelf.lock_file(_LOCK)
        try:
            _lock(fd)
            yield
        finally:
            os.close(fd)

    def find(self, id: str) -> Record | None:
        """What is known about an id."""
        if self._shelf is None and not self._made():
            return None
        data = self.shelf.read(key_of(id) + _RECORD)
        return decode(data) if data is not None else None

    def glance(self, id: str) -> Record | None:
        """The same, read again only when its file looks changed: for lists, where the last instant does not matter."""
        if not self._names if self._names is not None else self._shelf is None and not self._made():
            return None
        name = key_of(id) + _RECORD
        if self._names is not None and name not in self._names:
            return None
        try:
            stamp = stamp_of(os.stat(name, dir_fd=self.shelf.fd, follow_symlinks=False))
        except FileNotFoundError:
            return None
        known = self._known.get(name)
        if known is None or known[0] != stamp:
            known = self._known[name] = stamp, self.find(id)
        return known[1]

    @contextmanager
    def listed(self) -> Iterator[None]:
        """Inside, `glance` sees only the records that were there at the beginning: for looking at very many at once."""
        there = self._shelf is not None or self._made()
        self._names = frozenset(os.listdir(self.shelf.fd)) if there else frozenset()
        try:
            yield
        finally:
            self._names = None

    def unfinished(self) -> Iterator[Record]:
        """Those whose bytes or answer are not in their place yet; what no record speaks of goes. While `locked`."""
        for name in self.shelf.names():
            key, ending = os.path.splitext(name)
            if ending in (DATA, ANSWER):
                record = decode(self.shelf.read(key + _RECORD) or b"")
                if record is None:
                    self.shelf.discard(name)
                else:
                    yield record

    def write(self, record: Record) -> None:
        """Durable when this returns. Only while `locked`."""
        name = key_of(record.id) + _RECORD
        self._known.pop(name, None)
        self.shelf.write(name, record.encoded(), temporary=_BEING_WRITTEN)

    def _made(self) -> bool:
        try:
            os.stat(STORE, dir_fd=self._directory.fd, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def close(self) -> None:
        if self._shelf is not None:
            self._shelf.close()
            self._shelf = None


def _lock(fd: int) -> None:
    until, pause = time.monotonic() + _PATIENCE, 0.001
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreDown("the proposal directory is locked by a process that does not go on") from None
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
