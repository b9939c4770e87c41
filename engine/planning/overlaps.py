"""Which hunks change the same text. Only what is changed can overlap: shared or touching context does not.

Hunks are taken in the agent's order; each is checked against those taken before it, so the earlier one wins. Two
insertions at the very same point overlap as well: nothing says which comes first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from engine.model import Delete
from engine.pieces import ORIGINAL, Anchored, Origin, Spot
from engine.planning.data import PlannedHunk

Taken = dict[Origin, list[tuple[int, int, int]]]
"""By origin: the changed ranges (start, end, hunk), sorted, disjoint."""


def first_overlaps(hunks: Iterable[PlannedHunk]) -> dict[int, int]:
    """For each hunk that cannot be applied beside an earlier one: that one's index."""
    taken: Taken = {}
    owners: dict[int, PlannedHunk] = {}
    deleted: int | None = None
    overlaps = {}
    for hunk in sorted(hunks, key=lambda hunk: hunk.index):
        hit = deleted if deleted is not None else _first_hit(taken, owners, hunk)
        if hit is None and isinstance(hunk.hunk.op, Delete) and owners:
            hit = min(owners)
        if hit is not None:
            overlaps[hunk.index] = hit
            continue
        if isinstance(hunk.hunk.op, Delete):
            deleted = hunk.index
        owners[hunk.index] = hunk
        for origin, start, end in _ranges(hunk.cuts, owners):
            ranges = taken.setdefault(origin, [])
            ranges.insert(bisect_left(ranges, (start, end, hunk.index)), (start, end, hunk.index))
    return overlaps


def _first_hit(taken: Taken, owners: Mapping[int, PlannedHunk], hunk: PlannedHunk) -> int | None:
    for origin, start, end in _ranges(hunk.cuts, owners):
        ranges = taken.get(origin, [])
        for other_start, other_end, other in islice(ranges, max(bisect_left(ranges, (start, end, -1)) - 1, 0), None):
            if other_start > end:
                break
            if other not in hunk.needs and _overlap(start, end, other_start, other_end):
                return other
    return None


def _overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    if start == end and other_start == other_end:
        return start == other_start
    return start < other_end and other_start < end


def _ranges(cuts: Iterable[Anchored], owners: Mapping[int, PlannedHunk]) -> Iterator[tuple[Origin, int, int]]:
    """Each cut as a range within one origin; one that spans several, as what it covers of the original."""
    for cut in cuts:
        if cut.start.origin == cut.end.origin:
            yield cut.start.origin, cut.start.offset, cut.end.offset
        else:
            yield ORIGINAL, _on_original(cut.start, owners)[0], _on_original(cut.end, owners)[1]


def _on_original(spot: Spot, owners: Mapping[int, PlannedHunk]) -> tuple[int, int]:
    """The range of the original that a spot inside a hunk's output stands for."""
    while spot.origin != ORIGINAL:
        index, n = spot.origin
        if index not in owners:
            return 0, 0
        cut = owners[index].cuts[n]
        if cut.start.origin == ORIGINAL == cut.end.origin:
            return cut.start.offset, cut.end.offset
        spot = cut.start
    return spot.offset, spot.offset
