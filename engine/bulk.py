"""What a bulk intent is about: the open hunks, and of these the ones that nobody has to look at twice."""

from __future__ import annotations

from collections import defaultdict

from engine.planning.data import Fit, PlannedHunk, ReviewPlan
from engine.review import Decision, ReviewState, Verdict


def open_hunks(plan: ReviewPlan, state: ReviewState, path: str | None = None) -> list[PlannedHunk]:
    """Hunks that nobody has decided about and that have something to decide."""
    return [
        hunk
        for hunk in plan.hunks
        if hunk.index not in state.decisions and hunk.fit is not Fit.SKIPPED and path in (None, hunk.path)
    ]


def nothing_to_decide(plan: ReviewPlan) -> bool:
    """All of it is there already, or changes nothing: only the answer is missing."""
    return all(hunk.fit is Fit.SKIPPED for hunk in plan.hunks)


def bulk_choice(
    plan: ReviewPlan, state: ReviewState, path: str | None = None, *, unfit_too: bool = False
) -> tuple[list[int], dict[int, str]]:
    """What a bulk accept takes, and for each open hunk that it leaves the reason."""
    taken: list[int] = []
    left: dict[int, str] = {}
    later = _later_rivals(plan)
    for hunk in open_hunks(plan, state, path):
        reason = _cannot_go_in(hunk, later[hunk.index], state) if not unfit_too else None
        reason = reason or _needs_a_look(hunk, state, confirmed_too=unfit_too)
        if reason:
            left[hunk.index] = reason
        else:
            taken.append(hunk.index)
    if not unfit_too:
        _leave_breaking(plan, state, taken, left)
    return taken, left


def _later_rivals(plan: ReviewPlan) -> defaultdict[int, list[int]]:
    """For each hunk the later ones that change the same text."""
    later: defaultdict[int, list[int]] = defaultdict(list)
    for hunk in plan.hunks:
        for earlier in hunk.conflicts:
            later[earlier].append(hunk.index)
    return later


def _cannot_go_in(hunk: PlannedHunk, later: list[int], state: ReviewState) -> str | None:
    if hunk.fit is Fit.FAILS:
        return hunk.error or "it does not fit"
    rivals = [index for index in hunk.conflicts if _verdict(state, index) is not Verdict.REJECT]
    rivals += [index for index in later if _verdict(state, index) is Verdict.ACCEPT]
    return f"changes the same text as hunk {rivals[0]}" if rivals else None


def _verdict(state: ReviewState, index: int) -> Verdict | None:
    decision = state.decisions.get(index)
    return decision.verdict if decision else None


def _needs_a_look(hunk: PlannedHunk, state: ReviewState, *, confirmed_too: bool) -> str | None:
    if hunk.index in state.parts:
        return "some of its parts are decided"
    if hunk.approximate:
        return "the match is approximate"
    if hunk.risks and not (confirmed_too and hunk.path in state.confirmed):
        return f"needs its own confirmation: {hunk.risks[0]}"
    return None


def _leave_breaking(plan: ReviewPlan, state: ReviewState, taken: list[int], left: dict[int, str]) -> None:
    """Leave what would make a file stop parsing, judged with everything accepted so far."""
    from engine.settle import breaking_hunks

    accepted = {index: decision for index, decision in state.decisions.items() if decision.verdict is Verdict.ACCEPT}
    chosen = {**accepted, **{index: Decision(Verdict.ACCEPT) for index in taken}}
    for index, problem in breaking_hunks(plan, chosen).items():
        if index in taken:
            taken.remove(index)
            left[index] = f"would not parse: {problem.message}"
