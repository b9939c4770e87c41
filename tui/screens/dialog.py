"""What all dialogs share: the frame, the title that says what `enter` does, the keys, and the same by mouse.

A dialog that has something to compute opens first: until `ready`, `enter` does nothing, because nothing was shown yet
that a person could agree to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Static

from engine.safe_text import elide_middle, safe_text
from tui.editor import EditorUnavailable, edit_text
from tui.screens.rows_view import RowsView

Answer = TypeVar("Answer")
_LONGEST_TITLE = 180


class Choice(Button, can_focus=False):
    """What a key does, for the mouse. It never takes the focus, so `enter` always means what the title says."""

    DEFAULT_CSS = """
    Choice { min-width: 4; margin-right: 1; }
    Choice.-style-default { background: $panel; }
    """

    def __init__(self, key: str, label: str, action: str, *, primary: bool = False) -> None:
        super().__init__(
            "",
            "primary" if primary else "default",
            id=f"choice-{action}" if action.isidentifier() else None,
            action=f"screen.{action}",
            compact=True,
        )
        self.key = key
        self.relabel(label)

    def relabel(self, label: str) -> None:
        """Say something else on it."""
        self.label = Content.assemble((self.key, "bold"), "  ", safe_text(label))


class Dialog(ModalScreen[Answer]):
    """A framed question over the review."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "go_back", "Back"),
        Binding("enter", "accept", "Do it"),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False),
        Binding("pagedown,space,ctrl+f", "page(1)", "Page down", show=False),
    ]
    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > .dialog--frame {
        width: 95%; max-width: 110; min-width: 30; height: auto; max-height: 100%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    Dialog .dialog--title { height: auto; max-height: 3; text-style: bold; color: $text-primary; margin-bottom: 1; }
    Dialog .dialog--said { height: auto; min-height: 1; max-height: 2; color: $text-warning; }
    Dialog .dialog--choices { height: 1; }
    """
    ALLOW_SELECT = False

    def __init__(self, title: str) -> None:
        super().__init__()
        self.dialog_title = title
        self.ready = True
        """What is shown is what `enter` is about."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog--frame"):
            yield Static(_title_text(self.dialog_title), classes="dialog--title")
            yield from self.body()
            yield Static(classes="dialog--said")
            with Horizontal(classes="dialog--choices"):
                yield from self.choices()

    def body(self) -> Iterable[Widget]:
        """What stands between the title and the choices."""
        yield RowsView()

    def choices(self) -> Iterable[Choice]:
        """The keys, the default first."""
        yield Choice("enter", "OK", "accept", primary=True)
        yield Choice("esc", "Back", "go_back")

    def set_title(self, title: str) -> None:
        self.dialog_title = title
        self.query_one(".dialog--title", Static).update(_title_text(title))

    def say(self, words: str) -> None:
        """A line above the choices."""
        self.query_one(".dialog--said", Static).update(Content(safe_text(words)))

    def answer_on_enter(self) -> Answer | None:
        """What `enter` answers; None: nothing yet, the dialog stays."""
        raise NotImplementedError

    def answer_on_back(self) -> Answer | None:
        """What `esc` answers."""
        return None

    # ---------------------------------------------------------------- keys

    def on_key(self, event: Key) -> None:
        """What is typed before the field has the focus is for the field."""
        field = next((found for found in self.query("Input, TextArea") if found.display), None)
        if field is not None and self.focused is None:
            event.stop()
            field.post_message(event)

    def action_accept(self) -> None:
        answer = self.answer_on_enter() if self.ready else None
        if answer is not None:
            self.dismiss(answer)

    def action_go_back(self) -> None:
        self.dismiss(self.answer_on_back())

    def action_move(self, step: int) -> None:
        self._rows_view().move(step)

    def action_page(self, step: int) -> None:
        view = self._rows_view()
        view.scroll_relative(y=step * max(view.size.height - 1, 1), animate=False)

    def _rows_view(self) -> RowsView:
        return self.query(RowsView).first()

    # ---------------------------------------------------------------- a longer text

    def text_from_editor(self, text: str, suffix: str) -> str | None:
        """The text as the person leaves it in an editor; None (and it is said why) where nothing came back."""
        edited, problem = None, None
        try:
            with self.app.suspend():
                try:  # caught in here: the app would stay suspended otherwise
                    edited = edit_text(text, suffix)
                except EditorUnavailable as unavailable:
                    problem = str(unavailable)
        except SuspendNotSupported:
            problem = "This terminal cannot be handed to an editor."
        if problem:
            self.say(problem)
        return edited


def _title_text(title: str) -> Content:
    return Content(elide_middle(safe_text(title), _LONGEST_TITLE))
