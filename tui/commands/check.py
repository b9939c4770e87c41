"""Plan only: where each hunk would go, how sure that is, and what would fail. Nothing is written.

The exit code is that of `apply --all --dry-run`: 0 all would be applied, 1 something would fail, 2 unreadable,
4 something needs a decision of its own.
"""

from __future__ import annotations

import argparse

from engine.model import Code, Mode, Proposal
from engine.planning import plan
from engine.planning.data import Fit, PlannedHunk, ReviewPlan
from engine.result import Result
from engine.review import AcceptAll
from engine.session import apply, decide
from engine.workspace import Workspace
from tui.commands.common import add_proposals, add_workspace, answer, each_result, limits, open_workspace
from tui.out import Out, safe
from tui.report import (
    describe_place,
    show_counts,
    show_diffs,
    show_frame,
    show_notes,
    show_result,
    show_unreadable,
)

EXAMPLE = "example: hunkdeck check proposal.json; git diff main | hunkdeck check -"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_proposals(parser)
    parser.add_argument(
        "--mode", choices=[mode.value for mode in Mode], help="judge by this mode (default: the proposal's)"
    )
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    out = Out()
    with open_workspace(args) as workspace:
        return answer(
            args,
            each_result(args, lambda proposal: _check(args, proposal, workspace, out)),
            lambda result: _report(args, out, result),
        )


def report(args: argparse.Namespace, out: Out, result: Result) -> None:
    """The result for people, with the changes themselves where they are asked for."""
    if args.diff:
        show_diffs(out, result)
        out.line()
    show_result(out, result)


def _report(args: argparse.Namespace, out: Out, result: Result) -> None:
    """The hunks are listed already: what is left is what would not parse, the notes and the sums."""
    if result.unreadable:
        show_unreadable(out, result)
        return
    if args.diff:
        show_diffs(out, result)
        out.line()
    for hunk in result.hunks:
        if hunk.code is Code.SYNTAX:
            out.line(("✗ ", "red"), f"hunk {hunk.index} ", safe(hunk.file_path), ":")
            out.block(hunk.error or "", "red", "    ")
    show_notes(out, result)
    show_counts(out, result)


def _check(args: argparse.Namespace, proposal: Proposal, workspace: Workspace, out: Out) -> Result:
    planned = plan(proposal, workspace, limits=limits(args), codex_compat=args.codex_compat)
    mode = Mode(args.mode) if args.mode else default_mode(args, proposal)
    state = decide(planned, AcceptAll(unfit_too=True))
    if not args.json:
        show_frame(out, planned, mode)
        _show_hunks(out, planned)
    return apply(planned, state, workspace, mode=mode, dry_run=True, allow_syntax_errors=args.allow_syntax_errors)


def default_mode(args: argparse.Namespace, proposal: Proposal) -> Mode:
    return proposal.mode or (Mode.STOP if args.codex_compat else Mode.ROLLBACK)


def _show_hunks(out: Out, planned: ReviewPlan) -> None:
    for file in planned.files:
        out.line((safe(file.path), "bold"))
        for hunk in file.hunks:
            _show_hunk(out, hunk)
    out.line()


def _show_hunk(out: Out, hunk: PlannedHunk) -> None:
    if hunk.fit is Fit.FITS:
        out.line(("  ✓ ", "green"), f"hunk {hunk.index}: {describe_place(hunk)}")
    else:
        mark = ("  ✗ ", "red") if hunk.fit is Fit.FAILS else ("  = ", "dim")
        out.line(mark, f"hunk {hunk.index}: ", safe((hunk.error or "").partition("\n")[0]))
    for warning in (*hunk.risks, *hunk.warnings):
        out.line(("    ! ", "yellow"), safe(warning))
    for other in hunk.needs:
        out.line(("    ! ", "yellow"), f"needs hunk {other}")
    for other in hunk.conflicts:
        out.line(("    ! ", "yellow"), f"changes the same text as hunk {other}")
    if hunk.hunk.why:
        out.line(("    agent: ", "dim"), (safe(hunk.hunk.why, 200), "italic"))
