"""A hunk that does not fit: the places that come closest, for the person to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.widget import Widget

from engine.matching.answer import Candidate
from engine.text import split_lines
from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Row, Tone, row
from tui.screens.rows_view import RowsView

_MOST_LINES = 8


def place_rows(candidates: Sequence[Candidate], excerpts: Sequence[str]) -> list[Row]:
    """For each place its lines, how alike they are, what differs, and how they read."""
    rows: list[Row] = []
    for at, (candidate, excerpt) in enumerate(zip(candidates, excerpts, strict=True)):
        differs = f"  {candidate.differs}" if candidate.differs else ""
        head = (f"{lines_label(candidate.first, candidate.last)}  {candidate.score:.0%} alike", Tone.STRONG)
        rows.append(row(head, (differs, Tone.WARN), target=at))
        rows += _excerpt_rows(candidate, excerpt, at)
        rows.append(row())
    return rows[:-1] or [row(("No place resembles it.", Tone.DIM))]


def lines_label(first: int, last: int) -> str:
    return f"line {first}" if first >= last else f"lines {first}-{last}"


def _excerpt_rows(candidate: Candidate, excerpt: str, target: int) -> list[Row]:
    lines = split_lines(excerpt)[0]
    width = len(str(candidate.first + len(lines)))
    rows = [
        Row(((line, Tone.CODE),), (f"  {candidate.first + n:>{width}} │ ", Tone.DIM), target=target)
        for n, line in enumerate(lines[:_MOST_LINES])
    ]
    if len(lines) > _MOST_LINES:
        rows.append(row((f"… {len(lines) - _MOST_LINES} more lines", Tone.DIM), indent=2, target=target))
    return rows


class PlaceByHand(Dialog[tuple[int, int]]):
    """`enter` puts the hunk at the marked place: the answer is its first and last line."""

    def __init__(self, label: str, candidates: Sequence[Candidate], excerpts: Sequence[str]) -> None:
        super().__init__(f"Put {label} at the marked place")
        self._candidates = candidates
        self._excerpts = excerpts

    def body(self) -> Iterable[Widget]:
        yield RowsView(place_rows(self._candidates, self._excerpts))

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Put it here", "accept", primary=True)
        yield Choice("esc", "Back", "go_back")
        yield Choice("j/k", "Other places", "move(1)")

    def answer_on_enter(self) -> tuple[int, int] | None:
        chosen = self.query_one(RowsView).cursor
        if chosen is None:
            return None
        return self._candidates[chosen].first, self._candidates[chosen].last

    def on_rows_view_clicked(self, event: RowsView.Clicked) -> None:
        if event.times > 1:
            self.action_accept()
