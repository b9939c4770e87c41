"""The whole file as it would be, with all touched regions marked."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tui.preview_rows import PreviewRow, RowKind, touched_regions
from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import shown_text
from tui.view_model.cells import cell_width

Rows = Sequence[PreviewRow] | Callable[[], Sequence[PreviewRow]]
_SIDESTEP = 8
_NO_STRIKE = Style(strike=False)
_SIGNS = {RowKind.SAME: " ", RowKind.ADDED: "+", RowKind.GONE: "-"}


class PreviewView(ScrollView, can_focus=False):
    """The rows; only those that are visible are ever drawn."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"preview--number", "preview--more"} | {
        f"preview--{kind.value}" for kind in RowKind
    }
    DEFAULT_CSS = """
    PreviewView {
        height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
        & .preview--number { color: $text-muted; }
        & .preview--more { color: $text-warning; text-style: bold; }
        & .preview--added { color: $text-success; background: $success-muted; }
        & .preview--gone { color: $text-error; text-style: strike; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[PreviewRow] = ()
        self.left = 0
        """Columns scrolled away on the left."""

    def set_rows(self, rows: Sequence[PreviewRow]) -> None:
        self.rows = rows
        self.virtual_size = Size(self.size.width, len(rows))
        self.refresh()

    def shift(self, columns: int) -> None:
        self.left = max(self.left + columns, 0)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        at = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if at >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        shown = self.rows[at]
        digits = len(str(len(self.rows)))
        number = f"{shown.number or '':>{digits}} {_SIGNS[shown.kind]} "
        head = Strip([Segment(number, self.get_component_rich_style("preview--number"))])
        return Strip.join([head, self._text(shown, max(width - len(number), 1))])

    def _text(self, shown: PreviewRow, width: int) -> Strip:
        style = self.get_component_rich_style(f"preview--{shown.kind.value}")
        text = shown_text(shown.text)
        body = text.lstrip(" ")
        indent = text[: len(text) - len(body)]  # not struck through
        strip = Strip([Segment(indent, style + _NO_STRIKE), Segment(body, style)])
        strip = strip.crop_extend(self.left, self.left + width, self.rich_style)
        if cell_width(text) > self.left + width:
            more = Segment("→", self.get_component_rich_style("preview--more"))
            strip = Strip.join([strip.crop(0, width - 1), Strip([more])])
        return strip


class Preview(Dialog[None]):
    """Read and close. Rows that take long to make are given as a function: it runs while the dialog is open already."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "region(1)", "Next change"),
        Binding("N", "region(-1)", "Change before"),
        Binding("g,home", "end(0)", "Top", show=False),
        Binding("G,end", "end(1)", "Bottom", show=False),
        Binding("left,h", "shift(-1)", "Left", show=False),
        Binding("right,l", "shift(1)", "Right", show=False),
        Binding("p,q", "accept", "Close", show=False),
    ]
    DEFAULT_CSS = """
    Preview > .dialog--frame { width: 98%; max-width: 100%; height: 98%; }
    Preview .dialog--title { margin-bottom: 0; }
    Preview #where { height: 1; color: $text-muted; }
    """

    def __init__(self, title: str, rows: Rows) -> None:
        super().__init__(title)
        self._source = rows
        self._regions: list[int] = []
        self._region = -1
        self._jumped_to = 0

    def body(self) -> Iterable[Widget]:
        yield Static("reading …", id="where")
        yield PreviewView()

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Close", "accept", primary=True)
        yield Choice("n", "Next change", "region(1)")
        yield Choice("N", "Change before", "region(-1)")

    def on_mount(self) -> None:
        self.run_worker(self._fill(), exclusive=True)

    async def _fill(self) -> None:
        rows, self._regions = await asyncio.to_thread(_rows_and_regions, self._source)
        self.view.set_rows(rows)
        self.call_after_refresh(self.action_region, 1)

    @property
    def view(self) -> PreviewView:
        return self.query_one(PreviewView)

    # ---------------------------------------------------------------- keys

    def action_region(self, step: int) -> None:
        if not self._regions:
            self._say("nothing is changed")
            return
        here = self._here()
        after = bisect_right(self._regions, here) if step > 0 else bisect_left(self._regions, here) - 1
        at = after % len(self._regions)
        self._region = self._regions[at]
        self.view.scroll_to(y=max(self._region - self.view.size.height // 4, 0), animate=False)
        self._jumped_to = self.view.scroll_offset.y
        self._say(f"change {at + 1} of {len(self._regions)}")

    def _here(self) -> int:
        """The region jumped to, as long as nobody scrolled away from it; else the top row."""
        return self._region if self.view.scroll_offset.y == self._jumped_to else self.view.scroll_offset.y

    def _say(self, words: str) -> None:
        self.query_one("#where", Static).update(Content(f"{words} · {len(self.view.rows):,} rows"))

    def action_move(self, step: int) -> None:
        self.view.scroll_relative(y=step, animate=False)

    def action_page(self, step: int) -> None:
        self.view.scroll_relative(y=step * max(self.view.size.height - 2, 1), animate=False)

    def action_end(self, bottom: int) -> None:
        self.view.scroll_to(y=len(self.view.rows) if bottom else 0, animate=False)

    def action_shift(self, step: int) -> None:
        self.view.shift(step * _SIDESTEP)

    def action_accept(self) -> None:
        self.dismiss(None)


def _rows_and_regions(source: Rows) -> tuple[Sequence[PreviewRow], list[int]]:
    rows = source() if callable(source) else source
    return rows, touched_regions(rows)
