"""Review these proposals hunk by hunk, apply what you accept, and exit with the verdict.

The screen is drawn on the terminal even if the proposal comes through a pipe (-) and the verdict goes into one. Every
decision is kept as it is made: start again with the same proposals, and you go on where you left.

exit codes: 0 all that was accepted is applied, 1 something accepted failed, 2 bad usage or an unreadable proposal,
            3 everything was rejected, 4 something is still pending
"""

from __future__ import annotations

import argparse
import sys

from engine.queue.desk import Desk, desk_of, open_desk
from engine.workspace import Workspace
from tui.commands.common import add_workspace, open_workspace, worst
from tui.out import complain, print_json
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
        from tui.last_words import tell, verdict

        results = [verdict(desk, item) for item in desk.items]
        if args.json:
            shown = [result.to_dict() for result in results]
            print_json(shown[0] if len(shown) == 1 else shown)
        else:
            tell(desk, sitting)
    return worst(result.exit_code for result in results)


def _open(args: argparse.Namespace, workspace: Workspace, *, look_only: bool) -> Desk:
    if args.files == ["-"]:
        return desk_of(workspace, [("stdin", sys.stdin.buffer.read())], format=args.format, look_only=look_only)
    return open_desk(workspace, args.files, format=args.format, look_only=look_only)
