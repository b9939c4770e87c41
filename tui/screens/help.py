"""All keys, from the one table that also makes the bindings. A click on one does what the key does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, zip_longest
from textwrap import wrap
from typing import NamedTuple

from textual.events import Click, Resize
from textual.message import Message
from textual.widget import Widget

from tui.keymap import APPLY, DECIDE, LOOK, MOVE, REFINE, Key, shown_key
from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Line, Row, Tone, row
from tui.screens.rows_view import RowsView
from tui.view_model.cells import cell_width

_COLUMN = 33
_GAP = 2
_MOST_FOR_NAMES = 13
_ORDER = (DECIDE, MOVE, APPLY, REFINE, LOOK)
"""What a newcomer looks for stands at the top of a column."""


class Cell(NamedTuple):
    """One line of a column, and the action that it tells about."""

    line: Line = ()
    action: str | None = None


class Page(NamedTuple):
    """The keys in columns that are all equally wide."""

    rows: list[tuple[Cell, ...]]
    room: int

    def shown(self) -> list[Row]:
        return [_side_by_side(cells, self.room) for cells in self.rows]

    def action_at(self, column: int, at: int) -> str | None:
        """What stands at a cell of the page."""
        cells = self.rows[at] if 0 <= at < len(self.rows) else ()
        number = column // (self.room + _GAP)
        return cells[number].action if number < len(cells) else None


def help_page(keys: Sequence[Key], width: int) -> Page:
    """The keys by group, in as many columns as fit; an action without a key is left out."""
    groups: dict[str, list[Key]] = {name: [] for name in _ORDER if any(key.group == name and key.keys for key in keys)}
    for key in keys:
        if key.keys:
            groups.setdefault(key.group, []).append(key)
    count = min(max((width + _GAP) // (_COLUMN + _GAP), 1), len(groups))
    room = (width + _GAP) // max(count, 1) - _GAP
    columns = _columns([_group_cells(name, ours, room) for name, ours in groups.items()], count)
    return Page(list(zip_longest(*columns, fillvalue=Cell())), room)


def _group_cells(name: str, keys: Sequence[Key], room: int) -> list[Cell]:
    """A heading, the keys with what they do, an empty line."""
    names = [wrap(" ".join(map(shown_key, key.keys)), _MOST_FOR_NAMES) for key in keys]
    widest = max(len(part) for parts in names for part in parts)
    cells = [Cell(((name, Tone.STRONG),))]
    for key, parts in zip(keys, names, strict=True):
        words = wrap(key.help, max(room - widest - 2, 8))
        for left, right in zip_longest(parts, words, fillvalue=""):
            cells.append(Cell(((left.ljust(widest + 2), Tone.KEY), (right, Tone.PLAIN)), key.action))
    return [*cells, Cell()]


def _columns(groups: Sequence[list[Cell]], count: int) -> list[list[Cell]]:
    """The groups in their order, spread over the columns so that the longest is as short as can be."""

    def spread(cuts: Sequence[int]) -> list[list[Cell]]:
        bounds = pairwise((0, *cuts, len(groups)))
        return [[cell for group in groups[start:end] for cell in group] for start, end in bounds]

    choices = map(spread, combinations(range(1, len(groups)), count - 1)) if groups else iter([[]])
    return min(choices, key=lambda columns: max(map(len, columns), default=0))


def _side_by_side(cells: Sequence[Cell], room: int) -> Row:
    spans = []
    for cell in cells:
        used = sum(cell_width(text) for text, _ in cell.line)
        spans += [*cell.line, (" " * (room + _GAP - used), Tone.PLAIN)]
    return row(*spans[:-1])


class HelpView(RowsView):
    """The page, scrolled."""

    class KeyClicked(Message):
        """The words of an action were clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    page = Page([], 0)

    def show(self, page: Page) -> None:
        self.page = page
        self.set_rows(page.shown())

    def on_click(self, event: Click) -> None:
        action = self.page.action_at(event.x, event.y + self.scroll_offset.y)
        if action is not None:
            self.post_message(self.KeyClicked(action))


class Help(Dialog[str]):
    """Read, scroll, close; a click on a key closes it too, and answers its action."""

    DEFAULT_CSS = """
    Help > .dialog--frame { width: 96%; max-width: 190; }
    """

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__("Keys: press one later, or click it here")
        self._keys = keys

    def body(self) -> Iterable[Widget]:
        yield HelpView()

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Close", "accept", primary=True)

    def on_resize(self, event: Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        view = self.query_one(HelpView)
        view.show(help_page(self._keys, view.size.width - 1))

    def on_help_view_key_clicked(self, message: HelpView.KeyClicked) -> None:
        self.dismiss(message.action)

    def action_accept(self) -> None:
        self.dismiss(None)
