"""Review these proposals hunk by hunk, apply what you accept, and exit with the verdict.

The screen is drawn on the terminal even if the proposal comes through a pipe (-) and the verdict goes into one. Every
decision is kept as it is made: start again with the same proposals, and you go on where you left.

exit codes: 0 all that was accepted is applied, 1 something accepted failed, 2 bad usage or an unreadable proposal,
            3 everything was rejected, 4 something is still pending
"""

from __future__ import annotations

import argparse
import sys

from engine.queue.desk import Desk, Item, desk_of, open_desk
from engine.result import Result, build_result, unreadable_result
from engine.review import ReviewState
from engine.settle import settle
from engine.workspace import Workspace
from tui.commands.common import add_workspace, open_workspace, worst
from tui.out import Out, complain, print_json, safe
from tui.plain_view import plural, show_hunk, show_proposal
from tui.report import show_result
from tui.sitting import Sitting, choose, sit_down

EXAMPLE = "example: hunkdeck review proposal.json; git diff main | hunkdeck review - --json > verdict.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a proposal, in any format; - is standard input")
    parser.add_argument("--plain", action="store_true", help="numbered line prompts instead of a screen")
    parser.add_argument("--json", action="store_true", help="print the result as JSON (a list for several proposals)")
    parser.add_argument("--format", metavar="NAME", help="read it as this format instead of recognising it")
    add_workspace(parser)
    parser.set_defaults(usage_error=parser.error)


def run(args: argparse.Namespace) -> int:
    from_stdin = "-" in args.files
    if from_stdin and len(args.files) > 1:
        args.usage_error("- stands for the only proposal: give the others as files in another review")
    sitting = choose(plain=args.plain, pipes_are_fine=True)
    with open_workspace(args) as workspace, _open(args, workspace, look_only=sitting is Sitting.NOBODY) as desk:
        if desk.read_only and sitting is not Sitting.NOBODY:
            complain(f"read-only: {desk.read_only}")
        if any(not item.finished for item in desk.items):
            sit_down(desk, sitting, stdin_is_used=from_stdin, words_to=sys.stderr if args.json else None)
        results = [verdict(desk, item) for item in desk.items]
        if args.json:
            shown = [result.to_dict() for result in results]
            print_json(shown[0] if len(shown) == 1 else shown)
        else:
            _tell(desk, sitting)
    return worst(result.exit_code for result in results)


def _open(args: argparse.Namespace, workspace: Workspace, *, look_only: bool) -> Desk:
    if args.files == ["-"]:
        return desk_of(workspace, [("stdin", sys.stdin.buffer.read())], format=args.format, look_only=look_only)
    return open_desk(workspace, args.files, format=args.format, look_only=look_only)


def verdict(desk: Desk, item: Item) -> Result:
    """What was sent last; for a proposal about which nothing was sent, that everything is pending."""
    if item.plan is None:
        desk.plan(item)
    if item.result is not None:
        return item.result
    if item.plan is None:
        return unreadable_result(item.name, item.digest, item.error or "cannot be read")
    nothing = ReviewState()
    return build_result(item.plan, nothing, settle(item.plan, nothing, item.mode), item.mode, dry_run=False)


def _tell(desk: Desk, sitting: Sitting) -> None:
    out = Out()
    for item in desk.items:
        if sitting is Sitting.NOBODY:
            _show_all(out, item)
        elif sitting is Sitting.SCREEN and item.result is not None:
            show_result(out, item.result)
        if not item.finished and item.proposal is not None:
            counts = item.counts()
            decided = f"{counts.accepted} accepted, {counts.rejected} rejected, {counts.open} open"
            out.line(f"{safe(item.name, 60)}: the verdict is not final: {decided}.")
    waiting = sum(not item.finished for item in desk.items)
    if waiting and sitting is Sitting.NOBODY:
        out.line("To decide: run this in a terminal, or add --plain; in a script use hunkdeck apply with --accept.")
    elif waiting:
        out.line(f"{plural(waiting, 'proposal')} left; the same command goes on where you stopped.")


def _show_all(out: Out, item: Item) -> None:
    show_proposal(out, item)
    for hunk in item.plan.hunks if item.plan else ():
        show_hunk(out, item, hunk.index)
    out.line()
