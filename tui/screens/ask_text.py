"""One text from the person: a reason, a comment, a search. A longer one is written in $EDITOR."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Tone, block
from tui.screens.rows_view import RowsView
from tui.screens.safe_fields import SafeInput


class AskText(Dialog[str]):
    """`enter` sends the text, `esc` answers None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+e", "editor", "Editor")]

    def __init__(self, title: str, initial: str = "", *, verb: str = "Send", editor_ok: bool = True) -> None:
        super().__init__(title)
        self._verb = verb
        self._text = initial
        self._editor_ok = editor_ok

    def body(self) -> Iterable[Widget]:
        yield SafeInput(placeholder="type, then enter", compact=True)
        yield RowsView()

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", self._verb, "accept", primary=True)
        yield Choice("esc", "Back", "go_back")
        if self._editor_ok:
            yield Choice("ctrl+e", "Longer, in $EDITOR", "editor")

    def on_mount(self) -> None:
        self._show(self._text)

    def _show(self, text: str) -> None:
        """One line is typed in place; several are shown, and changed in the editor."""
        self._text = text
        several = "\n" in text
        field, shown = self.query_one(Input), self.query_one(RowsView)
        field.display, shown.display = not several, several
        if several:
            shown.set_rows(block(text, Tone.PERSON))
            self.set_focus(None)
        else:
            field.value = text
            field.focus()

    @property
    def text(self) -> str:
        return self._text if "\n" in self._text else self.query_one(Input).value

    def on_input_submitted(self) -> None:
        self.action_accept()

    def answer_on_enter(self) -> str:
        return self.text

    def action_editor(self) -> None:
        if not self._editor_ok:
            return
        edited = self.text_from_editor(self.text + "\n", ".md")
        if edited is not None:
            self._show(edited.rstrip("\n"))
