"""Apply chosen hunks of a proposal as one transaction, and print what became of each. For scripts and CI.

Hunks that are neither accepted nor rejected stay pending. --all takes what needs no second look; approximate matches
and risky files are left pending: accept the former with --accept, confirm the latter with --confirm PATH.

exit codes: 0 all that was accepted is applied, 1 something accepted failed, 2 bad usage or an unreadable proposal,
            3 everything was rejected, 4 something is still pending
"""

from __future__ import annotations

import argparse

from engine.errors import HunkdeckError, PathBlocked
from engine.model import Mode, Proposal
from engine.paths import canonical
from engine.planning import plan
from engine.planning.data import ReviewPlan
from engine.result import Result
from engine.review import Accept, AcceptAll, Comment, Confirm, Intent, Reject
from engine.session import apply, decide
from engine.workspace import Workspace
from tui.commands.check import default_mode, report
from tui.commands.common import (
    add_proposals,
    add_workspace,
    answer,
    each_result,
    hunk_numbers,
    limits,
    only_one,
    open_workspace,
)
from tui.out import Out
from tui.progress import progress_bar
from tui.report import show_frame

EXAMPLE = "example: hunkdeck apply proposal.json --accept 0,2-4 --reject 1 --comment 'keep the name' --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_proposals(parser)
    parser.add_argument("--all", action="store_true", help="accept every hunk that needs no second look")
    parser.add_argument(
        "--accept", type=hunk_numbers, metavar="N,M-O", help="accept these hunks, whatever is known of them"
    )
    parser.add_argument("--reject", type=hunk_numbers, metavar="N,M-O", help="reject these hunks")
    parser.add_argument("--comment", metavar="TEXT", help="why: goes to the agent with the rejected hunks")
    parser.add_argument("--feedback", metavar="TEXT", help="what to tell the agent about the whole proposal")
    parser.add_argument("--confirm", action="append", default=[], metavar="PATH", help="confirm the risks of this file")
    parser.add_argument("--dry-run", action="store_true", default=None, help="only say what would happen")
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], help="what a failure does to the others")
    add_workspace(parser)
    parser.set_defaults(usage_error=parser.error)


def run(args: argparse.Namespace) -> int:
    _check_usage(args)
    out = Out()
    with open_workspace(args) as workspace:
        return answer(
            args,
            each_result(args, lambda proposal: _apply(args, proposal, workspace, out)),
            lambda result: report(args, out, result),
        )


def _check_usage(args: argparse.Namespace) -> None:
    if not args.all and args.accept is None and args.reject is None:
        args.usage_error(
            "say which hunks to apply: --all, or --accept with their numbers (see them with: hunkdeck check)"
        )
    if args.accept is not None or args.reject is not None:
        only_one(args, ("--accept", "--reject"))
    if twice := set(args.accept or ()) & set(args.reject or ()):
        args.usage_error(f"hunk {min(twice)} is both accepted and rejected")


def _apply(args: argparse.Namespace, proposal: Proposal, workspace: Workspace, out: Out) -> Result:
    planned = plan(proposal, workspace, limits=limits(args), codex_compat=args.codex_compat)
    mode = Mode(args.mode) if args.mode else default_mode(args, proposal)
    try:
        state = decide(planned, *_intents(args, planned, workspace))
    except IndexError as problem:
        raise HunkdeckError(str(problem)) from problem
    if not args.json:
        show_frame(out, planned, mode)
    with progress_bar("writing files") as progress:
        return apply(
            planned,
            state,
            workspace,
            mode=mode,
            dry_run=args.dry_run,
            allow_syntax_errors=args.allow_syntax_errors,
            progress=progress,
        )


def _intents(args: argparse.Namespace, planned: ReviewPlan, workspace: Workspace) -> list[Intent]:
    """What the options decide. Single decisions come first: --all takes what they leave open."""
    intents: list[Intent] = [Confirm(_confirmed(path, workspace)) for path in args.confirm]
    if args.accept:
        intents.append(Accept(args.accept))
    if args.reject:
        intents.append(Reject(args.reject, args.comment))
    if args.all:
        intents.append(AcceptAll(unfit_too=True))
    if args.feedback:
        intents.append(Comment(None, args.feedback))
    return intents


def _confirmed(path: str, workspace: Workspace) -> str:
    try:
        return canonical(path, workspace.root)
    except PathBlocked:
        return path  # what is blocked stays blocked, whoever confirms it
