"""What speaks for a place whose context drifted, and against it: is this the block that was meant, or its twin?

Twins are alike in the middle and differ at their edges; a file that moved on differs in one spot, not around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.matching.folding import is_telling
from engine.matching.index import FileIndex
from engine.matching.resemblance import Block, Resemblance, alike

_PROOFS_OF_A_SLIP = 2
_PROOFS_AT_EDGE = 4
"""Unique lines that make up for a wrong first or last line where it says most."""
_JUST_OUTSIDE = 12
"""Lines that may have been added between a block and its first or last line."""
_SLIP = 0.85
"""So much alike are a line and what is remembered of it; the lines of twins differ in more."""
_OPENERS = (":", "{", "(", "[", "<")


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
    torn: tuple[int, ...]
    """Rows behind which the file has lines that were not sent, and the next row follows."""
    foreign: bool
    """A wrong row is another line altogether, not one that is worded a little differently."""
    slips: bool
    """Every wrong row reads nearly like the line of the file."""
    strayed: bool
    """A wrong row stands elsewhere in the file."""
    just_outside: bool
    """The wrong rows at the edge stand just outside the place: lines were added between."""


def evidence_of(index: FileIndex, block: Block, place: Resemblance) -> Evidence:
    own = [None if at is None else index.loose_keys[at] for at in place.positions]
    fits = [line == key for key, line in zip(block.keys, own, strict=True)]
    wrong = tuple(at for at, fit in enumerate(fits) if not fit)
    unique = {key for key in block.keys if is_telling(key) and len(index.loose_places(key)) == 1}
    edges = [at for at in wrong if at in (0, len(fits) - 1)]
    likeness = [alike(block.keys[at], own[at] or "") for at in wrong]
    return Evidence(
        wrong,
        frozenset(at for at, key in enumerate(block.keys) if fits[at] and key in unique),
        place.cost,
        bool(edges),
        _torn(place.positions),
        not all(likeness),
        all(one >= _SLIP for one in likeness),
        any(index.loose_places(block.keys[at]) for at in wrong),
        bool(edges) and all(_stands_just_outside(index, block.keys[at], place) for at in edges),
    )


def _torn(positions: Sequence[int | None]) -> tuple[int, ...]:
    pairs = enumerate(pairwise(positions))
    return tuple(row for row, (at, below) in pairs if at is not None and below is not None and below > at + 1)


def _stands_just_outside(index: FileIndex, key: str, place: Resemblance) -> bool:
    above = range(place.first - _JUST_OUTSIDE, place.first)
    below = range(place.last + 1, place.last + 1 + _JUST_OUTSIDE)
    return any(at in above or at in below for at in index.loose_places(key))


def is_credible(evidence: Evidence) -> bool:
    """All that does not fit stands together, as one change of the file would, and lines that are unique outweigh it.

    A line that is another one altogether takes more than one unique line. A wrong first or last line must be all that
    is wrong, and a line that the file does not have: else the block was seen where that line stands. It may also have
    moved away from the block just a little.
    """
    if not evidence.proofs or not _in_one_piece(evidence) or (evidence.foreign and len(evidence.proofs) < 2):
        return False
    return not evidence.at_edge or evidence.just_outside or (evidence.cost < 2 and not evidence.strayed)


def _in_one_piece(evidence: Evidence) -> bool:
    wrong, torn = evidence.wrong, evidence.torn
    if not wrong:
        return len(torn) < 2
    return wrong[-1] - wrong[0] < len(wrong) and all(row in wrong or row + 1 in wrong for row in torn)


def stands_against_a_twin(block: Block, evidence: Evidence) -> bool:
    """Whether the place is credible although another one resembles the block: twins differ in just a line or two.

    A small slip in lines that stand nowhere else is no sign of a twin. Where a wrong line touches the core, the core
    has a unique line. Where the first or last line is wrong, there is one outside the core; and where that line opens a
    block, four lines are unique.
    """
    if evidence.slips and not evidence.strayed and len(evidence.proofs) >= _PROOFS_OF_A_SLIP:
        return True
    wrong, proofs = evidence.wrong, evidence.proofs
    touches = any(at - 1 in block.core or at + 1 in block.core for at in wrong)
    if touches and not proofs & block.core:
        return False
    if not evidence.at_edge:
        return True
    opens = any(block.reading.old[block.rows[at]].rstrip().endswith(_OPENERS) for at in wrong)
    return bool(proofs - block.core) and (not opens or len(proofs) >= _PROOFS_AT_EDGE)
