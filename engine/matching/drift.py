"""Drift: context that the agent remembers wrongly, around a core that it knows.

The core (lines to remove, neighbours of an insertion) must be in the file word for word. Other context may be worded
differently, missing or extra, within a budget. The place must hold a line that is unique in the file, and no other
place may resemble the whole block nearly as much, whether its core fits or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.matching.elision import is_elision
from engine.matching.folding import is_telling
from engine.matching.index import FileIndex
from engine.matching.readings import Reading
from engine.matching.resemblance import (
    MOST_ROWS,
    Block,
    Resemblance,
    block_of,
    compare,
    diagonals,
    others,
    resembling,
    window_of,
)
from engine.matching.window import Window

_MARGIN = 0.15
_FEWEST_ROWS = 4
_TWIN = 0.2
"""A place that resembles the block this much may be what the agent did not mean, or the other way round."""
_PROOFS_AT_EDGE = 4
"""Unique lines that make up for a wrong first or last line where it says most."""
_OPENERS = (":", "{", "(", "[", "<")


@dataclass(frozen=True, slots=True)
class Drifted:
    """The place of a block that drifted, and the places that resemble it as well."""

    window: Window
    score: float
    rivals: list[Resemblance]


def drifted(index: FileIndex, reading: Reading) -> Drifted | None:
    """The one place where the reading fits within its budget; None where there is none, or a rival too close."""
    block = block_of(reading)
    if not _FEWEST_ROWS <= len(block.rows) <= MOST_ROWS or _elides(index, block):
        return None
    fitting: dict[int, Resemblance] = {}
    for diagonal in diagonals(index, block.keys):
        place = compare(index, block, diagonal, hard=True)
        if place is not None and place.cost <= block.budget and _is_credible(_evidence(index, block, place)):
            fitting.setdefault(place.first, place)
    if not fitting:
        return None
    winner = min(fitting.values(), key=lambda place: (place.cost, -place.score))
    rivals = others(resembling(index, block), winner.first, winner.last)
    if rivals and rivals[0].score > winner.score - _MARGIN:
        return None
    if rivals and rivals[0].score >= _TWIN and not _stands_against_a_twin(block, _evidence(index, block, winner)):
        return None
    return Drifted(window_of(index, block, winner), winner.score, rivals)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a place and against it, as positions in the block's rows."""

    wrong: tuple[int, ...]
    """Rows that the file words differently, or does not have."""
    proofs: frozenset[int]
    """Rows that fit and are unique in the file."""
    cost: int
    at_edge: bool
    """The first or the last row is wrong."""


def _evidence(index: FileIndex, block: Block, place: Resemblance) -> Evidence:
    fits = [at is not None and index.loose_keys[at] == key for key, at in zip(block.keys, place.positions, strict=True)]
    unique = {key for key in block.keys if is_telling(key) and len(index.loose_places(key)) == 1}
    return Evidence(
        tuple(at for at, fit in enumerate(fits) if not fit),
        frozenset(at for at, key in enumerate(block.keys) if fits[at] and key in unique),
        place.cost,
        not (fits[0] and fits[-1]),
    )


def _elides(index: FileIndex, block: Block) -> bool:
    """Whether a row that the file does not have stands for others: that is no drift."""
    rows = zip(block.rows, block.keys, strict=True)
    return any(not index.loose_places(key) and is_elision(block.reading.old[row]) for row, key in rows)


def _is_credible(evidence: Evidence) -> bool:
    """A line is unique in the file, and the lines that do not fit stand together.

    Where several are wrong and the first or last line is among them, four lines are unique: blocks that are twins
    mostly differ at their edges.
    """
    wrong, proofs = evidence.wrong, evidence.proofs
    if not proofs or (wrong and wrong[-1] - wrong[0] >= len(wrong)):
        return False
    return evidence.cost < 2 or not evidence.at_edge or len(proofs) >= _PROOFS_AT_EDGE


def _stands_against_a_twin(block: Block, evidence: Evidence) -> bool:
    """Whether the place is credible although another one resembles the block: twins differ in just a line or two.

    Where a wrong line touches the core, the core has a unique line. Where the first or last line is wrong, there is
    one outside the core; and where that line opens a block, four lines are unique.
    """
    wrong, proofs = evidence.wrong, evidence.proofs
    touches = any(at - 1 in block.core or at + 1 in block.core for at in wrong)
    if touches and not proofs & block.core:
        return False
    if not evidence.at_edge:
        return True
    opens = any(block.reading.old[block.rows[at]].rstrip().endswith(_OPENERS) for at in wrong)
    return bool(proofs - block.core) and (not opens or len(proofs) >= _PROOFS_AT_EDGE)
