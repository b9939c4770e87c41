"""What was applied and undone in this workspace, oldest first.

With --follow it stays and prints what comes; with --json too, one line per file that was written, for tools that
cache files.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator

from engine.transaction import Entry, history
from engine.workspace import STATE_DIRECTORY, Workspace
from tui.commands.common import add_workspace, open_workspace
from tui.out import Out, print_json, safe

EXAMPLE = "example: hunkdeck log --follow --json"
_MARKS = {"create": ("A", "green"), "modify": ("M", "yellow"), "delete": ("D", "red")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--follow", action="store_true", help="stay, and print what is applied from now on as well")
    parser.add_argument("--json", action="store_true", help="for machines")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    with open_workspace(args) as workspace:
        if args.follow:
            for entry in _follow(workspace):
                _print_lines(entry) if args.json else _show(Out(), entry)
                sys.stdout.flush()
            return 0
        entries = history(workspace)
    if args.json:
        print_json([_as_dict(entry) for entry in entries])
        return 0
    for entry in entries:
        _show(Out(), entry)
    if not entries:
        Out().line("nothing was applied in this workspace yet")
    return 0


def _follow(workspace: Workspace) -> Iterator[Entry]:
    """Every entry, those to come included; ends with the process."""
    seen: set[str] = set()
    while True:
        for entry in history(workspace):
            if entry.id not in seen:
                seen.add(entry.id)
                yield entry
        _wait_for_a_change(workspace)


def _wait_for_a_change(workspace: Workspace) -> None:
    """Until something happens in our state, or a second has passed: a change may come before the watching begins."""
    from watchfiles import watch

    state = os.path.join(workspace.root, STATE_DIRECTORY)
    there = os.path.isdir(state)
    path = state if there else workspace.root
    next(watch(path, recursive=there, debounce=50, step=10, rust_timeout=1000, yield_on_timeout=True), None)


def _as_dict(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.id,
        "proposal": entry.proposal,
        "time": entry.time,
        "undone": entry.undone,
        "undoes": entry.undoes,
        "files": [
            {"path": file.path, "action": file.action.value, "before": file.before, "sha256": file.after}
            for file in entry.files
        ],
    }


def _print_lines(entry: Entry) -> None:
    for file in entry.files:
        line = {
            "path": file.path,
            "sha256": file.after,
            "proposal": entry.proposal,
            "transaction": entry.id,
            "event": "undone" if entry.undoes else "applied",
        }
        sys.stdout.write(json.dumps(line) + "\n")


def _show(out: Out, entry: Entry) -> None:
    what = f"took back {entry.undoes}" if entry.undoes else safe(entry.proposal)
    state = (" (undone)", "yellow") if entry.undone else ""
    out.line((entry.id, "bold"), f"  {entry.time}  {what}", state)
    for file in entry.files:
        mark, style = _MARKS[file.action.value]
        out.line(("    " + mark, style), f" {safe(file.path)}")
