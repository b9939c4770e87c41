"""Structural rewrites become plain text hunks, one per match, before anything is numbered."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from engine.errors import NotText, PathBlocked
from engine.model import Hunk, Proposal, Rewrite
from engine.paths import canonical
from engine.text import decode
from engine.workspace import Workspace

_SKIPPED_DIRECTORIES = {".git", ".hunkdeck", "node_modules", "__pycache__", ".venv", "venv"}
_MAX_FILES_SEARCHED = 20_000


def expand_rewrites(proposal: Proposal, workspace: Workspace) -> Proposal:
    """The proposal with every `Rewrite` replaced by what it finds; one that finds nothing stays, and will fail."""
    if not any(isinstance(hunk.op, Rewrite) for hunk in proposal.hunks):
        return proposal
    return replace(proposal, hunks=tuple(found for hunk in proposal.hunks for found in _expand(hunk, workspace)))


def _expand(hunk: Hunk, workspace: Workspace) -> tuple[Hunk, ...]:
    if not isinstance(hunk.op, Rewrite):
        return (hunk,)
    from engine.rewrites import expand

    return expand(hunk, _texts(hunk.path, workspace)) or (hunk,)


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
