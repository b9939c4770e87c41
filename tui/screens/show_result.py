"""What became of each hunk, with the next step at hand."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from engine.result import Result
from engine.settle import Status
from tui.screens.dialog import Choice, Dialog
from tui.screens.result_rows import result_rows, result_title
from tui.screens.rows_view import RowsView


class Next(StrEnum):
    """What is to be done with a verdict."""

    SENT = "sent"
    """It is final as it is; failures are given up."""
    KEEP = "keep"
    """The failures stay open."""
    UNDO = "undo"
    """Take the apply back."""
    PLACE = "place"
    """Choose a place for the failed hunk under the cursor (`ShowResult.hunk`)."""


class ShowResult(Dialog[Next]):
    """`enter` leaves the verdict as it is, `esc` keeps the failures open, `u` takes the apply back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u,ctrl+z", "undo", "Undo"),
        Binding("m", "place", "Place by hand"),
    ]

    def __init__(self, result: Result) -> None:
        super().__init__(result_title(result))
        self.hunk: int | None = None
        """The failed hunk that was chosen, when the answer is PLACE."""
        self._result = result
        self._open = result.failures_open
        self._undoable = result.transaction is not None
        failed = [hunk for hunk in result.hunks if hunk.status is Status.FAILED] if self._open else []
        self._placeable = {hunk.index for hunk in failed if hunk.candidates}

    def body(self) -> Iterable[Widget]:
        yield RowsView(result_rows(self._result))

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Send" if self._open else "Close", "accept", primary=True)
        if self._open:
            yield Choice("esc", "Keep failures open", "go_back")
        if self._placeable:
            yield Choice("m", "Place by hand", "place")
        if self._undoable:
            yield Choice("u", "Undo", "undo")

    def answer_on_enter(self) -> Next:
        return Next.SENT

    def answer_on_back(self) -> Next:
        return Next.KEEP

    def action_undo(self) -> None:
        if self._undoable:
            self.dismiss(Next.UNDO)

    def action_place(self) -> None:
        chosen = self.query_one(RowsView).cursor
        if chosen in self._placeable:
            self.hunk = chosen
            self.dismiss(Next.PLACE)
        elif self._open:
            self.say("No place in the file resembles this hunk.")
