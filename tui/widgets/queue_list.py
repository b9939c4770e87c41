"""The queue beside the stream: proposals and files. A click leads there; the keys stay with the stream."""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.look import Look, style
from tui.view_model.blocks import FileBlock, Section
from tui.view_model.queue_rows import QueueRow, QueueRows, row_words


class QueueList(ScrollView, can_focus=False):
    """Paints the rows of the queue."""

    DEFAULT_CSS = """
    QueueList {
        width: 32; height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1;
        border-right: vkey $panel;
    }
    """
    ALLOW_SELECT = False

    class Chosen(Message):
        """A proposal or one of its files was clicked."""

        def __init__(self, section: Section, file: FileBlock | None) -> None:
            super().__init__()
            self.section = section
            self.file = file

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._sections: list[Section] = []
        self._current: FileBlock | None = None
        self._shown: Section | None = None
        """The proposal whose files are listed."""
        self._rows = QueueRows()

    def show(self, sections: list[Section], current: FileBlock | None) -> None:
        """What the queue holds, and which file the cursor is in."""
        same = sections is self._sections and current is not None and current.section is self._shown
        left, self._sections, self._current = self._current, sections, current
        if not (self.display and self.size.width):
            self._shown = None
        elif same:
            self.repaint(left, current)
            self._scroll_to_current()
        else:
            self._rebuild()

    def repaint(self, *files: FileBlock | None) -> None:
        """Other marks for some files: only their lines, and those of their proposals, are painted again."""
        for file in files:
            for what in (file, file.section) if file else ():
                line = self._rows.line_of(what)
                if line is not None:
                    self.refresh_line(line)

    def _rebuild(self) -> None:
        self._shown = self._current.section if self._current else None
        width = self.scrollable_content_region.width
        self._rows = QueueRows(self._sections, self._shown, width)
        self.virtual_size = Size(width, len(self._rows))
        self._scroll_to_current()
        self.refresh()

    def _scroll_to_current(self) -> None:
        here = self._rows.line_of(self._current) if self._current else None
        if here is not None and not 0 <= here - round(self.scroll_y) < self.size.height:
            self.scroll_to(y=max(here - self.size.height // 2, 0), animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        at, width = y + round(self.scroll_y), self.scrollable_content_region.width
        if at >= len(self._rows):
            return Strip([Segment(" " * width, style(None, self.look.background))], width)
        row = self._rows[at]
        current = row.file is self._current if row.file else row.section is self._shown
        back = self.look.cursor_line if current else self.look.background
        text, mark = row_words(row, width)
        if row.about:
            said = [Segment(text, style(self.look.agent, back, italic=True)), Segment(mark, style(self.look.dim, back))]
            return Strip(said).adjust_cell_length(width, style(None, back))
        segments = [Segment(text, style(self.look.foreground, back, bold=row.file is None))]
        return Strip([*segments, *self._marks(row, mark, back)]).adjust_cell_length(width, style(None, back))

    def _marks(self, row: QueueRow, marks: str, back: str) -> list[Segment]:
        colours = {
            "✓": self.look.added,
            "✎": self.look.added,
            "◐": self.look.added,
            "✗": self.look.removed,
            "!": self.look.problem,
            "error": self.look.problem,
        }
        if marks in colours or row.file is None:
            return [Segment(marks, style(colours.get(marks, self.look.dim), back))]
        return [Segment(mark, style(colours.get(mark, self.look.dim), back)) for mark in marks]

    def on_resize(self, event: events.Resize) -> None:
        self._rebuild()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        at = event.y + round(self.scroll_y)
        if at < len(self._rows):
            self.post_message(self.Chosen(self._rows[at].section, self._rows[at].file))
