"""What became of the proposal directory since the last look: arrivals, revisions, withdrawals.

Nobody sees a file that is still being written: what is young and cannot be read is left for a later look. A revision
goes to the item that is there, so its place and the cursor stay.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import UnreadableProposal
from engine.queue.decisions import Opened
from engine.queue.directory import Waiting
from engine.queue.item import Item, Source
from engine.queue.store import Listed

if TYPE_CHECKING:
    from engine.queue.desk import Desk
    from engine.queue.directory_store import DirectoryStore

_AT_ONCE = 0.25
"""Seconds: a look ends then, and the next one goes on. So the first of ten thousand is on the desk at once."""
_YOUNG = 3.0
"""Seconds without a change, after which a file counts as complete even if it cannot be read."""
_QUIET = 0.2
"""The same for formats that can be read when only half of them is there."""
_SAME_INSTANT = 0.05
"""A file may be written twice within one tick of the file system's clock, and look unchanged."""
_GRACE = 0.5
"""A file that is gone may be on its way back: some writers remove it first."""


class Arrivals(NamedTuple):
    """What a look found."""

    new: list[Item]
    revised: list[Item]
    """Other bytes under the same name: not planned yet, `revision` says what changed once they are."""
    withdrawn: list[Item]
    """Off the desk, with their final result: taken back, or answered by somebody else."""
    gone: list[Item]
    """Their file was taken away (or is back), and the review goes on with what was captured."""
    told: list[Item]
    """Only their agent, or until when somebody waits, has changed."""

    def __bool__(self) -> bool:
        return any(self)


