"""How large a hunk is: the lines that it removes and adds, as its diff shows them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.diffs import line_changes, with_endings
from engine.model import Delete, LineEdit, TextEdit
from engine.pieces import Anchored
from engine.planning.data import FilePlan, Fit, PlannedHunk
from engine.text import FileText, Splice, splice


def changed_lines(file: FilePlan, hunk: PlannedHunk) -> int:
    """Removed and added lines together; where the hunk has no place of its own in the file, of its texts as sent."""
    if hunk.fit is Fit.FITS and isinstance(hunk.hunk.op, Delete):
        return file.text.line_count
    if hunk.cuts and all(cut.on_original for cut in hunk.cuts):
        return _of_cuts(file.text, hunk.cuts)
    return sum(len(with_endings(text)) for text in _as_sent(hunk))


def _of_cuts(text: FileText, cuts: Sequence[Anchored]) -> int:
    """Compares only the lines between the first and the last cut: a file is not read again for each of its hunks."""
    first = text.line_at(min(cut.start.offset for cut in cuts))
    start = text.starts[first] if text.line_count else 0
    last = max(cut.end.offset for cut in cuts)
    end = next((offset for offset in text.starts[text.line_at(last) + 1 :][:1]), len(text.text))
    block = text.text[start:end]
    after = splice(block, [Splice(cut.start.offset - start, cut.end.offset - start, cut.new) for cut in cuts])
    return sum(a2 - a1 + b2 - b1 for a1, a2, b1, b2 in line_changes(with_endings(block), with_endings(after)))


def _as_sent(hunk: PlannedHunk) -> tuple[str, str]:
    match hunk.hunk.op:
        case TextEdit(old, new):
            return old, new
        case LineEdit() as edit:
            return edit.expected or "", edit.new_content
        case Delete(expected):
            return expected or "", ""
    return "", getattr(hunk.hunk.op, "content", "") or getattr(hunk.hunk.op, "new_source", "")
