"""The `@@ context` lines of a Codex chunk: each found in turn, and the old text behind the last of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.matching.folding import fold, indent_of
from engine.matching.option import Option
from engine.text import FileText

_Form = Callable[[str], str]
_FORMS: tuple[_Form, ...] = (str, str.rstrip, str.strip, lambda line: fold(line).strip())


def scope_ends(file: FileText, scopes: Sequence[str]) -> list[int]:
    """The lines (0-based) that the last scope may be; empty where one of them is missing."""
    ends = [-1]
    for scope in scopes:
        found = _lines_like(file, scope, ends[0] + 1)
        if not found:
            return []
        ends = found
    return ends


def _lines_like(file: FileText, scope: str, start: int) -> list[int]:
    """The lines from `start` on that read like the scope, in the strictest way that finds any."""
    for form in _FORMS:
        wanted = form(scope)
        found = [number for number, line in enumerate(file.rows) if number >= start and form(line) == wanted]
        if found:
            return found
    wanted = scope.strip()
    return [number for number, line in enumerate(file.rows) if number >= start and _begins(line.strip(), wanted)]


def _begins(line: str, scope: str) -> bool:
    """Whether the line begins with the scope, which ends on a token boundary."""
    rest = line[len(scope) : len(scope) + 1]
    return bool(scope) and line.startswith(scope) and not (rest.isalnum() or rest == "_")


def within(file: FileText, ends: Sequence[int], options: list[Option]) -> list[Option]:
    """The options behind a scope. One scope means the first place behind it; of several the blocks that they open."""
    behind = sorted((option for option in options if option.first >= ends[0]), key=lambda option: option.first)
    if len(behind) < 2:
        return behind
    if len(ends) == 1:
        return behind[:1]
    return [option for option in behind if any(_holds(file, end, option) for end in ends)] or behind


def _holds(file: FileText, scope: int, option: Option) -> bool:
    """Whether the option begins before the block that the scope line opens has ended."""
    if option.first < scope:
        return False
    depth = len(indent_of(file.rows[scope]))
    for line in file.rows[scope + 1 : option.first + 1]:
        if line.strip() and len(indent_of(line)) <= depth and line.strip()[0] not in "})]":
            return False
    return True
