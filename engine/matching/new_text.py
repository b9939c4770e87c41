"""Damage in `new` alone, where `old` is right: a fence around it, line numbers, an ellipsis for lines it keeps.

Written literally, each of these would put rubbish into the file or take lines out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.matching import elision
from engine.matching.index import FileIndex
from engine.matching.merge import CannotMerge
from engine.matching.readings import Reading, unfenced, unnumbered
from engine.matching.rows import Rows


def undo_damage(index: FileIndex, reading: Reading, first: int) -> Reading:
    """The reading with `new` as it was meant. Raises CannotMerge where that is not certain.

    `first`: the 0-based line of the place.
    """
    if not any(map(_could_be_damage, reading.new)):
        return reading
    inner = _without_fence(index, reading.old, reading.new)
    bare = _without_numbers(reading.old, inner, first)
    if bare is not reading.new:
        rows = Rows.of("\n".join(bare))
        fenced = inner is not reading.new
        closed = rows.closed or (_closed_in_fence(index, reading, first) if fenced else reading.new_closed)
        reading = replace(reading, new=rows.lines, new_closed=closed)
    return replace(reading, new=tuple(_without_elision(index, reading.old, reading.new)))


def _could_be_damage(line: str) -> bool:
    return "..." in line or "…" in line or line.startswith("```") or line[:12].lstrip(" \tL")[:1].isdigit()


def _shares_a_line(old: Sequence[str], new: Sequence[str]) -> bool:
    return not {line.strip() for line in old if line.strip()}.isdisjoint(line.strip() for line in new)


def _without_fence(index: FileIndex, old: Sequence[str], new: Sequence[str]) -> Sequence[str]:
    if not new or not new[0].startswith("```") or any(line.startswith("```") for line in old):
        return new
    inner = unfenced(new)
    if inner is None or list(inner) == list(old):
        return new
    fenced_file = "```" in index.file.text
    if _shares_a_line(old, inner) and not fenced_file:
        return inner
    if _shares_a_line(old, inner) or not fenced_file:
        raise CannotMerge("the new text stands in a Markdown fence and the old text does not")
    return new


def _closed_in_fence(index: FileIndex, reading: Reading, first: int) -> bool:
    """A fence hides whether the text in it ends in a newline; that matters where a blank line stands behind."""
    behind = index.file.rows[first + len(reading.old) : first + len(reading.old) + 1]
    if reading.old_closed and behind == [""]:
        raise CannotMerge("the fence around the new text hides whether the blank line behind it stays")
    return reading.old_closed


def _without_numbers(old: Sequence[str], new: Sequence[str], first: int) -> Sequence[str]:
    found = unnumbered(new) if new and new[0][:12].lstrip(" \tL")[:1].isdigit() else None
    if found is None or unnumbered(old) is not None:
        return new
    number, lines, _ = found
    if list(lines) == list(old) or len(lines) < 2:
        return new
    if number == first + 1:
        return lines
    if _shares_a_line(old, lines):
        raise CannotMerge("the new text has line numbers and the old text does not")
    return new


def _without_elision(index: FileIndex, old: Sequence[str], new: Sequence[str]) -> Sequence[str]:
    added = [row for row, line in enumerate(new) if elision.is_elision(line) and line not in old]
    if not added:
        return new
    expanded = elision.expand(old, new)
    if expanded is not None and expanded != list(old):
        return expanded
    if all(_is_code(index, old, new, row) or (expanded is not None and _is_stub(new, row)) for row in added):
        return new
    raise CannotMerge("the new text leaves out lines (`...`) that the old text has")


def _is_code(index: FileIndex, old: Sequence[str], new: Sequence[str], row: int) -> bool:
    """Bare dots are code as the body of a stub, where the file has such lines, or with nothing of `old` beside them."""
    if not elision.is_bare(new[row]):
        return False
    beside = (_above(new, row) in old) + (_above(new[::-1], len(new) - 1 - row) in old)
    if beside != 1:
        return beside == 0
    return _is_stub(new, row) or new[row].strip() in map(str.strip, index.file.rows)


def _is_stub(new: Sequence[str], row: int) -> bool:
    return elision.is_bare(new[row]) and _above(new, row).rstrip().endswith((":", '"""'))


def _above(lines: Sequence[str], row: int) -> str:
    """The nearest line above that is not blank."""
    return next((line for line in reversed(lines[:row]) if line.strip()), "")
