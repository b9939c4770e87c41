"""What the planning thread has to do next. Any thread may add to it; one thread at a time takes from it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

from engine.queue.item import Item


class LookAgain(NamedTuple):
    """Something happened in the proposal directory."""


class FilesChanged(NamedTuple):
    """Somebody wrote these files of the workspace."""

    paths: frozenset[str]


class Plan(NamedTuple):
    """A proposal is new, or has another plan than the one that is shown."""

    item: Item


Task = LookAgain | FilesChanged | Plan


class Work:
    """The tasks that wait: what the directory and the files say comes before proposals, each of which waits once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._look = False
        self._paths: set[str] = set()
        self._items: OrderedDict[Item, None] = OrderedDict()
        self._taken = False

    def add(self, *, look: bool = False, paths: Iterable[str] = (), items: Iterable[Item] = ()) -> bool:
        """Whether somebody has to start: nobody is at work."""
        with self._lock:
            self._look = self._look or look
            self._paths.update(paths)
            self._items.update(dict.fromkeys(items))
            if self._taken or self._is_empty:
                return False
            self._taken = True
            return True

    def next(self, wanted: Item | None) -> Task | None:
        """The next task, the proposal that somebody looks at first. None: whoever was at work is free to go."""
        with self._lock:
            if self._look:
                self._look = False
                return LookAgain()
            if self._paths:
                paths, self._paths = self._paths, set()
                return FilesChanged(frozenset(paths))
            if wanted is not None and wanted in self._items:
                del self._items[wanted]
                return Plan(wanted)
            if self._items:
                return Plan(self._items.popitem(last=False)[0])
            self._taken = False
            return None

    @property
    def done(self) -> bool:
        return not self._taken

    @property
    def _is_empty(self) -> bool:
        return not (self._look or self._paths or self._items)
