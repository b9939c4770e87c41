"""The strategies, strictest first: each says whether it explains a window.

A strategy forgives what those above it forgive, and one thing more; a window is named after the first that explains
it. To add one: write a function here, put it into `STRATEGIES` by its strictness, and add a scenario to the tests.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.matching import indentation
from engine.matching.folding import fold, indent_of, words
from engine.matching.readings import Kind
from engine.matching.window import Window

Strategy = Callable[[Window], bool]


def simple(window: Window) -> bool:
    """Nothing: every line is exactly as sent."""
    return window.plain and all(sent == own for sent, own in window.pairs)


def multi_occurrence(window: Window) -> bool:
    """Nothing; what `simple` is called where `replace_all` asks for every place."""
    return simple(window)


def trailing_space(window: Window) -> bool:
    """Spaces at line ends, and the kind of line ending."""
    return window.plain and all(sent.rstrip() == own.rstrip() for sent, own in window.pairs)


def typography(window: Window) -> bool:
    """Curly quotes, dashes, no-break and zero-width spaces."""
    return window.plain and all(fold(sent).rstrip() == fold(own).rstrip() for sent, own in window.pairs)


def indentation_flexible(window: Window) -> bool:
    """An indentation that one model explains."""
    indents = [(indent_of(fold(sent)), indent_of(fold(own))) for sent, own in window.pairs if sent.strip()]
    return line_trimmed(window) and (indentation.agree(indents) or indentation.first_differs(indents))


def line_trimmed(window: Window) -> bool:
    """Any spaces at line starts and ends."""
    return window.plain and all(fold(sent).strip() == fold(own).strip() for sent, own in window.pairs)


def whitespace_normalized(window: Window) -> bool:
    """Spaces within lines; blank lines added or dropped inside the block."""
    as_sent = window.reading.kind is Kind.AS_SENT and not window.trimmed
    return as_sent and window.whole and _same_words(window)


def escape_normalized(window: Window) -> bool:
    """Escapes and entities where real characters stand."""
    return window.reading.kind is not Kind.PEELED and not window.trimmed and window.whole and _same_words(window)


def trimmed_boundary(window: Window) -> bool:
    """Blank lines, a fence, line numbers or diff marks around the block."""
    return window.whole and _same_words(window)


def elision(window: Window) -> bool:
    """A line such as `...` that stands for lines of the file."""
    return window.elided


def block_anchor(window: Window) -> bool:
    """Context that drifted between a first and a last line that fit."""
    solid = [row for row, line in enumerate(window.reading.old) if line.strip()]
    return not window.elided and solid[0] not in window.misfits and solid[-1] not in window.misfits


def context_aware(window: Window) -> bool:
    """Any other drift of the context."""
    return not window.elided


STRATEGIES: tuple[Strategy, ...] = (
    simple,
    multi_occurrence,
    trailing_space,
    typography,
    indentation_flexible,
    line_trimmed,
    whitespace_normalized,
    escape_normalized,
    trimmed_boundary,
    elision,
    block_anchor,
    context_aware,
)
APPROXIMATE = frozenset((elision, block_anchor, context_aware))


def grade(window: Window) -> int | None:
    """The place in STRATEGIES of the strictest one that explains the window."""
    return next((rank for rank, explains in enumerate(STRATEGIES) if explains(window)), None)


def _same_words(window: Window) -> bool:
    return all(sent == own or words(fold(sent)) == words(fold(own)) for sent, own in window.pairs)
