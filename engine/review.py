"""What a person decides, as a pure reducer: (plan, state, intent) → state. Undo and redo come free.

An intent becomes a `Change`, and what the change replaced is kept for undo: history costs what was changed, not what
there is. Bulk intents (a file, everything) decide what is still open and never touch a decision already made
(`engine/bulk.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from engine.planning.data import ReviewPlan

Key = TypeVar("Key")
Value = TypeVar("Value")


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
    with_reason: bool = field(default=False, compare=False)
    """The comment on the hunk is why, and goes when something else is decided."""


class Lines(NamedTuple):
    """Where a person put a hunk: lines of its file (1-based, inclusive), and a digest of what stood there."""

    first: int
    last: int
    digest: str


class Change(NamedTuple):
    """What a step sets; None takes away. What it replaced is a change as well, so undo is a step like any other."""

    decisions: Mapping[int, Decision | None] = MappingProxyType({})
    comments: Mapping[int | None, str | None] = MappingProxyType({})
    parts: Mapping[int, Mapping[int, bool] | None] = MappingProxyType({})
    confirmed: Mapping[str, bool | None] = MappingProxyType({})
    places: Mapping[int, Lines | None] = MappingProxyType({})


class Step(NamedTuple):
    """A change that undo (or redo) makes, and the step behind it."""

    change: Change
    rest: Step | None


@dataclass(frozen=True)
class ReviewState:
    """All decisions so far, and the way back."""

    decisions: Mapping[int, Decision] = field(default_factory=lambda: MappingProxyType({}))
    comments: Mapping[int | None, str] = field(default_factory=lambda: MappingProxyType({}))
    """By hunk; None: on the whole proposal."""
    parts: Mapping[int, Mapping[int, bool]] = field(default_factory=lambda: MappingProxyType({}))
    """Of hunks that are decided part by part: which parts are taken so far, and which are not."""
    confirmed: frozenset[str] = frozenset()
    """Paths whose risks were confirmed one by one."""
    places: Mapping[int, Lines] = field(default_factory=lambda: MappingProxyType({}))
    """Hunks that a person put somewhere; planning looks it up."""
    past: Step | None = field(default=None, repr=False, compare=False)
    future: Step | None = field(default=None, repr=False, compare=False)

    @property
    def feedback(self) -> str | None:
        """What the agent is told about the whole proposal."""
        return self.comments.get(None)


# ---------------------------------------------------------------- intents


class Accept(NamedTuple):
    """Accept single hunks: whatever is shown, approximate matches included."""

    hunks: tuple[int, ...]
    by: str = "reviewer"


class AcceptParts(NamedTuple):
    """Accept some parts of one whole-file write; the other parts are rejected."""

    hunk: int
    parts: frozenset[int]


class DecidePart(NamedTuple):
    """Take or leave some parts of a hunk; once all are decided, that is the decision."""

    hunk: int
    parts: frozenset[int]
    take: bool


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


class Place(NamedTuple):
    """Put a hunk on some lines of its file; what was decided about it elsewhere is open again."""

    hunk: int
    lines: Lines


class Reopen(NamedTuple):
    """Take back the decision on single hunks."""

    hunks: tuple[int, ...]


class Undo(NamedTuple):
    """Take back the last intent."""


class Redo(NamedTuple):
    """Take back the last undo."""


Intent = (
    Accept
    | AcceptParts
    | DecidePart
    | AcceptAll
    | Reject
    | RejectAll
    | Edit
    | Comment
    | Confirm
    | Place
    | Reopen
    | Undo
    | Redo
)


# ---------------------------------------------------------------- the reducer


def reduce(plan: ReviewPlan, state: ReviewState, intent: Intent) -> ReviewState:
    """The state after `intent`. Unknown hunk numbers raise IndexError; nothing else is refused here."""
    if isinstance(intent, Undo):
        return _undone(state)
    if isinstance(intent, Redo):
        return _redone(state)
    change = _change(plan, state, intent)
    replaced = _replaced(state, change)
    if replaced == change:
        return state
    return replace(_with(state, change), past=Step(replaced, state.past), future=None)


def _undone(state: ReviewState) -> ReviewState:
    if state.past is None:
        return state
    change, rest = state.past
    return replace(_with(state, change), past=rest, future=Step(_replaced(state, change), state.future))


def _redone(state: ReviewState) -> ReviewState:
    if state.future is None:
        return state
    change, rest = state.future
    return replace(_with(state, change), past=Step(_replaced(state, change), state.past), future=rest)


def _with(state: ReviewState, change: Change) -> ReviewState:
    return replace(
        state,
        decisions=_set(state.decisions, change.decisions),
        comments=_set(state.comments, change.comments),
        parts=_set(state.parts, change.parts),
        confirmed=frozenset(_set(dict.fromkeys(state.confirmed, True), change.confirmed)),
        places=_set(state.places, change.places),
    )


def _set(known: Mapping[Key, Value], new: Mapping[Key, Value | None]) -> Mapping[Key, Value]:
    if not new:
        return known
    after = dict(known)
    for key, value in new.items():
        if value is None:
            after.pop(key, None)
        else:
            after[key] = value
    return MappingProxyType(after)


def _replaced(state: ReviewState, change: Change) -> Change:
    """What stood where the change sets something."""
    return Change(
        {key: state.decisions.get(key) for key in change.decisions},
        {key: state.comments.get(key) for key in change.comments},
        {key: state.parts.get(key) for key in change.parts},
        {key: key in state.confirmed or None for key in change.confirmed},
        {key: state.places.get(key) for key in change.places},
    )


def as_one_step(before: ReviewState, after: ReviewState) -> ReviewState:
    """`after`, with everything since `before` as one step of its history, even if that is nothing."""
    change, here = Change(), after.past
    while here is not None and here is not before.past:
        older = here.change
        change = Change(
            {**change.decisions, **older.decisions},
            {**change.comments, **older.comments},
            {**change.parts, **older.parts},
            {**change.confirmed, **older.confirmed},
            {**change.places, **older.places},
        )
        here = here.rest
    return replace(after, past=Step(change, before.past), future=None)


def without_empty_steps(state: ReviewState) -> ReviewState:
    """The same state; undo and redo step over what changed nothing."""
    return replace(state, past=_filled(state.past), future=_filled(state.future))


def _filled(step: Step | None) -> Step | None:
    changes = []
    while step is not None:
        changes.append(step.change)
        step = step.rest
    for change in reversed(changes):
        if any(change):
            step = Step(change, step)
    return step


# ---------------------------------------------------------------- what each intent changes


def _change(plan: ReviewPlan, state: ReviewState, intent: Intent) -> Change:
    match intent:
        case Accept(hunks, by):
            return _decide(plan, state, dict.fromkeys(hunks, Decision(Verdict.ACCEPT, by)))
        case AcceptParts(hunk, parts):
            return _decide(plan, state, {hunk: Decision(Verdict.ACCEPT, parts=parts)})
        case DecidePart(hunk, parts, take):
            return _decide_part(plan, state, hunk, dict.fromkeys(parts, take))
        case Reject(hunks, comment, by):
            return _reject(plan, state, hunks, comment, by)
        case Edit(hunk, text):
            return _decide(plan, state, {hunk: Decision(Verdict.ACCEPT, text=text)})
        case Comment(hunk, text):
            return Change(comments={hunk: text})
        case Confirm(path):
            return Change(confirmed={path: True})
        case Place(hunk, lines):
            return _decide(plan, state, {hunk: None})._replace(places={hunk: lines})
        case Reopen(hunks):
            return _decide(plan, state, dict.fromkeys(hunks))
    return _bulk(plan, state, intent)


def _bulk(plan: ReviewPlan, state: ReviewState, intent: Intent) -> Change:
    from engine.bulk import bulk_choice, open_hunks

    match intent:
        case AcceptAll(path, by, unfit_too):
            taken, _ = bulk_choice(plan, state, path, unfit_too=unfit_too)
            return _change(plan, state, Accept(tuple(taken), by))
        case RejectAll(path, comment):
            hunks = tuple(hunk.index for hunk in open_hunks(plan, state, path) if hunk.index not in state.parts)
            return _change(plan, state, Reject(hunks, comment))
    raise TypeError(intent)


def _decide(plan: ReviewPlan, state: ReviewState, decisions: Mapping[int, Decision | None]) -> Change:
    """These decisions; what was said or half decided about the hunks before does not outlive them."""
    for index in decisions:
        if not 0 <= index < len(plan.hunks):
            raise IndexError(f"there is no hunk {index}; the proposal has {_numbers(plan)}")
    return Change(
        decisions,
        {index: None for index in decisions if (known := state.decisions.get(index)) and known.with_reason},
        {index: None for index in decisions if index in state.parts},
    )


def _reject(plan: ReviewPlan, state: ReviewState, hunks: Iterable[int], comment: str | None, by: str) -> Change:
    """Rejected already, and nothing new to say: the reason given before stays."""
    new = [index for index in hunks if comment is not None or not _is_rejected(state, index, by)]
    change = _decide(plan, state, dict.fromkeys(new, Decision(Verdict.REJECT, by, with_reason=comment is not None)))
    return change if comment is None else change._replace(comments=dict.fromkeys(new, comment))


def _is_rejected(state: ReviewState, index: int, by: str) -> bool:
    return state.decisions.get(index) == Decision(Verdict.REJECT, by)


def _decide_part(plan: ReviewPlan, state: ReviewState, hunk: int, parts: Mapping[int, bool]) -> Change:
    known = {**state.parts.get(hunk, {}), **parts}
    every = range(len(plan.hunks[hunk].cuts))
    change = _decide(plan, state, {hunk: None})
    if any(part not in known for part in every):
        return change._replace(parts={hunk: known})
    taken = frozenset(part for part in every if known[part])
    if not taken:
        return _reject(plan, state, (hunk,), None, "reviewer")
    whole = len(taken) == len(every)
    return change._replace(
        decisions={hunk: Decision(Verdict.ACCEPT, parts=None if whole else taken)}, parts={hunk: None}
    )


def _numbers(plan: ReviewPlan) -> str:
    return f"hunks 0-{len(plan.hunks) - 1}" if len(plan.hunks) > 1 else "only hunk 0"
