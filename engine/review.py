"""What a person decides, as a pure reducer: (plan, state, intent) → state. Undo and redo come free.

Bulk intents (a file, everything) decide what is still open and never touch a decision already made. Bulk accept takes
only what nobody has to look at twice: `bulk_choice` says what it leaves and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from engine.planning.data import Fit, PlannedHunk, ReviewPlan


class Verdict(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one hunk."""

    verdict: Verdict
    by: str = "reviewer"
    text: str | None = None
    """The reviewer's own version of the hunk's block (see `compose.block_text`)."""
    parts: frozenset[int] | None = None
    """The accepted parts; None: all of it."""


@dataclass(frozen=True)
class ReviewState:
    """All decisions so far, linked to the states before and (after an undo) behind it."""

    decisions: Mapping[int, Decision] = field(default_factory=lambda: MappingProxyType({}))
    comments: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    confirmed: frozenset[str] = frozenset()
    """Paths whose risks were confirmed one by one."""
    feedback: str | None = None
    previous: ReviewState | None = field(default=None, repr=False, compare=False)
    following: ReviewState | None = field(default=None, repr=False, compare=False)


# ---------------------------------------------------------------- intents


class Accept(NamedTuple):
    """Accept single hunks: whatever is shown, approximate matches included."""

    hunks: tuple[int, ...]
    by: str = "reviewer"


class AcceptParts(NamedTuple):
    """Accept some parts of one whole-file write; the other parts are rejected."""

    hunk: int
    parts: frozenset[int]


class AcceptAll(NamedTuple):
    """Bulk accept of what is open, in one file or everywhere."""

    path: str | None = None
    by: str = "reviewer"
    unfit_too: bool = False
    """Also take what cannot be applied, so that it is reported as failed (the command line's `--all`)."""


class Reject(NamedTuple):
    """Reject single hunks."""

    hunks: tuple[int, ...]
    comment: str | None = None
    by: str = "reviewer"


class RejectAll(NamedTuple):
    """Bulk reject of what is open, in one file or everywhere."""

    path: str | None = None
    comment: str | None = None


class Edit(NamedTuple):
    """Accept one hunk with another text for its block."""

    hunk: int
    text: str


class Comment(NamedTuple):
    """Say something about one hunk, or (None) about the whole proposal."""

    hunk: int | None
    text: str | None


class Confirm(NamedTuple):
    """Confirm the risks of one file."""

    path: str


class Reopen(NamedTuple):
    """Take back the decision on single hunks."""

    hunks: tuple[int, ...]


class Undo(NamedTuple):
    """Take back the last intent."""


class Redo(NamedTuple):
    """Take back the last undo."""


Intent = Accept | AcceptParts | AcceptAll | Reject | RejectAll | Edit | Comment | Confirm | Reopen | Undo | Redo


# ---------------------------------------------------------------- the reducer


def reduce(plan: ReviewPlan, state: ReviewState, intent: Intent) -> ReviewState:
    """The state after `intent`. Unknown hunk numbers raise IndexError; nothing else is refused here."""
    if isinstance(intent, Undo):
        return replace(state.previous, following=state) if state.previous else state
    if isinstance(intent, Redo):
        return replace(state.following, previous=state) if state.following else state
    after = _step(plan, state, intent)
    return state if after == state else replace(after, previous=state, following=None)


def _step(plan: ReviewPlan, state: ReviewState, intent: Intent) -> ReviewState:
    match intent:
        case Accept(hunks, by):
            return _decide(plan, state, {index: Decision(Verdict.ACCEPT, by) for index in hunks})
        case AcceptParts(hunk, parts):
            return _decide(plan, state, {hunk: Decision(Verdict.ACCEPT, parts=parts)})
        case AcceptAll(path, by, unfit_too):
            taken, _ = bulk_choice(plan, state, path, unfit_too=unfit_too)
            return _decide(plan, state, {index: Decision(Verdict.ACCEPT, by) for index in taken})
        case Reject(hunks, comment, by):
            return _comment(_decide(plan, state, dict.fromkeys(hunks, Decision(Verdict.REJECT, by))), hunks, comment)
        case RejectAll(path, comment):
            hunks = tuple(hunk.index for hunk in open_hunks(plan, state, path))
            return _comment(_decide(plan, state, dict.fromkeys(hunks, Decision(Verdict.REJECT))), hunks, comment)
        case Edit(hunk, text):
            return _decide(plan, state, {hunk: Decision(Verdict.ACCEPT, text=text)})
        case Comment(None, text):
            return replace(state, feedback=text)
        case Comment(int(hunk), text):
            return _comment(state, (hunk,), text)
        case Confirm(path):
            return replace(state, confirmed=state.confirmed | {path})
        case Reopen(hunks):
            left = {index: decision for index, decision in state.decisions.items() if index not in hunks}
            return replace(state, decisions=MappingProxyType(left))
    raise TypeError(intent)


def _decide(plan: ReviewPlan, state: ReviewState, decisions: Mapping[int, Decision]) -> ReviewState:
    for index in decisions:
        if not 0 <= index < len(plan.hunks):
            raise IndexError(f"there is no hunk {index}; the proposal has {_numbers(plan)}")
    return replace(state, decisions=MappingProxyType({**state.decisions, **decisions}))


def _numbers(plan: ReviewPlan) -> str:
    return f"hunks 0-{len(plan.hunks) - 1}" if len(plan.hunks) > 1 else "only hunk 0"


def _comment(state: ReviewState, hunks: Iterable[int], text: str | None) -> ReviewState:
    if text is None:
        return state
    return replace(state, comments=MappingProxyType({**state.comments, **dict.fromkeys(hunks, text)}))


# ---------------------------------------------------------------- bulk


def open_hunks(plan: ReviewPlan, state: ReviewState, path: str | None = None) -> list[PlannedHunk]:
    """Hunks that nobody has decided about and that have something to decide."""
    return [
        hunk
        for hunk in plan.hunks
        if hunk.index not in state.decisions and hunk.fit is not Fit.SKIPPED and path in (None, hunk.path)
    ]


def bulk_choice(
    plan: ReviewPlan, state: ReviewState, path: str | None = None, *, unfit_too: bool = False
) -> tuple[list[int], dict[int, str]]:
    """What a bulk accept takes, and for each open hunk that it leaves the reason."""
    taken: list[int] = []
    left: dict[int, str] = {}
    for hunk in open_hunks(plan, state, path):
        reason = _needs_a_look(hunk, state, unfit_too=unfit_too)
        if reason:
            left[hunk.index] = reason
        else:
            taken.append(hunk.index)
    if not unfit_too:
        _leave_breaking(plan, state, taken, left)
    return taken, left


def _needs_a_look(hunk: PlannedHunk, state: ReviewState, *, unfit_too: bool) -> str | None:
    if hunk.fit is Fit.FAILS or hunk.conflicts:
        return None if unfit_too else hunk.error or f"changes the same text as hunk {hunk.conflicts[0]}"
    if hunk.approximate:
        return "the match is approximate"
    if hunk.risks and hunk.path not in state.confirmed:
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
