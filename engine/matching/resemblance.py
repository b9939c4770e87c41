"""Resemblance: the places that share lines with a block, and how much of it is there.

Places are found by the votes of shared lines, aligned line by line and scored by the weight of the lines that fit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.matching.alignment import align
from engine.matching.folding import loosen, squeeze, weight
from engine.matching.index import FileIndex
from engine.matching.readings import Reading
from engine.matching.rows import changes, core_rows
from engine.matching.window import Window, lay

_MOST_WRONG = 4
_MOST_PLACES = 16
MOST_ROWS = 2000
_FREQUENT = 40
"""A line that stands in more places than this says nothing about where the block is."""
_LONGEST_LINE = 2000
_MOST_ROWS_TRIED = 3
_LEAST_ALIKE = 0.2
"""Of the runner-up of an approximate match, where no other place shares a line with it."""
_MOST_LINES = 20_000
"""More lines than this are not searched for one that is merely similar."""


@dataclass(frozen=True, slots=True)
class Block:
    """The solid rows of a reading, ready to be compared."""

    reading: Reading
    rows: tuple[int, ...]
    keys: tuple[str, ...]
    core: frozenset[int]
    """Positions in `rows`."""

    @property
    def budget(self) -> int:
        free = len(self.rows) - len(self.core)
        return min(_MOST_WRONG, max(free // 2, len(self.rows) // 3))


def block_of(reading: Reading) -> Block:
    squeezed = squeeze("\n".join(reading.old)).split("\n")
    rows = [row for row, key in enumerate(squeezed) if key] if reading.old else []
    core = core_rows(len(reading.old), changes([r.rstrip() for r in reading.old], [r.rstrip() for r in reading.new]))
    positions = frozenset(at for at, row in enumerate(rows) if row in core)
    return Block(reading, tuple(rows), tuple(loosen(squeezed[row]) for row in rows), positions)


@dataclass(frozen=True, slots=True)
class Resemblance:
    """A place that resembles a block: for each of its rows the position in `index.solid`, or None."""

    positions: tuple[int | None, ...]
    cost: int
    score: float

    @property
    def first(self) -> int:
        return min(at for at in self.positions if at is not None)

    @property
    def last(self) -> int:
        return max(at for at in self.positions if at is not None)


def resembling(index: FileIndex, block: Block) -> list[Resemblance]:
    """The places that share lines with the block, most alike first."""
    if not block.rows or len(block.rows) > MOST_ROWS:
        return []
    found: dict[tuple[int, int], Resemblance] = {}
    for diagonal in diagonals(index, block.keys):
        place = compare(index, block, diagonal, hard=False)
        if place is not None and place.score > 0:
            found.setdefault((place.first, place.last), place)
    return sorted(found.values(), key=lambda place: -place.score)


def others(places: Sequence[Resemblance], first: int, last: int) -> list[Resemblance]:
    """Those that do not touch the entries `first` to `last` of `index.solid`."""
    return [place for place in places if place.last < first or last < place.first]


def nearest_other(index: FileIndex, block: Block, lines: tuple[int, int]) -> Resemblance | None:
    """The place outside these lines of the file (0-based, inclusive) that resembles the block most, if any does."""
    first, last = bisect_left(index.solid, lines[0]), bisect_right(index.solid, lines[1]) - 1
    voted = others(resembling(index, block), first, last)
    if voted or not 0 < len(block.rows) <= MOST_ROWS or len(index.solid) > _MOST_LINES:
        return voted[0] if voted else None
    for row in sorted(range(len(block.keys)), key=lambda at: -len(block.keys[at]))[:_MOST_ROWS_TRIED]:
        at = _most_alike(block.keys[row], index.loose_keys, range(first, last + 1))
        if at is not None:
            return _resemblance(index, block, 0, [at if other == row else None for other in range(len(block.keys))])
    return None


def _most_alike(key: str, lines: Sequence[str], but: range) -> int | None:
    """The line most like `key`, if there is any likeness."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import extractOne

    choices = [None if at in but or len(line) > _LONGEST_LINE else line for at, line in enumerate(lines)]
    found = extractOne(key[:_LONGEST_LINE], choices, scorer=Indel.normalized_similarity, score_cutoff=_LEAST_ALIKE)
    return None if found is None else int(found[2])


