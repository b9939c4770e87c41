"""Text for people: colours on a terminal, plain characters in a pipe. Nothing untrusted is printed unless made safe.

A line is a row of spans, each a text or a (text, style) pair. Rich is imported only when there are colours to show.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

Span = str | tuple[str, str]


class Out:
    """Prints lines to one stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._colours = wants_colours(self._stream)

    def line(self, *spans: Span) -> None:
        """Print one line. The spans must already be safe: our own words, or `safe(…)`."""
        pairs = [(span, "") if isinstance(span, str) else span for span in spans]
        if not self._colours:
            self._stream.write("".join(text for text, _ in pairs) + "\n")
            return
        from rich.console import Console
        from rich.text import Text

        console = Console(file=self._stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
        console.print(Text.assemble(*pairs))

    def block(self, text: str, style: str = "", indent: str = "") -> None:
        """Print untrusted text of several lines."""
        from engine.safe_text import safe_block

        for row in safe_block(text).split("\n"):
            self.line((indent + row, style))

    def box(self, title: str, rows: Iterable[str]) -> None:
        """A titled frame around short rows."""
        rows = [safe(row, 96) for row in rows]
        title = safe(title, 60)
        width = max([len(title) + 4, *(_cells(row) + 2 for row in rows)])
        self.line((f"┌─ {title} {'─' * (width - _cells(title) - 3)}┐", "dim"))
        for row in rows:
            self.line(("│ ", "dim"), row + " " * (width - _cells(row) - 1), ("│", "dim"))
        self.line((f"└{'─' * width}┘", "dim"))


def wants_colours(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def safe(text: str, width: int | None = None) -> str:
    """Untrusted text as one line that a terminal may show, cut to `width` characters where one is given."""
    from engine.safe_text import safe_text  # its tables are not needed where the output is JSON

    shown = safe_text(text)
    if width is not None and len(shown) > width:
        return shown[: width - 1] + "…"
    return shown


def complain(text: str) -> None:
    """An error or warning on standard error."""
    from engine.safe_text import safe_block

    out = Out(sys.stderr)
    first, *more = safe_block(text).split("\n")
    out.line(("hunkdeck: ", "bold red"), first)
    for row in more:
        out.line("  " + row)


def print_json(value: Any) -> None:
    """Data for machines: everything survives, and plain ASCII cannot upset a terminal."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True, indent=2) + "\n")


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text if not combining(char))
