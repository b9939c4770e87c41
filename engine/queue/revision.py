"""What a revision changed, hunk by hunk, so that a person sees only what is new to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from engine.planning.data import PlannedHunk, ReviewPlan
from engine.queue.fingerprints import Fingerprints


class Side(Enum):
    BEFORE = 0
    AFTER = 1


class Change(Enum):
    SAME = "same"
    """The hunk and the text that it is shown against are what they were: its decision is kept."""
    CHANGED = "changed"
    NEW = "new"


@dataclass(frozen=True)
class Revision:
    """Between the plan that was shown and the one that took its place."""

    before: ReviewPlan
    """As it was shown."""
    number: int = 2
    """How many versions of this proposal were shown, this one included."""
    hunks: dict[int, Change] = field(default_factory=dict)
    """By hunk number, as it is now."""
    was: dict[int, int] = field(default_factory=dict)
    """The hunk that it was before: the other side of an interdiff."""
    dropped: tuple[int, ...] = ()
    """Hunks, by their number before, that are not asked for any more."""


def compare(before: ReviewPlan, after: ReviewPlan, number: int) -> Revision:
    """Hunks are the same by fingerprint; the others are paired by what the agent calls them, asks for, or touches."""
    old, new = Fingerprints.of_plan(before), Fingerprints.of_plan(after)
    found = ((now, old.now(seen)) for now, seen in enumerate(new.of))
    was = {now: then for now, then in found if then is not None}
    kinds = dict.fromkeys(was, Change.SAME)
    left = {hunk.index: hunk for hunk in before.hunks}
    for then in was.values():
        del left[then]
    for alike in (_by_id, _by_wish(old, new), _by_lines, _by_file):
        _pair(alike, left, [hunk for hunk in after.hunks if hunk.index not in was], was)
    for hunk in after.hunks:
        kinds.setdefault(hunk.index, Change.CHANGED if hunk.index in was else Change.NEW)
    return Revision(before, number, kinds, was, tuple(left))


Alike = Callable[[PlannedHunk, Side], Iterable[object]]
"""What a hunk may be known by; equal marks make a pair."""


def _pair(alike: Alike, left: dict[int, PlannedHunk], fresh: list[PlannedHunk], was: dict[int, int]) -> None:
    """Take partners out of `left`, the first that fits."""
    known: dict[object, deque[int]] = {}
    for index, hunk in left.items():
        for mark in alike(hunk, Side.BEFORE):
            known.setdefault(mark, deque()).append(index)
    for hunk in fresh:
        for mark in alike(hunk, Side.AFTER):
            waiting = known.get(mark, deque())
            while waiting and waiting[0] not in left:
                waiting.popleft()
            if waiting:
                was[hunk.index] = waiting.popleft()
                del left[was[hunk.index]]
                break


def _by_id(hunk: PlannedHunk, side: Side) -> Iterable[object]:
    return [hunk.hunk.id] if hunk.hunk.id else []


def _by_wish(old: Fingerprints, new: Fingerprints) -> Alike:
    def wish(hunk: PlannedHunk, side: Side) -> Iterable[object]:
        prints = old if side is Side.BEFORE else new
        return [prints.of[hunk.index].partition(":")[0]]

    return wish


def _by_lines(hunk: PlannedHunk, side: Side) -> Iterable[object]:
    return ((hunk.path, line) for line in range(hunk.match.first, hunk.match.last + 1)) if hunk.match else ()


def _by_file(hunk: PlannedHunk, side: Side) -> Iterable[object]:
    """The last resort, for hunks that have no lines: whole files, and what was not found."""
    return () if hunk.match else [hunk.path]
