"""Drift: context that the agent remembers wrongly, around a core that it knows.

The core (lines to remove, neighbours of an insertion) must be in the file word for word. Other context may be worded
differently, missing or extra, within a budget. The place must hold a line that is unique in the file, and no other
place may resemble the whole block nearly as much, whether its core fits or not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.matching.elision import is_elision
from engine.matching.folding import is_telling, loosen, squeeze, weight
from engine.matching.index import FileIndex
from engine.matching.readings import Reading
from engine.matching.rows import changes, core_rows
from engine.matching.window import Window, lay

_MOST_WRONG = 4
_MOST_PLACES = 16
_MOST_ROWS = 2000
_FREQUENT = 40
"""A line that stands in more places than this says nothing about where the block is."""
_LONGEST_LINE = 2000
_MARGIN = 0.15
_FEWEST_ROWS = 4
_PROOFS_AT_EDGE = 4


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
    if not block.rows or len(block.rows) > _MOST_ROWS:
        return []
    found: dict[tuple[int, int], Resemblance] = {}
    for diagonal in _diagonals(index, block.keys):
        place = compare(index, block, diagonal, hard=False)
        if place is not None and place.score > 0:
            found.setdefault((place.first, place.last), place)
    return sorted(found.values(), key=lambda place: -place.score)


def _diagonals(index: FileIndex, keys: Sequence[str]) -> list[int]:
    """Where the block could begin, judged by the lines that it shares with the file; the best first."""
    votes: dict[int, float] = {}
    for row, key in enumerate(keys):
        places = index.loose_places.get(key, ())
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
    return _resemblance(index, block, start, _align(block.keys, lines, core, (diagonal - start, _MOST_WRONG + 1)))


def _resemblance(index: FileIndex, block: Block, start: int, mapping: list[int | None] | None) -> Resemblance | None:
    """The place that a mapping of rows to lines from `start` on describes; None where nothing is mapped."""
    positions = tuple(None if at is None else start + at for at in mapping or ())
    known = [at for at in positions if at is not None]
    if not known:
        return None
    fitting = sum(at is not None and index.loose_keys[at] == key for key, at in zip(block.keys, positions, strict=True))
    cost = len(positions) - fitting + known[-1] - known[0] + 1 - len(known)
    return Resemblance(positions, cost, _score(index, block, positions))


_FAR = 10**9
_WORDED_DIFFERENTLY, _NOT_THERE, _NOT_SENT = 101, 102, 60
"""Lines that were added to the file are likelier than lines that the agent made up."""


def _align(
    rows: Sequence[str], lines: Sequence[str], core: frozenset[int], band: tuple[int, int]
) -> list[int | None] | None:
    """Where each row is, with the fewest lines wrong; free before and behind. Core rows only match equal lines.

    `band`: on which line the first row is expected, and how far any row may be from where that puts it.
    """
    steps: list[list[str]] = []
    above = [0] * (len(lines) + 1)
    for number, row in enumerate(rows):
        near = range(max(0, number + band[0] - band[1]), min(len(lines), number + band[0] + band[1]) + 1)
        here, how = _next_row(row, lines, above, near, hard=number in core)
        steps.append(how)
        above = here
    end = min(range(len(above)), key=lambda at: (above[at], at))
    return None if above[end] >= _FAR else _trace(steps, end)


def _next_row(
    row: str, lines: Sequence[str], above: list[int], near: range, *, hard: bool
) -> tuple[list[int], list[str]]:
    here, how = [_FAR] * len(above), [""] * len(above)
    for at in near:
        best, step = (_FAR, "") if hard else (above[at] + _NOT_THERE, "row")
        if at:
            fits = row == lines[at - 1]
            both = _FAR if hard and not fits else above[at - 1] + (0 if fits else _WORDED_DIFFERENTLY)
            if both <= best:
                best, step = both, "both"
            if here[at - 1] + _NOT_SENT < best:
                best, step = here[at - 1] + _NOT_SENT, "line"
        here[at], how[at] = min(best, _FAR), step
    return here, how


def _trace(steps: list[list[str]], at: int) -> list[int | None]:
    mapping: list[int | None] = [None] * len(steps)
    row = len(steps) - 1
    while row >= 0:
        step = steps[row][at]
        if step == "line":
            at -= 1
            continue
        if step == "both":
            at -= 1
            mapping[row] = at
        row -= 1
    return mapping


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
    band = (0, min(end - start + len(block.rows), _MOST_ROWS))
    mapping = _align(block.keys, index.loose_keys[start:end], frozenset(), band) if block.rows else None
    place = _resemblance(index, block, start, mapping)
    if place is None:
        return None
    return _window(index, block, place), round(place.score, 3)


# ---------------------------------------------------------------- the winner


@dataclass(frozen=True, slots=True)
class Drifted:
    window: Window
    score: float
    rivals: list[Resemblance]


def drifted(index: FileIndex, reading: Reading) -> Drifted | None:
    """The one place where the reading fits within its budget; None where there is none, or a rival too close."""
    block = block_of(reading)
    if not _FEWEST_ROWS <= len(block.rows) <= _MOST_ROWS or _elides(index, block):
        return None
    fitting: dict[int, Resemblance] = {}
    for diagonal in _diagonals(index, block.keys):
        place = compare(index, block, diagonal, hard=True)
        if place is not None and place.cost <= block.budget and _is_credible(index, block, place):
            fitting.setdefault(place.first, place)
    if not fitting:
        return None
    winner = min(fitting.values(), key=lambda place: (place.cost, -place.score))
    rivals = [place for place in resembling(index, block) if place.last < winner.first or winner.last < place.first]
    if rivals and rivals[0].score > winner.score - _MARGIN:
        return None
    return Drifted(_window(index, block, winner), winner.score, rivals)


def _elides(index: FileIndex, block: Block) -> bool:
    """Whether a row that the file does not have stands for others: that is no drift."""
    rows = zip(block.rows, block.keys, strict=True)
    return any(key not in index.loose_places and is_elision(block.reading.old[row]) for row, key in rows)


def _is_credible(index: FileIndex, block: Block, place: Resemblance) -> bool:
    """A line of it is unique in the file; and where the first or last line is one of several wrong ones, they are the
    end of the block that somebody changed since, and four lines are unique.

    Blocks that are twins mostly differ at their edges.
    """
    fits = [at is not None and index.loose_keys[at] == key for key, at in zip(block.keys, place.positions, strict=True)]
    unique = [is_telling(key) and len(index.loose_places.get(key, ())) == 1 for key in block.keys]
    proofs = sum(map(all, zip(fits, unique, strict=True)))
    if place.cost < 2 or (fits[0] and fits[-1]):
        return proofs > 0
    one_end = fits in (sorted(fits), sorted(fits, reverse=True))
    return one_end and proofs >= _PROOFS_AT_EDGE


def _window(index: FileIndex, block: Block, place: Resemblance) -> Window:
    lines = {row: index.solid[at] for row, at in zip(block.rows, place.positions, strict=True) if at is not None}
    window = lay(index, block.reading, lines)
    misfits = tuple(
        row
        for row, key, at in zip(block.rows, block.keys, place.positions, strict=True)
        if at is None or index.loose_keys[at] != key
    )
    known = [at for at in place.positions if at is not None]
    return replace(window, misfits=misfits, extra=place.last - place.first + 1 - len(known))
