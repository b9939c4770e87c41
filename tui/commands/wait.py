"""For agents: wait until the person has decided about a proposal, and print the verdict.

exit codes: 0 all that was accepted is applied, 1 something accepted failed or it was withdrawn, 2 bad usage or an
            unknown id, 3 everything was rejected, 4 still pending when the time was up
"""

from __future__ import annotations

import argparse

from tui.commands.agents import add_queue, known, open_queue, seconds, show_verdict, wait_for_verdict

EXAMPLE = "example: hunkdeck wait rename-3f9a2c41d0 --timeout 600 --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="what hunkdeck submit printed, or the NAME of a file in the queue")
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="give up after so long (default: never)")
    add_queue(parser)


def run(args: argparse.Namespace) -> int:
    with open_queue(args) as queue:
        known(queue, args.id)
        return show_verdict(args, wait_for_verdict(queue, args.id, args.timeout))
