"""The second guard of the terminal: no control, bidi or invisible character leaves the app, whoever wrote it.

Everything untrusted is made safe where it becomes a row. This filter sees every line that is about to be painted and
replaces what should have been replaced before.
"""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from engine.safe_text import safe_text


class SafeLines(LineFilter):
    """Makes every segment of a line safe; a safe line passes untouched."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(segment.control or _plain(segment.text) for segment in segments):
            return segments
        return [
            segment if segment.control else Segment(_same_width(segment.text), segment.style) for segment in segments
        ]


@lru_cache(4096)
def _plain(text: str) -> bool:
    return (text.isascii() and text.isprintable()) or safe_text(text) == text


def _same_width(text: str) -> str:
    """One mark for each forbidden character, so that the columns stay where they are."""
    safe = safe_text(text)
    if safe == text:
        return text
    return "".join(char if safe_text(f"a{char}") == f"a{char}" else "�" for char in text)
