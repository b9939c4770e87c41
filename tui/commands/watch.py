"""Review what agents put into the proposal directory (by default .hunkdeck/queue of the workspace).

A verdict appears as NAME.result.json beside the proposal; a finished proposal moves to done/. Every decision is kept
as it is made. Without a terminal the queue is printed.
"""

from __future__ import annotations

import argparse
import os

from engine.queue.desk import Desk, open_queue
from engine.queue.directory import DEFAULT_QUEUE
from engine.workspace import STATE_DIRECTORY
from tui.commands.common import add_workspace, open_workspace
from tui.out import Out, complain, safe
from tui.plain_view import show_counts, show_queue
from tui.settings import load_settings
from tui.sitting import Sitting, choose, sit_down

EXAMPLE = "example: hunkdeck watch; hunkdeck watch ~/proposals --workspace ~/src/shop"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", nargs="?", metavar="DIR", help="where the proposals are put")
    parser.add_argument("--plain", action="store_true", help="numbered line prompts instead of a screen")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    sitting = choose(plain=args.plain, pipes_are_fine=False)
    with open_workspace(args) as workspace:
        where = args.directory or os.path.join(workspace.root, STATE_DIRECTORY, DEFAULT_QUEUE)
        look_only = sitting is Sitting.NOBODY
        with open_queue(workspace, args.directory, look_only=look_only, policies=load_settings().policies) as desk:
            watch(desk, sitting, where)
    return 0


def watch(desk: Desk, sitting: Sitting, where: str) -> None:
    """Review the queue; where nobody can, say what is in it and what to do."""
    out = Out()
    if desk.read_only and sitting is not Sitting.NOBODY:
        complain(f"read-only: {desk.read_only}")
    if sitting is Sitting.SCREEN:
        sit_down(desk, sitting)
        return
    if not desk.items:
        _say_how(out, where)
    if sitting is Sitting.PLAIN:
        sit_down(desk, sitting)
    elif desk.items:
        desk.read_all()
        show_counts(out, desk.counts())
        show_queue(out, desk.items)
        out.line("To decide: run hunkdeck watch in a terminal, or add --plain.")


def _say_how(out: Out, where: str) -> None:
    out.line(f"Nothing waits in {safe(where)}.")
    out.line("Put a proposal there (NAME.json, .patch, .diff, .md or .txt), best written elsewhere and moved in;")
    out.line("the verdict will be NAME.result.json beside it. To see how a review goes: hunkdeck demo")
