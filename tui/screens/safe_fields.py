"""Fields to type in that show steering and invisible characters as marks. What they hold stays as it is.

In a field each character keeps its own place under the cursor, so one character gets one mark: C0 its control picture,
everything else that must not reach the terminal `�`.
"""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.widget import Widget
from textual.widgets import Input, TextArea

from engine.safe_text import is_safe
from tui.look import look_for
from tui.widgets.syntax import Span, spans_of

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


class _Marks(dict[int, str]):
    def __missing__(self, point: int) -> str:
        char = chr(point)
        if char == "\t" or is_safe(f"a{char}"):
            self[point] = char
        else:
            self[point] = chr(0x2400 + point) if point < 0x20 else _UNSEEN
        return self[point]


_MARKS = _Marks()


def marked(text: str) -> str:
    """As many characters as `text` has, none of them able to steer the terminal."""
    return text.translate(_MARKS)


_FOR_THE_DIALOG = ("escape", "ctrl+s", "ctrl+e", "f2")


async def obey_at_once(field: Widget, event: events.Key) -> None:
    """Run the binding of a key now, the dialog's for some keys, else the field's own.

    Letters are put in by the field itself, bindings come later by way of the app (or, with priority, earlier): what is
    typed quickly would overtake a backspace, and `ctrl+s` would send a text without its last letters.
    """
    owner = field.screen if event.key in _FOR_THE_DIALOG and field.screen.is_modal else field
    for binding in owner._bindings.key_to_bindings.get(event.key, ()):
        if await field.app.run_action(binding.action, owner):
            event.stop()
            event.prevent_default()
            return


class SafeInput(Input):
    """One line."""

    async def _on_key(self, event: events.Key) -> None:
        await obey_at_once(self, event)

    @property
    def _value(self) -> Text:
        return Text(marked(self.value).replace("\t", "␉"), no_wrap=True, overflow="ignore", end="")


class SafeTextArea(TextArea):
    """Several lines."""

    async def _on_key(self, event: events.Key) -> None:
        await obey_at_once(self, event)

    name_of_text = ""
    """`x.py`: says by which rules it is coloured."""
    _spans: dict[int, list[Span]] | None = None

    def get_line(self, line_index: int) -> Text:
        line = Text(marked(self.document.get_line(line_index)), end="", no_wrap=True)
        for start, end, style in self._colours().get(line_index, ()):
            line.stylize(style, start, end)
        return line

    def _colours(self) -> dict[int, list[Span]]:
        if self._spans is None:
            look = look_for(self.app.theme, dark=self.app.current_theme.dark)
            self._spans = spans_of(self.name_of_text, [marked(line) for line in self.document.lines], look)
        return self._spans

    def _build_highlight_map(self) -> None:
        """The text is another now."""
        super()._build_highlight_map()
        self._spans = None
