"""A hunk as rows: the lines of `old` and `new`, and which of them really change.

A change is a `Span` of rows: `old_first:old_last` becomes `new_first:new_last`. A diff is not always unique
(a repeated line may be read as added before or behind its twin): `changes` gives both readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Span = tuple[int, int, int, int]
"""old_first, old_last, new_first, new_last; half open."""

_MOST_COMPARISONS = 200_000


@dataclass(frozen=True, slots=True)
class Rows:
    """Lines without their endings, and whether the last one ended in a newline."""

    lines: tuple[str, ...]
    closed: bool

    @classmethod
    def of(cls, text: str) -> Rows:
        closed = text.endswith("\n")
        lines = (text[:-1] if closed else text).split("\n") if text else []
        return cls(tuple(lines), closed)


def changes(old: Sequence[str], new: Sequence[str]) -> list[list[Span]]:
    """What changes on the way from `old` to `new`: one reading, or two where a repeated line allows both."""
    forward = diff(old, new)
    backward = [
        (len(old) - o2, len(old) - o1, len(new) - n2, len(new) - n1) for o1, o2, n1, n2 in diff(old[::-1], new[::-1])
    ][::-1]
    return [forward] if forward == backward else [forward, backward]


def core_rows(old_length: int, readings: list[list[Span]]) -> set[int]:
    """The rows of `old` that an edit cannot do without: those removed, and both neighbours of an insertion."""
    core: set[int] = set()
    for spans in readings:
        for first, last, _, _ in spans:
            core.update(range(first, last) if last > first else (first - 1, first))
    return {row for row in core if 0 <= row < old_length}


def diff(old: Sequence[str], new: Sequence[str]) -> list[Span]:
    """One reading: a repeated line counts as added behind its twin."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    middle_old, middle_new = old[head:old_end], new[head:new_end]
    if not middle_old and not middle_new:
        return []
    if not _worth_comparing(middle_old, middle_new):
        return [(head, old_end, head, new_end)]
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, middle_old, middle_new, autojunk=False)
    return [
        (head + o1, head + o2, head + n1, head + n2) for tag, o1, o2, n1, n2 in matcher.get_opcodes() if tag != "equal"
    ]


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _worth_comparing(old: Sequence[str], new: Sequence[str]) -> bool:
    """Some line is on both sides, and not so often that comparing them all would take long."""
    if set(old).isdisjoint(new):
        return False
    counts = Counter(old)
    return sum(counts[line] for line in new) <= _MOST_COMPARISONS // max(len(new), 1) + len(new) * 8
