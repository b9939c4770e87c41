"""The main flow on one page: load → plan → decide → apply → result. Composition only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.compose import Action, FileOutcome
from engine.errors import Conflict, WriteFailed
from engine.model import Code, Mode
from engine.planning import plan
from engine.planning.data import ReviewPlan
from engine.reading import digest, load, proposal_name, read_proposal
from engine.result import Result, build_result
from engine.review import Intent, ReviewState, reduce
from engine.settle import Problem, Settlement, Status, settle
from engine.workspace import Workspace

if TYPE_CHECKING:
    from engine.transaction import Change

Progress = Callable[[int, int], None]
"""Called with (files done, files in all)."""


def decide(plan: ReviewPlan, *intents: Intent, state: ReviewState | None = None) -> ReviewState:
    """The decisions after all `intents`, one after the other."""
    state = state or ReviewState()
    for intent in intents:
        state = reduce(plan, state, intent)
    return state


def apply(
    plan: ReviewPlan,
    state: ReviewState,
    workspace: Workspace,
    *,
    mode: Mode | None = None,
    dry_run: bool | None = None,
    allow_syntax_errors: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Write what was accepted, as one transaction, and say what became of each hunk.

    `mode` and `dry_run` win over what the proposal says. What the disk refuses is reported; in the modes that go on
    after a failure, the rest is settled anew and tried again.
    """
    mode = mode or plan.proposal.mode or Mode.ROLLBACK
    dry_run = plan.proposal.dry_run if dry_run is None else dry_run
    refused: dict[int, Problem] = {}
    rolled_back = False
    while True:
        settlement = settle(plan, state, mode, allow_syntax_errors=allow_syntax_errors, refused=refused)
        if dry_run or not any(result.changed for result in settlement.outcomes):
            return build_result(plan, state, settlement, mode, dry_run=dry_run, rollback_performed=rolled_back)
        from engine.transaction import commit  # a dry run does not need to load it

        changes = _changes(settlement.outcomes)
        try:
            applied = commit(workspace, changes, proposal=plan.proposal.name, progress=progress)
        except (Conflict, WriteFailed) as problem:
            refused |= _blame(settlement, problem)
            rolled_back = rolled_back or problem.rolled_back
            if isinstance(problem, WriteFailed) and not problem.restored:
                mode = Mode.ROLLBACK  # the disk is in no state to try anything else
            continue
        return build_result(
            plan,
            state,
            settlement,
            mode,
            dry_run=False,
            rollback_performed=rolled_back,
            transaction=applied.id,
            notes=applied.notes,
        )


def _changes(outcomes: Sequence[FileOutcome]) -> list[Change]:
    """What to write, one change a name: a move frees one name and takes another."""
    from engine.transaction import Change

    changes: dict[str, Change] = {}
    for result in outcomes:
        before = result.file.before.sha256 if result.file.before else None
        if result.action in (Action.DELETE, Action.MOVE):
            changes.setdefault(result.file.path, Change(result.file.path, before, None))
        if result.action in (Action.CREATE, Action.MODIFY):
            changes[result.path] = Change(result.path, before, result.content, result.executable)
        if result.action is Action.MOVE:
            there = _displaced(result, outcomes)
            changes[result.path] = Change(result.path, there, result.content, result.executable, like=result.file.path)
    return list(changes.values())


def _displaced(moved: FileOutcome, outcomes: Sequence[FileOutcome]) -> str | None:
    """The SHA-256 of the file whose name a move takes, None where the name is free."""
    for other in outcomes:
        if other.file.path == moved.path and other.file.before:
            return other.file.before.sha256
    return next((hunk.overwrites for hunk in moved.file.hunks if hunk.overwrites), None)


def _blame(settlement: Settlement, problem: Conflict | WriteFailed) -> Mapping[int, Problem]:
    """The hunks of the file that the disk refused; all of them where it is not one of ours."""
    code = Code.CONFLICT if isinstance(problem, Conflict) else Code.IO
    files = [result for result in settlement.outcomes if problem.path in (result.path, result.file.path)]
    indexes = [hunk.index for result in files for hunk in result.file.hunks if hunk.index in settlement.chosen]
    said = Problem(Status.FAILED, code, f"{problem.path}: {problem.reason}")
    return dict.fromkeys(indexes or settlement.chosen, said)


__all__ = ["apply", "decide", "digest", "load", "plan", "proposal_name", "read_proposal"]
