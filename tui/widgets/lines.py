"""The search bar, and the view of an empty queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from engine.safe_text import safe_text

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
            field = SafeInput(placeholder="search in the diff, then enter")
            await self.mount(Static(" / "), field, Static("", id="found"))
        self.say("")
        self.query_one(Input).focus()

    def say(self, words: str) -> None:
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

    def explain(self, how: str) -> None:
        self.update(
            Content.assemble(
                ("Nothing to review", "bold $foreground"),
                "\n\n",
                safe_text(how),
                "\n\n",
                "q leaves · ctrl+z takes back the last apply · ? help",
            )
        )
