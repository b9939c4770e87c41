"""Chained hunks: an agent that edits its own edit.

A hunk whose old text is not in the file, but in what the file becomes by the earlier hunks, depends on those whose
output it edits. It is located there exactly or not at all: an approximate match on text that does not exist yet would
be a guess about a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.matching import locate_all
from engine.matching.answer import Located
from engine.model import Code, TextEdit
from engine.pieces import ORIGINAL, Composed, compose
from engine.planning.data import Fit, Match, PlannedHunk
from engine.planning.overlaps import first_overlaps
from engine.text import FileText

_MAX_WORK = 50_000_000
"""Characters composed in search of chains; beyond it, a hunk that is not found stays not found."""


def link_chains(original: FileText, drafts: Sequence[PlannedHunk]) -> list[PlannedHunk]:
    """The drafts, with those that edit an earlier one's output turned into dependents of it."""
    linked: list[PlannedHunk] = []
    work = 0
    for draft in drafts:
        if _may_be_chained(draft, linked) and work < _MAX_WORK:
            work += len(original.text) + sum(len(cut.new) for hunk in linked for cut in hunk.cuts)
            draft = _chained(original, linked, draft) or draft
        linked.append(draft)
    return linked


def _may_be_chained(draft: PlannedHunk, earlier: Sequence[PlannedHunk]) -> bool:
    op = draft.hunk.op
    missing = draft.code in (Code.NOT_FOUND, Code.ALREADY_APPLIED)
    return missing and isinstance(op, TextEdit) and bool(op.old) and any(hunk.cuts for hunk in earlier)


def _chained(original: FileText, earlier: Sequence[PlannedHunk], draft: PlannedHunk) -> PlannedHunk | None:
    fitting = [hunk for hunk in earlier if hunk.fit is Fit.FITS]
    overlaps = first_overlaps(fitting)
    composed = compose(original.text, [(hunk.index, hunk.cuts) for hunk in fitting if hunk.index not in overlaps])
    virtual = FileText(composed.text, original.encoding, original.bom)
    op = draft.hunk.op
    assert isinstance(op, TextEdit)
    (answer,) = locate_all(virtual, [op])
    if not isinstance(answer, Located) or answer.approximate:
        return None
    needs = _touched(composed, virtual, answer)
    if not needs:
        return None
    return replace(
        draft,
        fit=Fit.FITS,
        code=None,
        error=None,
        match=Match.of(answer),
        cuts=tuple(composed.anchor(cut) for place in answer.places for cut in place.splices),
        replacements=len(answer.places),
        needs=tuple(sorted(needs)),
        candidates=(),
    )


def _touched(composed: Composed, virtual: FileText, answer: Located) -> set[int]:
    """The hunks whose output stands in the lines that were matched."""
    origins = set()
    for place in answer.places:
        origins |= composed.origins_in(virtual.starts[place.first - 1], virtual.starts[place.last])
    return {index for index, _ in origins - {ORIGINAL}}
