"""Elision: a line such as `...` or `// ... existing code ...` that stands for lines of the file.

Bare dots, or dots with a known word; `...args` and `x = ...` are code. Every part between two elisions must be found by
itself, say enough (two lines, or one that is unique in the file), and there must be exactly one chain of parts
in file order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from engine.matching.folding import is_telling, squeeze
from engine.matching.index import FileIndex
from engine.matching.readings import Reading
from engine.matching.strategies import grade
from engine.matching.window import Window, windows

_DOTS = r"(?:\.{3,4}|…)"
_OPENING = r"\s*(?:#|//|/\*|<!--|--|;|%|\.\.|\{/\*)?\s{0,4}"
_CLOSING = r"\s{0,4}(?:\*/\}|\*/|-->)?\s*$"
_WORDS = r"(?:existing|rest|unchanged|remaining|same|other|previous|omitted|skipped|keep|no changes?)\b[^\n]{0,80}?"
_BARE = re.compile(rf"{_OPENING}(?:{_DOTS}|\({_DOTS}\)|\[{_DOTS}\]){_CLOSING}")
_WORDED = re.compile(
    rf"{_OPENING}[(\[]?\s?(?:{_DOTS}\s{{0,3}}[(\[]?{_WORDS}{_DOTS}?|(?:the\s)?{_WORDS}{_DOTS})\s?[)\]]?{_CLOSING}",
    re.IGNORECASE,
)
_LONGEST = 160
_MOST_HITS = 32


def is_elision(line: str) -> bool:
    return len(line) <= _LONGEST and ("..." in line or "…" in line) and bool(_BARE.match(line) or _WORDED.match(line))


def is_bare(line: str) -> bool:
    """Nothing but dots, which may also be code (the body of a stub)."""
    return line.strip() in ("...", "…")


def elided_windows(index: FileIndex, reading: Reading) -> list[Window]:
    """The parts of the one chain that fits, or nothing."""
    old, new = _parts(reading.old), _parts(reading.new)
    if len(old) < 2 or len(old) != len(new):
        return []
    parts = [Reading(tuple(o), tuple(n), reading.kind) for o, n in zip(old, new, strict=True)]
    parts = [part for part in parts if part.old or part.new]
    places = [_places(index, part) for part in parts]
    chains = _chains(places) if all(places) else []
    return [_shifted(window) for window in chains[0]] if len(chains) == 1 else []


def _shifted(window: Window) -> Window:
    return Window(window.reading, window.mapping, window.pairs, window.blanks_fit, window.trimmed, elided=True)


def _parts(lines: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for line in lines:
        if is_elision(line):
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def _places(index: FileIndex, part: Reading) -> list[Window]:
    keys = [key for key in squeeze("\n".join(part.old)).split("\n") if key]
    if len(keys) < 2 and not (keys and is_telling(keys[0]) and index.stands_once(keys[0])):
        return []
    found = list(islice(windows(index, part), _MOST_HITS + 1))
    grades = [grade(window) for window in found]
    strictest = min((rank for rank in grades if rank is not None), default=None)
    kept = [window for window, rank in zip(found, grades, strict=True) if rank == strictest]
    return kept if strictest is not None and len(found) <= _MOST_HITS else []


def _chains(places: list[list[Window]]) -> list[list[Window]]:
    """Every way to take one place of each part in file order, at least one line apart; at most two are needed."""
    chains = [[window] for window in places[0]]
    for following in places[1:]:
        chains = [[*chain, window] for chain in chains for window in following if window.first > chain[-1].last + 1]
        if len(chains) > _MOST_HITS:
            return []
    return chains


def expand(old: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """`new` with the lines of `old` where only `new` elides them; None where it is not certain which."""
    rows = list(new)
    while (at := next((n for n, row in enumerate(rows) if is_elision(row) and row not in old), None)) is not None:
        above, below = _end_of(old, rows[:at]), _start_of(old, rows[at + 1 :])
        if above is None or below is None or below - above < 1:
            return None
        rows[at : at + 1] = old[above:below]
    return rows


def _end_of(old: Sequence[str], rows: Sequence[str]) -> int | None:
    """Where in `old` the rows above an elision end."""
    for count in range(1, len(rows) + 1):
        places = _occurrences(old, rows[len(rows) - count :])
        if not places:
            return None
        if len(places) == 1 and (count > 1 or is_telling(squeeze(rows[-1]))):
            return places[0] + count
    return None


def _start_of(old: Sequence[str], rows: Sequence[str]) -> int | None:
    for count in range(1, len(rows) + 1):
        places = _occurrences(old, rows[:count])
        if not places:
            return None
        if len(places) == 1 and (count > 1 or is_telling(squeeze(rows[0]))):
            return places[0]
    return None


def _occurrences(lines: Sequence[str], block: Sequence[str]) -> list[int]:
    first = list(block)
    return [
        at
        for at in range(len(lines) - len(first) + 1)
        if lines[at] == first[0] and list(lines[at : at + len(first)]) == first
    ]
