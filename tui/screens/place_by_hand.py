"""A hunk that does not fit: the places that come closest, for the person to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.widget import Widget

from engine.matching.answer import Candidate
from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Row, Tone, row
from tui.screens.rows_view import RowsView
from tui.view_model.marks import line_range

_MOST_LINES = 8
_LONGEST_LINE = 200
_AROUND = 2
"""Lines above and below a place: two places may read the same, and only what stands around them tells them apart."""


def place_rows(candidates: Sequence[Candidate], lines: Sequence[str], wanted: str = "") -> list[Row]:
    """For each place its lines, how alike they are, what differs, and how the file reads there.

    Of a very long line only what stands around the `wanted` text is shown.
    """
    rows: list[Row] = []
    for at, candidate in enumerate(candidates):
        differs = f"  {candidate.differs}" if candidate.differs else ""
        head = (f"{line_range(candidate.first, candidate.last)}  {candidate.score:.0%} alike", Tone.STRONG)
        rows += [row(head, (differs, Tone.WARN), target=at), *_excerpt(candidate, lines, at, wanted), row()]
    return rows[:-1] or [row(("No place resembles it.", Tone.DIM))]


def _excerpt(candidate: Candidate, lines: Sequence[str], target: int, wanted: str) -> Iterator[Row]:
    first, last = max(candidate.first - _AROUND, 1), min(candidate.last + _AROUND, len(lines))
    width = len(str(last))
    left_out = candidate.last - candidate.first + 1 - _MOST_LINES
    for number in range(first, last + 1):
        beyond = number - candidate.first - _MOST_LINES
        if 0 <= beyond < left_out:
            if beyond == 0:
                yield row((f"… {left_out} more line{'s' if left_out > 1 else ''}", Tone.DIM), indent=2, target=target)
            continue
        tone = Tone.CODE if candidate.first <= number <= candidate.last else Tone.DIM
        shown = _around(lines[number - 1], wanted)
        yield Row(((shown, tone),), (f"  {number:>{width}} │ ", Tone.DIM), target=target)


def _around(line: str, wanted: str) -> str:
    """The part of a long line that matters."""
    if len(line) <= _LONGEST_LINE:
        return line
    at = max(line.find(wanted), 0) if wanted else 0
    start = max(at - _LONGEST_LINE // 4, 0)
    end = min(start + _LONGEST_LINE, len(line))
    return f"{'… ' if start else ''}{line[start:end]}{' …' if end < len(line) else ''}"


class PlaceByHand(Dialog[tuple[int, int]]):
    """`enter` puts the hunk at the marked place: the answer is its first and last line."""

    def __init__(self, label: str, candidates: Sequence[Candidate], lines: Sequence[str], wanted: str = "") -> None:
        """`lines` are all lines of the file, `wanted` is the text that was looked for."""
        super().__init__(f"Put {label} at the marked place")
        self._candidates = candidates
        self._lines = lines
        self._wanted = wanted

    def body(self) -> Iterator[Widget]:
        yield RowsView(place_rows(self._candidates, self._lines, self._wanted))

    def choices(self) -> Iterator[Choice]:
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
