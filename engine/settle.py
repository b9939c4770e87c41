"""Which of the accepted hunks can be applied together, and what becomes of the others.

Everything that can go wrong without touching the disk is found here: what does not fit, what needs a hunk that was not
accepted, what overlaps, what would not parse, what was not confirmed; and `mode` is carried out. The rules feed on each
other (a hunk that drops out may take its dependents with it), so they are repeated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.compose import Action, FileOutcome, cuts_of, outcome
from engine.model import Code, Mode, Move
from engine.planning.data import FilePlan, Fit, PlannedHunk, ReviewPlan
from engine.planning.overlaps import first_overlaps
from engine.review import Decision, ReviewState, Verdict
from engine.syntax import SyntaxProblem, newly_broken

_MOST_REMEMBERED = 1_000


class Status(StrEnum):
    APPLIED = "applied"
    FAILED = "failed"
    PENDING = "pending"
    REJECTED = "rejected"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a hunk is not applied."""

    status: Status
    code: Code
    error: str


@dataclass(frozen=True)
class Settlement:
    """What will be written, and what is said about each hunk that is not part of it."""

    chosen: Mapping[int, Decision]
    """The hunks to apply."""
    problems: Mapping[int, Problem]
    """Everything else but the rejected ones."""
    outcomes: tuple[FileOutcome, ...]
    """Every file of the plan, with the chosen hunks applied."""
    failed: tuple[int, ...] = field(default=())


def settle(
    plan: ReviewPlan,
    state: ReviewState,
    mode: Mode,
    *,
    allow_syntax_errors: bool = False,
    refused: Mapping[int, Problem] | None = None,
) -> Settlement:
    """Decide what to write. `refused` are hunks that the disk would not take in an earlier attempt."""
    problems = dict(refused or {})
    chosen: dict[int, Decision] = {}
    for hunk in plan.hunks:
        decision = state.decisions.get(hunk.index)
        if decision and decision.verdict is Verdict.REJECT:
            continue
        problem = problems.get(hunk.index) or _problem(hunk, decision, state)
        if problem:
            problems[hunk.index] = problem
        elif decision:
            chosen[hunk.index] = decision
    _wait_for_moves(plan, chosen, problems)
    _drop_impossible(plan, chosen, problems, allow_syntax_errors=allow_syntax_errors)
    while (behind := _not_attempted(chosen, problems, mode)) is not None:
        problems.update(behind)
        for index in behind:
            del chosen[index]
        _drop_impossible(plan, chosen, problems, allow_syntax_errors=allow_syntax_errors)
    failures = tuple(sorted(index for index, problem in problems.items() if problem.status is Status.FAILED))
    return Settlement(chosen, problems, tuple(_outcome(plan, file, chosen) for file in plan.files), failures)


def _problem(hunk: PlannedHunk, decision: Decision | None, state: ReviewState) -> Problem | None:
    """What is known about a hunk without looking at others."""
    if hunk.fit is Fit.SKIPPED:
        return Problem(Status.SKIPPED, hunk.code or Code.NO_CHANGE, hunk.error or "nothing to do")
    if hunk.fit is Fit.FAILS and decision:
        return Problem(Status.FAILED, hunk.code or Code.NOT_FOUND, hunk.error or "does not fit")
    if hunk.risks and hunk.path not in state.confirmed:
        reason = f"{'; '.join(hunk.risks)}: needs its own confirmation"
        return Problem(Status.PENDING, Code.NEEDS_CONFIRMATION, reason)
    return None if decision else Problem(Status.PENDING, Code.UNDECIDED, _why_undecided(hunk))


def _why_undecided(hunk: PlannedHunk) -> str:
    if hunk.fit is Fit.FAILS:
        return hunk.error or "does not fit"
    if hunk.approximate:
        return "not decided: the match is approximate, so it has to be accepted by itself"
    return "not decided"


def _wait_for_moves(plan: ReviewPlan, chosen: dict[int, Decision], problems: dict[int, Problem]) -> None:
    """Edits of a file whose new name is not confirmed yet wait with it: they were meant for the file as moved."""
    for hunk in plan.hunks:
        problem = problems.get(hunk.index)
        if isinstance(hunk.hunk.op, Move) and problem and problem.code is Code.NEEDS_CONFIRMATION:
            for other in plan.file_of[hunk.index].hunks:
                if chosen.pop(other.index, None):
                    problems[other.index] = problem


def _not_attempted(
    chosen: Mapping[int, Decision], problems: Mapping[int, Problem], mode: Mode
) -> dict[int, Problem] | None:
    """What `mode` leaves out because something else failed; None: nothing more."""
    failures = [index for index, problem in problems.items() if problem.status is Status.FAILED]
    if not failures or mode is Mode.CONTINUE:
        return None
    first = min(failures)
    out = [index for index in chosen if mode is Mode.ROLLBACK or index > first]
    if not out:
        return None
    said = f"not attempted, because hunk {first} failed"
    return dict.fromkeys(out, Problem(Status.PENDING, Code.NOT_ATTEMPTED, said))


# ---------------------------------------------------------------- what cannot be applied together


