"""The place of a plain edit. Its lines and cuts are worked out when they are asked for: finding it needs neither."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from engine.model import TextEdit
from engine.text import Splice


class PlainPlace(NamedTuple):
    """Where the old text stands, to the letter; what `Place` says, it says as well."""

    text: str
    """Of the file; it has no carriage returns."""
    edit: TextEdit
    at: int
    """The offset of the old text."""
    line: int | None = None
    """The line of that offset (0-based), where it is known already."""

    @property
    def first(self) -> int:
        return 1 + (self.text.count("\n", 0, self.at) if self.line is None else self.line)

    @property
    def last(self) -> int:
        return self.first + self.edit.old.count("\n", 0, -1)

    @property
    def splices(self) -> tuple[Splice, ...]:
        """On whole lines only those that differ; inside a line all of it."""
        text, (old, new), at = self.text, (self.edit.old, self.edit.new), self.at
        end = at + len(old)
        if at > 0 and text[at - 1] != "\n":
            return (Splice(at, end, new),)
        if old[-1] == "\n":
            return _line_cuts(at, old, new)
        return _line_cuts(at, old + "\n", new + "\n") if text[end] == "\n" else (Splice(at, end, new),)


def _line_cuts(at: int, old: str, new: str) -> tuple[Splice, ...]:
    """What changes in the lines from `at` on; both texts end in a newline."""
    ours, theirs = old.split("\n"), new.split("\n")
    ours.pop()
    theirs.pop()
    rows, last = len(ours), len(theirs)
    head = tail = above = below = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        above += 1
        head += len(one) + 1
    shorter = min(rows, last) - above
    while below < shorter and ours[rows - 1 - below] == theirs[last - 1 - below]:
        tail += len(ours[rows - 1 - below]) + 1
        below += 1
    removed, added = ours[above : rows - below], theirs[above : last - below]
    if len(removed) + len(added) > 2 and not set(removed).isdisjoint(added):
        return _parts(at + head, removed, added)
    return (Splice(at + head, at + len(old) - tail, new[head : len(new) - tail]),)


def _parts(start: int, old: list[str], new: list[str]) -> tuple[Splice, ...]:
    """Several changes with lines between them that stay."""
    from engine.matching.rows import diff

    offsets = list(accumulate((len(line) + 1 for line in old), initial=start))
    return tuple(
        Splice(offsets[old_first], offsets[old_last], "\n".join([*new[new_first:new_last], ""]))
        for old_first, old_last, new_first, new_last in diff(old, new)
    )
