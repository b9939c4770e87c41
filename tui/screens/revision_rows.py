"""What a revision changed, hunk by hunk: the lines of both versions, and which of them are only in one. No terminal."""

from __future__ import annotations

from collections.abc import Iterator

from engine.diffs import line_changes
from engine.model import Delete, Move, SetMode
from engine.planning.data import PlannedHunk, ReviewPlan
from engine.queue.revision import Change, Revision
from tui.screens.rows import Row, Tone, row
from tui.view_model.body import lines_of

_MOST_LINES = 400
"""Of one hunk that are shown."""


def revision_rows(revision: Revision, now: ReviewPlan) -> list[Row]:
    """Changed hunks first, then new and dropped ones; those that are the same are only counted."""
    rows = [row(("< as it was   > as it is now", Tone.DIM)), row()]
    kinds = revision.hunks
    for hunk in now.hunks:
        if kinds.get(hunk.index) is Change.CHANGED:
            was = revision.before.hunks[revision.was[hunk.index]]
            rows += _section("changed", hunk, Tone.WARN, _lines(revision.before, was), _lines(now, hunk))
    for hunk in now.hunks:
        if kinds.get(hunk.index) is Change.NEW:
            rows += _section("new", hunk, Tone.GOOD, [], _lines(now, hunk))
    for index in revision.dropped:
        hunk = revision.before.hunks[index]
        rows += _section("dropped", hunk, Tone.BAD, _lines(revision.before, hunk), [])
    same = sum(kind is Change.SAME for kind in kinds.values())
    rows.append(row((f"{same} as before, with their decisions", Tone.DIM)))
    return rows


def _section(word: str, hunk: PlannedHunk, tone: Tone, old: list[str], new: list[str]) -> Iterator[Row]:
    yield row((f"{word}  ", tone), (hunk.path, Tone.PATH), f"  #{hunk.index}")
    shown = list(_difference(old, new))
    yield from shown[:_MOST_LINES]
    if len(shown) > _MOST_LINES:
        yield row((f"… +{len(shown) - _MOST_LINES} lines", Tone.DIM), indent=2)
    if old == new:
        yield row(("asks for the same; the text that it is shown against is another", Tone.DIM), indent=2)
    yield row()


def _difference(old: list[str], new: list[str]) -> Iterator[Row]:
    at = 0
    for change in line_changes(old, new):
        a1, a2, b1, b2 = change
        yield from (_line(" ", line, Tone.DIM) for line in old[at:a1])
        yield from (_line("<", line, Tone.BAD) for line in old[a1:a2])
        yield from (_line(">", line, Tone.GOOD) for line in new[b1:b2])
        at = a2
    yield from (_line(" ", line, Tone.DIM) for line in old[at:])


def _line(mark: str, text: str, tone: Tone) -> Row:
    return Row(((text, tone),), (f"  {mark} ", tone))


def _lines(plan: ReviewPlan, hunk: PlannedHunk) -> list[str]:
    """What a hunk removes and adds, with its marks; for what is not text, in words."""
    lines = lines_of(plan.file_of[hunk.index], hunk)
    found = [*_words(hunk)]
    for change in lines.changes:
        found += (f"- {line}" for line in lines.old[change.a1 : change.a2])
        found += (f"+ {line}" for line in lines.new[change.b1 : change.b2])
    return found


def _words(hunk: PlannedHunk) -> Iterator[str]:
    match hunk.hunk.op:
        case Move(new_path=path):
            yield f"moves the file to {path}"
        case Delete():
            yield "deletes the file"
        case SetMode(executable=executable):
            yield "makes the file executable" if executable else "makes the file not executable"
