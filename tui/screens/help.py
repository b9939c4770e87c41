"""All keys, from the one table that also makes the bindings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, zip_longest
from textwrap import wrap

from textual.events import Resize
from textual.widget import Widget

from tui.keymap import Key, shown_key
from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Line, Row, Tone, row
from tui.screens.rows_view import RowsView
from tui.view_model.cells import cell_width

_COLUMN = 33
_GAP = 2
_MOST_FOR_NAMES = 13


def help_rows(keys: Sequence[Key], width: int) -> list[Row]:
    """The keys by group, in as many columns as fit; an action without a key is left out."""
    groups: dict[str, list[Key]] = {}
    for key in keys:
        if key.keys:
            groups.setdefault(key.group, []).append(key)
    count = min(max((width + _GAP) // (_COLUMN + _GAP), 1), len(groups))
    room = (width + _GAP) // max(count, 1) - _GAP
    columns = _columns([_group_lines(name, ours, room) for name, ours in groups.items()], count)
    return [_side_by_side(cells, room) for cells in zip_longest(*columns, fillvalue=())]


def _group_lines(name: str, keys: Sequence[Key], room: int) -> list[Line]:
    """A heading, the keys with what they do, an empty line."""
    names = [wrap(" ".join(map(shown_key, key.keys)), _MOST_FOR_NAMES) for key in keys]
    widest = max(len(part) for parts in names for part in parts)
    lines: list[Line] = [((name, Tone.STRONG),)]
    for key, parts in zip(keys, names, strict=True):
        words = wrap(key.help, max(room - widest - 2, 8))
        for left, right in zip_longest(parts, words, fillvalue=""):
            lines.append(((left.ljust(widest + 2), Tone.KEY), (right, Tone.PLAIN)))
    return [*lines, ()]


def _columns(groups: Sequence[list[Line]], count: int) -> list[list[Line]]:
    """The groups in their order, spread over the columns so that the longest is as short as can be."""

    def spread(cuts: Sequence[int]) -> list[list[Line]]:
        bounds = pairwise((0, *cuts, len(groups)))
        return [[line for group in groups[start:end] for line in group] for start, end in bounds]

    choices = map(spread, combinations(range(1, len(groups)), count - 1)) if groups else iter([[]])
    return min(choices, key=lambda columns: max(map(len, columns), default=0))


def _side_by_side(cells: Sequence[Line], room: int) -> Row:
    spans = []
    for cell in cells:
        used = sum(cell_width(text) for text, _ in cell)
        spans += [*cell, (" " * (room + _GAP - used), Tone.PLAIN)]
    return row(*spans[:-1])


class Help(Dialog[None]):
    """Read, scroll, close."""

    DEFAULT_CSS = """
    Help > .dialog--frame { width: 96%; max-width: 190; }
    """

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__("Keys")
        self._keys = keys

    def body(self) -> Iterable[Widget]:
        yield RowsView()

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Close", "accept", primary=True)

    def on_resize(self, event: Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        view = self.query_one(RowsView)
        view.set_rows(help_rows(self._keys, view.size.width - 1))

    def action_accept(self) -> None:
        self.dismiss(None)
