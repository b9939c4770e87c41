"""What a desk has to look at, as it happens: the proposal directory, and the files that open proposals touch."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from engine.queue.notices import Notices
from engine.queue.store import Stop
from engine.queue.waiters import PREFIX as WAITS

if TYPE_CHECKING:
    from engine.queue.desk import Desk

_BREATH = 0.5
"""Seconds between two looks at what else has to be watched by now."""


class Noticed(NamedTuple):
    """A reason to look."""

    queue: bool
    """Something happened in the proposal directory: `look_again`."""
    paths: frozenset[str]
    """Files of the workspace that were written: `replan`."""


def watch(desk: Desk, stop: Stop) -> Iterator[Noticed]:
    """Reasons to look, until `stop` is set. The first comes once everything later will be noticed."""
    directories = desk.touched.directories()
    with Notices(_paths(desk, directories)) as notices:
        yield Noticed(True, frozenset(desk.touched.paths()))
        while not stop.is_set():
            changed = notices.next(_pause(desk), stop)
            now = desk.touched.directories()
            if now is not directories:
                fresh, directories = now - directories, now
                notices.watch(_paths(desk, directories))
                changed = (changed or set()) | _queue(desk) | _files_in(desk, fresh)
            noticed = _noticed(desk, changed)
            if noticed.queue or noticed.paths:
                yield noticed


def _pause(desk: Desk) -> float:
    due = desk.look_again_at
    return _BREATH if due is None else min(max(due - time.monotonic(), 0.0), _BREATH)


def _queue(desk: Desk) -> set[str]:
    return {desk.store.path} if desk.store else set()


def _paths(desk: Desk, directories: frozenset[str]) -> set[str]:
    return _queue(desk) | {os.path.join(desk.workspace.root, directory).rstrip("/") for directory in directories}


def _files_in(desk: Desk, directories: frozenset[str]) -> set[str]:
    """What may have changed before anybody watched."""
    files = (path for path in desk.touched.paths() if path.rpartition("/")[0] in directories)
    return {os.path.join(desk.workspace.root, path) for path in files}


def _noticed(desk: Desk, changed: set[str] | None) -> Noticed:
    due = desk.look_again_at
    waiting_is_over = due is not None and due <= time.monotonic()
    if changed is None:
        return Noticed(waiting_is_over, frozenset())
    if not changed:  # something may have been missed
        return Noticed(desk.store is not None, frozenset(desk.touched.paths()))
    queue = desk.store.path if desk.store else None
    in_queue = [path for path in changed if path == queue or os.path.dirname(path) == queue]
    root = desk.workspace.root + "/"
    below = (path.removeprefix(root) for path in changed if path.startswith(root))
    paths = frozenset(path for path in below if desk.touched.items(path))
    return Noticed(waiting_is_over or any(map(_matters, in_queue)), paths)


def _matters(path: str) -> bool:
    """What we write ourselves on the way to an answer is no news."""
    name = os.path.basename(path)
    return name.startswith(WAITS) or not name.startswith(".")
