"""Many edits of one file: the only place of each, told from one pass over the file instead of one for each edit.

A line that stands once cannot be at another place; a text that is part of lines cannot, if one of its words stands
once. Words are what white space separates, and only those count that the old text has white space around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain, compress

from engine.model import TextEdit
from engine.text import FileText


class LineTable:
    """Of the lines and words that these edits ask for, where they stand and how often. No carriage returns."""

    def __init__(self, file: FileText, edits: Sequence[TextEdit]) -> None:
        self._text = file.text
        self._starts = list(accumulate(map((1).__add__, map(len, file.lines)), initial=0))
        wanted = {edit.old.partition("\n")[0] for edit in edits}
        self._numbers: dict[str, int] = {}
        for number in compress(range(len(file.lines)), map(wanted.__contains__, file.lines)):
            line = file.lines[number]
            self._numbers[line] = -1 if line in self._numbers else number
        asked = {word for edit in edits if not edit.whole_lines for word in _inner_words(edit.old)}
        words = chain.from_iterable(map(str.split, file.lines)) if asked else ()
        self._counts = Counter(filter(asked.__contains__, words))

    def found_once(self, edit: TextEdit) -> tuple[int, int] | None:
        """The offset and the line of the only place, where it is certain and at the start of a line."""
        line = self._numbers.get(edit.old.partition("\n")[0], -1)
        if line < 0 or not self._text.startswith(edit.old, self._starts[line]):
            return None
        if edit.whole_lines or any(self._counts[word] == 1 for word in _inner_words(edit.old)):
            return self._starts[line], line
        return None


def _inner_words(old: str) -> list[str]:
    words = old.split()
    return words[not old[:1].isspace() : len(words) - (not old[-1:].isspace())]
