"""For agents: take back a proposal that has no final verdict yet.

exit codes: 0 it is withdrawn, 1 it is too late: the verdict is out, 2 bad usage or an unknown id
"""

from __future__ import annotations

import argparse

from tui.commands.agents import add_queue, known, open_queue
from tui.out import Out, print_json, safe

EXAMPLE = "example: hunkdeck withdraw rename-3f9a2c41d0"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="what hunkdeck submit printed, or the NAME of a file in the queue")
    add_queue(parser)


def run(args: argparse.Namespace) -> int:
    with open_queue(args) as queue:
        known(queue, args.id)
        done = queue.store.withdraw(args.id)
    if args.json:
        print_json({"id": args.id, "withdrawn": done})
    elif done:
        Out().line(f"{safe(args.id)} is withdrawn")
    else:
        Out().line(f"{safe(args.id)} has its final verdict already: hunkdeck status {safe(args.id)}")
    return 0 if done else 1
