"""Which open proposals touch which files: what to watch in the workspace, and whom a change concerns."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from engine.model import Copy, Move

if TYPE_CHECKING:
    from engine.planning.data import ReviewPlan
    from engine.queue.item import Item


class TouchedFiles:
    """Kept up to date item by item, so that nothing is ever counted over all of them."""

    def __init__(self) -> None:
        self._items: dict[str, set[Item]] = {}
        self._paths: dict[Item, tuple[ReviewPlan | None, frozenset[str]]] = {}
        self._directories: frozenset[str] | None = frozenset()
        self._lock = Lock()

    def update(self, item: Item) -> None:
        """After an item was planned, revised or finished."""
        plan = None if item.finished else item.plan
        with self._lock:
            known, paths = self._paths.get(item, (None, frozenset()))
            if known is plan:
                return
            now = frozenset(_paths(plan)) if plan else frozenset()
            for path in paths - now:
                self._items[path].discard(item)
                if not self._items[path]:
                    del self._items[path]
            for path in now - paths:
                self._items.setdefault(path, set()).add(item)
            self._paths[item] = plan, now
            if plan is None:
                del self._paths[item]
            if paths != now:
                self._directories = None

    def items(self, path: str) -> list[Item]:
        with self._lock:
            return list(self._items.get(path, ()))

    def paths(self) -> list[str]:
        with self._lock:
            return list(self._items)

    def directories(self) -> frozenset[str]:
        """Of all these files, relative to the workspace; the same object as long as nothing changed."""
        with self._lock:
            if self._directories is None:
                self._directories = frozenset(path.rpartition("/")[0] for path in self._items)
            return self._directories


def _paths(plan: ReviewPlan) -> set[str]:
    found = {file.path for file in plan.files}
    for hunk in plan.hunks:
        if isinstance(hunk.hunk.op, Move):
            found.add(hunk.hunk.op.new_path)
        elif isinstance(hunk.hunk.op, Copy):
            found.add(hunk.hunk.op.source)
    return found
