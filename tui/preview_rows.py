"""One file as it would read with the chosen hunks, as rows: what stays, what comes, what goes. No terminal in here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from engine.compose import FileOutcome
from engine.diffs import Change, changes_from_kept
from engine.text import WholeLines, split_lines


class RowKind(Enum):
    SAME = "same"
    ADDED = "added"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One line of the file."""

    kind: RowKind
    number: int | None
    """Its number in the file as it would be; None for a line that goes."""
    text: str
    """Raw, without its ending."""


def file_changes(outcome: FileOutcome) -> list[Change]:
    """Which lines change in one file; a file that goes loses all of them."""
    if not outcome.changed:
        return []
    made = outcome.make()
    kept = made.composed.kept() if made.composed else []
    return changes_from_kept(WholeLines(outcome.file.text.text), WholeLines(made.text), kept)


def line_counts(outcome: FileOutcome) -> tuple[int, int]:
    """How many lines come, and how many go."""
    changes = file_changes(outcome)
    return sum(change.b2 - change.b1 for change in changes), sum(change.a2 - change.a1 for change in changes)


def preview_rows(outcome: FileOutcome) -> list[PreviewRow]:
    """The whole file, with the lines that go in front of those that take their place."""
    return list(_rows(outcome.file.text.lines, split_lines(outcome.text)[0], file_changes(outcome)))


def _rows(old: Sequence[str], new: Sequence[str], changes: Sequence[Change]) -> Iterator[PreviewRow]:
    at = 0
    for a1, a2, b1, b2 in changes:
        yield from _numbered(RowKind.SAME, new, at, b1)
        yield from (PreviewRow(RowKind.GONE, None, line) for line in old[a1:a2])
        yield from _numbered(RowKind.ADDED, new, b1, b2)
        at = b2
    yield from _numbered(RowKind.SAME, new, at, len(new))


def _numbered(kind: RowKind, lines: Sequence[str], start: int, end: int) -> Iterator[PreviewRow]:
    for at in range(start, end):
        yield PreviewRow(kind, at + 1, lines[at])


def touched_regions(rows: Sequence[PreviewRow]) -> list[int]:
    """Where each run of changed rows begins."""
    starts, inside = [], False
    for at, row in enumerate(rows):
        changed = row.kind is not RowKind.SAME
        if changed and not inside:
            starts.append(at)
        inside = changed
    return starts
