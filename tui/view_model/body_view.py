"""The body of one hunk under the current view options: how many rows it has, and any of them.

Built when a hunk comes into sight and kept in a small cache; heights of all others are plain numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from engine.text import LineView
from tui.view_model.body import Lines, Mark, Run, runs_of
from tui.view_model.cells import cell_width, shown, slices
from tui.view_model.rows import GapRow, LineRow, Side

MOST_WRAPPED = 5_000
"""Rows of one hunk that are wrapped; a longer hunk is shown unwrapped, so that it costs nothing to open."""
_MOST_FILES = 3
NUMBERS = 14
"""Cells in front of the text: bar, both line numbers, mark."""


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How the person wants to see diffs."""

    context: int = 3
    split: bool = False
    wrap: bool = False
    width: int = 80

    @property
    def code_width(self) -> int:
        """Cells for the text of a line."""
        return max((self.width // 2 - 9) if self.split else self.width - NUMBERS, 8)


def measured_alike(one: ViewOptions, other: ViewOptions) -> bool:
    """Whether hunks have the same sizes under both: the width matters only to lines that are wrapped."""
    return replace(one, width=other.width) == other and (one.width == other.width or not one.wrap)


class Size(NamedTuple):
    rows: int
    added: int
    removed: int


class BodyView:
    """Rows of one hunk, by number."""

    def __init__(self, lines: Lines, options: ViewOptions, shift: int = 0) -> None:
        self.lines = lines
        self._options = options
        self._shift = shift
        self._runs = _paired(runs_of(lines, options.context)) if options.split else runs_of(lines, options.context)
        self._ends = list(accumulate(_height(run) for run in self._runs))
        self._gained = _gains(lines)
        self._parts: list[tuple[int, tuple[int, int]]] | None = None
        if options.wrap and self.unwrapped <= MOST_WRAPPED:
            self._parts = [(n, part) for n in range(self.unwrapped) for part in self._slices(n)]

    @property
    def unwrapped(self) -> int:
        return self._ends[-1] if self._ends else 0

    @property
    def height(self) -> int:
        return self.unwrapped if self._parts is None else len(self._parts)

    def row(self, n: int) -> LineRow | GapRow:
        """Row `n`, counted in screen lines."""
        if self._parts is None:
            return self._row(n)
        number, part = self._parts[n]
        row = self._row(number)
        return row if isinstance(row, GapRow) else row._replace(part=part)

    def change_at(self, n: int) -> int:
        """The change that row `n` belongs to, -1 for none."""
        row = self.row(n)
        return row.change if isinstance(row, LineRow) else -1

    def _row(self, n: int) -> LineRow | GapRow:
        at = bisect_right(self._ends, n)
        run = self._runs[at]
        offset = n - (self._ends[at - 1] if at else 0)
        if run.mark is Mark.GAP:
            return GapRow(run.length)
        if run.change >= 0 and self._options.split:
            return self._split_row(run.change, offset)
        if run.mark is Mark.SAME:
            return self._same_row(run.at + offset)
        if run.mark is Mark.REMOVED:
            return LineRow(self._removed(run.change, run.at + offset), None, run.change)
        return LineRow(None, self._added(run.change, run.at + offset), run.change)

    def _split_row(self, number: int, offset: int) -> LineRow:
        change = self.lines.changes[number]
        old = self._removed(number, change.a1 + offset) if change.a1 + offset < change.a2 else None
        new = self._added(number, change.b1 + offset) if change.b1 + offset < change.b2 else None
        return LineRow(old, new, number)

    def _same_row(self, line: int) -> LineRow:
        text = self.lines.old[line]
        if not self.lines.numbered:
            side = Side(Mark.SAME, None, text, at=line)
            return LineRow(side, side)
        before = bisect_right(self.lines.changes, line, key=lambda change: change.a1)
        number = line + 1 + self._shift + self._gained[before]
        old, new = Side(Mark.SAME, line + 1, text, at=line), Side(Mark.SAME, number, text, at=line)
        return LineRow(old, new, -1, line + 1)

    def _removed(self, number: int, line: int) -> Side:
        change = self.lines.changes[number]
        last = self.lines.old_open and line == len(self.lines.old) - 1
        shown_number = line + 1 if self.lines.numbered else None
        twin = change.b1 + line - change.a1
        partner = self.lines.new[twin] if twin < change.b2 else None
        return Side(Mark.REMOVED, shown_number, self.lines.old[line], last, line, partner)

    def _added(self, number: int, line: int) -> Side:
        change = self.lines.changes[number]
        last = self.lines.new_open and line == len(self.lines.new) - 1
        counted = change.a1 + self._gained[number] + line - change.b1 + 1 + self._shift
        shown_number = counted if self.lines.numbered else None
        twin = change.a1 + line - change.b1
        partner = self.lines.old[twin] if twin < change.a2 else None
        return Side(Mark.ADDED, shown_number, self.lines.new[line], last, line, partner)

    def _slices(self, n: int) -> list[tuple[int, int]]:
        row = self._row(n)
        if isinstance(row, GapRow):
            return [(0, -1)]
        width = self._options.code_width
        texts = [_shown_length(side.text) for side in (row.old, row.new) if side]
        longest = max(texts, key=cell_width, default="")
        return slices(longest, width) if cell_width(longest) > width else [(0, -1)]


def _shown_length(text: str) -> str:
    line = shown(text)
    return line.text + line.rest


def size_of(lines: Lines, options: ViewOptions) -> Size:
    """The numbers that are kept of a hunk which is not in sight."""
    added = sum(change.b2 - change.b1 for change in lines.changes)
    removed = sum(change.a2 - change.a1 for change in lines.changes)
    if options.wrap:
        return _shared(Size(BodyView(lines, options).height, added, removed))
    runs = runs_of(lines, options.context)
    runs = _paired(runs) if options.split else runs
    return _shared(Size(sum(_height(run) for run in runs), added, removed))


@lru_cache(4096)
def _shared(size: Size) -> Size:
    """Thousands of hunks have the same few sizes."""
    return size


def _height(run: Run) -> int:
    return 1 if run.mark is Mark.GAP else run.length


def _paired(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """For the split view: what is removed and added in one change shares its rows."""
    rows: list[Run] = []
    for run in runs:
        if rows and run.change >= 0 and rows[-1].change == run.change:
            rows[-1] = rows[-1]._replace(length=max(rows[-1].length, run.length))
        else:
            rows.append(run)
    return tuple(rows)


def _gains(lines: Lines) -> list[int]:
    """How many lines the file has gained in front of each change, and behind the last one."""
    return list(accumulate((change.b2 - change.b1 - change.a2 + change.a1 for change in lines.changes), initial=0))


class BodyCache:
    """The bodies that were looked at last, of a few files at a time: each holds the text of its whole file."""

    def __init__(self, most: int = 96) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[object, ViewOptions], BodyView] = OrderedDict()

    def get(self, key: object, options: ViewOptions, make: Callable[[], BodyView]) -> BodyView:
        found = self._kept.get((key, options))
        if found is None:
            found = self._kept[key, options] = make()
            while len(self._kept) > self._most or self._files() > _MOST_FILES:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end((key, options))
        return found

    def _files(self) -> int:
        return len({id(body.lines.old) for body in self._kept.values() if isinstance(body.lines.old, LineView)})
