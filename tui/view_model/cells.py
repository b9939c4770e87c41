"""Lines of files as cells of a terminal: safe, tabs at cell-aware stops, wide characters counted, long lines cut.

`shown` works on at most `MOST_SHOWN` characters, so a line of 10 MB costs no more than one of 4 kB.
"""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len, get_character_cell_size

from engine.safe_text import safe_text

TAB = 4
MOST_SHOWN = 4_000
"""Characters of one line that are shown; what is cut off says so."""


class Shown(NamedTuple):
    """A line as it appears: tabs are spaces in `text`, and `tabs` are the offsets where each of them begins."""

    text: str
    tabs: tuple[int, ...] = ()
    rest: str = ""
    """What was cut off, in words: `… +9.9 MB`."""


def shown(line: str) -> Shown:
    """One line (without its ending) for the terminal."""
    rest = ""
    if len(line) > MOST_SHOWN:
        rest = f" … +{size_in_words(len(line) - MOST_SHOWN)}"
        line = line[:MOST_SHOWN]
    text = safe_text(line, tabs=True)
    return _expand(text, rest) if "\t" in text else Shown(text, (), rest)


def _expand(text: str, rest: str) -> Shown:
    parts: list[str] = []
    tabs: list[int] = []
    offset = column = 0
    for number, piece in enumerate(text.split("\t")):
        if number:
            gap = TAB - column % TAB
            tabs.append(offset)
            parts.append(" " * gap)
            offset, column = offset + gap, column + gap
        parts.append(piece)
        offset, column = offset + len(piece), column + cell_width(piece)
    return Shown("".join(parts), tuple(tabs), rest)


def size_in_words(characters: int) -> str:
    """`812 B`, `4.0 kB`, `9.9 MB`."""
    if characters < 1_000:
        return f"{characters} B"
    if characters < 1_000_000:
        return f"{characters / 1_000:.1f} kB"
    return f"{characters / 1_000_000:.1f} MB"


def cell_width(text: str) -> int:
    """How many cells a safe text takes, as the terminal toolkit counts them."""
    return len(text) if text.isascii() else cell_len(text)


def fit(text: str, width: int) -> int:
    """How many characters of a safe text fit into `width` cells."""
    if text.isascii():
        return min(len(text), max(width, 0))
    for at, char in enumerate(text):
        width -= get_character_cell_size(char)
        if width < 0:
            return at
    return len(text)


def cut(text: str, width: int) -> str:
    """A safe text in at most `width` cells, with `…` where something is missing."""
    if cell_width(text) <= width:
        return text
    return text[: fit(text, width - 1)] + "…" if width > 0 else ""


def pad(text: str, width: int) -> str:
    """Exactly `width` cells."""
    text = cut(text, width)
    return text + " " * (width - cell_width(text))


def wrap(text: str, width: int) -> list[str]:
    """A safe text in rows of at most `width` cells; at least one row. Breaks behind spaces where there are any."""
    rows = []
    width = max(width, 2)
    while text:
        at = fit(text, width)
        if at < len(text):
            space = text.rfind(" ", at // 2, at)
            at = space + 1 if space > 0 else at
        rows.append(text[: max(at, 1)])
        text = text[max(at, 1) :]
    return rows or [""]


def slices(text: str, width: int) -> list[tuple[int, int]]:
    """Where a line of code is broken into rows of at most `width` cells: exact, so that nothing is moved."""
    width = max(width, 2)
    if text.isascii():
        return [(at, min(at + width, len(text))) for at in range(0, len(text), width)] or [(0, 0)]
    found, at = [], 0
    while at < len(text):
        end = at + max(fit(text[at : at + width], width), 1)
        found.append((at, end))
        at = end
    return found or [(0, 0)]
