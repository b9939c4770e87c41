"""An option: one place where an edit could go, how strictly it fits, and what would be written there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.matching.index import FileIndex
from engine.matching.merge import CannotMerge, merge, to_splices
from engine.matching.new_text import undo_damage
from engine.matching.strategies import APPROXIMATE, STRATEGIES, Strategy, context_aware, grade
from engine.matching.window import Window
from engine.text import Splice


@dataclass(frozen=True, slots=True)
class Option:
    """A place for an edit, with all that is needed to choose it and to write it."""

    rank: int
    """The place of its strategy in STRATEGIES: lower is stricter."""
    first: int
    """0-based, inclusive."""
    last: int
    splices: tuple[Splice, ...] = ()
    obstacle: str | None = None
    """Why nothing can be written there although the text was found."""
    score: float = 1.0
    differs: tuple[str, ...] = ()
    distance: int | None = None
    """Lines between this place and the one that the agent named."""
    doubtful: bool = False
    """Too little speaks for it to be taken unseen, although nothing but white space differs."""
    done: bool = False
    """The new text stands there already."""

    @property
    def strategy(self) -> Strategy:
        return STRATEGIES[self.rank]

    @property
    def approximate(self) -> bool:
        return self.doubtful or self.strategy in APPROXIMATE

    def overlaps(self, other: Option) -> bool:
        return self.first <= other.last and other.first <= self.last


def rank_of(strategy: Strategy) -> int:
    return STRATEGIES.index(strategy)


def option_at(index: FileIndex, window: Window, *, score: float = 1.0) -> Option | None:
    """The window as an option; None where no strategy explains it."""
    rank = grade(window)
    if rank is None:
        return None
    start_line = window.reading.start_line
    distance = None if start_line is None else abs(_first_row_line(window) - (start_line - 1))
    splices: tuple[Splice, ...] = ()
    obstacle = None
    try:
        splices = splices_of(index, window)
    except CannotMerge as reason:
        obstacle = str(reason)
    differs = _differs(window, rank)
    return Option(rank, window.first, window.last, splices, obstacle, score, differs, distance, window.doubtful)


def splices_of(index: FileIndex, window: Window) -> tuple[Splice, ...]:
    file, reading = index.file, undo_damage(index, window.reading, window.first)
    changed = merge(file, reading.old, reading.new, window.mapping)
    at_end = bool(file.rows) and window.last == file.line_count - 1 and window.mapping[-1] == window.last
    final = None
    if at_end and reading.loses_newline:
        final = False
    elif at_end and reading.gains_newline:
        final = True
    return to_splices(file, changed, final_newline=final)


def _first_row_line(window: Window) -> int:
    """Where the first row would stand, told from the first row that is mapped."""
    row, line = next((row, line) for row, line in enumerate(window.mapping) if line is not None)
    return line - row


def _differs(window: Window, rank: int) -> tuple[str, ...]:
    if STRATEGIES[rank] is context_aware or window.misfits or window.extra:
        rows = tuple(f"line {row + 1} of the old text" for row in window.misfits)
        return (*rows, f"{window.extra} more lines in the file") if window.extra else rows
    return (STRATEGIES[rank].__name__.replace("_", " "),) if rank else ()


def best(options: Iterable[Option]) -> list[Option]:
    """Those of the strictest strategy."""
    every = list(options)
    strictest = min((option.rank for option in every), default=0)
    return [option for option in every if option.rank == strictest]
