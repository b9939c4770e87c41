"""A place in the lines of a patch: what the readers of line-based formats share."""

from __future__ import annotations

from engine.errors import UnreadableProposal


class Cursor:
    """Lines, and where the reader stands. Beyond the last line there are only empty ones."""

    def __init__(self, lines: list[str], format: str, first_line: int = 1) -> None:
        self._lines = lines
        self._format = format
        self._first_line = first_line
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self._lines)

    @property
    def number(self) -> int:
        """The line's number in the payload, as people count."""
        return self._first_line + self.at

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self._lines[at] if at < len(self._lines) else ""

    def skip_blank(self) -> None:
        while not self.done and not self.peek().strip():
            self.at += 1

    def bad(self, message: str, line: int | None = None) -> UnreadableProposal:
        """An error at the current line, or at another."""
        where = f"line {self.number if line is None else line}"
        return UnreadableProposal(message, format=self._format, where=where)
