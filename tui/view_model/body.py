"""What a hunk does to its file, as runs of lines: counted without building a row, rows made one at a time.

A body is a tuple of `Run`s. Its height is a sum; row number n is found by walking the runs, so that a new file of a
million lines costs as little as one of ten. Lines are taken from the file's own text and from the cuts of the plan:
what is shown is what would be written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.diffs import line_changes
from engine.model import Delete, LineEdit, NotebookEdit, TextEdit
from engine.pieces import Anchored, compose
from engine.planning.data import FilePlan, Fit, PlannedHunk
from engine.text import FileText, split_lines

_LONGEST_CHAIN = 64
"""Hunks that edit each other's output are shown composed up to this many; beyond it as they were sent."""


class Mark(Enum):
    SAME = " "
    REMOVED = "-"
    ADDED = "+"
    GAP = "⋯"


class Change(NamedTuple):
    """Lines `a1` to `a2` (0-based, exclusive) of the old side become lines `b1` to `b2` of the new side."""

    a1: int
    a2: int
    b1: int
    b2: int


@dataclass(frozen=True, slots=True)
class Lines:
    """Both sides of one hunk: the changes between two lists of lines."""

    old: Sequence[str]
    new: Sequence[str]
    changes: tuple[Change, ...]
    numbered: bool = True
    """False: the texts are as the agent sent them, and line numbers of the file mean nothing."""
    old_open: bool = False
    """The old text does not end in a newline."""
    new_open: bool = False


class Run(NamedTuple):
    """`length` rows of one kind, from line `at` of the old side (of the new one for added lines), 0-based."""

    mark: Mark
    at: int
    length: int
    change: int = -1
    """The number of the change that it belongs to; -1 for what stays."""


# ---------------------------------------------------------------- where the lines come from


def lines_of(file: FilePlan, hunk: PlannedHunk) -> Lines:
    """Both sides of a planned hunk."""
    if hunk.fit is Fit.FITS and isinstance(hunk.hunk.op, Delete):
        old = file.text.rows
        gone = (Change(0, len(old), 0, 0),) if old else ()
        return Lines(old, (), gone, old_open=not file.text.ends_with_newline)
    if not hunk.cuts:
        return as_sent(hunk)
    if all(cut.on_original for cut in hunk.cuts):
        return _from_cuts(file.text, hunk.cuts)
    return _from_chain(file, hunk)


def as_sent(hunk: PlannedHunk) -> Lines:
    """The agent's own old and new text: all there is before planning, and for a hunk that has no place."""
    old, new = sent_texts(hunk.hunk.op)
    a, b = split_lines(old)[0], split_lines(new)[0]
    changes = tuple(Change(*change) for change in line_changes(a, b))
    return Lines(a, b, changes, numbered=False)


def sent_texts(op: object) -> tuple[str, str]:
    match op:
        case TextEdit(old, new):
            return old, new
        case LineEdit():
            return op.expected or "", op.new_content
        case NotebookEdit():
            return "", op.new_source
        case Delete():
            return op.expected or "", ""
    return "", getattr(op, "content", "")


def _from_cuts(text: FileText, cuts: Sequence[Anchored]) -> Lines:
    """Cuts on the original, widened to whole lines; only the changed lines of the new side are built."""
    changes: list[Change] = []
    new: list[str] = []
    new_open = False
    for a1, a2, group in _groups(text, cuts):
        added = _new_text(text, a1, a2, group)
        new_open = a2 == text.line_count and _is_open(added)
        a1, a2, lines = _without_equal_ends(text, a1, a2, added)
        changes.append(Change(a1, a2, len(new), len(new) + len(lines)))
        new += lines
    last = bool(changes) and changes[-1].a2 == text.line_count
    old_open = last and bool(text.text) and not text.ends_with_newline
    return Lines(text.rows, new, tuple(changes), old_open=old_open, new_open=new_open)


def _without_equal_ends(text: FileText, a1: int, a2: int, added: str) -> tuple[int, int, list[str]]:
    """What is left of a change when lines that it only touches are taken off both ends."""
    lines, endings = split_lines(added)
    rows = text.rows
    first, last = 0, len(lines)
    while first < last and a1 < a2 and (lines[first], endings[first]) == (rows[a1], rows.ending(a1)):
        first, a1 = first + 1, a1 + 1
    while first < last and a1 < a2 and (lines[last - 1], endings[last - 1]) == (rows[a2 - 1], rows.ending(a2 - 1)):
        last, a2 = last - 1, a2 - 1
    return a1, a2, lines[first:last]


def _groups(text: FileText, cuts: Sequence[Anchored]) -> Iterator[tuple[int, int, list[Anchored]]]:
    """Runs of whole lines and the cuts on them. Cuts that leave a run without its newline join it to the next line."""
    waiting = list(_by_lines(text, cuts))
    while waiting:
        group = waiting.pop(0)
        a1, a2, ours = group[0][0], group[-1][1], [cut for _, _, cut in group]
        while a2 < text.line_count and _is_open(_new_text(text, a1, a2, ours)):
            a2 += 1
            if waiting and waiting[0][0][0] < a2:
                joined = waiting.pop(0)
                a2, ours = max(a2, joined[-1][1]), [*ours, *(cut for _, _, cut in joined)]
        yield a1, a2, ours


def _is_open(text: str) -> bool:
    return bool(text) and not text.endswith(("\n", "\r"))


