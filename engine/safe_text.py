"""Untrusted text → what a terminal may show.

Every character that steers the terminal, reorders text or cannot be seen is *shown* as a mark: stripping it would show
another text than the one that is applied. C0 and DEL become control pictures (`␛`), bytes that are not UTF-8 become
`\\xff`, all others `<U+202E>`. What comes out is printable, and passing it through again changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

MAX_COMBINING = 4
"""Marks that may sit on one character; more would paint over the neighbouring lines."""

_ELLIPSIS = "…"

# Printable by the book, and yet nothing to see: blank letters and symbols, joiners, variation selectors.
_LOOKS_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    *(map(chr, range(first, last + 1)) for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)))
)
_MAY_COMBINE = re.compile(r"[^\x00-\u02ff]")
_TOO_MANY = re.compile(rf"^m+|(?<={'m' * MAX_COMBINING})m+")


# ---------------------------------------------------------------- marks


def safe_text(text: str, *, tabs: bool = False) -> str:
    """One line for the terminal. With `tabs` they stay, for a caller that expands them itself."""
    if text.isascii() and text.isprintable():
        return text
    shown = text.translate(_SHOWN_BUT_TABS if tabs else _SHOWN)
    return _bound_combining(shown) if _MAY_COMBINE.search(shown) else shown


def safe_block(text: str, *, tabs: bool = False) -> str:
    """Several lines: `\\n` stays a line break, everything else is as in `safe_text`."""
    return "\n".join(safe_text(line, tabs=tabs) for line in text.split("\n"))


def is_safe(text: str, *, tabs: bool = False) -> bool:
    """Whether this line is shown exactly as it is."""
    return safe_text(text, tabs=tabs) == text


def code_point(char: str) -> str:
    """`<U+202E>`: how a character is named that cannot be shown."""
    return f"<U+{ord(char):04X}>"


def _mark(char: str) -> str:
    point = ord(char)
    if point < 0x20:
        return chr(0x2400 + point)
    if point == 0x7F:
        return "\u2421"
    if 0xDC80 <= point <= 0xDCFF:
        return f"\\x{point - 0xDC00:02x}"
    return code_point(char)


class _Shown(dict[int, str]):
    """What each code point is shown as, worked out when it is first met."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        visible = char.isprintable() and char not in _LOOKS_BLANK
        self[point] = char if visible else _mark(char)
        return self[point]


class _Shape(dict[int, str]):
    """`m` for code points that sit on the one before them, `.` for all others."""

    def __missing__(self, point: int) -> str:
        is_vowel_of_hangul = 0x1160 <= point <= 0x11FF or 0xD7B0 <= point <= 0xD7FF
        combines = is_vowel_of_hangul or unicodedata.category(chr(point)).startswith("M")
        self[point] = "m" if combines else "."
        return self[point]


_SHOWN = _Shown()
_SHOWN_BUT_TABS = _Shown({ord("\t"): "\t"})
_SHAPE = _Shape()


def _bound_combining(text: str) -> str:
    """Shows the marks that have no character to sit on, or too many beside them, as code points."""
    parts, at = [], 0
    for run in _TOO_MANY.finditer(text.translate(_SHAPE)):
        parts += [text[at : run.start()], *map(code_point, text[run.start() : run.end()])]
        at = run.end()
    parts.append(text[at:])
    return "".join(parts)


# ---------------------------------------------------------------- long paths


def elide_middle(text: str, width: int, *, measure: Callable[[str], int] = len, mark: str = _ELLIPSIS) -> str:
    """A (safe) path in at most `width` cells: what is left out is in the middle, the file name and its ending stay.

    `measure` says how many cells a string takes.
    """
    if measure(text) <= width:
        return text
    room = width - measure(mark)
    if room <= 0:
        return _prefix(mark, width, measure)
    tail = _kept_tail(text, room, measure)
    return _prefix(text, room - measure(tail), measure) + mark + tail


def elide_each(texts: Sequence[str], width: int, *, measure: Callable[[str], int] = len) -> list[str]:
    """`elide_middle` for the rows of one list: different paths never look the same, as long as there is room."""
    short = [elide_middle(text, width, measure=measure) for text in texts]
    same = Counter(row for row, _ in set(zip(short, texts, strict=True)))
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts), 1)}
    return [
        row if same[row] == 1 else elide_middle(text, width, measure=measure, mark=f"…{numbers[text]}…")
        for row, text in zip(short, texts, strict=True)
    ]


def _kept_tail(text: str, room: int, measure: Callable[[str], int]) -> str:
    """The file name with its `/`; of a name that is too long the end, which holds its ending."""
    name = text[text.rfind("/") :] if "/" in text else text
    return name if measure(name) <= room else _suffix(name, (room + 1) // 2, measure)


def _prefix(text: str, width: int, measure: Callable[[str], int]) -> str:
    for at, char in enumerate(text):
        width -= measure(char)
        if width < 0:
            return text[:at]
    return text


def _suffix(text: str, width: int, measure: Callable[[str], int]) -> str:
    return _prefix(text[::-1], width, measure)[::-1]