def diagonals(index: FileIndex, keys: Sequence[str]) -> list[int]:
    """Where the block could begin, judged by the lines that it shares with the file; the best first."""
    votes: dict[int, float] = {}
    for row, key in enumerate(keys):
        places = index.loose_places(key)
        if len(places) <= _FREQUENT:
            for at in places:
                votes[at - row] = votes.get(at - row, 0.0) + weight(key)
    chosen: list[int] = []
    for diagonal in sorted(votes, key=lambda d: (-votes[d], d)):
        if all(abs(diagonal - other) > _MOST_WRONG for other in chosen):
            chosen.append(diagonal)
        if len(chosen) == _MOST_PLACES:
            break
    return chosen


def compare(index: FileIndex, block: Block, diagonal: int, *, hard: bool) -> Resemblance | None:
    """The cheapest alignment of the block with the lines around `diagonal`; `hard`: the core must fit."""
    start = max(0, diagonal - _MOST_WRONG)
    lines = index.loose_keys[start : diagonal + len(block.keys) + _MOST_WRONG]
    core = block.core if hard else frozenset()
    if not {block.keys[at] for at in core}.issubset(lines):
        return None
    return _resemblance(index, block, start, align(block.keys, lines, core, (diagonal - start, _MOST_WRONG + 1)))


def _resemblance(index: FileIndex, block: Block, start: int, mapping: list[int | None] | None) -> Resemblance | None:
    """The place that a mapping of rows to lines from `start` on describes; None where nothing is mapped."""
    positions = tuple(None if at is None else start + at for at in mapping or ())
    known = [at for at in positions if at is not None]
    if not known:
        return None
    fitting = sum(at is not None and index.loose_keys[at] == key for key, at in zip(block.keys, positions, strict=True))
    cost = len(positions) - fitting + known[-1] - known[0] + 1 - len(known)
    return Resemblance(positions, cost, _score(index, block, positions))


def _score(index: FileIndex, block: Block, positions: Sequence[int | None]) -> float:
    """How much of the block is there, by weight; a line worded differently counts by its likeness."""
    total = sum(map(weight, block.keys)) or 1.0
    return sum(weight(key) * _likeness(index, key, at) for key, at in zip(block.keys, positions, strict=True)) / total


def _likeness(index: FileIndex, key: str, at: int | None) -> float:
    if at is None:
        return 0.0
    own = index.loose_keys[at]
    if own == key:
        return 1.0
    return alike(key, own) / 2


def alike(one: str, other: str) -> float:
    """Likeness of two lines; 0 below a half."""
    if len(one) > _LONGEST_LINE or len(other) > _LONGEST_LINE:
        return 0.0
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(one, other, score_cutoff=0.5)


def compare_lines(index: FileIndex, block: Block, first: int, last: int) -> tuple[Window, float] | None:
    """The block laid against lines `first:last` of the file, however little it resembles them."""
    start, end = bisect_left(index.solid, first), bisect_left(index.solid, last)
    band = (0, min(end - start + len(block.rows), MOST_ROWS))
    mapping = align(block.keys, index.loose_keys[start:end], frozenset(), band) if block.rows else None
    place = _resemblance(index, block, start, mapping)
    if place is None:
        return None
    return window_of(index, block, place), round(place.score, 3)


def window_of(index: FileIndex, block: Block, place: Resemblance) -> Window:
    lines = {row: index.solid[at] for row, at in zip(block.rows, place.positions, strict=True) if at is not None}
    window = lay(index, block.reading, lines)
    misfits = tuple(
        row
        for row, key, at in zip(block.rows, block.keys, place.positions, strict=True)
        if at is None or index.loose_keys[at] != key
    )
    known = [at for at in place.positions if at is not None]
    return replace(window, misfits=misfits, extra=place.last - place.first + 1 - len(known))
