"""Drift: context that the agent remembers wrongly, around a core that it knows.

The core (lines to remove, neighbours of an insertion) must be in the file word for word. Other context may be worded
differently, missing or extra, within a budget. The place must hold a line that is unique in the file, and no other
place may resemble the whole block nearly as much, whether its core fits or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.matching.elision import is_elision
from engine.matching.evidence import evidence_of, is_credible, stands_against_a_twin
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
        if place is not None and place.cost <= block.budget and is_credible(evidence_of(index, block, place)):
            fitting.setdefault(place.first, place)
    if not fitting:
        return None
    winner = min(fitting.values(), key=lambda place: (place.cost, -place.score))
    rivals = others(resembling(index, block), winner.first, winner.last)
    if rivals and rivals[0].score > winner.score - _MARGIN:
        return None
    if rivals and rivals[0].score >= _TWIN and not stands_against_a_twin(block, evidence_of(index, block, winner)):
        return None
    return Drifted(window_of(index, block, winner), winner.score, rivals)


def _elides(index: FileIndex, block: Block) -> bool:
    """Whether a row that the file does not have stands for others: that is no drift."""
    rows = zip(block.rows, block.keys, strict=True)
    return any(not index.loose_places(key) and is_elision(block.reading.old[row]) for row, key in rows)
