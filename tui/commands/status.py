"""For agents: how far one proposal is, with its verdict so far; without ID, everything that waits in the queue.

exit codes: 0 all that was accepted is applied (without ID: always), 1 something accepted failed or it was withdrawn,
            2 bad usage or an unknown id, 3 everything was rejected, 4 still pending
"""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from typing import Any

from engine.errors import WorkspaceError
from engine.queue.store import Listed
from tui.commands.agents import Queue, add_queue, known, open_queue, show_verdict, verdict
from tui.out import Out, print_json, safe

EXAMPLE = "example: hunkdeck status; hunkdeck status rename-3f9a2c41d0 --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="what hunkdeck submit printed, or a file's NAME")
    add_queue(parser)


def run(args: argparse.Namespace) -> int:
    if args.id is None:
        return _list(args)
    with open_queue(args) as queue:
        return _show(args, queue, known(queue, args.id))


def _show(args: argparse.Namespace, queue: Queue, listed: Listed) -> int:
    result = verdict(queue, listed.id, queue.store.result(listed.id))
    if args.json:
        print_json(_as_dict(listed) | {"notes": list(result.notes), "result": result.to_dict()})
        return result.exit_code
    _line(Out(), listed)
    return show_verdict(args, result)


def _list(args: argparse.Namespace) -> int:
    try:
        with open_queue(args) as queue:
            waiting = list(queue.store.list(claimed_too=True))
    except WorkspaceError:
        if args.queue is not None:
            raise
        waiting = []  # nobody has put anything there yet
    if args.json:
        print_json([_as_dict(listed) for listed in waiting])
        return 0
    out = Out()
    for listed in waiting:
        _line(out, listed)
    if not waiting:
        out.line("nothing waits in the queue")
    return 0


def _as_dict(listed: Listed) -> dict[str, Any]:
    return {
        "id": listed.id,
        "state": listed.state.value,
        "revision": listed.rev,
        "agent": listed.agent or None,
        "arrived": _iso(listed.arrived),
        "waits_until": None if listed.waits_until is None else _iso(listed.waits_until),
    }


def _iso(moment: float) -> str | None:
    try:
        return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):  # a file's time may be anything
        return None


def _line(out: Out, listed: Listed) -> None:
    who = f"  from {safe(listed.agent, 40)}" if listed.agent else ""
    waits = "  somebody waits for it" if listed.waits_until else ""
    out.line((safe(listed.id), "bold"), f"  {listed.state.value}{who}, {_age(listed.arrived)} old{waits}")


def _age(moment: float) -> str:
    passed = max(time.time() - moment, 0)
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if passed >= size:
            return f"{passed // size:.0f} {unit}"
    return f"{passed:.0f} s"
