"""A text put together from pieces of others, so that an edit can say what it was made against.

Every character comes from somewhere: the original file, or the text that one splice of one hunk put in. An `Anchored`
splice names its ends by such origins. Hunks that fit the original have both ends in it; a hunk that only fits the
output of another has an end in that output, which is why it *needs* the other. Which further hunks are chosen shifts
positions, never origins, so composing any subset in any order gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.text import Splice

Origin = tuple[int, int]
"""Hunk index and number of its splice."""
ORIGINAL: Origin = (-1, 0)


class Spot(NamedTuple):
    """A place beside a character: before the one at `offset` of `origin`, or behind the one at `offset - 1`."""

    origin: Origin
    offset: int


@dataclass(frozen=True, slots=True)
class Anchored:
    """Put `new` where the text from `start` to `end` stands."""

    start: Spot
    end: Spot
    new: str

    @property
    def on_original(self) -> bool:
        return self.start.origin == ORIGINAL == self.end.origin


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of one origin."""

    origin: Origin
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Composed:
    """A text, and where each part of it comes from."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def kept(self) -> list[tuple[int, int, int]]:
        """What is left of the original: (offset there, offset here, length), in order."""
        ranges, at = [], 0
        for piece in self.pieces:
            if piece.origin == ORIGINAL:
                ranges.append((piece.start, at, len(piece.text)))
            at += len(piece.text)
        return ranges

    def anchor(self, cut: Splice) -> Anchored:
        """A splice on this text, expressed by origins."""
        return Anchored(self._spot(cut.start, behind=False), self._spot(cut.end, behind=cut.end > cut.start), cut.new)

    def origins_in(self, start: int, end: int) -> set[Origin]:
        """Whose text stands between two offsets."""
        found, at = set(), 0
        for piece in self.pieces:
            if at < end and start < at + len(piece.text):
                found.add(piece.origin)
            at += len(piece.text)
        return found

    def _spot(self, offset: int, *, behind: bool) -> Spot:
        at = 0
        for piece in self.pieces:
            here = offset - at
            if (0 < here <= len(piece.text)) if behind else (0 <= here < len(piece.text)):
                return Spot(piece.origin, piece.start + here)
            at += len(piece.text)
        last = self.pieces[-1] if self.pieces else Piece(ORIGINAL, 0, "")
        return Spot(last.origin, last.end)


def on_original(splices: Iterable[Splice]) -> tuple[Anchored, ...]:
    return tuple(Anchored(Spot(ORIGINAL, cut.start), Spot(ORIGINAL, cut.end), cut.new) for cut in splices)


def compose(original: str, chosen: Sequence[tuple[int, Sequence[Anchored]]]) -> Composed:
    """`original` with the chosen hunks (index, splices) applied; they must not overlap, and bring what they need."""
    first = [(index, n, cut) for index, cuts in chosen for n, cut in enumerate(cuts) if cut.on_original]
    pieces = _splice_original(original, first)
    for index, cuts in sorted(chosen, key=lambda item: item[0]):
        for n, cut in enumerate(cuts):
            if not cut.on_original:
                pieces = _splice_pieces(pieces, cut, Piece((index, n), 0, cut.new))
    return Composed(tuple(pieces))


def _splice_original(original: str, cuts: list[tuple[int, int, Anchored]]) -> list[Piece]:
    pieces, at = [], 0
    for index, n, cut in sorted(cuts, key=lambda item: (item[2].start.offset, item[2].end.offset, item[0])):
        pieces.append(Piece(ORIGINAL, at, original[at : cut.start.offset]))
        pieces.append(Piece((index, n), 0, cut.new))
        at = cut.end.offset
    pieces.append(Piece(ORIGINAL, at, original[at:]))
    return [piece for piece in pieces if piece.text]


def _splice_pieces(pieces: list[Piece], cut: Anchored, new: Piece) -> list[Piece]:
    first, left = _find(pieces, cut.start, behind=False)
    last, right = _find(pieces, cut.end, behind=cut.end != cut.start)
    head = Piece(pieces[first].origin, pieces[first].start, pieces[first].text[:left])
    tail = Piece(pieces[last].origin, pieces[last].start + right, pieces[last].text[right:])
    return [piece for piece in (*pieces[:first], head, new, tail, *pieces[last + 1 :]) if piece.text]


def _find(pieces: list[Piece], spot: Spot, *, behind: bool) -> tuple[int, int]:
    """The piece that holds the character beside `spot`, and the offset inside it."""
    touching = None
    for i, piece in enumerate(pieces):
        if piece.origin != spot.origin or not piece.start <= spot.offset <= piece.end:
            continue
        touching = (i, spot.offset - piece.start)
        if (piece.start < spot.offset) if behind else (spot.offset < piece.end):
            return touching
    if touching is None:
        raise LookupError(f"nothing of {spot.origin} is left at {spot.offset}")
    return touching