def _by_lines(text: FileText, cuts: Sequence[Anchored]) -> Iterator[list[tuple[int, int, Anchored]]]:
    """Cuts with the lines that they touch; those on the same or on touching lines together."""
    group: list[tuple[int, int, Anchored]] = []
    for cut in sorted(cuts, key=lambda cut: (cut.start.offset, cut.end.offset)):
        a1, a2 = _touched_lines(text, cut)
        if group and a1 > group[-1][1]:
            yield group
            group = []
        if group and a2 < group[-1][1]:
            a2 = group[-1][1]
        group.append((a1, a2, cut))
    if group:
        yield group


def _touched_lines(text: FileText, cut: Anchored) -> tuple[int, int]:
    """The whole lines (0-based, exclusive end) that a cut rewrites."""
    starts, start, end = text.starts, cut.start.offset, cut.end.offset
    a1 = bisect_right(starts, start) - 1
    if a1 == text.line_count and a1 and not text.ends_with_newline:
        a1 -= 1  # behind a last line that has no newline: it becomes another line
    inside = start > starts[a1]
    a2 = bisect_right(starts, end) - 1
    whole = cut.new.endswith(("\n", "\r")) or not (cut.new or inside)
    if end > starts[a2] or not whole:
        a2 = min(a2 + 1, text.line_count)
    return a1, max(a1, a2)


def cut_groups(file: FilePlan, hunk: PlannedHunk) -> list[frozenset[int]]:
    """The parts that a hunk can be split into: numbers of cuts, those of one change together; [] if it has none."""
    if not all(cut.on_original for cut in hunk.cuts):
        return []
    numbers = {id(cut): number for number, cut in enumerate(hunk.cuts)}
    return [frozenset(numbers[id(cut)] for cut in group) for _, _, group in _groups(file.text, hunk.cuts)]


def _new_text(text: FileText, a1: int, a2: int, cuts: Sequence[Anchored]) -> str:
    """Lines `a1` to `a2` with the cuts applied."""
    parts, at = [], text.starts[a1]
    for cut in cuts:
        parts += [text.text[at : cut.start.offset], cut.new]
        at = cut.end.offset
    parts.append(text.text[at : max(at, text.starts[a2])])
    return "".join(parts)


def _from_chain(file: FilePlan, hunk: PlannedHunk) -> Lines:
    """A hunk on other hunks' output: the file with what it needs, against the file with it."""
    needed = _needed(file, hunk)
    if len(needed) > _LONGEST_CHAIN:
        return as_sent(hunk)
    try:
        before = compose(file.text.text, [(other.index, other.cuts) for other in needed]).text
        after = compose(file.text.text, [(other.index, other.cuts) for other in (*needed, hunk)]).text
    except LookupError:
        return as_sent(hunk)
    old, new = FileText(before), FileText(after)
    changes = tuple(Change(*change) for change in line_changes(old.lines, new.lines))
    return Lines(
        old.lines,
        [line for change in changes for line in new.lines[change.b1 : change.b2]],
        tuple(_renumbered(changes)),
        old_open=not old.ends_with_newline,
        new_open=not new.ends_with_newline,
    )


def _renumbered(changes: Sequence[Change]) -> Iterator[Change]:
    """The same changes on a new side that holds the added lines only."""
    at = 0
    for change in changes:
        added = change.b2 - change.b1
        yield Change(change.a1, change.a2, at, at + added)
        at += added


def _needed(file: FilePlan, hunk: PlannedHunk) -> list[PlannedHunk]:
    by_index = {other.index: other for other in file.hunks}
    found: dict[int, PlannedHunk] = {}
    waiting = list(hunk.needs)
    while waiting and len(found) <= _LONGEST_CHAIN:
        other = by_index.get(waiting.pop())
        if other is not None and other.index not in found:
            found[other.index] = other
            waiting += other.needs
    return [found[index] for index in sorted(found)]


# ---------------------------------------------------------------- runs


def runs_of(lines: Lines, context: int) -> tuple[Run, ...]:
    """The rows of a body, in order: changes with `context` lines around them, gaps named."""
    if not lines.numbered:
        return tuple(_sent_runs(lines))
    runs: list[Run] = []
    shown_to = 0
    for number, change in enumerate(lines.changes):
        start = max(change.a1 - context, shown_to)
        if runs and start > shown_to:
            runs.append(Run(Mark.GAP, shown_to, start - shown_to))
        runs.append(Run(Mark.SAME, start, change.a1 - start))
        runs += _changed(number, change)
        shown_to = change.a2
        following = lines.changes[number + 1].a1 if number + 1 < len(lines.changes) else len(lines.old)
        after = min(shown_to + context, following)
        runs.append(Run(Mark.SAME, shown_to, after - shown_to))
        shown_to = after
    return tuple(run for run in runs if run.length > 0)


def _sent_runs(lines: Lines) -> Iterator[Run]:
    at = 0
    for number, change in enumerate(lines.changes):
        if change.a1 > at:
            yield Run(Mark.SAME, at, change.a1 - at)
        yield from (run for run in _changed(number, change) if run.length)
        at = change.a2
    if at < len(lines.old):
        yield Run(Mark.SAME, at, len(lines.old) - at)


def _changed(number: int, change: Change) -> tuple[Run, Run]:
    return (
        Run(Mark.REMOVED, change.a1, change.a2 - change.a1, number),
        Run(Mark.ADDED, change.b1, change.b2 - change.b1, number),
    )
