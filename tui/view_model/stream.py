"""One stream over all proposals: which row stands at which line, and where the cursor is.

`flow` knows the lines; here are the sections, the hunks and the cursor, which is always in a hunk: a block and an
offset inside it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.view_model.blocks import Block, HunkBlock, Section
from tui.view_model.body import Lines
from tui.view_model.body_view import BodyCache, ViewOptions
from tui.view_model.flow import Flow
from tui.view_model.rows import LineRow, Row

if TYPE_CHECKING:
    from engine.queue.item import Item


@dataclass(frozen=True, slots=True)
class Cursor:
    """A hunk, and the screen line inside it (0 is its header)."""

    block: HunkBlock
    offset: int = 0


def _place(block: Block) -> int:
    return block.place


def differences(before: Sequence[Section], after: Sequence[Section]) -> tuple[int, int, Sequence[Section]]:
    """How many are the same at the front; then, up to what is the same at the end: how many left, and which came."""
    shorter = min(len(before), len(after))
    front = next((n for n in range(shorter) if before[n] is not after[n]), shorter)
    back = next((n for n in range(shorter - front) if before[-1 - n] is not after[-1 - n]), shorter - front)
    return front, len(before) - back - front, after[front : len(after) - back]


class Stream:
    """The rows of all sections."""

    def __init__(self, options: ViewOptions | None = None) -> None:
        self.options = options or ViewOptions()
        self.sections: list[Section] = []
        self.hunks: list[HunkBlock] = []
        self.cursor: Cursor | None = None
        self._flow = Flow()
        self._cache = BodyCache()

    @property
    def blocks(self) -> list[Block]:
        return self._flow.blocks

    # ------------------------------------------------------------ structure

    def show(self, sections: Sequence[Section]) -> int:
        """Other sections; the cursor stays on its hunk where that still exists. Returns how many blocks on top stay.

        Only what lies between the first and the last difference is looked at: ten thousand proposals that wait must not
        make it slow when another one comes.
        """
        before, self.sections = self.sections, list(sections)
        same, gone, come = differences(before, self.sections)
        start, end = (self._place_of(before, number) for number in (same, same + gone))
        blocks = [block for section in come for block in section.blocks()]
        first, last = (bisect_left(self.hunks, place, key=_place) for place in (start, end))
        self.hunks[first:last] = [block for block in blocks if isinstance(block, HunkBlock)]
        self._flow.replace(start, end, blocks, self.options)
        for number in range(same, len(self.sections)):
            self.sections[number].number = number
        self.cursor = self._kept_cursor(before)
        return start

    def _place_of(self, sections: Sequence[Section], number: int) -> int:
        return sections[number].header.place if number < len(sections) else len(self.blocks)

    def reflow(self) -> None:
        """Heights of all blocks anew: folding, notes or the width changed."""
        self._flow.measure_all(self.options)
        self._clamp()

    def reheight(self, blocks: Iterable[Block]) -> None:
        """Heights of a few blocks anew."""
        self._flow.measure(blocks, self.options)
        self._clamp()

    def _clamp(self) -> None:
        if self.cursor and self._flow.holds(self.cursor.block):
            last = self._last_line(self.cursor.block)
            if self.cursor.offset > last:
                self.cursor = Cursor(self.cursor.block, last)

    def _last_line(self, block: HunkBlock) -> int:
        """The offset of the last line of a hunk."""
        return self._flow.height_of(block) - 1

    def _kept_cursor(self, before: Sequence[Section]) -> Cursor | None:
        old = self.cursor
        if old is None or not self.hunks:
            return Cursor(self.hunks[0]) if self.hunks else None
        if self._flow.holds(old.block):
            return old
        now = {section.item: section for section in self.sections}
        same = now.get(old.block.section.item)
        block = same.now(old.block) if same else None
        if block is not None:
            return Cursor(block, min(old.offset, self._last_line(block)))
        if same and same.hunks:  # a revision without it: stay with the proposal
            return Cursor(same.hunks[min(same.hunks, key=lambda index: abs(index - old.block.index))])
        return Cursor(self._hunk_after(old.block.section, before, now))

    def _hunk_after(self, gone: Section, before: Sequence[Section], now: Mapping[Item, Section]) -> HunkBlock:
        """The first hunk behind a proposal that left, else the first of all."""
        items = [section.item for section in before]
        behind = items[items.index(gone.item) + 1 :] if gone.item in items else []
        blocks = (now[item].files[0].hunks[0] for item in behind if item in now and now[item].hunks)
        return next(blocks, self.hunks[0])

    # ------------------------------------------------------------ rows

    @property
    def height(self) -> int:
        return self._flow.height

    def at(self, line: int) -> tuple[Block, int]:
        """The block at a line, and the offset inside it."""
        return self._flow.at(line)

    def around(self, line: int, count: int) -> Iterator[Block]:
        """The blocks that `count` lines from `line` on touch."""
        return self._flow.around(line, count)

    def holds(self, block: Block) -> bool:
        """Whether the block is still part of the stream."""
        return self._flow.holds(block)

    def row(self, block: Block, offset: int) -> Row:
        return block.row(offset, self.options, self._cache)

    def lines_of(self, block: HunkBlock) -> Lines:
        """Both sides of a hunk that is in sight."""
        return block.body(self.options, self._cache).lines

    def top_of(self, block: Block) -> int:
        return self._flow.top_of(block)

    def height_of(self, block: Block) -> int:
        return self._flow.height_of(block)

    @property
    def cursor_line(self) -> int:
        return self.top_of(self.cursor.block) + self.cursor.offset if self.cursor else 0

    def change_at_cursor(self) -> int:
        """The number of the change under the cursor; -1: none."""
        if self.cursor is None:
            return -1
        row = self.row(self.cursor.block, self.cursor.offset)
        return row.change if isinstance(row, LineRow) else -1

    # ------------------------------------------------------------ movement

    def go(self, block: HunkBlock, offset: int = 0) -> None:
        self.cursor = Cursor(block, offset)

    def go_to_line(self, line: int) -> None:
        """The cursor to the hunk row at a line, or to the hunk behind it."""
        if not self.hunks:
            return
        block, offset = self.at(max(0, min(line, self.height - 1)))
        if isinstance(block, HunkBlock):
            self.cursor = Cursor(block, offset)
        else:
            self.cursor = Cursor(self._hunk_behind(block.place))

    def move_lines(self, count: int) -> None:
        """Down (or up) by rows of hunks; headers of files and proposals are stepped over."""
        if self.cursor is None:
            return
        block, offset = self.cursor.block, self.cursor.offset + count
        position = self._position(block)
        while offset < 0 and position > 0:
            position -= 1
            offset += self.height_of(self.hunks[position])
        while offset > self._last_line(self.hunks[position]) and position < len(self.hunks) - 1:
            offset -= self.height_of(self.hunks[position])
            position += 1
        self.cursor = Cursor(self.hunks[position], max(0, min(offset, self._last_line(self.hunks[position]))))

    def move_hunks(self, count: int) -> None:
        if self.cursor:
            position = max(0, min(self._position(self.cursor.block) + count, len(self.hunks) - 1))
            self.cursor = Cursor(self.hunks[position])

    def move_files(self, count: int) -> None:
        """To the first hunk of the next file, or of this one and then of the one before."""
        if self.cursor is None:
            return
        here = self.cursor.block
        if count < 0 and here.number > 1:
            self.cursor = Cursor(here.file.hunks[0])
            return
        found = self.next_file(1 if count > 0 else -1)
        if found is not None:
            self.cursor = Cursor(found)

    def next_file(self, step: int = 1) -> HunkBlock | None:
        """The first hunk of the next file, or of the one before."""
        if self.cursor is None:
            return None
        file = self.cursor.block.file
        found = next((block for block in self._from(self.cursor.block, step) if block.file is not file), None)
        return found.file.hunks[0] if found else None

    def go_to_end(self) -> None:
        if self.hunks:
            self.cursor = Cursor(self.hunks[-1], self._last_line(self.hunks[-1]))

    def next_open(self) -> bool:
        """To the next hunk that is not decided, round the end. False: there is none."""
        if self.cursor is None:
            return False
        position = self._position(self.cursor.block)
        for block in (*self.hunks[position + 1 :], *self.hunks[: position + 1]):
            if block.is_open:
                self.cursor = Cursor(block)
                return True
        return False

    def header_above(self, block: HunkBlock) -> int:
        """The line of the header that belongs to the first hunk of a file or proposal, else the hunk's own line."""
        if block.number > 1:
            return self.top_of(block)
        first = block.file is block.section.files[0]
        return self.top_of(block.section.header if first else block.file)

    def _position(self, block: HunkBlock) -> int:
        return bisect_right(self.hunks, block.place, key=_place) - 1

    def _hunk_behind(self, place: int) -> HunkBlock:
        at = bisect_right(self.hunks, place, key=_place)
        return self.hunks[min(at, len(self.hunks) - 1)]

    def _from(self, block: HunkBlock, step: int) -> Iterator[HunkBlock]:
        position = self._position(block) + step
        while 0 <= position < len(self.hunks):
            yield self.hunks[position]
            position += step

    # ------------------------------------------------------------ folding

    def fold_all(self, *, unfold: bool | None) -> None:
        """Every hunk open or folded; None: each as its decision says."""
        for block in self.hunks:
            block.unfolded = unfold
        self.reflow()

    # ------------------------------------------------------------ search

    def find(self, matches: Callable[[str], bool], *, backwards: bool = False) -> Iterator[Cursor | None]:
        """Where the lines of hunks match, from the cursor on and round the end. None now and then: take a breath."""
        if self.cursor is None:
            return
        position = self._position(self.cursor.block)
        step = -1 if backwards else 1
        for number in range(len(self.hunks) + 1):
            block = self.hunks[(position + number * step) % len(self.hunks)]
            yield from self._matches_in(block, matches, number, backwards=backwards)
            yield None

    def _matches_in(
        self, block: HunkBlock, matches: Callable[[str], bool], number: int, *, backwards: bool
    ) -> Iterator[Cursor]:
        lines = block.lines()
        if not any(map(matches, lines.new)) and not self._old_matches(lines, matches):
            return
        if block.folded:
            block.unfolded = True
            self.reheight([block])
        assert self.cursor is not None
        here = self.cursor.offset
        offsets: Iterable[int] = range(1, self.height_of(block))
        if number == 0:
            offsets = range(1, here) if backwards else range(here + 1, self.height_of(block))
        for offset in reversed(list(offsets)) if backwards else offsets:
            row = self.row(block, offset)
            if isinstance(row, LineRow) and any(matches(side.text) for side in (row.old, row.new) if side):
                yield Cursor(block, offset)

    def _old_matches(self, lines: Lines, matches: Callable[[str], bool]) -> bool:
        """Whether a line in sight of the old side matches; all of a large file is not the hunk's."""
        around = self.options.context
        return any(
            matches(line)
            for change in lines.changes
            for line in lines.old[max(change.a1 - around, 0) : change.a2 + around]
        )
