"""A window: rows that an agent sent, laid against lines of the file. What strategies judge and `merge` writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.matching import doubt
from engine.matching.folding import squeeze
from engine.matching.index import FileIndex
from engine.matching.merge import Mapping
from engine.matching.readings import Kind, Reading
from engine.matching.rows import diff


@dataclass(frozen=True, slots=True)
class Window:
    """Rows laid against lines: what of each differs, and what was cut off or left out."""

    reading: Reading
    """With the blank edges cut off that the file does not have."""
    mapping: Mapping
    pairs: tuple[tuple[str, str], ...]
    """Each row with the line of the file that it stands for."""
    blanks_fit: bool = True
    """No blank line was added or dropped."""
    trimmed: bool = False
    """Blank lines around the block were cut off."""
    cut_changes: bool = False
    """Some of those were to be removed."""
    elided: bool = False
    misfits: tuple[int, ...] = ()
    """Rows that the file words differently, or does not have."""
    extra: int = 0
    """Lines of the file inside the block that were not sent."""
    doubtful: bool = False
    """Blank lines or the depth differ, in a way in which the twin of a block often does."""

    @property
    def first(self) -> int:
        return min(line for line in self.mapping if line is not None)

    @property
    def last(self) -> int:
        return max(line for line in self.mapping if line is not None)

    @property
    def plain(self) -> bool:
        """Nothing but characters within lines differs."""
        return self.reading.kind is Kind.AS_SENT and self.whole and self.blanks_fit and not self.trimmed

    @property
    def whole(self) -> bool:
        """Every line sent is there, and nothing else between them."""
        return not self.elided and not self.misfits and not self.extra


def windows(index: FileIndex, reading: Reading) -> Iterator[Window]:
    """Every place where all solid lines of the reading stand, whatever the white space."""
    solid = [row for row, line in enumerate(reading.old) if line.strip()]
    keys = squeeze("\n".join(reading.old)).split("\n")
    solid = [row for row in solid if keys[row]]
    if not solid:
        return
    for at in index.hits([keys[row] for row in solid]):
        yield lay(index, reading, dict(zip(solid, index.solid[at : at + len(solid)], strict=True)))


def lay(index: FileIndex, reading: Reading, lines: dict[int, int]) -> Window:
    """The window in which these rows stand for these lines; blank rows are added where they fit."""
    mapped: list[int | None] = [lines.get(row) for row in range(len(reading.old))]
    solid = [row for row, line in enumerate(reading.old) if line.strip()]
    gaps = [_fill(mapped, index, above, below) for above, below in pairwise(solid)]
    head = _edge(mapped, index, range(solid[0] - 1, -1, -1), -1)
    tail = _edge(mapped, index, range(solid[-1] + 1, len(mapped)), 1)
    kept = reading.cut(head, tail) if head or tail else reading
    cut_changes = bool(head or tail) and _changes_edges(reading, head, tail)
    mapping = tuple(mapped[head : len(mapped) - tail])
    own = index.file.rows
    pairs = tuple((row, own[line]) for row, line in zip(kept.old, mapping, strict=True) if line is not None)
    trimmed = bool(head or tail)
    doubtful = not all(gaps) or doubt.edges(index, reading, lines, (head, tail)) or doubt.depth(index, pairs)
    return Window(kept, mapping, pairs, all(gaps), trimmed=trimmed, cut_changes=cut_changes, doubtful=doubtful)


def _changes_edges(reading: Reading, head: int, tail: int) -> bool:
    """Whether the edit removes rows of the edges that are cut off, or inserts beyond them."""
    inner = len(reading.old) - tail
    return any(first < head or last > inner for first, last, _, _ in diff(reading.old, reading.new))


def _fill(mapped: list[int | None], index: FileIndex, above: int, below: int) -> bool:
    """Map the blank rows between two solid ones, where the file has as many; whether it has."""
    top, bottom = mapped[above], mapped[below]
    if top is None or bottom is None or bottom - top != below - above or index.solid_between(top + 1, bottom):
        return False
    for row in range(above + 1, below):
        mapped[row] = top + row - above
    return True


def _edge(mapped: list[int | None], index: FileIndex, rows: Sequence[int], step: int) -> int:
    """Map the blank rows at an edge if the file has all of them; else how many to cut off."""
    if not rows:
        return 0
    start = mapped[rows[0] - step]
    if start is None:
        return 0
    for count, row in enumerate(rows, 1):
        line = start + step * count
        if not 0 <= line < index.file.line_count or index.solid_between(line, line + 1):
            for undo in rows:
                mapped[undo] = None
            return len(rows)
        mapped[row] = line
    return 0
