"""The single lines of the screen: status above, keys below, the search bar in between, and the empty view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from engine.safe_text import safe_text
from tui.keymap import Key, footer_keys, shown_key
from tui.view_model.cells import cell_width, cut
from tui.view_model.labels import Tally

if TYPE_CHECKING:
    from textual.widgets import Input

_MESSAGE_SHOWS = 6.0


class TopLine(Widget):
    """Where we are, how far the review is, and what goes on."""

    DEFAULT_CSS = "TopLine { height: 1; background: $panel; color: $foreground; }"

    def __init__(self, where: str) -> None:
        super().__init__()
        self._where = safe_text(where)
        self._progress = ""
        self._said = ""

    def show(self, proposals: int, counts: Tally, said: str) -> None:
        """How much there is to review, and a word at the right."""
        self._progress = f"{_many(proposals, 'proposal')} · {_many(counts.hunks, 'hunk')} · {counts}"
        self._said = safe_text(said)
        self.refresh()

    def render(self) -> Content:
        width = self.size.width
        room = width - cell_width(self._progress) - len("  hunkdeck    ") - 1
        said = cut(self._said, max(room - 10, 0))
        where = cut(self._where, max(room - cell_width(said) - 2, 0))
        left = f" {where}   {self._progress}" if where else f" {self._progress}"
        gap = " " * max(width - cell_width(left) - cell_width(said) - 11, 1)
        return Content.assemble((" hunkdeck ", "bold $accent"), left, gap, (said, "$text-muted"))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


class KeyLine(Widget):
    """The keys that matter most, as many as fit; for a while, a message instead."""

    DEFAULT_CSS = "KeyLine { height: 1; background: $panel; color: $foreground; }"
    ALLOW_SELECT = False

    class Clicked(Message):
        """The word of a key was clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__()
        self._keys = footer_keys(keys)
        self._said: tuple[str, str] | None = None
        self._until: Timer | None = None

    def say(self, text: str, *, warning: bool) -> None:
        """Show a message (safe already) instead of the keys."""
        self._said = text, "$text-warning" if warning else "$text-success"
        if self._until is not None:
            self._until.stop()
        self._until = self.set_timer(_MESSAGE_SHOWS, self._quiet)
        self.refresh()

    def _quiet(self) -> None:
        self._said = None
        self.refresh()

    def render(self) -> Content:
        if self._said is not None:
            text, colour = self._said
            return Content.assemble(" ", (cut(text, self.size.width - 2), colour))
        gap = self._gap
        return Content.assemble(*(part for key in self._fitting() for part in _key_words(key, gap)))

    @property
    def _gap(self) -> int:
        """Between two keys: wide where there is room."""
        return 2 if sum(_key_width(key, 2) for key in self._keys) <= self.size.width else 1

    def _fitting(self) -> list[Key]:
        room, fitting = self.size.width, []
        for key in self._keys:
            room -= _key_width(key, self._gap)
            if room >= 0:
                fitting.append(key)
        return fitting

    def on_click(self, event: events.Click) -> None:
        at = 0
        for key in [] if self._said else self._fitting():
            at += _key_width(key, self._gap)
            if event.x < at:
                self.post_message(self.Clicked(key.action))
                return


def _key_words(key: Key, gap: int) -> list[str | tuple[str, str]]:
    return [" ", (shown_key(key.keys[0]), "bold $accent"), f" {_word(key)}", " " * (gap - 1)]


def _key_width(key: Key, gap: int) -> int:
    return cell_width(shown_key(key.keys[0])) + cell_width(_word(key)) + 1 + gap


def _word(key: Key) -> str:
    return key.action.replace("_", " ")


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
