"""Which language a file is in, by its name. Loading one takes a tenth of a second: that is for a thread."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_loaded: dict[str, Lexer | None] = {}


def load(paths: Iterable[str]) -> bool:
    """Load the languages of these files; whether there was any that nobody had loaded."""
    new = {name for path in paths if (name := _name(path)) not in _loaded}
    for name in new:
        _loaded[name] = _find(name)
    return bool(new)


def is_loaded(path: str) -> bool:
    return _name(path) in _loaded


def lexer_for(path: str) -> Lexer | None:
    """What knows the language of a file; None where nothing does."""
    load([path])
    return _loaded[_name(path)]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _find(name: str) -> Lexer | None:
    """The library's own search reads the metadata of every installed package, in case one brings a language."""
    from pygments.lexers import get_all_lexers, get_lexer_by_name

    fitting: list[tuple[float, str, Lexer]] = []
    for _, aliases, patterns, _ in get_all_lexers(plugins=False):
        pattern = next((pattern for pattern in patterns if fnmatchcase(name, pattern)), None)
        if pattern is not None and aliases:
            lexer: Lexer = get_lexer_by_name(aliases[0], stripnl=False, ensurenl=False)
            fitting.append((lexer.priority + ("*" not in pattern), type(lexer).__name__, lexer))
    return max(fitting, key=lambda one: one[:2])[2] if fitting else None
