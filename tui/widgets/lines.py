"""The search bar, and the view of an empty queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from engine.safe_text import safe_block
from tui.keymap import Key, shown_key

if TYPE_CHECKING:
    from textual.widgets import Input


class SearchBar(Horizontal):
    """What is searched for. While it shows, `n` and `N` go from match to match. Its field is made when it is wanted."""

    DEFAULT_CSS = """
    SearchBar { height: 1; display: none; background: $panel; }
    SearchBar Static { width: auto; color: $accent; }
    SearchBar #found { width: auto; color: $text-muted; padding-right: 1; }
    SearchBar Input { border: none; height: 1; padding: 0; background: $panel; width: 1fr; }
    """

    _said = ""

    class Wanted(Message):
        """Look for this."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    async def open(self) -> None:
        """Show it, ready to be typed in."""
        from textual.widgets import Input

        from tui.screens.safe_fields import SafeInput

        self.display = True
        if not self.children:
            field = SafeInput(placeholder="search in the diff, then enter", compact=True)
            await self.mount(Static(" / "), field, Static("", id="found"))
        self.say("")
        self.screen.set_focus(self.query_one(Input))  # now: `focus` would come too late for what is typed quickly

    def say(self, words: str) -> None:
        if words != self._said:  # the screen is laid out anew for it
            self._said = words
            self.query_one("#found", Static).update(Content(words))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Wanted(event.value))


class EmptyView(Static):
    """There is nothing to review: what this place is for, and how something gets here."""

    DEFAULT_CSS = """
    EmptyView { width: 1fr; height: 1fr; content-align: center middle; text-align: center; display: none;
                color: $text-muted; }
    """

    def explain(self, how: str, keys: Sequence[Key]) -> None:
        useful = [key for key in keys if key.action in _STILL_USEFUL and key.keys]
        self.update(
            Content.assemble(
                ("Nothing to review", "bold $foreground"),
                "\n\n",
                safe_block(how),
                "\n",
                *(part for key in useful for part in _line_about(key)),
            )
        )


_STILL_USEFUL = ("undo_apply", "help", "leave")


def _line_about(key: Key) -> list[str | tuple[str, str]]:
    """A key, and what it does: its words can be clicked."""
    return ["\n", (shown_key(key.keys[0]), "bold $accent"), "  ", (key.help, f"@click=app.{key.action}")]
