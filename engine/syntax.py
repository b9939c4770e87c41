"""Would the file still parse? Only what the standard library can tell: Python, JSON and TOML.

`problem` never raises and never runs anything. Files over `MAX_SIZE` and other languages have no problem that we know
of. Fields and `render()` hold raw text; whoever shows them passes them through `safe_text`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.text import split_lines

MAX_SIZE = 2_000_000
_SHOWN_WIDTH = 160
_MAX_ANSWERS = 1_000
_ANSWERS: dict[tuple[Callable[[str], SyntaxProblem | None], bytes], SyntaxProblem | None] = {}
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_JSON_WITH_COMMENTS = re.compile(
    r"(?:^|/)(?:(?:ts|js)config[^/]*|devcontainer|\.eslintrc|\.vscode/[^/]*)\.json$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """The first thing that a parser stumbles over."""

    line: int
    """1-based; the last line where the parser only says that the text ended too early."""
    column: int
    """1-based."""
    message: str
    text_line: str
    """The line itself, without its ending."""

    def render(self) -> str:
        """Three lines: what is wrong, the source line, and a caret that stays aligned with its tabs."""
        cut = max(0, self.column - _SHOWN_WIDTH // 2) if len(self.text_line) > _SHOWN_WIDTH else 0
        shown = self.text_line[cut : cut + _SHOWN_WIDTH].rstrip()
        before = self.text_line[cut : self.column - 1]
        padding = "".join("\t" if char == "\t" else " " for char in before)
        return f"Line {self.line}: {self.message}\n  {shown}\n  {padding}^"


def newly_broken(path: str, before: str | None, after: str) -> SyntaxProblem | None:
    """What stops `after` from parsing, if `before` did parse or there was no file."""
    found = problem(path, after)
    if found is None or before is None or problem(path, before) is None:
        return found
    return None


def problem(path: str, text: str) -> SyntaxProblem | None:
    """What stops this text from parsing as the kind of file that its name says."""
    name = path.rsplit("/", 1)[-1].lower()
    check = _CHECKS.get(name.rpartition(".")[2]) if "." in name else None
    if check is None or len(text) > MAX_SIZE or _JSON_WITH_COMMENTS.search(path):
        return None
    return _remembered(check, text)


def _remembered(check: Callable[[str], SyntaxProblem | None], text: str) -> SyntaxProblem | None:
    """The same text is asked about by the bulk accept, by the settling and by the screen: parsed once."""
    from hashlib import blake2b

    key = (check, blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())
    if key not in _ANSWERS:
        if len(_ANSWERS) >= _MAX_ANSWERS:
            _ANSWERS.clear()
        try:
            _ANSWERS[key] = check(text)
        except (RecursionError, MemoryError):
            _ANSWERS[key] = _at(text, 1, 1, "nested too deeply to parse")
    return _ANSWERS[key]


def _at(text: str, line: int | None, column: int | None, message: str) -> SyntaxProblem:
    lines = split_lines(text)[0] or [""]
    line = len(lines) if line is None else min(max(line, 1), len(lines))
    text_line = lines[line - 1]
    column = len(text_line) + 1 if column is None else min(max(column, 1), len(text_line) + 1)
    return SyntaxProblem(line, column, message, text_line)


def _python(text: str) -> SyntaxProblem | None:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # As bytes, so that a file's own coding line is honoured. Compiled rather than only parsed: it is faster
            # than building a tree of objects, and finds a `return` outside a function too.
            compile(text.encode("utf-8", "surrogateescape"), "<proposal>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _at(text, error.lineno, error.offset, error.msg)
    except ValueError as error:
        return _at(text, 1, 1, str(error))
    return None


def _json(text: str) -> SyntaxProblem | None:
    import json

    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _at(text, error.lineno, error.colno, error.msg)
    except ValueError as error:
        return _at(text, 1, 1, str(error))
    return None


def _toml(text: str) -> SyntaxProblem | None:
    import tomllib

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _TOML_PLACE.search(message)
        line, column = (int(number) if number else None for number in place.groups()) if place else (1, 1)
        return _at(text, line, column, _TOML_PLACE.sub("", message))
    except ValueError as error:
        return _at(text, 1, 1, str(error))
    return None


_CHECKS: dict[str, Callable[[str], SyntaxProblem | None]] = {
    "py": _python,
    "pyi": _python,
    "pyw": _python,
    "json": _json,
    "ipynb": _json,
    "toml": _toml,
}
