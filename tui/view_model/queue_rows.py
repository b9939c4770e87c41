"""The rows of the queue sidebar: proposals, and under the one that is being read its files with their marks.

Rows name what they stand for; their words are made when they come into sight.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.safe_text import elide_each, safe_text
from tui.view_model.blocks import FileBlock, Section
from tui.view_model.cells import cell_width, pad
from tui.view_model.labels import tally
from tui.view_model.marks import Standing

MOST_MARKS = 8
_FILE_INDENT = 5


class QueueRow(NamedTuple):
    """One line of the sidebar; a click leads to what it stands for."""

    section: Section
    name: str
    file: FileBlock | None = None


def queue_rows(sections: list[Section], current: Section | None, width: int) -> list[QueueRow]:
    """Every proposal, the current one with its files."""
    rows = []
    for section in sections:
        rows.append(QueueRow(section, f"{'▾' if section is current else '▸'} {safe_text(section.name)}"))
        if section is current:
            room = max(width - MOST_MARKS - _FILE_INDENT - 1, 6)
            names = elide_each([safe_text(file.path) for file in section.files], room, measure=cell_width)
            files = zip(section.files, names, strict=True)
            rows += [QueueRow(section, f"   {file.action} {name}", file) for file, name in files]
    return rows


def row_words(row: QueueRow, width: int) -> tuple[str, str]:
    """The name, padded, and the marks at the right."""
    mark = file_marks(row.file) if row.file else _proposal_mark(row.section)
    return pad(row.name, max(width - len(mark) - 1, 4)), mark


def _proposal_mark(section: Section) -> str:
    if section.item.error:
        return "error"
    if section.provisional:
        return "…"
    counts = tally(section)
    return f"{counts.hunks - counts.open}/{counts.hunks}"


def file_marks(file: FileBlock) -> str:
    """`✓✓?✗`, or for many hunks how many are decided: `9/12`. Kept until a decision on the file changes."""
    if file.marks is None:
        standings = [hunk.standing for hunk in file.hunks]
        undecided = sum(standing in (Standing.OPEN, Standing.MISFIT) for standing in standings)
        few = len(standings) <= MOST_MARKS
        marks = "".join(standing.mark for standing in standings)
        file.marks = marks if few else f"{len(standings) - undecided}/{len(standings)}"
    return file.marks
