"""What changed since the version of a proposal that was shown before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Row, Tone, row
from tui.screens.rows_view import RowsView


class ShowRevision(Dialog[None]):
    """Read and close. The rows are made while the dialog is open already."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("i,q", "accept", "Close", show=False)]

    def __init__(self, title: str, rows: Callable[[], Sequence[Row]]) -> None:
        super().__init__(title)
        self._make = rows

    def body(self) -> Iterable[Widget]:
        yield RowsView([row(("comparing …", Tone.DIM))])

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Close", "accept", primary=True)

    def on_mount(self) -> None:
        self.run_worker(self._fill(), exclusive=True)

    async def _fill(self) -> None:
        self.query_one(RowsView).set_rows(await asyncio.to_thread(self._make))

    def action_accept(self) -> None:
        self.dismiss(None)
