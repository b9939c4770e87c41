"""Line diffs: which lines of a text changed, in bounded time, and unified diffs for people and agents."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from engine.text import Splice, WholeLines, split_lines

_MAX_CELLS = 400_000_000
"""The largest table that an exact line diff may fill (one bit a cell); above it the middle is one big change."""
_CONTEXT = 3


class Change(NamedTuple):
    """Lines `a1` to `a2` (0-based, exclusive end) of the old text become lines `b1` to `b2` of the new one."""

    a1: int
    a2: int
    b1: int
    b2: int


def line_changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """The smallest set of changes from `old` to `new`; coarse where the exact answer would be too costly."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if not a and not b:
        return []
    if not a or not b or len(a) * len(b) > _MAX_CELLS:
        return [Change(head, head + len(a), head, head + len(b))]
    return list(_merged(_inner_changes(a, b), head))


def _inner_changes(a: Sequence[str], b: Sequence[str]) -> Iterator[Change]:
    from rapidfuzz.distance import LCSseq

    numbers: dict[str, int] = {}
    left = [numbers.setdefault(line, len(numbers)) for line in a]
    right = [numbers.setdefault(line, len(numbers)) for line in b]
    for op in LCSseq.opcodes(left, right):
        if op.tag != "equal":
            yield Change(op.src_start, op.src_end, op.dest_start, op.dest_end)


def _merged(changes: Iterator[Change], shift: int) -> Iterator[Change]:
    """Touching changes as one, moved down by `shift` lines."""
    last: Change | None = None
    for a1, a2, b1, b2 in changes:
        if last and last.a2 == a1 and last.b2 == b1:
            last = Change(last.a1, a2, last.b1, b2)
            continue
        if last:
            yield Change(*(n + shift for n in last))
        last = Change(a1, a2, b1, b2)
    if last:
        yield Change(*(n + shift for n in last))


def line_splices(old: str, new: str) -> list[Splice]:
    """The change from `old` to `new` as splices of whole lines (with their endings) on `old`."""
    a, b = with_endings(old), with_endings(new)
    starts = _starts(a)
    return [Splice(starts[a1], starts[a2], "".join(b[b1:b2])) for a1, a2, b1, b2 in line_changes(a, b)]


def changes_from_kept(old: WholeLines, new: WholeLines, kept: Sequence[tuple[int, int, int]]) -> list[Change]:
    """Changes between two texts of which the unchanged ranges are known: no search at all."""
    a, b = old.starts, new.starts
    changes = []
    a_at = b_at = 0
    for a1, b1, count in _kept_lines(a, b, kept):
        if a1 > a_at or b1 > b_at:
            changes.append(Change(a_at, a1, b_at, b1))
        a_at, b_at = a1 + count, b1 + count
    if a_at < len(a) - 1 or b_at < len(b) - 1:
        changes.append(Change(a_at, len(a) - 1, b_at, len(b) - 1))
    return changes


def _kept_lines(
    a: Sequence[int], b: Sequence[int], kept: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[int, int, int]]:
    """Runs of whole lines inside the kept ranges: first line there, first line here, how many."""
    for there, here, length in kept:
        first, end = bisect_left(a, there), bisect_right(a, there + length) - 1
        shift = here - there
        start = bisect_left(b, a[first] + shift) if first < end else len(b)
        if start < len(b) and b[start] == a[first] + shift:
            count = end - first
            if start + count >= len(b) or b[start + count] != a[end] + shift:
                count -= 1  # a last line without its newline, which here has more text behind it
            if count > 0:
                yield first, start, count


def _starts(lines: Sequence[str]) -> list[int]:
    """The offset of each line, and behind them the length of the text."""
    return [0, *accumulate(map(len, lines))]


def unified_diff(
    old: Sequence[str], new: Sequence[str], changes: Sequence[Change], old_name: str, new_name: str
) -> str:
    """A unified diff (of lines with endings) that git and patch accept, or "" where nothing changed."""
    if not changes:
        return ""
    rows = [f"--- {old_name}\n", f"+++ {new_name}\n"]
    for group in _grouped(changes):
        rows += _hunk_rows(old, new, group)
    return "".join(rows)


def _grouped(changes: Sequence[Change]) -> Iterator[list[Change]]:
    group: list[Change] = []
    for change in changes:
        if group and change.a1 - group[-1].a2 > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    yield group


def _hunk_rows(a: Sequence[str], b: Sequence[str], group: list[Change]) -> Iterator[str]:
    first, last = group[0], group[-1]
    before = min(_CONTEXT, first.a1)
    after = min(_CONTEXT, len(a) - last.a2)
    a1, a2, b1, b2 = first.a1 - before, last.a2 + after, first.b1 - before, last.b2 + after
    yield f"@@ -{_range(a1, a2)} +{_range(b1, b2)} @@\n"
    at = a1
    for change in group:
        yield from (_row(" ", line) for line in a[at : change.a1])
        yield from (_row("-", line) for line in a[change.a1 : change.a2])
        yield from (_row("+", line) for line in b[change.b1 : change.b2])
        at = change.a2
    yield from (_row(" ", line) for line in a[at:a2])


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _row(mark: str, line: str) -> str:
    if line.endswith("\n"):
        return mark + line
    return mark + line + ("\n" if line.endswith("\r") else "\n\\ No newline at end of file\n")


def with_endings(text: str) -> list[str]:
    """The lines of a text, each with its ending."""
    lines, endings = split_lines(text)
    return [line + ending for line, ending in zip(lines, endings, strict=True)]
