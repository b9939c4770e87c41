"""The one widget that draws rows: virtual, so that ten thousand of them cost what the visible ones cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.screens.rows import Line, Row, Tone, lines_of

_SCROLLBAR = 1
"""Its column is left free also where there is nothing to scroll, so that lines never depend on it."""


class RowsView(ScrollView, can_focus=False):
    """Rows, scrolled. Where rows have targets, one of them is under the cursor."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"rows--{tone}" for tone in Tone} | {"rows--cursor"}
    DEFAULT_CSS = """
    RowsView {
        height: auto; overflow-x: hidden; scrollbar-size-vertical: 1;
        & .rows--strong { text-style: bold; }
        & .rows--dim { color: $text-muted; }
        & .rows--good { color: $text-success; }
        & .rows--bad { color: $text-error; }
        & .rows--warn { color: $text-warning; }
        & .rows--path { text-style: bold; color: $text-primary; }
        & .rows--key { text-style: bold; color: $text-accent; }
        & .rows--agent { color: $text-secondary; text-style: italic; }
        & .rows--person { color: $text-accent; }
        & .rows--cursor { background: $block-cursor-blurred-background; text-style: bold; }
    }
    """

    reserve = 9
    """Rows of the screen that are left to the frame, the title and the choices."""
    cursor: reactive[int | None] = reactive[int | None](None, init=False)
    """The chosen target."""

    @dataclass
    class Clicked(Message):
        """A row with a target was clicked; `times` is 2 for a double click."""

        target: int
        times: int

    def __init__(self, rows: Sequence[Row] = (), *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: Sequence[Row] = ()
        self._targets: list[int] = []
        self._lines: list[tuple[Line, int | None]] = []
        self._width = 0
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows, from the top; the first target is under the cursor."""
        self._rows = rows
        self._targets = list(dict.fromkeys(shown.target for shown in rows if shown.target is not None))
        self._width = 0
        self.set_reactive(RowsView.cursor, self._targets[0] if self._targets else None)
        if self.is_mounted:
            self._wrap(self.size.width - _SCROLLBAR)
            self.scroll_home(animate=False)
            self.refresh(layout=True)

    def move(self, step: int) -> None:
        """Take the cursor `step` targets on; scroll where there are no more."""
        at = -1 if self.cursor is None else self._targets.index(self.cursor) + step
        if 0 <= at < len(self._targets):
            self.cursor = self._targets[at]
        else:
            self.scroll_relative(y=step, animate=False)

    # ---------------------------------------------------------------- drawing

    def watch_cursor(self) -> None:
        self._show_cursor()
        self.refresh()

    def _show_cursor(self) -> None:
        ours = [y for y, (_, target) in enumerate(self._lines) if target == self.cursor]
        height = self.scrollable_content_region.height
        if self.cursor is None or not ours or height <= 0:
            return
        top = self.scroll_offset.y
        if ours[0] < top or len(ours) > height:
            self.scroll_to(y=ours[0], animate=False)
        elif ours[-1] >= top + height:
            self.scroll_to(y=ours[-1] - height + 1, animate=False)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        self._wrap(width - _SCROLLBAR)
        return min(len(self._lines), max(viewport.height - self.reserve, 1))

    def on_resize(self, event: Resize) -> None:
        self._wrap(self.size.width - _SCROLLBAR)

    def _wrap(self, width: int) -> None:
        if width == self._width or width <= 0:
            return
        self._width = width
        room = width - 2 if self._targets else width  # beside the pointer
        self._lines = [(line, shown.target) for shown in self._rows for line in lines_of(shown, room)]
        self.virtual_size = Size(width, len(self._lines))

    def render_line(self, y: int) -> Strip:
        at = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if at >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        line, target = self._lines[at]
        chosen = target is not None and target == self.cursor
        pointer = "▸ " if chosen and (at == 0 or self._lines[at - 1][1] != target) else "  "
        spans = ((pointer, Tone.KEY), *line) if self._targets else line
        strip = Strip(Segment(text, self.get_component_rich_style(f"rows--{tone}")) for text, tone in spans)
        strip = strip.crop_extend(0, width, self.rich_style)
        return strip.apply_style(self.get_component_rich_style("rows--cursor", partial=True)) if chosen else strip

    def on_click(self, event: Click) -> None:
        at = self.scroll_offset.y + event.y
        target = self._lines[at][1] if 0 <= at < len(self._lines) else None
        if target is not None:
            self.cursor = target
            self.post_message(self.Clicked(target, event.chain))
