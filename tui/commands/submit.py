"""For agents: check a proposal, put it into the queue, and with --wait print the verdict once the person has decided.

Without FILE it is read from standard input. What cannot be read is refused, and not put into the queue. Without --wait
the proposal's id is printed, for hunkdeck status, wait and withdraw. The proposal outlives this command.

exit codes: 0 all that was accepted is applied (without --wait: it is in the queue), 1 something accepted failed,
            2 bad usage or an unreadable proposal, 3 everything was rejected, 4 still pending when the time was up
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import NamedTuple

from engine.errors import UnreadableProposal, WorkspaceError
from engine.formats.limits import Limits
from engine.model import Proposal
from engine.queue.store import Outcome
from engine.result import unreadable_result
from engine.session import digest, load, proposal_name, read_proposal
from engine.workspace import Workspace
from tui.commands.agents import Queue, add_queue, queue_in, seconds, show_verdict, wait_for_verdict
from tui.commands.common import open_workspace
from tui.out import Out, complain, print_json
from tui.report import show_unreadable

EXAMPLE = "example: hunkdeck submit proposal.json --wait 600 --json; hunkdeck submit --git-range main...feature"
_MOST_BYTES = Limits().max_bytes
_LONGEST_STEM = 60
_LONGEST_AGENT = 100


class Sent(NamedTuple):
    """What the arguments name: what people would call it, and its bytes."""

    name: str
    data: bytes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a proposal, in any format; - is standard input")
    parser.add_argument(
        "--git-range",
        metavar="A...B",
        help="propose what branch B changed since it left A; with A..B the whole difference",
    )
    parser.add_argument("--wait", type=seconds, metavar="SECONDS", help="wait so long for the verdict, and print it")
    parser.add_argument("--agent", metavar="NAME", help="who proposes, for the reviewer to see")
    add_queue(parser)
    parser.set_defaults(usage_error=parser.error)


def run(args: argparse.Namespace) -> int:
    if args.git_range is not None and args.file is not None:
        args.usage_error("give a FILE or --git-range, not both")
    if args.git_range is None and args.file is None and sys.stdin.isatty():
        args.usage_error("there is no proposal: give a FILE, pipe one in, or name a --git-range")
    with open_workspace(args) as workspace:
        sent = Sent(_name(args), b"")
        try:
            sent = Sent(sent.name, _read(args, workspace))
            proposal = load(sent.data, name=sent.name)
        except UnreadableProposal as problem:
            return _refuse(args, sent, str(problem))
        with queue_in(args, workspace, create=True) as queue:
            return _answer(args, queue, _put(queue, sent, _agent(args, proposal)))


def _answer(args: argparse.Namespace, queue: Queue, id: str) -> int:
    if args.wait is not None:
        Out(sys.stderr).line(f"submitted as {id}")
        return show_verdict(args, wait_for_verdict(queue, id, args.wait))
    if args.json:
        print_json({"id": id, "state": "open"})
    else:
        Out().line(id)
    return 0


def _name(args: argparse.Namespace) -> str:
    if args.git_range is not None:
        return str(args.git_range).rpartition("..")[2] or "HEAD"
    return "stdin" if args.file in (None, "-") else proposal_name(args.file)


def _read(args: argparse.Namespace, workspace: Workspace) -> bytes:
    if args.git_range is not None:
        return _branch(args.git_range, workspace)
    return sys.stdin.buffer.read(_MOST_BYTES + 1) if args.file in (None, "-") else read_proposal(args.file)


def _branch(text: str, workspace: Workspace) -> bytes:
    from engine.git_range import is_checked_out, range_diff

    diff = range_diff(text, workspace=workspace.root, directory=os.getcwd())
    if is_checked_out(text, workspace=workspace.root, directory=os.getcwd()):
        complain(f"{workspace.root} is at the end of {text} already; --workspace names where it is to be applied")
    return diff


def _refuse(args: argparse.Namespace, sent: Sent, problem: str) -> int:
    """Nothing is in the queue: the answer is for whoever called."""
    result = unreadable_result(sent.name, digest(sent.data), problem)
    if args.json:
        print_json(result.to_dict())
    else:
        show_unreadable(Out(sys.stderr), result)
    return result.exit_code


def _agent(args: argparse.Namespace, proposal: Proposal) -> str:
    return str(args.agent or proposal.agent.name or "")[:_LONGEST_AGENT]


def _put(queue: Queue, sent: Sent, agent: str) -> str:
    """Into the queue under a name that nobody had before, so that no other proposal is taken for a revision of it."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", sent.name).strip("-")[:_LONGEST_STEM] or "proposal"
    fresh = f"{stem}-{os.urandom(5).hex()}"
    if queue.store.status(fresh) is not None or queue.store.put(fresh, sent.data, agent).outcome is not Outcome.NEW:
        raise WorkspaceError(f"{fresh}: there is such a proposal already; submit it again")
    return fresh
