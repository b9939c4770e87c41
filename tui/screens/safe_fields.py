"""Fields to type in that show steering and invisible characters as marks. What they hold stays as it is.

In a field each character keeps its own place under the cursor, so one character gets one mark: C0 its control picture,
everything else that must not reach the terminal `�`.
"""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Input, TextArea

from engine.safe_text import is_safe

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


class _Marks(dict[int, str]):
    def __missing__(self, point: int) -> str:
        char = chr(point)
        if char == "\t" or is_safe(f"a{char}"):
            self[point] = char
        else:
            self[point] = chr(0x2400 + point) if point < 0x20 else _UNSEEN
        return self[point]


_MARKS = _Marks()


def marked(text: str) -> str:
    """As many characters as `text` has, none of them able to steer the terminal."""
    return text.translate(_MARKS)


class SafeInput(Input):
    """One line."""

    @property
    def _value(self) -> Text:
        return Text(marked(self.value).replace("\t", "␉"), no_wrap=True, overflow="ignore", end="")


class SafeTextArea(TextArea):
    """Several lines."""

    def get_line(self, line_index: int) -> Text:
        return Text(marked(self.document.get_line(line_index)), end="", no_wrap=True)
