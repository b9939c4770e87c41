"""A hunk of which only some lines are taken, as the text that its block gets."""

from __future__ import annotations

from collections.abc import Iterator

from engine.compose import block
from engine.planning.data import FilePlan, PlannedHunk
from tui.view_model.body import Change, Lines, Mark

Chosen = frozenset[tuple[Mark, int]]
"""Lines by mark and place on their side."""


def changed_lines(lines: Lines) -> Chosen:
    """Every line that a hunk removes or adds."""
    gone = {(Mark.REMOVED, at) for change in lines.changes for at in range(change.a1, change.a2)}
    come = {(Mark.ADDED, at) for change in lines.changes for at in range(change.b1, change.b2)}
    return frozenset(gone | come)


def text_with(file: FilePlan, hunk: PlannedHunk, lines: Lines, chosen: Chosen) -> str | None:
    """The hunk's block with only the chosen lines removed and added; None: it has no single block."""
    span = block(file, hunk)
    if span is None or not lines.numbered:
        return None
    first = file.text.line_at(span[0]) if span[0] < len(file.text.text) else file.text.line_count
    end = file.text.line_at(span[1] - 1) + 1 if span[1] > span[0] else first
    if any(change.a1 < first or change.a2 > end for change in lines.changes):
        return None
    kept = list(_kept(lines, chosen, first, end))
    return "\n".join(kept) + "\n" if kept else ""


def _kept(lines: Lines, chosen: Chosen, first: int, end: int) -> Iterator[str]:
    at = first
    for change in lines.changes:
        yield from lines.old[at : change.a1]
        yield from _of_change(lines, change, chosen)
        at = change.a2
    yield from lines.old[at:end]


def _of_change(lines: Lines, change: Change, chosen: Chosen) -> Iterator[str]:
    """Line by line: what was not chosen to go stays, and what was chosen to come stands in its place."""
    for step in range(max(change.a2 - change.a1, change.b2 - change.b1)):
        old, new = change.a1 + step, change.b1 + step
        if old < change.a2 and (Mark.REMOVED, old) not in chosen:
            yield lines.old[old]
        if new < change.b2 and (Mark.ADDED, new) in chosen:
            yield lines.new[new]
