"""Two edits that bring the same lines to the same place, each with context of its own.

Where added lines repeat their neighbours, it is not certain which of them are the added ones: one edit may be read as
adding them a line above where the other does. Both are moved to one place, so that they count as the same change and
are not made twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, pairwise, takewhile

from engine.matching.answer import Answer, Located, Place
from engine.model import TextEdit
from engine.text import Splice

_FURTHEST = 4_000
"""Characters that an insertion is moved along the text."""


def in_one_place(text: str, edits: Sequence[TextEdit], answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers, with equal insertions at one offset."""
    seen: dict[tuple[int, str], Splice] = {}
    return tuple(
        _moved(text, answer, seen) if isinstance(answer, Located) and "\n" in edit.new[:-1] else answer
        for edit, answer in zip(edits, answers, strict=True)
    )


def _moved(text: str, answer: Located, seen: dict[tuple[int, str], Splice]) -> Located:
    if len(answer.places) > 1:
        return answer
    (place,) = answer.places
    cuts = place.splices
    moved = tuple(seen.setdefault(_lowest(text, cut), cut) if cut.start == cut.end else cut for cut in cuts)
    if moved == cuts or any(left.end > right.start for left, right in pairwise(moved)):
        return answer
    return answer._replace(places=(Place(place.first, place.last, moved),))


def _lowest(text: str, cut: Splice) -> tuple[int, str]:
    """The same insertion as far down as it can be read: its offset and its text there."""
    start, new = cut.start, cut.new
    if text[start : start + 1] != new[:1]:
        return start, new
    behind = text[start : start + _FURTHEST]
    same = (one == other for one, other in zip(behind, cycle(new), strict=False))
    steps = sum(takewhile(bool, same))
    turn = steps % len(new)
    return start + steps, new[turn:] + new[:turn]
