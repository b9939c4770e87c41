"""A question with a yes: undo an apply, give something up."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Tone, block
from tui.screens.rows_view import RowsView


class Confirm(Dialog[bool]):
    """`enter`: what the title says. The body names what is concerned, one thing a line."""

    def __init__(self, title: str, body: str) -> None:
        super().__init__(title)
        self._body = body

    def body(self) -> Iterable[Widget]:
        yield RowsView(block(self._body, Tone.PLAIN))

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Yes", "accept", primary=True)
        yield Choice("esc", "No, go back", "go_back")

    def answer_on_enter(self) -> bool:
        return True

    def answer_on_back(self) -> bool:
        return False
