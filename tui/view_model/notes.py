"""What is said about a hunk, a file or a proposal, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.model import Copy, Create, Delete, Move, Proposal, SetMode, Write
from engine.planning.data import FilePlan, Fit, PlannedHunk
from engine.queue.revision import Change
from engine.review import ReviewState
from engine.safe_text import safe_text
from tui.view_model.cells import cell_width, size_in_words, wrap
from tui.view_model.marks import line_range
from tui.view_model.rows import Note, NoteRow, Voice

if TYPE_CHECKING:
    from engine.queue.revision import Revision
    from tui.view_model.blocks import HunkBlock, Section

_MOST_ROWS = {Voice.AGENT: 6, Voice.PROBLEM: 12}
_MOST_CHARACTERS = 4_000
_INDENT = 8
_SHORTEST = 16
_BESIDE_A_PATH = 48
"""Cells of a file's header that its counts and buttons take."""


def note_rows(notes: Iterable[Note], width: int) -> list[NoteRow]:
    """Notes as screen lines; agents get few of them, so that they cannot push the diff off the screen."""
    rows: list[NoteRow] = []
    for note in notes:
        rows += _rows_of(note, max(width - _INDENT, _SHORTEST))
    return rows


def _rows_of(note: Note, width: int) -> list[NoteRow]:
    text = note.text[:_MOST_CHARACTERS].rstrip("\n")
    pieces = [piece for line in text.split("\n") for piece in wrap(safe_text(line), width)]
    most = _MOST_ROWS.get(note.voice, 6)
    hidden = len(pieces) - most
    if hidden > 0 or len(note.text) > _MOST_CHARACTERS:
        more = note.text.count("\n", _MOST_CHARACTERS) + max(hidden, 0) + 1
        pieces = [*pieces[: most - 1], f"… +{more} lines"]
    return [NoteRow(note.voice, piece, number == 0) for number, piece in enumerate(pieces)]


def path_rows(path: str, width: int) -> list[NoteRow]:
    """A path that a file's header has no room for, in full; it is the agent's word, and marked as such."""
    shown = safe_text(path)
    if cell_width(shown) <= width - _BESIDE_A_PATH:
        return []
    pieces = wrap(shown, max(width - _INDENT, _SHORTEST))
    return [NoteRow(Voice.AGENT, piece, number == 0) for number, piece in enumerate(pieces)]


# ---------------------------------------------------------------- hunks


def hunk_notes(block: HunkBlock) -> Iterator[Note]:
    """Everything that stands between a hunk's header and its diff."""
    hunk = block.planned
    if hunk.hunk.why:
        yield Note(Voice.AGENT, hunk.hunk.why)
    if hunk.error and hunk.fit is not Fit.FITS:
        yield Note(Voice.PROBLEM if hunk.fit is Fit.FAILS else Voice.TOOL, hunk.error)
        yield from _places(hunk)
    yield from (Note(Voice.WARNING, warning) for warning in (*hunk.risks, *hunk.warnings))
    if block.warning:
        yield Note(Voice.WARNING, block.warning)
    yield from _relations(block)
    if hunk.match and hunk.match.approximate and hunk.match.differs:
        yield Note(Voice.TOOL, "differs: " + ", ".join(hunk.match.differs))
    yield from (Note(Voice.TOOL, note) for note in hunk.notes if note != f"{hunk.replacements} places")
    yield from _operation(block.file.plan, hunk)
    yield from _comment(block)


def _comment(block: HunkBlock) -> Iterator[Note]:
    comment = block.section.state.comments.get(block.index)
    if comment:
        yield Note(Voice.REVIEWER, comment)


def _places(hunk: PlannedHunk) -> Iterator[Note]:
    if hunk.candidates:
        places = ", ".join(f"{line_range(near.first, near.last)} ({near.score:.0%})" for near in hunk.candidates[:3])
        yield Note(Voice.TOOL, f"closest: {places}; m chooses a place by hand")


def _relations(block: HunkBlock) -> Iterator[Note]:
    hunk = block.planned
    if hunk.needs:
        yield Note(Voice.TOOL, f"needs {numbers(hunk.needs)}: it builds on what that changes")
    if hunk.conflicts:
        yield Note(Voice.WARNING, f"changes the same text as {numbers(hunk.conflicts)}: only one can be applied")


def _operation(file: FilePlan | None, hunk: PlannedHunk) -> Iterator[Note]:
    op = hunk.hunk.op
    size = file.before.size if file and file.before else 0
    if isinstance(op, Move):
        yield Note(Voice.TOOL, f"moves the file to {op.new_path}")
    elif isinstance(op, Copy):
        yield Note(Voice.TOOL, f"copies {op.source}")
    elif isinstance(op, SetMode):
        yield Note(Voice.TOOL, "makes the file executable" if op.executable else "makes the file not executable")
    elif isinstance(op, Delete):
        yield Note(Voice.TOOL, f"deletes the file ({size_in_words(size)})")
        if file and file.before and not file.text.text and size:
            yield Note(Voice.TOOL, f"binary, so its content is not shown; sha256 {file.before.sha256}")
    elif isinstance(op, Create | Write) and not op.content:
        yield Note(Voice.TOOL, "an empty file")


def numbers(hunks: Iterable[int]) -> str:
    """`hunk #2`, `hunks #2, #5`: how other hunks of a proposal are named."""
    listed = [f"#{index}" for index in hunks]
    return ("hunk " if len(listed) == 1 else "hunks ") + ", ".join(listed)


# ---------------------------------------------------------------- proposals


def news_notes(section: Section) -> Iterator[Note]:
    """What became of a proposal since it was shown first."""
    if section.source_gone:
        yield Note(Voice.WARNING, "its file was taken away: this is the copy that you began to decide about")
    if section.revision is not None:
        yield Note(Voice.WARNING, f"{revised(section.revision)}: i shows what changed")


def revised(revision: Revision) -> str:
    """`revision 2: 1 hunk changed, 2 new, 1 dropped, 3 as they were`."""
    kinds = Counter(revision.hunks.values())
    counted = {
        "changed": kinds[Change.CHANGED],
        "new": kinds[Change.NEW],
        "dropped": len(revision.dropped),
        "as before": kinds[Change.SAME],
    }
    words = ", ".join(f"{count} {word}" for word, count in counted.items() if count)
    return f"revision {revision.number}: {words}"


def proposal_notes(proposal: Proposal | None, error: str | None, state: ReviewState) -> Iterator[Note]:
    """What stands under a proposal's name."""
    if error:
        yield Note(Voice.PROBLEM, f"cannot be read: {error}")
        yield Note(Voice.TOOL, "there is nothing to decide here; the agent is told, and may send it again")
    if proposal is None:
        return
    for text in (proposal.title, proposal.description):
        if text:
            yield Note(Voice.AGENT, text)
    yield from (Note(Voice.TOOL, note) for note in proposal.notes)
    if state.feedback:
        yield Note(Voice.REVIEWER, state.feedback)
