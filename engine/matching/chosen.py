"""A place that a person chose: the same merge, without asking how certain it is."""

from __future__ import annotations

from collections.abc import Iterator

from engine.matching import explain
from engine.matching.answer import Answer, Refused
from engine.matching.exact import options_inside
from engine.matching.index import FileIndex
from engine.matching.locate import Search, located
from engine.matching.option import Option, option_at
from engine.matching.resemblance import block_of, compare_lines
from engine.matching.window import windows
from engine.model import Code, TextEdit
from engine.text import FileText


def place_at(file: FileText, edit: TextEdit, first: int, last: int) -> Answer:
    """The edit merged into the lines that a person chose (1-based, inclusive)."""
    if not 1 <= first <= last <= file.line_count:
        return Refused(Code.NOT_FOUND, f"the file has {file.line_count} lines")
    search = Search(FileIndex(file), edit)
    fitting = (option for option in _options(search) if first <= option.first + 1 and option.last + 1 <= last)
    chosen = next(fitting, None)
    if chosen is None and edit.old:
        parts = options_inside(search.index, edit, search.reading, (first - 1, last - 1))
        if len(parts) > 1:
            where = explain.lines_in_words(first - 1, last - 1)
            return Refused(Code.AMBIGUOUS, f"the old text is at {len(parts)} places of {where}: which is meant?")
        chosen = parts[0] if parts else None
    chosen = chosen or _compared(search, first - 1, last)
    if chosen is None:
        where = explain.lines_in_words(first - 1, last - 1)
        return Refused(Code.NOT_FOUND, f"nothing of the old text is at {where}: it cannot be merged there")
    return located(search, [chosen], notes=("a person chose the place",))


def _options(search: Search) -> Iterator[Option]:
    """Every place that fits without drift, the strictest first."""
    if not search.edit.old:
        return
    yield from search.exact_places()
    for reading in search.readings():
        for window in windows(search.index, reading):
            option = option_at(search.index, window)
            if option is not None:
                yield option
    yield from search.elided() or ()


def _compared(search: Search, first: int, last: int) -> Option | None:
    """The old text laid against lines `first:last` (0-based, half open), however little it resembles them."""
    found = compare_lines(search.index, block_of(search.reading), first, last)
    return None if found is None else option_at(search.index, found[0], score=found[1])
