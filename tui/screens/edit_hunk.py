"""The new text of one hunk, changed by the reviewer before it is accepted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.events import Resize
from textual.widget import Widget
from textual.widgets import Static, TextArea

from engine.safe_text import is_safe
from engine.text import normalise_newlines
from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Tone, block
from tui.screens.rows_view import RowsView
from tui.screens.safe_fields import SafeTextArea

_WIDE = 130
_SUFFIXES = {
    "python": ".py",
    "javascript": ".js",
    "typescript": ".ts",
    "markdown": ".md",
    "rust": ".rs",
    "yaml": ".yml",
}


class EditHunk(Dialog[str]):
    """`ctrl+s` or `f2` accepts the text, `esc` goes back without it. `original` is what the agent sent."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "accept", "Accept"),
        Binding("ctrl+e", "editor", "Editor"),
    ]
    DEFAULT_CSS = """
    EditHunk > .dialog--frame { width: 96%; max-width: 220; height: 96%; }
    EditHunk .dialog--title { margin-bottom: 0; }
    EditHunk #panes { height: 1fr; layout: vertical; }
    EditHunk #panes.-wide { layout: horizontal; }
    EditHunk .pane { height: 1fr; width: 1fr; }
    EditHunk #sent { height: auto; max-height: 30%; }
    EditHunk .-wide #sent { height: 1fr; max-height: 100%; margin-right: 1; }
    EditHunk #sent RowsView { height: auto; max-height: 100%; }
    EditHunk .label { height: 1; color: $text-muted; }
    EditHunk TextArea { height: 1fr; background: $boost; }
    """

    def __init__(self, title: str, text: str, language: str | None, *, original: str | None = None) -> None:
        super().__init__(title)
        self._text = text
        self._original = text if original is None else original
        self._suffix = _SUFFIXES.get(language or "", f".{language}" if language else ".txt")
        self._warned = False
        self._elsewhere: str | None = None
        """The text from the editor, where the field cannot hold it as it is."""

    def body(self) -> Iterable[Widget]:
        sent = Vertical(Static("as the agent sent it", classes="label"), RowsView(), id="sent")
        mine = Vertical(Static("your version", classes="label"), _field(self._text), id="mine")
        sent.add_class("pane")
        mine.add_class("pane")
        yield Container(sent, mine, id="panes")

    def choices(self) -> Iterable[Choice]:
        yield Choice("ctrl+s", "Accept this text", "accept", primary=True)
        yield Choice("esc", "Back", "go_back")
        yield Choice("ctrl+e", "$EDITOR", "editor")

    def on_mount(self) -> None:
        self.query_one(RowsView).set_rows(block(self._original, Tone.AGENT))
        self._load(self._text)

    def on_resize(self, event: Resize) -> None:
        self.query_one("#panes").set_class(event.size.width >= _WIDE, "-wide")

    def _load(self, text: str) -> None:
        """Into the field, where it holds every character as it is; else it is only shown, and changed in the editor."""
        field = self.query_one(SafeTextArea)
        field.name_of_text = f"x{self._suffix}"
        field.load_text(text)
        kept = normalise_newlines(field.text) == normalise_newlines(text)
        self._elsewhere = None if kept else text
        field.read_only = not kept
        field.focus()
        if not kept:
            self.say("This text has line breaks that only an editor keeps: ctrl+e.")
        elif not all(is_safe(line, tabs=True) for line in normalise_newlines(text).split("\n")):
            self.say("Characters that cannot be seen are marked ␛ or �; they stay what they are.")

    @property
    def text(self) -> str:
        return self.query_one(SafeTextArea).text if self._elsewhere is None else self._elsewhere

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        if self._warned:
            self._warned = False
            self.say("")

    def answer_on_enter(self) -> str | None:
        if normalise_newlines(self.text) != normalise_newlines(self._text):
            return self.text
        if self._warned:
            return self._text
        self._warned = True
        self.say("Nothing is changed. ctrl+s again accepts it as it is, esc goes back.")
        return None

    def action_editor(self) -> None:
        edited = self.text_from_editor(self.text, self._suffix)
        if edited is not None:
            self._load(edited)


def _field(text: str) -> SafeTextArea:
    """A field in which `tab` indents as the text itself does."""
    field = SafeTextArea(tab_behavior="indent", show_line_numbers=False, soft_wrap=False, compact=True)
    field.indent_type = "tabs" if any(line.startswith("\t") for line in text.split("\n")) else "spaces"
    return field
