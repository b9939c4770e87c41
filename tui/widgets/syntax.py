"""Syntax colours of the lines of a hunk: a whole side at once, in idle time, kept for the hunks seen last."""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from typing import TYPE_CHECKING, Any

from rich.style import Style

from tui.look import Look, style
from tui.view_model.body import Lines
from tui.view_model.cells import shown
from tui.widgets import languages

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_MOST_LINES = 400
_MOST_KEPT = 40

Span = tuple[int, int, Style]


class Highlights:
    """Coloured spans by hunk, side and line number; nothing until `colour` was called for a hunk."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, tuple[dict[int, list[Span]], dict[int, list[Span]]]] = OrderedDict()

    def clear(self) -> None:
        self._kept.clear()

    def has(self, hunk: object) -> bool:
        return hunk in self._kept

    def spans(self, hunk: object, line: int, *, new: bool) -> list[Span]:
        """Of one line of the hunk's old or new side."""
        sides = self._kept.get(hunk)
        return sides[new].get(line, []) if sides else []

    def colour(self, hunk: object, path: str, lines: Lines, context: int, look: Look) -> None:
        """Work out the colours of a hunk."""
        lexer = languages.lexer_for(path)
        old: dict[int, list[Span]] = {}
        new: dict[int, list[Span]] = {}
        if lexer is not None:
            for change in lines.changes[:_MOST_LINES]:
                first = max(change.a1 - context, 0)
                end = min(change.a2 + context, len(lines.old), first + _MOST_LINES)
                _colour_lines(lexer, lines.old, first, end, look, old)
                _colour_lines(lexer, lines.new, change.b1, min(change.b2, change.b1 + _MOST_LINES), look, new)
                if len(old) + len(new) > _MOST_LINES:
                    break
        self._kept[hunk] = old, new
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)


def _colour_lines(lexer: Lexer, lines: Any, first: int, end: int, look: Look, into: dict[int, list[Span]]) -> None:
    _colour_texts(lexer, [shown(line).text for line in lines[first:end]], first, look, into)


def spans_of(name: str, texts: list[str], look: Look) -> dict[int, list[Span]]:
    """The colours of a whole text that is called `name`, line by line; none where it is long or of no known kind."""
    lexer, into = languages.lexer_for(name), dict[int, list[Span]]()
    if lexer is not None and len(texts) <= _MOST_LINES:
        _colour_texts(lexer, texts, 0, look, into)
    return into


def _colour_texts(lexer: Lexer, texts: list[str], first: int, look: Look, into: dict[int, list[Span]]) -> None:
    row, column = first, 0
    spans: list[Span] = into.setdefault(row, [])
    for token, text in lexer.get_tokens("\n".join(texts)):
        colour = _style_of(token, look)
        for number, piece in enumerate(text.split("\n")):
            if number:
                row, column = row + 1, 0
                spans = into.setdefault(row, [])
            if piece and colour is not None:
                spans.append((column, column + len(piece), colour))
            column += len(piece)


@cache
def _style_of(token: Any, look: Look) -> Style | None:
    from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String

    if token in Comment:
        return style(look.dim, italic=True)
    if token in Keyword or token in Operator.Word:
        return style(look.keyword)
    if token in Number:
        return style(look.number)
    if token in String or token in Literal:
        return style(look.string)
    if token in Name.Function or token in Name.Class or token in Name.Decorator or token in Name.Tag:
        return style(look.name)
    return style(look.name) if token in Name.Builtin else None
