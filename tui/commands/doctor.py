"""What hunkdeck can promise here: this file system, this workspace, this terminal, in words.

The exit code is 0 where everything can be promised and nothing waits for you, 1 otherwise. Looking repairs what a
crash left, as every command does, and tries things out in hunkdeck's own directory; your files are not touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum

from engine.disk import Disk, open_state
from engine.errors import HunkdeckError
from engine.locks import ReviewerLock
from engine.workspace import Workspace
from tui.commands.common import add_workspace, enclosing_workspace
from tui.out import Out, print_json, safe, wants_colours
from tui.terminal import has_terminal, wants_plain

EXAMPLE = "example: hunkdeck doctor --json"
_SMALLEST = (40, 10)
"""Columns and rows below which little of a hunk is seen at once."""


class Health(StrEnum):
    GOOD = "good"
    NOTE = "note"
    """Worth knowing; nothing is wrong."""
    BAD = "bad"
    """A promise is reduced, or somebody has to do something."""


_MARKS = {Health.GOOD: ("✓ ", "green"), Health.NOTE: ("• ", "cyan"), Health.BAD: ("✗ ", "red")}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    health: Health
    says: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for machines")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    with Workspace(args.workspace or enclosing_workspace(os.getcwd())) as workspace:
        findings = [*_workspace(workspace), *_state(workspace), *_queue(workspace), *_promises(workspace)]
        findings += _terminal()
    well = all(finding.health is not Health.BAD for finding in findings)
    if args.json:
        print_json({"ok": well, "workspace": workspace.root, "findings": [asdict(finding) for finding in findings]})
    else:
        _show(Out(), findings)
    return 0 if well else 1


def _show(out: Out, findings: list[Finding]) -> None:
    width = max(len(finding.about) for finding in findings)
    for finding in findings:
        out.line(_MARKS[finding.health], (finding.about.ljust(width), "bold"), "  ", safe(finding.says))


# ---------------------------------------------------------------- the workspace


def _workspace(workspace: Workspace) -> Iterator[Finding]:
    denied = workspace.writable("new-file")
    if denied:
        yield Finding("workspace", Health.BAD, f"{workspace.root}: {denied}; proposals can be read, not applied")
    else:
        yield Finding("workspace", Health.GOOD, workspace.root)
    if ".git" in workspace.entries(""):
        yield Finding("git", Health.GOOD, "a repository; what is applied shows up in git diff, .git is never touched")
    else:
        yield Finding("git", Health.NOTE, "no repository here; hunkdeck undo works all the same")


def _state(workspace: Workspace) -> Iterator[Finding]:
    """What a crash left is repaired by looking; what is left after that waits for a person."""
    from engine.transaction import history, recover

    try:
        said = recover(workspace)
        applied = len(history(workspace))
        yield Finding("state", Health.GOOD, f".hunkdeck can be used; {applied} transactions in its history")
        yield from _journal(said)
        yield _reviewer(workspace)
    except HunkdeckError as problem:
        yield Finding("state", Health.BAD, str(problem))


def _journal(messages: tuple[str, ...]) -> Iterator[Finding]:
    for message in messages:
        yield Finding("journal", Health.BAD, message)
    if not messages:
        yield Finding("journal", Health.GOOD, "nothing was left half done")


def _reviewer(workspace: Workspace) -> Finding:
    state = open_state(workspace, disk=Disk(), create=False)
    if state is None:
        return Finding("locks", Health.GOOD, "nobody has reviewed here yet")
    with state, ReviewerLock(state) as lock:
        if lock.acquire():
            return Finding("locks", Health.GOOD, "nobody else is reviewing here")
        owner = lock.owner()
        who = f"process {owner.pid} on {owner.host}" if owner else "another process"
        return Finding("locks", Health.NOTE, f"in use by {who}: you can look, and apply from the command line")


def _queue(workspace: Workspace) -> Iterator[Finding]:
    """How changes are noticed, what waits for a person, and what to do about it."""
    from engine.queue.directory import open_directory
    from engine.queue.notices import must_poll

    if must_poll(workspace.root):
        yield Finding(
            "watcher", Health.NOTE, "this file system tells of no changes: it is looked at three times a second"
        )
    else:
        yield Finding("watcher", Health.GOOD, "changes are noticed as they happen")

    try:
        directory = open_directory(workspace, None, create=False)
    except (HunkdeckError, OSError):
        yield Finding("queue", Health.NOTE, "none yet: hunkdeck submit makes it, hunkdeck watch reviews what is in it")
        return
    waiting = len(directory.waiting())
    directory.close()
    if waiting:
        yield Finding("queue", Health.NOTE, f"{waiting} proposal{'s' if waiting > 1 else ''} waiting: hunkdeck watch")
    else:
        yield Finding("queue", Health.GOOD, "nothing waits")


# ---------------------------------------------------------------- the file system


def _promises(workspace: Workspace) -> Iterator[Finding]:
    from engine.transaction import promise

    try:
        found = promise(workspace)
    except HunkdeckError as problem:
        yield Finding("files", Health.BAD, f"nothing can be written: {problem}")
        return
    yield Finding("files", Health.GOOD, "each file is entirely old or entirely new, and the set is all old or all new")
    if found.exchange:
        yield Finding("saves", Health.GOOD, "two names can be exchanged at once: nobody's save is overwritten unseen")
    else:
        says = "names cannot be exchanged here: a save within microseconds of an apply can be lost"
        yield Finding("saves", Health.BAD, says)
    if found.exchange or found.links:
        yield Finding("rollback", Health.GOOD, "old files are kept in place: taking back needs no disk space")
    else:
        yield Finding("rollback", Health.BAD, "no hard links here: old files are kept as copies, which takes space")


# ---------------------------------------------------------------- the terminal


def _terminal() -> Iterator[Finding]:
    if not has_terminal():
        yield Finding("terminal", Health.NOTE, "none: check, apply, log and undo work, review asks nobody")
        return
    columns, rows = shutil.get_terminal_size()
    small = columns < _SMALLEST[0] or rows < _SMALLEST[1]
    says = f"{columns} columns, {rows} rows{': little of a hunk is seen at once' if small else ''}"
    yield Finding("terminal", Health.NOTE if small or wants_plain() else Health.GOOD, says)
    yield Finding("colours", Health.NOTE if _colours() == "none" else Health.GOOD, _colours_in_words())


def _colours() -> str:
    if wants_plain() or not wants_colours(sys.stdout):
        return "none"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "16 million"
    return "256" if "256color" in os.environ.get("TERM", "") else "16"


def _colours_in_words() -> str:
    if _colours() == "none":
        return "none: additions and deletions are told apart by + and -"
    return f"{_colours()}; additions and deletions are marked by + and - as well"
