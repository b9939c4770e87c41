"""What a branch changes, as one proposal: the diff of `A...B` (since they parted) or `A..B`, asked of git.

Only objects are compared, never the working tree, by git's plumbing with every option given: no external diff, no
text conversion, no hook, no pager, and no setting of the person's or the repository's changes what comes out.
"""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

from engine.errors import HunkdeckError
from engine.formats.limits import Limits

_DIFF = (
    "diff-tree", "-r", "-p", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--find-renames",
    "--full-index", "--unified=3", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/",
    "--submodule=short", "--ignore-submodules=none", "--diff-algorithm=histogram", "-O/dev/null",
)  # fmt: skip
_SETTINGS = ("core.quotePath=true", "diff.suppressBlankEmpty=false", "core.fsmonitor=false", "core.hooksPath=/dev/null")
_DROPPED = ("GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_TRACE")


class BadRange(HunkdeckError):
    """A range that names nothing that could be proposed."""


class Range(NamedTuple):
    """Two ends, as a person or an agent wrote them."""

    old: str
    new: str
    since_parted: bool


def parse_range(text: str) -> Range:
    """`A...B` or `A..B`; an end left out is HEAD, as in git."""
    dots = "..." if "..." in text else ".."
    old, found, new = text.partition(dots)
    if not found or not (old or new) or ".." in new or new.startswith("."):
        raise BadRange(f"{text}: write it as A...B (what B changed since it left A) or A..B")
    return Range(old or "HEAD", new or "HEAD", dots == "...")


def range_diff(text: str, *, workspace: str, directory: str) -> bytes:
    """The proposal. `directory` is where the names of the range are looked up, if there is a repository around it.

    Where the workspace is a part of its repository, only what lies in it is proposed.
    """
    asked = parse_range(text)
    home = _home(workspace, directory)
    old, new = (_commit(home, name, text) for name in (asked.old, asked.new))
    if asked.since_parted:
        found = _asked(home, "merge-base", old, new)
        if not found:
            raise BadRange(f"{text}: the two have no commit in common")
        old = found.split("\n")[0]
    within = (_asked(workspace, "rev-parse", "--show-prefix") or "").strip("\n")
    diff = _diff(home, old, new, within)
    if not diff:
        raise BadRange(f"{text}: there is no difference, so there is nothing to propose")
    return diff


def is_checked_out(text: str, *, workspace: str, directory: str) -> bool:
    """Whether the workspace is at the new end of the range already: then there is nothing to apply to it."""
    head = _asked(workspace, "rev-parse", "--verify", "--quiet", "HEAD")
    return head is not None and head.strip() == _commit(_home(workspace, directory), parse_range(text).new, text)


def _home(workspace: str, directory: str) -> str:
    return directory if _asked(directory, "rev-parse", "--git-dir") is not None else workspace


def _commit(home: str, name: str, text: str) -> str:
    found = _asked(home, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if not found:
        where = "no repository here" if _asked(home, "rev-parse", "--git-dir") is None else f"no commit called {name}"
        raise BadRange(f"{text}: there is {where}")
    return found.strip()


def _diff(home: str, old: str, new: str, within: str) -> bytes:
    limit = Limits().max_bytes
    relative = [f"--relative={within}"] if within else []
    command = _command(home, *_DIFF, *relative, old, new)
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=_environment()) as process:
        assert process.stdout is not None
        data = process.stdout.read(limit + 1)
        if len(data) > limit:
            process.kill()
            raise BadRange(f"the difference is larger than {limit} bytes, the most that a proposal may have")
    if process.returncode:
        raise BadRange(f"git could not compare the two (exit code {process.returncode})")
    return data


def _asked(home: str, *arguments: str) -> str | None:
    """What git prints; None where it says no, or there is no git."""
    try:
        done = subprocess.run(
            _command(home, *arguments), stdin=subprocess.DEVNULL, capture_output=True, env=_environment(), check=False
        )
    except FileNotFoundError:
        raise BadRange("git is not installed") from None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None


def _command(home: str, *arguments: str) -> list[str]:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return ["git", "-C", home, "--no-pager", "--no-optional-locks", *settings, *arguments]


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
