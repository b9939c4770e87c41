"""The status line: where we are, how far the review is, and what goes on."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from engine.safe_text import elide_middle, safe_text
from tui.view_model.cells import cell_width, cut
from tui.view_model.labels import Tally

_NAME = " hunkdeck "
_SHORTEST_ASIDE = 14
"""Cells below which a cut off remark says nothing any more."""


class TopLine(Widget):
    """The figures always; then what goes on, where we are, and a remark, as far as there is room."""

    DEFAULT_CSS = "TopLine { height: 1; background: $panel; color: $foreground; }"

    def __init__(self) -> None:
        super().__init__()
        self._where = self._progress = self._said = self._aside = ""

    def stand_in(self, where: str) -> None:
        """The workspace, and its branch."""
        self._where = safe_text(where)
        self.refresh()

    def show(self, proposals: int, counts: Tally, said: str, aside: str = "") -> None:
        """How much there is to review; at the right what goes on now, else a remark."""
        self._progress = f"{_many(proposals, 'proposal')} · {_many(counts.hunks, 'hunk')} · {counts}"
        self._said, self._aside = safe_text(said), safe_text(aside)
        self.refresh()

    def render(self) -> Content:
        left, right = arranged(self.size.width - len(_NAME), self._where, self._progress, self._said, self._aside)
        return Content.assemble((_NAME, "bold $accent"), left, (right, "$text-muted"))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1


def arranged(width: int, where: str, progress: str, said: str, aside: str) -> tuple[str, str]:
    """The left and the right part, together as wide as the line."""
    room = width - cell_width(progress) - 2
    said = cut(said, max(room - 2, 0))
    room -= cell_width(said) + 2 if said else 0
    where = elide_middle(where, room - 3, measure=cell_width) if room > 10 else ""
    left = f" {where}   {progress}" if where else f" {progress}"
    left = cut(left, width)
    free = width - cell_width(left) - 3
    right = said or (cut(aside, free) if free >= min(_SHORTEST_ASIDE, cell_width(aside)) else "")
    gap = width - cell_width(left) - cell_width(right) - 1
    return left, " " * max(gap, 0) + right


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
