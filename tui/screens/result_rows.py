"""A verdict hunk by hunk, in words: what became of each, why, and where it might have gone. No terminal in here."""

from __future__ import annotations

from collections.abc import Iterator

from engine.matching.answer import Candidate
from engine.result import HunkResult, Result
from engine.settle import Status
from tui.screens.apply_rows import count
from tui.screens.rows import Row, Tone, block, row
from tui.view_model.marks import line_range

MARKS = {
    Status.APPLIED: ("✓", Tone.GOOD),
    Status.FAILED: ("✗", Tone.BAD),
    Status.PENDING: ("?", Tone.WARN),
    Status.REJECTED: ("–", Tone.PERSON),
    Status.SKIPPED: ("=", Tone.DIM),
}
_WORST_FIRST = (Status.FAILED, Status.PENDING, Status.REJECTED, Status.SKIPPED, Status.APPLIED)


def result_title(result: Result) -> str:
    """What `enter` does, and the figures."""
    figures = ", ".join(f"{len(indexes)} {status.value}" for status in Status if (indexes := result.indexes(status)))
    if result.unreadable:
        return "Close: the proposal could not be read"
    if result.failures_open:
        return f"Send the verdict as it is: {figures}"
    return f"Done: {figures or 'nothing to do'}"


def result_rows(result: Result) -> list[Row]:
    """The summary, then the hunks, those that need attention first. A failure that is still open can be chosen."""
    rows = list(_summary(result))
    for status in _WORST_FIRST:
        for hunk in result.hunks:
            if hunk.status is status:
                rows += _hunk_rows(hunk, choosable=result.failures_open)
    for note in result.notes:
        rows.append(row(("note: ", Tone.DIM), (note, Tone.DIM)))
    return rows


def _summary(result: Result) -> Iterator[Row]:
    if result.unreadable:
        yield from block(result.unreadable, Tone.BAD)
        return
    changed = sum(file.changed for file in result.files)
    figures = result.summary
    places = count(figures["total_replacements"], "place")
    if result.dry_run:
        yield row((f"Dry run, nothing was written: {places} in {count(changed, 'file')} would change", Tone.STRONG))
    elif result.indexes(Status.APPLIED):
        yield row((f"{places} changed in {changed} of {count(figures['total_files'], 'file')}", Tone.STRONG))
    else:
        restored = " What had been written was restored." if result.rollback_performed else ""
        yield row((f"No file was changed.{restored}", Tone.STRONG))
    yield row()


def _hunk_rows(hunk: HunkResult, *, choosable: bool) -> Iterator[Row]:
    mark, tone = MARKS[hunk.status]
    failed = hunk.status is Status.FAILED
    target = hunk.index if failed and choosable else None
    said, _, more = (hunk.error or "").partition("\n")
    reason = f": {said}" if said and hunk.status is not Status.APPLIED else _how(hunk)
    head = ((f"{mark} {hunk.status.value:<8} ", tone), (hunk.file_path, Tone.PATH))
    yield row(*head, f"  hunk {hunk.index}", reason, hang=11, target=target)
    if more:
        yield from block(more, Tone.CODE, indent=6, target=target)
    for candidate in hunk.candidates if failed else ():
        yield row((f"near: {_near(candidate)}", Tone.DIM), indent=6, target=target)
    if hunk.comment:
        yield from block(hunk.comment, Tone.PERSON, indent=6, target=target)


def _how(hunk: HunkResult) -> str:
    edited = ", as you changed it" if hunk.edited_by_reviewer else ""
    several = f", {hunk.replacements} places" if hunk.replacements > 1 else ""
    return several + edited


def _near(candidate: Candidate) -> str:
    differs = f", {candidate.differs}" if candidate.differs else ""
    return f"{line_range(candidate.first, candidate.last)}, {candidate.score:.0%} alike{differs}"
