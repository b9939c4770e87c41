"""Colours: three themes for the widgets, and for each the styles of the stream's rows.

`+` and `-` always stand beside the colours. The third theme tells added from removed by blue and orange.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from rich.style import Style

if TYPE_CHECKING:
    from textual.theme import Theme


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of one theme, as hex codes."""

    dark: bool
    background: str
    foreground: str
    dim: str
    panel: str
    """Behind the headers of proposals and files."""
    cursor: str
    cursor_line: str
    added: str
    removed: str
    added_back: str
    removed_back: str
    added_word: str
    removed_word: str
    agent: str
    warning: str
    problem: str
    accent: str
    keyword: str
    string: str
    number: str
    name: str
    found: str
    """Behind what a search found."""


_DARK = Look(
    dark=True,
    background="#16181d",
    foreground="#d6d9e0",
    dim="#7d8494",
    panel="#23272f",
    cursor="#5aa9ff",
    cursor_line="#2b313c",
    added="#7bd88f",
    removed="#ff8383",
    added_back="#15291c",
    removed_back="#331a1d",
    added_word="#24603a",
    removed_word="#7a2f35",
    agent="#c9a6ff",
    warning="#f2c14e",
    problem="#ff6b6b",
    accent="#5aa9ff",
    keyword="#c792ea",
    string="#c3e88d",
    number="#f78c6c",
    name="#82aaff",
    found="#8a6d00",
)
_LIGHT = Look(
    dark=False,
    background="#ffffff",
    foreground="#24292f",
    dim="#6b7280",
    panel="#eef1f5",
    cursor="#0969da",
    cursor_line="#e3edfa",
    added="#116329",
    removed="#a40e26",
    added_back="#e3f8e8",
    removed_back="#ffebe9",
    added_word="#9ee6b0",
    removed_word="#ffb8b3",
    agent="#7a3fc9",
    warning="#8a5a00",
    problem="#b3141f",
    accent="#0969da",
    keyword="#8250df",
    string="#0a5c2b",
    number="#953800",
    name="#0550ae",
    found="#ffe066",
)
_BLUE_ORANGE = Look(
    dark=True,
    background="#14161a",
    foreground="#dcdfe4",
    dim="#8a8f98",
    panel="#242830",
    cursor="#f0f0f0",
    cursor_line="#2c313a",
    added="#6fb7ff",
    removed="#ffb05c",
    added_back="#10263d",
    removed_back="#3a2609",
    added_word="#1f5c99",
    removed_word="#8a5300",
    agent="#d7b8ff",
    warning="#ffd866",
    problem="#ffb05c",
    accent="#6fb7ff",
    keyword="#e0c3ff",
    string="#d7e3a8",
    number="#ffd0a6",
    name="#a9d1ff",
    found="#7a6a00",
)
LOOKS = {"dark": _DARK, "light": _LIGHT, "blue-orange": _BLUE_ORANGE}


def themes() -> list[Theme]:
    """The themes as the terminal toolkit knows them."""
    from textual.theme import Theme

    return [
        Theme(
            name=name,
            primary=look.accent,
            secondary=look.agent,
            warning=look.warning,
            error=look.problem,
            success=look.added,
            accent=look.accent,
            foreground=look.foreground,
            background=look.background,
            surface=look.background,
            panel=look.panel,
            dark=look.dark,
        )
        for name, look in LOOKS.items()
    ]


def look_for(theme: str, *, dark: bool) -> Look:
    """The look of a theme; for one of somebody else's the nearest of ours."""
    return LOOKS.get(theme) or (_DARK if dark else _LIGHT)


@cache
def style(
    fore: str | None = None,
    back: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    reverse: bool | None = None,
) -> Style:
    """One style object a combination: styles are compared and added all the time."""
    return Style(color=fore, bgcolor=back, bold=bold, italic=italic, reverse=reverse)
