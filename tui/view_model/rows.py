"""The rows of the stream as plain data: what stands in one line of the screen, before any colour."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tui.view_model.body import Mark

if TYPE_CHECKING:
    from tui.view_model.blocks import FileBlock, HunkBlock, ProposalBlock


class Voice(Enum):
    """Who speaks in a note. Agent text never looks like the tool's own words."""

    AGENT = "agent"
    TOOL = "tool"
    WARNING = "warning"
    PROBLEM = "problem"
    REVIEWER = "reviewer"


class Note(NamedTuple):
    """Something said about a hunk, file or proposal; raw text, made safe when it is wrapped into rows."""

    voice: Voice
    text: str


class ProposalRow(NamedTuple):
    block: ProposalBlock


class WhenceRow(NamedTuple):
    """Who sent a proposal and when."""

    block: ProposalBlock


class FileRow(NamedTuple):
    block: FileBlock


class HunkRow(NamedTuple):
    block: HunkBlock


class NoteRow(NamedTuple):
    """One screen line of a note, safe already."""

    voice: Voice
    text: str
    first: bool = True


class GapRow(NamedTuple):
    """Unchanged lines that are not shown."""

    hidden: int


class BlankRow(NamedTuple):
    """Air."""


class Side(NamedTuple):
    """One line of one side of a diff."""

    mark: Mark
    number: int | None
    """1-based."""
    text: str
    open: bool = False
    """The last line of its file, without a newline."""
    at: int = 0
    """Its place among the lines of its side, from 0."""
    partner: str | None = None
    """The line that it replaces, or that replaces it."""


class LineRow(NamedTuple):
    """A line of a diff. Unified: one side, `old` for removed lines and `new` for the others. Split: both."""

    old: Side | None
    new: Side | None
    change: int = -1
    other_number: int | None = None
    """Unified: the number of an unchanged line on the old side."""
    part: tuple[int, int] = (0, -1)
    """Which slice of the shown text this screen line holds (wrapped lines); (0, -1): all of it."""


Row = ProposalRow | WhenceRow | FileRow | HunkRow | NoteRow | GapRow | BlankRow | LineRow
