"""Take back what was applied: exact bytes and modes, or nothing.

Refused, with the reason, where a file was changed since. Undoing an undo is redo.
"""

from __future__ import annotations

import argparse

from engine.errors import UndoRefused
from engine.transaction import history, undo
from engine.workspace import Workspace
from tui.commands.common import add_workspace, open_workspace
from tui.out import Out, complain, print_json, safe

EXAMPLE = "example: hunkdeck undo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id",
        nargs="?",
        metavar="ID",
        help="a transaction of `hunkdeck log`, or a proposal's name (default: the last one)",
    )
    parser.add_argument("--json", action="store_true", help="for machines")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    with open_workspace(args) as workspace:
        try:
            done = undo(workspace, _transaction(workspace, args.id))
        except UndoRefused as refusal:
            if args.json:
                print_json({"success": False, "error": str(refusal)})
            else:
                complain(str(refusal))
            return 1
    if args.json:
        print_json({"success": True, "undone": done.id, "proposal": done.proposal, "paths": list(done.paths),
                    "transaction": done.by, "notes": list(done.notes)})  # fmt: skip
        return 0
    out = Out()
    out.line(("✓ ", "green"), f"took back {done.id} ({safe(done.proposal)})")
    for path in done.paths:
        out.line(f"    {safe(path)}")
    out.line((f"Redo it with: hunkdeck undo {done.by}", "dim"))
    return 0


def _transaction(workspace: Workspace, id: str | None) -> str | None:
    """The transaction that a person means: its id, or the last open one of a proposal of that name."""
    if id is None:
        return None
    named = [entry.id for entry in history(workspace) if entry.proposal == id and not entry.undone and not entry.undoes]
    return named[-1] if named else id
