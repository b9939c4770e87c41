"""The bottom line: the keys that matter most, and what was said last."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from textual import events
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from tui.keymap import Key, footer_keys, shown_key
from tui.view_model.cells import cell_width, cut

_MESSAGE_SHOWS = 6.0
_MESSAGE_STAYS = 2.0
"""Seconds for which a key does not take a message away: one that types on must be able to read it."""

_VITAL = 8
"""Keys that the line should show at 80 columns."""


class KeyLine(Widget):
    """As many keys as fit. A message stands beside them where there is room, else for a while in their place."""

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
        self._said_at = 0.0
        self._until: Timer | None = None

    # ------------------------------------------------------------ messages

    def say(self, text: str, *, warning: bool) -> None:
        """Show a message (safe already)."""
        self._said = text, "$text-warning" if warning else "$text-success"
        self._said_at = monotonic()
        if self._until is not None:
            self._until.stop()
        self._until = self.set_timer(_MESSAGE_SHOWS, self._quiet)
        self.refresh()

    def fade(self) -> None:
        """The person goes on: what was said some time ago has been read."""
        if self._said is not None and monotonic() - self._said_at > _MESSAGE_STAYS:
            self._quiet()

    def _quiet(self) -> None:
        self._said = None
        self.refresh()

    @property
    def _covered(self) -> bool:
        """A message stands where the keys were."""
        if self._said is None:
            return False
        return self._width_of_keys() + cell_width(self._said[0]) + 3 > self.size.width

    # ------------------------------------------------------------ painting

    def render(self) -> Content:
        text, colour = self._said or ("", "")
        if self._covered:
            return Content.assemble(" ", (cut(text, self.size.width - 2), colour))
        gap = self._gap
        keys = Content.assemble(*(part for key in self._fitting() for part in _key_words(key, gap)))
        free = self.size.width - keys.cell_length - cell_width(text) - 1
        return Content.assemble(keys, " " * free, (text, colour)) if text else keys

    @property
    def _gap(self) -> int:
        """Between two keys: wide where the most important ones have room."""
        return 2 if sum(_key_width(key, 2) for key in self._keys[:_VITAL]) <= self.size.width else 1

    def _fitting(self) -> list[Key]:
        room, fitting = self.size.width, []
        for key in self._keys:
            room -= _key_width(key, self._gap)
            if room < 0:
                break
            fitting.append(key)
        return fitting

    def _width_of_keys(self) -> int:
        return sum(_key_width(key, self._gap) for key in self._fitting())

    # ------------------------------------------------------------ mouse

    def on_click(self, event: events.Click) -> None:
        """A key's word does what the key does; a message that covers the keys goes away."""
        if self._covered:
            self._quiet()
            return
        at = 0
        for key in self._fitting():
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
