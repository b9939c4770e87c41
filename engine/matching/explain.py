"""Refusals that help: what is wrong, where the closest text is, and what to do next. No file content is quoted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.matching.answer import Candidate, Refused
from engine.matching.index import MOST_HITS, FileIndex
from engine.matching.option import Option
from engine.matching.readings import Reading
from engine.model import Code

if TYPE_CHECKING:
    from engine.matching.resemblance import Resemblance

_MOST = 3


def lines_in_words(first: int, last: int) -> str:
    """0-based, inclusive; as people count."""
    return f"line {first + 1}" if first == last else f"lines {first + 1}-{last + 1}"


def ambiguous(options: Sequence[Option], *, hint: bool = False) -> Refused:
    starts = [str(option.first + 1) for option in options]
    listed = ", ".join(starts[:8]) + (", …" if len(starts) > 8 else "")
    why = "; the line hint does not single one out" if hint else ""
    count = f"{MOST_HITS} places or more" if len(options) >= MOST_HITS else f"{len(options)} places"
    reason = f"old text fits {count} (lines {listed}){why}; send more lines around the one meant"
    return Refused(Code.AMBIGUOUS, reason, tuple(candidate_of(option) for option in options[:_MOST]))


def candidate_of(option: Option) -> Candidate:
    return Candidate(option.first + 1, option.last + 1, option.score, option.obstacle)


def already_there(first: int, last: int) -> Refused:
    where = lines_in_words(first, last)
    return Refused(
        Code.ALREADY_APPLIED, f"the new text already stands at {where}", (Candidate(first + 1, last + 1, 1.0),)
    )


def blocked(option: Option) -> Refused:
    where = lines_in_words(option.first, option.last)
    reason = f"old text found at {where}, but {option.obstacle}; read those lines and send them exactly"
    return Refused(Code.NOT_FOUND, reason, (candidate_of(option),))


def nearest(index: FileIndex, reading: Reading) -> tuple[Candidate, ...]:
    """The places that resemble the old text most."""
    from engine.matching.resemblance import block_of, resembling

    block = block_of(reading)
    return tuple(candidate(index, reading, place) for place in resembling(index, block)[:_MOST])


def runner_up(index: FileIndex, reading: Reading, option: Option) -> Candidate | None:
    """The place that resembles the old text most, after the one that was found."""
    from engine.matching.resemblance import block_of, nearest_other

    place = nearest_other(index, block_of(reading), (option.first, option.last))
    return None if place is None else candidate(index, reading, place)


def candidate(index: FileIndex, reading: Reading, place: Resemblance) -> Candidate:
    from engine.matching.resemblance import block_of

    block = block_of(reading)
    off = [
        row + 1
        for row, key, at in zip(block.rows, block.keys, place.positions, strict=True)
        if at is None or index.loose_keys[at] != key
    ]
    first, last = index.solid[place.first], index.solid[place.last]
    return Candidate(first + 1, last + 1, round(place.score, 3), _off_in_words(off))


def _off_in_words(rows: Sequence[int]) -> str | None:
    if not rows:
        return None
    if len(rows) == 1:
        return f"line {rows[0]} differs"
    return f"lines {', '.join(map(str, rows[:6]))}{', …' if len(rows) > 6 else ''} differ"


def not_found(index: FileIndex, reading: Reading, why: str = "old text not found") -> Refused:
    candidates = nearest(index, reading)
    inside = index.flat.find(reading.old[0]) if len(reading.old) == 1 and reading.old[0] else -1
    if inside >= 0:
        line = index.line_number(inside)
        part = f"{why} as whole words: at line {line + 1} it is only a part of one; send the whole word, or the line"
        return Refused(Code.NOT_FOUND, part, (Candidate(line + 1, line + 1, 1.0, "only a part of a word"),))
    if not candidates:
        return Refused(Code.NOT_FOUND, f"{why}, nor anything like it; read the file again and send its lines exactly")
    best = candidates[0]
    where = lines_in_words(best.first - 1, best.last - 1)
    differs = f": {best.differs}" if best.differs else ""
    reason = f"{why}; closest is {where}, {best.score:.0%} alike{differs}; read those lines and send them exactly"
    return Refused(Code.NOT_FOUND, reason, candidates)
