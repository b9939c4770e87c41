"""Structural rewrites become plain text hunks, one per match, before anything is numbered."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from engine.errors import HunkdeckError, NotText, PathBlocked
from engine.model import Code, Hunk, Proposal, Rewrite, Unsupported
from engine.paths import canonical
from engine.text import decode
from engine.workspace import Workspace

_SKIPPED_DIRECTORIES = {".git", ".hunkdeck", "node_modules", "__pycache__", ".venv", "venv"}
_MAX_FILES_SEARCHED = 20_000


def expand_rewrites(proposal: Proposal, workspace: Workspace) -> Proposal:
    """The proposal with every `Rewrite` replaced by what it finds; one that finds nothing says so."""
    if not any(isinstance(hunk.op, Rewrite) for hunk in proposal.hunks):
        return proposal
    return replace(proposal, hunks=tuple(found for hunk in proposal.hunks for found in _expand(hunk, workspace)))


def _expand(hunk: Hunk, workspace: Workspace) -> tuple[Hunk, ...]:
    op = hunk.op
    if not isinstance(op, Rewrite):
        return (hunk,)
    from engine.rewrites import expand

    found: list[Hunk] = []
    problem = "the pattern matches nothing there"
    for texts in _by_language(hunk, op, workspace):
        try:
            found += expand(hunk, texts)
        except HunkdeckError as error:  # a pattern of one language need not make sense in another
            problem = str(error)
    return tuple(found) or (replace(hunk, op=Unsupported(problem, Code.NOT_FOUND)),)


def _by_language(hunk: Hunk, op: Rewrite, workspace: Workspace) -> list[list[tuple[str, str]]]:
    """The files to search, the ones of one language together."""
    from engine.rewrites import language_of

    groups: dict[str | None, list[tuple[str, str]]] = {}
    for path, text in _texts(hunk.path, workspace):
        groups.setdefault(language_of(path), []).append((path, text))
    unknown = groups.pop(None, [])
    alone = unknown if len(unknown) == 1 and not groups else []
    if op.language is None:
        return list(groups.values()) or [alone]
    wanted = [texts for texts in groups.values() if language_of(texts[0][0]) == language_of("." + op.language)]
    return wanted or [alone]


def _texts(path: str, workspace: Workspace) -> Iterator[tuple[str, str]]:
    """The text files at or below `path`, without following a link."""
    for found in _files(path, workspace):
        try:
            known = workspace.read(found)
            if known:
                yield found, decode(known.data).text
        except (NotText, PathBlocked):
            continue


def _files(path: str, workspace: Workspace) -> Iterator[str]:
    try:
        top = "" if path.rstrip("/") in ("", ".") else canonical(path.rstrip("/"), workspace.root)
    except PathBlocked:
        return
    waiting, count = [top], 0
    while waiting and count < _MAX_FILES_SEARCHED:
        here = waiting.pop()
        children = _children(here, workspace)
        if children is None:
            count += 1
            yield here
        else:
            waiting += reversed([f"{here}/{name}".lstrip("/") for name in children])


def _children(path: str, workspace: Workspace) -> list[str] | None:
    """The names in a directory; None where `path` is not one."""
    if path.rpartition("/")[2] in _SKIPPED_DIRECTORIES:
        return []
    try:
        with workspace.directory(path) as fd:
            return sorted(os.listdir(fd))
    except (PathBlocked, OSError):
        return None
