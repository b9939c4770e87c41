"""Which branch a workspace is on, read from its files: `git` is not run, since settings can make it run commands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from engine.workspace import FILE_FLAGS

_LONGEST = 4096
_BRANCH = "ref: refs/heads/"
_ELSEWHERE = "gitdir: "
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT = 7


def branch_of(root: str) -> str | None:
    """`main`; the short hash of a detached commit; None outside a repository. Raw text, not fit for a terminal yet."""
    for directory in _upwards(root):
        git = os.path.join(directory, ".git")
        if os.path.lexists(git):
            return _named_by(_first_line(os.path.join(_repository(git), "HEAD")))
    return None


def _upwards(directory: str) -> Iterator[str]:
    yield directory
    while (parent := os.path.dirname(directory)) != directory:
        yield parent
        directory = parent


def _repository(git: str) -> str:
    """`.git` itself, or where it points to: in a linked worktree and in a submodule it is a file."""
    said = _first_line(git)
    return os.path.join(os.path.dirname(git), said.removeprefix(_ELSEWHERE)) if said.startswith(_ELSEWHERE) else git


def _named_by(head: str) -> str | None:
    """Only what is a branch or a commit is told: whatever else lies there is nobody's business."""
    if head.startswith(_BRANCH):
        return head.removeprefix(_BRANCH) or None
    return head[:_SHORT] if _COMMIT.fullmatch(head) else None


def _first_line(path: str) -> str:
    """Empty where there is no regular file that can be read."""
    try:
        fd = os.open(path, FILE_FLAGS)
    except (OSError, ValueError):
        return ""
    try:
        data = os.read(fd, _LONGEST)
    except OSError:  # a directory, or nothing there yet
        return ""
    finally:
        os.close(fd)
    return data.decode("utf-8", "surrogateescape").partition("\n")[0].rstrip("\r")
