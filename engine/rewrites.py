"""Structural search and replace: one rewrite → one text hunk per place that it matches.

ast-grep finds the matches; what changes in each is worked out here (`rewrite_tokens`), so that the hunks are ordinary
text edits of whole lines that a person can review one by one. Matches that share a line share a hunk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import HunkdeckError
from engine.model import Hunk, Rewrite, TextEdit, Unsupported
from engine.rewrite_tokens import Span, Token, align, edits, tokens, variables
from engine.text import FileText, Splice, normalise_newlines, splice

MAX_LENGTH = 5_000
"""Of a pattern and of its rewrite."""

_LANGUAGES = {
    "bash": ("bash", "sh"),
    "c": ("c", "h"),
    "cpp": ("cc", "cpp", "cxx", "hpp", "c++"),
    "csharp": ("cs", "c#"),
    "css": ("css",),
    "elixir": ("ex", "exs"),
    "go": ("go", "golang"),
    "haskell": ("hs",),
    "hcl": ("hcl", "tf"),
    "html": ("html", "htm"),
    "java": ("java",),
    "javascript": ("js", "mjs", "cjs", "jsx"),
    "json": ("json",),
    "kotlin": ("kt", "kts"),
    "lua": ("lua",),
    "nix": ("nix",),
    "php": ("php",),
    "python": ("py", "pyi", "pyw"),
    "ruby": ("rb",),
    "rust": ("rs",),
    "scala": ("scala",),
    "solidity": ("sol",),
    "swift": ("swift",),
    "tsx": ("tsx",),
    "typescript": ("ts", "mts", "cts"),
    "yaml": ("yaml", "yml"),
}
_BY_NAME = {name: language for language, names in _LANGUAGES.items() for name in (language, *names)}
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Change:
    """What one match changes, by lines (0-based, inclusive)."""

    first: int
    last: int
    splices: tuple[Splice, ...]
    problem: str | None = None


def expand(hunk: Hunk, files: Iterable[tuple[str, str]]) -> tuple[Hunk, ...]:
    """One hunk per place in `files` (path and text) that the rewrite of `hunk` changes, in order."""
    op = hunk.op
    if not isinstance(op, Rewrite):
        raise TypeError("not a rewrite")
    if max(len(op.pattern), len(op.rewrite)) > MAX_LENGTH:
        raise HunkdeckError(f"the pattern or its rewrite is longer than {MAX_LENGTH} characters")
    unbound = variables(op.rewrite) - variables(op.pattern)
    if unbound:
        raise HunkdeckError(f"the rewrite uses ${min(unbound)}, which the pattern does not bind")
    forced = _language(op.language, hunk.path) if op.language else None
    found: list[Hunk] = []
    for path, text in files:
        language = forced or _language(path.rpartition(".")[2], path)
        found += _hunks_of_file(replace(hunk, path=path), op, FileText(normalise_newlines(text)), language)
    return tuple(found)


def language_of(path: str) -> str | None:
    """The language that a file's ending says, if ast-grep knows it."""
    return _BY_NAME.get(path.rpartition(".")[2].lower())


def _language(name: str, path: str) -> str:
    language = _BY_NAME.get(name.lower())
    if language is None:
        raise HunkdeckError(f"{path}: no language is known for a structural rewrite of it; name one in `language`")
    return language


# ---------------------------------------------------------------- matches


def _hunks_of_file(template: Hunk, op: Rewrite, file: FileText, language: str) -> Iterator[Hunk]:
    pattern = tokens(op.pattern)
    changes = [_change(match, pattern, op, file) for match in _matches(op.pattern, file.text, language)]
    for group in _grouped(change for change in changes if change.splices or change.problem):
        yield replace(template, op=_operation(group, file))


def _matches(pattern: str, text: str, language: str) -> list[Any]:
    try:
        from ast_grep_py import SgRoot
    except ImportError as error:
        raise HunkdeckError("structural rewrites need ast-grep: pip install 'hunkdeck[rewrite]'") from error
    try:
        # Bytes that are not UTF-8 are nothing to ast-grep; their stand-ins keep every offset.
        return list(SgRoot(_SURROGATE.sub("\ufffd", text), language).root().find_all(pattern=pattern))
    except (RuntimeError, ValueError) as error:
        raise HunkdeckError(f"the pattern is not a single piece of {language} code") from error


def _span(node: Any) -> Span:
    place = node.range()
    return Span(place.start.index, place.end.index)


def _leaves(node: Any) -> Iterator[Span]:
    stack = [node]
    while stack:
        top = stack.pop()
        if top.is_leaf():
            yield _span(top)
        else:
            stack += reversed(top.children())


def _bound(match: Any, pattern: Sequence[Token]) -> dict[str, Span]:
    """The text that each variable matched, its separators included; empty where a `$$$` matched nothing."""
    bound = {}
    for token in pattern:
        if not token.is_variable or token.name.startswith("_") or not token.name:
            continue
        many = token.text.startswith("$$$")
        nodes = match.get_multiple_matches(token.name) if many else [match.get_match(token.name)]
        bound[token.name] = Span(_span(nodes[0]).start, _span(nodes[-1]).end) if nodes else Span(0, 0)
    return bound


def _change(match: Any, pattern: Sequence[Token], op: Rewrite, file: FileText) -> _Change:
    whole = _span(match)
    bound = _bound(match, pattern)
    spans = align(pattern, list(_leaves(match)), bound, file.text)
    first = file.line_at(whole.start)
    if spans is None:
        return _Change(first, first, (), "the tokens of the pattern cannot be told apart in this match")
    line = file.lines[first]
    indent = line[: len(line) - len(line.lstrip())]
    filled = {name: file.text[span.start : span.end] for name, span in bound.items()}
    found = edits(op.pattern, spans, normalise_newlines(op.rewrite).replace("\n", "\n" + indent), filled, file.text)
    splices = tuple(cut for cut in found if file.text[cut.start : cut.end] != cut.new)
    if not splices:
        return _Change(first, first, ())
    return _Change(file.line_at(splices[0].start), file.line_at(max(splices[-1].end - 1, splices[-1].start)), splices)


# ---------------------------------------------------------------- hunks


def _grouped(changes: Iterable[_Change]) -> Iterator[list[_Change]]:
    """Changes in order of their lines; those that share a line stay together."""
    group: list[_Change] = []
    last = -1
    for change in sorted(changes, key=lambda change: (change.first, change.last)):
        if group and change.first > last:
            yield group
            group = []
        group.append(change)
        last = max(last, change.last) if len(group) > 1 else change.last
    if group:
        yield group


def _disjoint(splices: Iterable[Splice]) -> Iterator[Splice]:
    """Of two that overlap (a match inside a variable that moves) only the outer one."""
    at = 0
    for cut in sorted(splices, key=lambda cut: (cut.start, cut.start != cut.end, -cut.end)):
        if cut.start >= at:
            yield cut
            at = cut.end


def _operation(group: Sequence[_Change], file: FileText) -> TextEdit | Unsupported:
    problem = next((change for change in group if change.problem), None)
    if problem is not None:
        return Unsupported(f"line {problem.first + 1}: {problem.problem}")
    first, last = group[0].first, max(change.last for change in group)
    start, end = file.starts[first], file.starts[last + 1]
    cuts = _disjoint(cut for change in group for cut in change.splices)
    old = file.text[start:end]
    new = splice(old, [Splice(cut.start - start, cut.end - start, cut.new) for cut in cuts])
    return TextEdit(old, new, start_line=first + 1, end_line=last + 1, whole_lines=True)
