"""A file that runs later or steers tools: the risks by name, and one deliberate yes for this file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.widget import Widget

from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Row, Tone, row
from tui.screens.rows_view import RowsView


class ConfirmRisk(Dialog[bool]):
    """`enter` confirms the risks of one file."""

    DEFAULT_CSS = """
    ConfirmRisk > .dialog--frame { border: round $warning; max-width: 90; }
    ConfirmRisk .dialog--title { color: $text-warning; }
    """

    def __init__(self, path: str, risks: Sequence[str]) -> None:
        super().__init__("Confirm the risk of this file, and accept the change")
        self._path = path
        self._risks = risks

    def body(self) -> Iterable[Widget]:
        yield RowsView([row((self._path, Tone.PATH)), row(), *self._risk_rows(), row(), *_EXPLAINED])

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Confirm and accept", "accept", primary=True)
        yield Choice("esc", "Back, still undecided", "go_back")

    def _risk_rows(self) -> list[Row]:
        return [Row(((f"⚠ {risk}", Tone.WARN),), ("  ", Tone.PLAIN)) for risk in self._risks]

    def answer_on_enter(self) -> bool:
        return True

    def answer_on_back(self) -> bool:
        return False


_EXPLAINED = [row(("The confirmation counts for this file only; no bulk accept ever takes it.", Tone.DIM))]
