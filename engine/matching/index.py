"""One index of a file for all its edits: what is searched is computed at most once, and only when asked for.

Blank lines are left out of the squeezed index: `solid[n]` is the file line of its n-th entry. A block of lines is found
by `str.find` in the joined entries, which is linear also for pathological input.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, compress, pairwise

from engine.matching.folding import indent_of, loosen, squeeze, words
from engine.text import FileText

MOST_HITS = 1000
_MANY = 64
"""From so many edits on it pays to count words and lines once, instead of scanning the text for each edit."""
_SEARCH_OVERHEAD = 100_000
_SEARCH_BUDGET = 2_000_000_000
_FEW = 8
"""For so many offsets it is cheaper to count the newlines before them than to split the text."""


class FileIndex:
    def __init__(self, file: FileText, *, searches: int = 1) -> None:
        self.file = file
        self._many = searches > _MANY
        self._counted = 0
        self._searched = 0

    def may_search(self) -> bool:
        """Whether another approximate search is within the budget, which counts characters read for all edits."""
        self._searched += len(self.file.text) + _SEARCH_OVERHEAD
        return self._searched <= _SEARCH_BUDGET

    # ------------------------------------------------------------ the text as it is

    @cached_property
    def has_only_newlines(self) -> bool:
        return "\r" not in self.file.text

    @cached_property
    def flat(self) -> str:
        """The text with `\\n` for every line ending."""
        if self.has_only_newlines:
            return self.file.text
        return "\n".join(self.file.lines) + ("\n" if self.file.ends_with_newline else "")

    @cached_property
    def _flat_starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.file.lines), initial=0))

    def offset(self, at: int) -> int:
        """The offset in the file's text of an offset in `flat`."""
        if self.has_only_newlines:
            return at
        line = min(bisect_right(self._flat_starts, at) - 1, len(self.file.lines))
        return self.file.starts[line] + at - self._flat_starts[line]

    def line_number(self, at: int) -> int:
        """The line (0-based) of an offset in `flat`."""
        self._counted += 1
        if self._counted <= _FEW and not self._many and self.has_only_newlines:
            return self.flat.count("\n", 0, at)
        return min(bisect_right(self._flat_starts, at) - 1, len(self.file.lines) - 1)

    @cached_property
    def _word_counts(self) -> Counter[str]:
        return Counter(words(self.flat))

    @cached_property
    def _line_numbers(self) -> dict[str, int]:
        """The number of each line that stands once; -1 for the others."""
        numbers = {line: number for number, line in enumerate(self.file.lines)}
        if len(numbers) < len(self.file.lines):
            numbers |= {line: -1 for line, count in Counter(self.file.lines).items() if count > 1}
        return numbers

    def only_place(self, old: str, *, whole_lines: bool) -> list[int] | None:
        """Where `old` stands on whole lines (offsets in `flat`), if it certainly is nowhere else; None: not known.

        For many edits this is cheaper than to scan the text for each: a line that stands once cannot be part of
        another place, nor can a word that stands once.
        """
        if not self._many:
            return None
        line = self._line_numbers.get(old.partition("\n")[0], -1)
        if not whole_lines:
            rarest = min((self._word_counts[word] for word in words(old)), default=2)
            if rarest != 1:
                return None if rarest else []
        if line < 0 or not self.flat.startswith(old, self._flat_starts[line]):
            return None
        end = self._flat_starts[line] + len(old)
        whole = end >= len(self.flat) or "\n" in self.flat[end - 1 : end + 1]
        return [self._flat_starts[line]] if whole else None

    # ------------------------------------------------------------ squeezed lines

    @cached_property
    def keys(self) -> list[str]:
        """Every line, squeezed."""
        return squeeze("\n".join(self.file.lines)).split("\n") if self.file.lines else []

    @cached_property
    def solid(self) -> array[int]:
        return array("L", compress(range(len(self.keys)), self.keys))

    @cached_property
    def solid_keys(self) -> list[str]:
        return list(filter(None, self.keys))

    @cached_property
    def _joined(self) -> str:
        return "\n".join(["", *self.solid_keys, ""])

    @cached_property
    def indent_step(self) -> int:
        """How much deeper a line of the file is than the one above it, mostly, in spaces or tabs."""
        depths = [len(indent_of(line)) for line in self.file.lines if line.strip()]
        if any(line.startswith("\t") for line in self.file.lines):
            return 1
        steps = Counter(below - above for above, below in pairwise(depths) if below - above in (2, 3, 4, 8))
        return steps.most_common(1)[0][0] if steps else 4

    @cached_property
    def loose_keys(self) -> list[str]:
        """The solid lines without what may differ in a line to be removed."""
        return list(map(loosen, self.solid_keys))

    @cached_property
    def _last_places(self) -> dict[str, int]:
        return dict(zip(self.loose_keys, range(len(self.loose_keys)), strict=True))

    @cached_property
    def _repeated(self) -> dict[str, list[int]]:
        """Where those stand that stand more than once. Most do not: a list for every line would take much room."""
        places: dict[str, list[int]] = {}
        if len(self._last_places) < len(self.loose_keys):
            for at, key in enumerate(self.loose_keys):
                if key in places:
                    places[key].append(at)
                elif self._last_places[key] != at:
                    places[key] = [at]
        return places

    def loose_places(self, key: str) -> Sequence[int]:
        """Where in `loose_keys` it stands."""
        if key in self._repeated:
            return self._repeated[key]
        return (self._last_places[key],) if key in self._last_places else ()

    def hits(self, keys: Sequence[str]) -> list[int]:
        """Every position in `solid` where these squeezed lines follow each other (at most MOST_HITS)."""
        needle = "\n" + "\n".join(keys) + "\n"
        found: list[int] = []
        at = self._joined.find(needle)
        counted = lines = 0
        while at >= 0 and len(found) < MOST_HITS:
            lines += self._joined.count("\n", counted, at)
            counted = at
            found.append(lines)
            at = self._joined.find(needle, at + 1)
        return found
