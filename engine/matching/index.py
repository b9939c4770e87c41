"""One index of a file for all its edits: what is searched is computed at most once, and only when asked for.

Blank lines are left out of the squeezed index: `solid[n]` is the file line of its n-th entry. A block of lines is found
by `bytes.find` in the joined entries, which is linear also for pathological input.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, compress, count, islice, pairwise

from engine.matching.folding import indent_of, loosen, squeeze, words
from engine.text import SMALL_PIECE, FileText, normalise_newlines, pieces

MOST_HITS = 1000
_MANY = 64
"""From so many edits on it pays to count words and lines once, instead of scanning the text for each edit."""
_SEARCH_OVERHEAD = 100_000
_SEARCH_BUDGET = 2_000_000_000
_CODING = ("utf-8", "surrogatepass")
_FEW = 8
"""For so many offsets it is cheaper to count the newlines before them than to split the text."""


class FileIndex:
    def __init__(self, file: FileText, *, searches: int = 1) -> None:
        self.file = file
        self._many = searches > _MANY
        self._counted = 0
        self._searched = 0
        self._asked: dict[str, Sequence[int]] = {}
        """The places of the lines that were asked for: few of all."""

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
        return normalise_newlines(self.file.text)

    @cached_property
    def _flat_starts(self) -> Sequence[int]:
        return array("Q", accumulate((len(line) + 1 for line in self.file.rows), initial=0))

    def offset(self, at: int) -> int:
        """The offset in the file's text of an offset in `flat`."""
        if self.has_only_newlines:
            return at
        line = min(bisect_right(self._flat_starts, at) - 1, self.file.line_count)
        return self.file.starts[line] + at - self._flat_starts[line]

    def flat_lines(self, first: int, last: int) -> tuple[int, int]:
        """Where the lines `first` to `last` (0-based) begin and end in `flat`."""
        starts = self._flat_starts
        return starts[first], starts[last + 1] if last + 1 < len(starts) else len(self.flat)

    def line_number(self, at: int) -> int:
        """The line (0-based) of an offset in `flat`."""
        self._counted += 1
        if self._counted <= _FEW and not self._many and self.has_only_newlines:
            return self.flat.count("\n", 0, at)
        return min(bisect_right(self._flat_starts, at) - 1, self.file.line_count - 1)

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
    def _squeezed(self) -> tuple[array[int], bytes]:
        """The numbers of the lines that are not blank, and their squeezed forms, a newline around each.

        As bytes, because one emoji makes every character of a string take four of them.
        """
        solid, joined, first = array("I"), bytearray(b"\n"), 0
        for piece in pieces(self.flat, SMALL_PIECE):
            keys = squeeze(piece).split("\n")
            if piece.endswith("\n"):
                keys.pop()
            solid.extend(compress(count(first), keys))
            first += len(keys)
            keys = list(filter(None, keys))
            joined += _encoded("\n".join([*keys, ""])) if keys else b""
        return solid, bytes(joined)

    @property
    def solid(self) -> array[int]:
        return self._squeezed[0]

    def solid_between(self, first: int, last: int) -> Sequence[int]:
        """Which of the lines `first:last` of the file are not blank."""
        return self.solid[bisect_left(self.solid, first) : bisect_left(self.solid, last)]

    def stands_once(self, key: str) -> bool:
        """Whether exactly one line has this squeezed form."""
        return len(list(islice(self._found([key]), 2))) == 1

    def stand_all(self, keys: Iterable[str]) -> bool:
        """Whether each is the squeezed form of some line."""
        return set(map(_encoded, keys)) <= set(self._squeezed[1].split(b"\n"))

    @cached_property
    def indent_step(self) -> int:
        """How much deeper a line of the file is than the one above it, mostly, in spaces or tabs."""
        if self.flat.startswith("\t") or "\n\t" in self.flat:
            return 1
        depths = (len(indent_of(line)) for line in self.file.rows if line.strip())
        steps = Counter(below - above for above, below in pairwise(depths) if below - above in (2, 3, 4, 8))
        return steps.most_common(1)[0][0] if steps else 4

    @cached_property
    def loose_keys(self) -> list[str]:
        """The solid lines without what may differ in a line to be removed. Equal ones are kept once."""
        kept: dict[str, str] = {}
        loose: list[str] = []
        for piece in _decoded(self._squeezed[1]):
            loose += [kept.setdefault(key, key) for key in map(loosen, piece.split("\n")[:-1])]
        return loose

    @cached_property
    def _places(self) -> tuple[dict[str, int], array[int]]:
        """Where each stands last, and for every entry where the same stood before (lists would take much room)."""
        last: dict[str, int] = {}
        before = array("q")
        for at, key in enumerate(self.loose_keys):
            before.append(last.get(key, -1))
            last[key] = at
        return last, before

    def loose_places(self, key: str) -> Sequence[int]:
        """Where in `loose_keys` it stands."""
        if key not in self._asked:
            last, before = self._places
            found, at = array("Q"), last.get(key, -1)
            while at >= 0:
                found.append(at)
                at = before[at]
            self._asked[key] = found[::-1]
        return self._asked[key]

    def hits(self, keys: Sequence[str]) -> list[int]:
        """Every position in `solid` where these squeezed lines follow each other (at most MOST_HITS)."""
        found: list[int] = []
        counted = lines = 0
        for at in islice(self._found(keys), MOST_HITS):
            lines += self._squeezed[1].count(b"\n", counted, at)
            counted = at
            found.append(lines)
        return found

    def _found(self, keys: Sequence[str]) -> Iterator[int]:
        """The offsets in the squeezed text."""
        joined, needle = self._squeezed[1], _encoded("\n".join(["", *keys, ""]))
        at = joined.find(needle)
        while at >= 0:
            yield at
            at = joined.find(needle, at + 1)


def _encoded(text: str) -> bytes:
    return text.encode(*_CODING)


def _decoded(joined: bytes) -> Iterator[str]:
    """The entries again, in pieces."""
    at = 1
    while at < len(joined):
        end = joined.find(b"\n", at + SMALL_PIECE) + 1 or len(joined)
        yield joined[at:end].decode(*_CODING)
        at = end
