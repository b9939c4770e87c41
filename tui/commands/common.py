"""What several commands share: the workspace, proposals from files or standard input, results and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.errors import UnreadableProposal, WorkspaceError
from engine.formats.limits import Limits as ReadLimits
from engine.leftovers import any_leftovers
from engine.model import Proposal
from engine.reading import digest, load, proposal_name, read_proposal
from engine.workspace import STATE_DIRECTORY, Workspace
from tui.out import complain, print_json

if TYPE_CHECKING:
    from engine.planning import Limits
    from engine.result import Result

_MOST_BYTES = ReadLimits().max_bytes
_MOST_IMPORTANT_FIRST = (2, 1, 4, 3, 0)


def add_workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        help="the tree that may be changed (default: the enclosing git repository, else the current directory)",
    )


def add_proposals(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a proposal, in any format; - is standard input")
    parser.add_argument("--format", metavar="NAME", help="read it as this format instead of recognising it")
    parser.add_argument(
        "--codex-compat",
        action="store_true",
        help="do as Codex does where hunkdeck is stricter: first of several places, overwriting, final newline",
    )
    parser.add_argument("--max-files", type=int, metavar="N", help="how many files a proposal may touch (default: 100)")
    parser.add_argument("--max-bytes", type=int, metavar="N", help="how many bytes they may hold (default: 52428800)")
    parser.add_argument("--allow-syntax-errors", action="store_true", help="also write what would not parse any more")
    parser.add_argument("--diff", action="store_true", help="also print the changes as unified diffs")
    parser.add_argument("--json", action="store_true", help="print the result as JSON (a list for several proposals)")


@contextmanager
def open_workspace(args: argparse.Namespace) -> Iterator[Workspace]:
    """The workspace that the arguments name, repaired if a crash left something half done."""
    with Workspace(args.workspace or enclosing_workspace(os.getcwd())) as workspace:
        if os.path.lexists(os.path.join(workspace.root, STATE_DIRECTORY)) and any_leftovers(workspace):
            _repair(workspace)
        yield workspace


def _repair(workspace: Workspace) -> None:
    from engine.transaction import recover

    for message in recover(workspace):
        complain(message)


def enclosing_workspace(directory: str) -> str:
    """The git repository around `directory`, else `directory` itself."""
    here = os.path.realpath(directory)
    while not os.path.lexists(os.path.join(here, ".git")):
        above = os.path.dirname(here)
        if above == here:
            return directory
        here = above
    return here


def each_result(args: argparse.Namespace, handle: Callable[[Proposal], Result]) -> Iterator[Result]:
    """`handle` for every proposal that can be read, and an answer for those that cannot."""
    from engine.result import unreadable_result

    for file in args.files:
        name = "stdin" if file == "-" else proposal_name(file)
        data = b""
        try:
            data = sys.stdin.buffer.read(_MOST_BYTES + 1) if file == "-" else read_proposal(file)
            proposal = load(data, name=name, format=args.format)
        except UnreadableProposal as problem:
            yield unreadable_result(name, digest(data), str(problem))
            continue
        yield handle(proposal)


def answer(args: argparse.Namespace, results: Iterator[Result], show: Callable[[Result], None]) -> int:
    """Print every result as it comes, or all as JSON, and give the exit code of the most important one."""
    done: list[Result] = []
    for result in results:
        done.append(result)
        if not args.json:
            show(result)
    if args.json:
        shown = [result.to_dict() for result in done]
        print_json(shown[0] if len(shown) == 1 else shown)
    return worst(result.exit_code for result in done)


def worst(codes: Iterator[int]) -> int:
    seen = set(codes)
    return next(code for code in _MOST_IMPORTANT_FIRST if code in seen)


def hunk_numbers(text: str) -> tuple[int, ...]:
    """`0,2-4` as numbers; argparse turns the error into a usage message."""
    numbers: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise argparse.ArgumentTypeError(f"{part.strip()!r} is not a hunk number or a range such as 2-4")
        span = range(int(first), int(last or first) + 1)
        if len(span) > 100_000 or not span:
            raise argparse.ArgumentTypeError(f"{part.strip()!r} is not a range of hunk numbers")
        numbers += span
    return tuple(numbers)


def only_one(args: argparse.Namespace, options: Sequence[str]) -> None:
    """Hunk numbers mean something for one proposal only."""
    if len(args.files) > 1:
        raise WorkspaceError(f"{' and '.join(options)} need exactly one FILE, because hunks are numbered per proposal")


def limits(args: argparse.Namespace) -> Limits:
    from engine.planning import Limits

    defaults = Limits()
    return Limits(args.max_files or defaults.max_files, args.max_bytes or defaults.max_bytes)