def _drop_impossible(
    plan: ReviewPlan, chosen: dict[int, Decision], problems: dict[int, Problem], *, allow_syntax_errors: bool
) -> None:
    """Move from `chosen` to `problems` what cannot be applied with the others."""
    while True:
        dropped = _unmet_needs(plan, chosen) or _overlapping(plan, chosen) or _uneditable(plan, chosen)
        if not dropped and not allow_syntax_errors:
            dropped = _breaking(plan, chosen)
        if not dropped:
            return
        for index, problem in dropped.items():
            problems[index] = problem
            del chosen[index]


def _unmet_needs(plan: ReviewPlan, chosen: Mapping[int, Decision]) -> dict[int, Problem]:
    dropped = {}
    for index in chosen:
        missing = [other for other in plan.hunks[index].needs if not _as_sent(chosen.get(other))]
        if missing:
            said = f"needs hunk {missing[0]}, which is not being applied as it was sent"
            dropped[index] = Problem(Status.FAILED, Code.NEEDS_HUNK, said)
    return dropped


def _as_sent(decision: Decision | None) -> bool:
    return decision is not None and decision.text is None and decision.parts is None


def _overlapping(plan: ReviewPlan, chosen: Mapping[int, Decision]) -> dict[int, Problem]:
    dropped = {}
    for file in _touched(plan, chosen):
        hunks = [_as_decided(file, hunk, chosen[hunk.index]) for hunk in file.hunks if hunk.index in chosen]
        for index, other in first_overlaps(hunks).items():
            said = f"changes the same text as hunk {other}; send one hunk that does both"
            dropped[index] = Problem(Status.FAILED, Code.OVERLAP, said)
    return dropped


def _as_decided(file: FilePlan, hunk: PlannedHunk, decision: Decision) -> PlannedHunk:
    if _as_sent(decision):
        return hunk
    try:
        return replace(hunk, cuts=cuts_of(file, hunk, decision))
    except ValueError:  # an edit of what cannot be edited: `_uneditable` reports it
        return hunk


def _uneditable(plan: ReviewPlan, chosen: Mapping[int, Decision]) -> dict[int, Problem]:
    """The last net: a set that cannot be composed at all fails with its last hunk, never with a wrong text."""
    for file in _touched(plan, chosen):
        try:
            _outcome(plan, file, chosen)
        except (LookupError, ValueError) as problem:
            last = max(hunk.index for hunk in file.hunks if hunk.index in chosen)
            return {last: Problem(Status.FAILED, Code.OVERLAP, f"cannot be combined with the others: {problem}")}
    return {}


def _breaking(plan: ReviewPlan, chosen: Mapping[int, Decision]) -> dict[int, Problem]:
    return {
        index: Problem(
            Status.FAILED, Code.SYNTAX, f"would create a syntax error, so it is not applied\n{problem.render()}"
        )
        for index, problem in breaking_hunks(plan, chosen).items()
    }


def breaking_hunks(plan: ReviewPlan, chosen: Mapping[int, Decision]) -> dict[int, SyntaxProblem]:
    """The hunks to blame where the chosen subset makes a file stop parsing that parsed before."""
    blamed: dict[int, SyntaxProblem] = {}
    for file in _touched(plan, chosen):
        problem = _broken(plan, file, chosen)
        if problem:
            ours = [hunk.index for hunk in file.hunks if hunk.index in chosen]
            blamed |= dict.fromkeys(_culprits(plan, file, chosen, ours), problem)
    return blamed


def _culprits(plan: ReviewPlan, file: FilePlan, chosen: Mapping[int, Decision], ours: list[int]) -> list[int]:
    """Those that break the file by themselves, if the rest parses without them; otherwise all of the file's."""
    alone = [index for index in ours if _broken(plan, file, _with_needs(plan, chosen, index))]
    rest = {index: decision for index, decision in chosen.items() if index not in alone}
    return alone if alone and not _broken(plan, file, rest) else ours


def _with_needs(plan: ReviewPlan, chosen: Mapping[int, Decision], index: int) -> dict[int, Decision]:
    wanted, waiting = {}, [index]
    while waiting:
        here = waiting.pop()
        if here in chosen and here not in wanted:
            wanted[here] = chosen[here]
            waiting += plan.hunks[here].needs
    return wanted


def _broken(plan: ReviewPlan, file: FilePlan, chosen: Mapping[int, Decision]) -> SyntaxProblem | None:
    try:
        result = _outcome(plan, file, chosen)
    except (LookupError, ValueError):
        return None
    if result.action is Action.DELETE or not result.changed:
        return None
    return newly_broken(result.path, file.text.text if file.before else None, result.text)


def _touched(plan: ReviewPlan, chosen: Iterable[int]) -> list[FilePlan]:
    paths = dict.fromkeys(plan.hunks[index].path for index in chosen)
    return [file for file in plan.files if file.path in paths]


def _outcome(plan: ReviewPlan, file: FilePlan, chosen: Mapping[int, Decision]) -> FileOutcome:
    """The file with its chosen hunks, composed once however often it is asked for."""
    ours = {hunk.index: chosen[hunk.index] for hunk in file.hunks if hunk.index in chosen}
    key = (file.path, tuple(ours.items()))
    if len(plan.composed) > _MOST_REMEMBERED:
        plan.composed.clear()
    known: FileOutcome | None = plan.composed.get(key)
    if known is None:
        known = plan.composed[key] = outcome(file, ours, final_newline=plan.final_newline)
    return known
