"""Blocks one below the other: which of them stands at which line. Heights are a flat list with its prefix sums.

A change of one height costs one pass of `accumulate` (a third of a millisecond for ten thousand blocks); blocks that
come or go are measured, all others keep the height that they have.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from tui.view_model.blocks import Block
from tui.view_model.body_view import ViewOptions


class Flow:
    """The blocks of a stream, by line."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._heights: list[int] = []
        self._ends: list[int] = []

    # ------------------------------------------------------------ lines

    @property
    def height(self) -> int:
        return self._ends[-1] if self._ends else 0

    def at(self, line: int) -> tuple[Block, int]:
        """The block at a line, and the offset inside it."""
        place = self._place_at(line)
        return self.blocks[place], line - self._top(place)

    def top_of(self, block: Block) -> int:
        return self._top(block.place)

    def height_of(self, block: Block) -> int:
        return self._heights[block.place]

    def around(self, line: int, count: int) -> Iterator[Block]:
        """The blocks that `count` lines from `line` on touch."""
        place = self._place_at(line)
        while place < len(self.blocks) and self._top(place) < line + count:
            yield self.blocks[place]
            place += 1

    def holds(self, block: Block) -> bool:
        """Whether the block stands where it says."""
        return block.place < len(self.blocks) and self.blocks[block.place] is block

    def _place_at(self, line: int) -> int:
        return min(bisect_right(self._ends, line), len(self.blocks) - 1) if self.blocks else 0

    def _top(self, place: int) -> int:
        return self._ends[place] - self._heights[place]

    # ------------------------------------------------------------ changes

    def replace(self, start: int, end: int, blocks: Sequence[Block], options: ViewOptions) -> None:
        """Other blocks from `start` to `end`. Those that were there before keep their heights."""
        known = {*self.blocks[start:end]}
        unknown = [block for block in blocks if block not in known]
        if start == 0:  # what stands on top has no air above it, and what stood there has some now
            unknown += self.blocks[:1]
        self._heights[start:end] = [self._heights[block.place] if block in known else 0 for block in blocks]
        self.blocks[start:end] = blocks
        for place in range(start, len(self.blocks)):
            self.blocks[place].place = place
        if start == 0:
            unknown += self.blocks[:1]
        self.measure((block for block in unknown if self.holds(block)), options, start)

    def measure(self, blocks: Iterable[Block], options: ViewOptions, start: int | None = None) -> None:
        """Heights of some blocks anew. From `start` on (by default the first of them) the lines are counted again."""
        first = len(self.blocks) if start is None else start
        for block in blocks:
            self._heights[block.place] = block.height(options)
            first = min(first, block.place)
        self._add_up(first)

    def measure_all(self, options: ViewOptions) -> None:
        self._heights = [block.height(options) for block in self.blocks]
        self._add_up(0)

    def _add_up(self, start: int) -> None:
        """The prefix sums from a place on."""
        above = self._ends[start - 1] if start else 0
        self._ends[start:] = list(accumulate(self._heights[start:], initial=above))[1:]
