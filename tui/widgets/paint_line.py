"""One line of a diff as segments: numbers, mark, code with syntax colours, changed words and what a search found."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

from tui.look import style
from tui.view_model.blocks import HunkBlock
from tui.view_model.body import Mark
from tui.view_model.cells import Shown, cell_width, fit, shown
from tui.view_model.rows import LineRow, Side
from tui.view_model.words import changed_words

if TYPE_CHECKING:
    from tui.widgets.paint import Focus, Painter
    from tui.widgets.syntax import Span

_NO_NEWLINE = " ⌿ no newline at the end"


class LinePainter:
    """Paints the lines of one hunk."""

    def __init__(self, painter: Painter, block: HunkBlock, focus: Focus) -> None:
        self._painter = painter
        self._look = painter.look
        self._block = block
        self._focus = focus

    def segments(self, row: LineRow) -> list[Segment]:
        bar = self._bar(row)
        return [bar, *(self._both(row) if self._painter.options.split else self._unified(row))]

    def _bar(self, row: LineRow) -> Segment:
        if self._block.is_split and row.change >= 0 and not self._focus.on_row:
            mark = self._block.part_marks()[row.change]
            return Segment(mark, self._painter.plain(self._look.warning, bold=True))
        return self._painter.bar(self._focus)

    # ------------------------------------------------------------ one column

    def _unified(self, row: LineRow) -> list[Segment]:
        side = row.new or row.old
        assert side is not None
        continued = row.part[0] > 0
        old = row.other_number if side.mark is Mark.SAME else (side.number if side.mark is Mark.REMOVED else None)
        new = side.number if side.mark is not Mark.REMOVED else None
        numbers = " " * 11 if continued else f"{old or '':>5} {new or '':>4} "
        head = [Segment(f"{numbers:>11}", self._numbers(side.mark)), self._mark(side, continued=continued)]
        room = self._painter.options.width - 1 - sum(cell_width(segment.text) for segment in head)
        return head + self._code(side, row.part, room)

    # ------------------------------------------------------------ two columns

    def _both(self, row: LineRow) -> list[Segment]:
        width = self._painter.options.width - 1
        half = width // 2
        divider = [Segment("│", self._painter.plain(self._look.dim))]
        return self._half(row.old, row, half) + divider + self._half(row.new, row, width - half - 1)

    def _half(self, side: Side | None, row: LineRow, width: int) -> list[Segment]:
        if side is None:
            return [Segment(" " * width, style(None, self._look.panel))]
        continued = row.part[0] > 0
        number = "" if continued else str(side.number or "")
        head = [Segment(f"{number:>5} ", self._numbers(side.mark)), self._mark(side, continued=continued)]
        return head + self._code(side, row.part, width - sum(cell_width(segment.text) for segment in head))

    # ------------------------------------------------------------ pieces

    def _numbers(self, mark: Mark) -> Style:
        return style(self._look.dim, self._back(mark))

    def _mark(self, side: Side, *, continued: bool) -> Segment:
        colour = {Mark.ADDED: self._look.added, Mark.REMOVED: self._look.removed}.get(side.mark, self._look.dim)
        return Segment(f"{'↪' if continued else side.mark.value} ", style(colour, self._back(side.mark), bold=True))

    def _back(self, mark: Mark) -> str:
        if self._focus.selected:
            return self._look.cursor_line
        return {Mark.ADDED: self._look.added_back, Mark.REMOVED: self._look.removed_back}.get(
            mark, self._look.cursor_line if self._focus.on_row else self._look.background
        )

    def _code(self, side: Side, part: tuple[int, int], room: int) -> list[Segment]:
        line = shown(side.text)
        text = line.text
        spans = [*self._syntax(side), *self._words(side, text), *self._tabs(line), *self._trailing(side, text)]
        spans += self._found(text)
        tail = line.rest + (_NO_NEWLINE if side.open else "")
        if tail:
            spans.append((len(text), len(text) + len(tail), style(self._look.dim)))
            text += tail
        start, end = part if part[1] >= 0 else (self._painter.left, len(text))
        return self._cells(_with_tabs(text, line.tabs), spans, start, end, room, self._base(side.mark))

    def _base(self, mark: Mark) -> Style:
        return style(self._look.foreground, self._back(mark))

    def _syntax(self, side: Side) -> list[Span]:
        new = side.mark is Mark.ADDED
        return self._painter.highlights.spans(self._block.face, side.at, new=new)

    def _words(self, side: Side, text: str) -> list[Span]:
        if side.partner is None or self._block.section.provisional:
            return []
        other = shown(side.partner).text
        if side.mark is Mark.REMOVED:
            return [(a, b, style(None, self._look.removed_word)) for a, b in changed_words(text, other)[0]]
        return [(a, b, style(None, self._look.added_word)) for a, b in changed_words(other, text)[1]]

    def _tabs(self, line: Shown) -> list[Span]:
        return [(at, at + 1, style(self._look.dim)) for at in line.tabs]

    def _trailing(self, side: Side, text: str) -> list[Span]:
        """White space at the end of a changed line is there to be seen."""
        bare = len(text.rstrip())
        if side.mark is Mark.SAME or bare == len(text):
            return []
        back = self._look.added_word if side.mark is Mark.ADDED else self._look.removed_word
        return [(bare, len(text), style(None, back))]

    def _found(self, text: str) -> list[Span]:
        find = self._painter.find
        return [(a, b, style(None, self._look.found)) for a, b in find(text)] if find else []

    def _cells(self, text: str, spans: list[Span], start: int, end: int, room: int, base: Style) -> list[Segment]:
        """The characters from `start` to `end` in exactly `room` cells, with an arrow where more follows."""
        visible = text[start:end]
        more = cell_width(visible) > room
        if more:
            end = start + fit(visible, room - 1)
        segments = _styled(text, spans, start, end, base)
        used = cell_width(text[start:end])
        filler = " " * (room - used - (1 if more else 0))
        if more:
            return [*segments, Segment(f"{filler}→", base + style(self._look.warning, bold=True))]
        return [*segments, Segment(filler, base)]


def _with_tabs(text: str, tabs: tuple[int, ...]) -> str:
    if not tabs:
        return text
    characters = list(text)
    for at in tabs:
        characters[at] = "→"
    return "".join(characters)


def _styled(text: str, spans: list[Span], start: int, end: int, base: Style) -> list[Segment]:
    """The text cut where a style begins or ends; later spans lie over earlier ones."""
    inside = [(max(a, start), min(b, end), look) for a, b, look in spans if a < end and b > start]
    if not inside:
        return [Segment(text[start:end], base)]
    edges = sorted({start, end, *(a for a, _, _ in inside), *(b for _, b, _ in inside)})
    segments = []
    for first, last in pairwise(edges):
        look = base
        for a, b, over in inside:
            if a <= first and last <= b:
                look = look + over
        segments.append(Segment(text[first:last], look))
    return segments
