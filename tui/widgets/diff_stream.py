"""The stream of diffs: one scroll view over a flat index of rows. No widget per hunk, no strip that is not in sight.

It paints what the `Stream` says and posts what the mouse did; the app owns the state and tells it what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from tui.look import Look, style
from tui.view_model.blocks import Block, HunkBlock, Section
from tui.view_model.stream import Cursor, Stream
from tui.widgets import languages
from tui.widgets.paint import Focus, Painter
from tui.widgets.syntax import Highlights

_MOST_STRIPS = 256
"""Lines that are kept as they were painted: some screens of them."""
_IDLE = 0.03
_SLICE = 0.004
_BREATH = 0.002
"""Seconds between two slices."""
_MARGIN = 3
_EIGHTHS = 8
"""Of a cell: as finely as the scroll bar's thumb is drawn."""


class DiffStream(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows the stream, the cursor and the selection."""

    DEFAULT_CSS = """
    DiffStream { width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """
    ALLOW_SELECT = False
    ALLOW_MAXIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "app.next_open", id="next_open", show=False)]
    """The screen itself would take `tab` for the focus before the app is asked."""

    class Pressed(Message):
        """A button of this block was pressed."""

        def __init__(self, action: str, block: Block) -> None:
            super().__init__()
            self.action = action
            self.block = block

    class LineClicked(Message):
        """The row at this line of the stream was clicked."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    class Resized(Message):
        """There is another width for rows now."""

        def __init__(self, width: int) -> None:
            super().__init__()
            self.width = width

    def __init__(self, stream: Stream, look: Look) -> None:
        super().__init__()
        self.stream = stream
        self.selection: tuple[int, int] | None = None
        """First and last line of the stream that are selected."""
        self.painter = Painter(look, stream.options, Highlights())
        self._strips: dict[tuple[int, int, Focus], Strip] = {}
        self._idle: Timer | None = None
        self._drawn: Cursor | None = None
        """Where the cursor was painted last."""
        self._thumb: tuple[int, ...] = ()
        """How the scroll bar looks: its height, and its thumb's place and height in eighths of a cell."""

    @property
    def row_width(self) -> int:
        """Cells of a row: all but the scroll bar."""
        return self.scrollable_content_region.width

    # ------------------------------------------------------------ what the app tells

    def show(self, sections: Sequence[Section]) -> None:
        """Blocks come, go or move; nothing is painted as long as they do so below what is in sight."""
        cursor, line = self.stream.cursor, self.stream.cursor_line
        same = self.stream.show(sections)
        self._strips = {key: strip for key, strip in self._strips.items() if key[0] < same}
        if same and self.stream.cursor is cursor and self._is_below(same):
            self._fit_height()
            return
        self.painter.generation += 1
        self._stay(line if cursor else None)

    def _is_below(self, place: int) -> bool:
        blocks = self.stream.blocks
        line = self.stream.top_of(blocks[place]) if place < len(blocks) else self.stream.height
        return line >= round(self.scroll_y) + self.size.height

    def redraw(self, only: Iterable[Block] | None = None) -> None:
        """Something that rows are made of changed: of all rows, or of these blocks only."""
        self.painter.options = self.stream.options
        if only is None:
            self._strips.clear()
        else:
            self._forget({block.place for block in only})
        self._fit_height()
        self.refresh()
        self.colour_soon()

    def _fit_height(self) -> None:
        """Tell the scroll bar. It is always there, so that the screen need not be laid out anew for each decision."""
        size = Size(self.stream.options.width, self.stream.height)
        if size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            self.scroll_y = self.validate_scroll_y(self.scroll_y)
            self._move_thumb()

    def _move_thumb(self) -> None:
        """The scroll bar is expensive to paint, and in a long stream it mostly looks the same as before."""
        height, lines = self.size.height, max(self.stream.height, 1)
        thumb = height, *(_EIGHTHS * height * part // lines for part in (round(self.scroll_y), height))
        if thumb != self._thumb:
            self._thumb = thumb
            self._scroll_update(self.virtual_size)
            self.vertical_scrollbar.position = self.scroll_y

    def _forget(self, places: set[int]) -> bool:
        """Drop the strips of some blocks; whether there were any."""
        gone = [key for key in self._strips if key[0] in places]
        for key in gone:
            del self._strips[key]
        return bool(gone)

    def recolour(self, look: Look) -> None:
        self.painter.look = look
        self.painter.highlights.clear()
        self.redraw()

    def show_cursor(self, *, whole_hunk: bool = False) -> None:
        """Scroll as little as needed; after a jump, so that the hunk and its headers are in sight."""
        cursor = self.stream.cursor
        if cursor is None:
            return
        line, height, top = self.stream.cursor_line, self.size.height, round(self.scroll_y)
        first, last = max(line - _MARGIN, 0), line + _MARGIN
        if whole_hunk:
            first = min(first, self.stream.header_above(cursor.block))
            last = max(last, self.stream.top_of(cursor.block) + self.stream.height_of(cursor.block))
        if whole_hunk and (first < top or last >= top + height):
            top = max(first - 1, line - height + _MARGIN + 1)
        elif first < top:
            top = first
        elif last >= top + height:
            top = last - height + 1
        moved = top != round(self.scroll_y)
        self._scroll(top)
        drawn, self._drawn = self._drawn, cursor
        if moved or self.selection or drawn is None or drawn.block is not cursor.block:
            self.refresh()
        else:
            self.refresh_line(self.stream.top_of(cursor.block) + drawn.offset)
            self.refresh_line(line)

    def keep_in_place(self, change: Callable[[], None]) -> None:
        """Change the stream without moving what is under the cursor on the screen."""
        line = self.stream.cursor_line if self.stream.cursor else None
        change()
        self._stay(line)

    def _stay(self, line: int | None) -> None:
        """Paint anew, with the cursor (which was at `line` of the stream) where it was on the screen."""
        top = round(self.scroll_y)
        self.redraw()
        self._scroll(self.stream.cursor_line - line + top if line is not None and top else top)

    def scroll_page(self, direction: int) -> None:
        """A page on, the cursor with it."""
        step = direction * max(self.size.height - 2, 1)
        line = self.stream.cursor_line - round(self.scroll_y)
        target = round(self.scroll_y) + step
        self._scroll(target)
        self.stream.go_to_line(min(max(round(self.scroll_y) + line, 0), self.stream.height - 1))
        if target != round(self.scroll_y):  # at an end of the stream
            self.stream.move_lines(0) if self.stream.cursor else None
            self.stream.go_to_line(self.stream.height - 1 if direction > 0 else 0)
        self.show_cursor()

    def _scroll(self, top: int) -> None:
        self.scroll_to(y=max(0, min(top, self.stream.height - self.size.height)), animate=False, force=True)
        self.colour_soon()

    # ------------------------------------------------------------ painting

    def render_lines(self, crop: Region) -> list[Strip]:
        """What is in sight. There is no border and nothing else of the toolkit's own to paint around it."""
        top, width = round(self.scroll_y), self.row_width
        strips = [self._strip(line, width) for line in range(top + crop.y, top + crop.bottom)]
        return strips if (crop.x, crop.right) == (0, width) else [strip.crop(crop.x, crop.right) for strip in strips]

    def _strip(self, line: int, width: int) -> Strip:
        if line >= self.stream.height:
            return self._filtered(Strip([Segment(" " * width, style(None, self.painter.look.background))], width))
        block, offset = self.stream.at(line)
        focus = self._focus(block, offset, line)
        key = block.place, offset, focus
        strip = self._strips.get(key)
        if strip is None:
            while len(self._strips) >= _MOST_STRIPS:
                del self._strips[next(iter(self._strips))]
            segments = self.painter.paint(block, self.stream.row(block, offset), focus)
            strip = self._strips[key] = self._filtered(Strip(segments).adjust_cell_length(width))
        return strip

    def _filtered(self, strip: Strip) -> Strip:
        """What the toolkit does to all lines, with the guard at the end."""
        _, background = self.background_colors
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, background)
        return strip

    def _focus(self, block: Block, offset: int, line: int) -> Focus:
        cursor = self.stream.cursor
        if cursor is None or block is not cursor.block:
            return _ELSEWHERE
        selected = self.selection is not None and self.selection[0] <= line <= self.selection[1]
        return Focus(in_hunk=True, on_row=offset == cursor.offset, selected=selected)

    # ------------------------------------------------------------ colours in idle time

    def colour_soon(self, rest: float = _IDLE) -> None:
        """Syntax colours for what is in sight, when the keys rest."""
        if self._idle is None and self.is_mounted:
            self._idle = self.set_timer(rest, self._colour_slice)

    def _colour_slice(self) -> None:
        """A few milliseconds of it; a key that was pressed meanwhile comes first."""
        self._idle = None
        until = perf_counter() + _SLICE
        for _ in self._prepared():
            if perf_counter() > until:
                self.colour_soon(_BREATH)
                return

    def _prepared(self) -> Iterator[None]:
        """Colours and finished lines of what is in sight, then of where keys may lead; a step at a time."""
        height, width = self.size.height, self.row_width
        if not self.stream.blocks or not height:
            return
        for start in self._where_keys_lead(round(self.scroll_y), height):
            for block in self.stream.around(start, height):
                self._colour(block)
                yield
            for line in range(start, min(start + height, self.stream.height)):
                self._strip(line, width)
                yield

    def _where_keys_lead(self, top: int, height: int) -> Iterator[int]:
        """The first lines of the screens that may be wanted next."""
        yield from (top, min(top + height, self._last_top), max(top - height, 0))
        following = self.stream.next_file()
        if following is not None:
            yield min(self.stream.header_above(following), self._last_top)

    @property
    def _last_top(self) -> int:
        return max(self.stream.height - self.size.height, 0)

    def _colour(self, block: Block) -> None:
        highlights = self.painter.highlights
        if not isinstance(block, HunkBlock) or block.folded or highlights.has(block.face):
            return
        if not languages.is_loaded(block.file.path):
            return
        lines = self.stream.lines_of(block)
        highlights.colour(block.face, block.file.path, lines, self.stream.options.context, self.painter.look)
        if self._forget({block.place}):
            self.refresh()

    # ------------------------------------------------------------ mouse and size

    def on_resize(self, event: events.Resize) -> None:
        self.post_message(self.Resized(self.row_width))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        press = event.style.meta.get("press")
        if press:
            self._pressed(*press)
        else:
            self.post_message(self.LineClicked(event.y + round(self.scroll_y)))

    def _pressed(self, action: str, generation: int, place: int) -> None:
        """A press on a picture that has changed since does nothing."""
        if generation == self.painter.generation:
            self.post_message(self.Pressed(action, self.stream.blocks[place]))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        if round(old_value) != round(new_value):
            self._move_thumb()
            self.refresh()
            self.colour_soon()


_ELSEWHERE = Focus()
