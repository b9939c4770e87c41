"""Doubt: white space is all that differs, but in a way in which the twin of a block often does.

Such a match is as good as any other once a person has seen it; a bulk accept leaves it open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.matching import indentation
from engine.matching.folding import indent_of, squeeze
from engine.matching.index import FileIndex
from engine.matching.readings import Reading
from engine.matching.rows import diff

_COMMENTS = ("#", "//", "/*", "*", "--", ";", "<!--")
_FEWEST_LINES = 3
"""Fewer need the blank lines around them to say where they belong, unless each is unique."""


def edges(index: FileIndex, reading: Reading, lines: Mapping[int, int], cut: tuple[int, int]) -> bool:
    """Whether blank lines that the file does not have were needed to say where the block belongs.

    `cut`: how many of them at the head and at the tail.
    """
    if not any(cut):
        return False
    if any(not gone and not edge.strip() for gone, edge in zip(cut, (reading.old[0], reading.old[-1]), strict=True)):
        return True  # the blank line at the other end fits: this one was meant too
    own = [squeeze(index.file.rows[at]) for at in lines.values()] if len(lines) < _FEWEST_LINES else []
    return not all(map(index.stands_once, own)) or _inserts_at_edges(reading, *cut)


def _inserts_at_edges(reading: Reading, head: int, tail: int) -> bool:
    """Whether a blank line that is cut off is one side of an insertion."""
    points = ({head} if head else set()) | ({len(reading.old) - tail} if tail else set())
    return any(first == last and first in points for first, last, _, _ in diff(reading.old, reading.new))


def depth(index: FileIndex, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether the block reads like one that stands at another depth, or has just one line with words.

    A shift by whole steps of the file's indentation is such a depth. Code that begins at the margin was most likely cut
    out, and what is off by a column was most likely numbered; but comments alone may be the head of another file.
    """
    solid = [pair for pair in pairs if pair[0].strip()]
    indents = [(indent_of(sent), indent_of(own)) for sent, own in solid]
    if all(sent == own for sent, own in indents):
        return False
    if len(solid) > 1 and sum(any(map(str.isalnum, sent)) for sent, _ in solid) < 2:
        return True
    sent, own = map(len, indents[0])
    if sent == own or not indentation.is_shift(indents):
        return False
    if not sent:
        return all(line.lstrip().startswith(_COMMENTS) for line, _ in solid)
    return (own - sent) % index.indent_step == 0
