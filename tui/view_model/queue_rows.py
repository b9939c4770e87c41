"""The rows of the queue sidebar: proposals, and under the one that is being read its files with their marks.

Rows name what they stand for; their words are made when they come into sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.safe_text import elide_each, safe_text
from tui.view_model.blocks import FileBlock, Section
from tui.view_model.cells import cell_width, pad
from tui.view_model.labels import tally
from tui.view_model.marks import Standing
from tui.view_model.whence import whence

MOST_MARKS = 8
_FILE_INDENT = 5
_INDENT = 2


class QueueRow(NamedTuple):
    """One line of the sidebar; a click leads to what it stands for."""

    section: Section
    name: str
    file: FileBlock | None = None
    about: bool = False
    """The line under the name of a proposal: who sent it and when."""


class QueueRows:
    """The lines by number: every proposal (one that came through a queue takes two), the current one with its files.

    Nothing is made for what is out of sight, so that it does not matter how many proposals wait.
    """

    def __init__(self, sections: Sequence[Section] = (), current: Section | None = None, width: int = 0) -> None:
        self._sections = sections
        self._current = current
        self._files = current.files if current else []
        self._each = 2 if sections and sections[0].item.arrived else 1
        """Lines that a proposal takes: all of one desk come the same way."""
        self._first_file = (current.number + 1 if current else len(sections)) * self._each
        room = max(width - MOST_MARKS - _FILE_INDENT - 1, 6)
        self._names = elide_each([safe_text(file.path) for file in self._files], room, measure=cell_width)

    def __len__(self) -> int:
        return len(self._sections) * self._each + len(self._files)

    def __getitem__(self, line: int) -> QueueRow:
        below = line - self._first_file
        if 0 <= below < len(self._files):
            file = self._files[below]
            return QueueRow(file.section, f"   {file.action} {self._names[below]}", file)
        number, about = divmod(line if below < 0 else line - len(self._files), self._each)
        section = self._sections[number]
        if about:
            return QueueRow(section, "", about=True)
        return QueueRow(section, f"{'▾' if section is self._current else '▸'} {safe_text(section.name)}")

    def line_of(self, what: FileBlock | Section) -> int | None:
        """Where a proposal, or a file of the current one, stands."""
        if isinstance(what, FileBlock):
            return self._first_file + what.number - 1 if what.section is self._current else None
        line = what.number * self._each
        return line + (len(self._files) if line >= self._first_file else 0)


def row_words(row: QueueRow, width: int) -> tuple[str, str]:
    """The name, padded, and the marks at the right; of the line below, the agent's name and the rest."""
    if row.about:
        agent, facts = whence(row.section.item).fitting(width - _INDENT)
        return " " * _INDENT + agent, facts
    mark = file_marks(row.file) if row.file else _proposal_mark(row.section)
    return pad(row.name, max(width - len(mark) - 2, 4)) + " ", mark


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