class Follower:
    """Follows one proposal directory for a desk."""

    def __init__(self, desk: Desk, store: DirectoryStore) -> None:
        self._desk = desk
        self._store = store
        self._versions: dict[str, str] = {}
        """By file: of the bytes that are on the desk."""
        self._first_seen: dict[tuple[str, str], float] = {}
        """Files (and versions) that nobody was shown yet."""
        self._missing: dict[str, float] = {}
        self._rest: list[tuple[Waiting, Listed]] = []
        """What the last look did not come to, the next one at the end."""
        self.due: float | None = None
        """When to look again although nothing happens (monotonic)."""

    def take_in(self, captured: Iterable[tuple[Opened, bytes]]) -> None:
        """When a desk opens: all that waits, and what somebody began to decide about although its file is gone."""
        ours = {os.path.basename(opened.origin): (opened, data) for opened, data in captured if self._is_ours(opened)}
        for file in [file for file, (opened, _) in ours.items() if self._store.closed(opened.name)]:
            self._take_in_captured(file, *ours.pop(file))  # before its name is taken for a new proposal
        there = set()
        for waiting, listed in self._store.look():
            there.add(waiting.file)
            item = self._read(waiting, listed, opening=True)
            if item is not None:
                self._desk.admit(item)
        for file in ours.keys() - there:
            self._take_in_captured(file, *ours[file])

    def _is_ours(self, opened: Opened) -> bool:
        return os.path.dirname(opened.origin) == self._store.path

    def _take_in_captured(self, file: str, opened: Opened, data: bytes) -> None:
        source = Source(opened.name, data, opened.origin, waiting=Waiting(file, opened.name), gone=True)
        item = self._desk.make(source)
        status = self._store.status(item.name)
        if status is not None:
            item.told(status)
        self._desk.admit(item)
        if self._store.closed(item.name) and not item.finished:
            item.leave(self._store.result(item.name))

    def look(self) -> Arrivals:
        """Everything that is new; at most for a moment, `due` says when there is more."""
        found = Arrivals([], [], [], [], [])
        self.due = None
        if not self._store.refresh():
            return found  # the whole directory is away: nobody withdrew anything
        on_desk = {
            item.source.waiting.file: item for item in self._desk.items if item.source.waiting and not item.finished
        }
        if self._rest:
            self._look_at_rest(on_desk, found)
            self._again_in(0.0)  # what happened meanwhile is not in this list
            return found
        self._rest = list(reversed(self._store.look()))
        there = {waiting.file for waiting, _ in self._rest}
        for file, item in on_desk.items():
            if file not in there and not item.source_gone:
                self._miss(item, file, found)
        self._look_at_rest(on_desk, found)
        return found

    def _look_at_rest(self, on_desk: dict[str, Item], found: Arrivals) -> None:
        ends = time.monotonic() + _AT_ONCE
        while self._rest:
            waiting, listed = self._rest.pop()
            item = on_desk.get(waiting.file)
            if item is None:
                self._arrive(waiting, listed, found)
            elif not item.finished:
                self._compare(item, waiting, listed, found)
            if time.monotonic() > ends:
                self._again_in(0.0)
                return

    # ------------------------------------------------------------ a file that is there

    def _arrive(self, waiting: Waiting, listed: Listed, found: Arrivals) -> None:
        item = self._read(waiting, listed)
        if item is not None:
            self._desk.admit(item)
            if not item.finished:
                found.new.append(item)

    def _compare(self, item: Item, waiting: Waiting, listed: Listed, found: Arrivals) -> None:
        self._missing.pop(waiting.file, None)
        if item.told(listed):
            found.told.append(item)
        if item.source_gone and not item.brought_back:
            item.source = item.source._replace(gone=False)
            found.gone.append(item)
        if self._versions.get(waiting.file) == waiting.version:
            return
        revised = self._read(waiting, listed)
        if revised is not None and revised.digest != item.digest:
            item.revise(revised)
            found.revised.append(item)

    def _read(self, waiting: Waiting, listed: Listed, *, opening: bool = False) -> Item | None:
        """The proposal as it is now; None while it is being written."""
        try:
            data, problem = self._store.pick_up(waiting), None
        except UnreadableProposal as unreadable:
            data, problem = b"", str(unreadable)
        if data is None:
            return None  # gone since
        item = self._desk.make(Source(waiting.name, data, self._store.origin(waiting), problem, waiting))
        item.told(listed)
        if not self._store.is_whole(waiting, item.digest) and self._is_being_written(item, waiting, opening=opening):
            return None
        self._first_seen.pop((waiting.file, waiting.version), None)
        self._versions[waiting.file] = waiting.version
        if abs(time.time() - waiting.modified) < _SAME_INSTANT:
            self._versions[waiting.file] = ""
            self._again_in(_SAME_INSTANT)
        return item

    def _is_being_written(self, item: Item, waiting: Waiting, *, opening: bool) -> bool:
        """Young, and perhaps not complete."""
        seen = self._first_seen.setdefault((waiting.file, waiting.version), time.monotonic())
        age = max(time.monotonic() - seen, time.time() - waiting.modified)
        if age >= _YOUNG or item.source.problem or self._desk.look_only:
            return False
        needed = _on_opening(item) if opening else _once_read(item)
        if age < needed:
            self._again_in(needed - age)
            return True
        return False

    def _again_in(self, seconds: float) -> None:
        due = time.monotonic() + seconds
        self.due = due if self.due is None else min(due, self.due)

    # ------------------------------------------------------------ a file that is not there any more

    def _miss(self, item: Item, file: str, found: Arrivals) -> None:
        status = self._store.status(item.name)
        if status and status.state.closed:
            self._leave(item, found)
            return
        left = self._missing.setdefault(file, time.monotonic()) + _GRACE - time.monotonic()
        if left > 0:
            self._again_in(left)
            return
        self._missing.pop(file, None)
        self._versions.pop(file, None)
        if item.begun:
            item.source = item.source._replace(gone=True)
            found.gone.append(item)
            return
        if not self._desk.read_only:
            self._store.take_away(item.name, file, item.digest)
        self._leave(item, found)

    def _leave(self, item: Item, found: Arrivals) -> None:
        item.leave(self._store.result(item.name))
        found.withdrawn.append(item)


def _once_read(item: Item) -> float:
    """The age from which on a file counts as complete."""
    item.load()
    if item.unreadable:
        return _YOUNG
    return 0.0 if _is_json(item.source.data) else _QUIET


def _on_opening(item: Item) -> float:
    """The same without reading all of it: a desk has to open at once, however much there is."""
    data = item.source.data
    return _YOUNG if not data or (_is_json(data) and data.rstrip()[-1:] not in (b"}", b"]")) else 0.0


def _is_json(data: bytes) -> bool:
    return data.lstrip()[:1] in (b"{", b"[")
