"""Journal + plan → the decisions that still hold: those whose hunk and shown text are the same as when it was decided.

The chain for undo and redo is rebuilt with them, as if the others had never been made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from engine.planning.data import ReviewPlan
from engine.queue.decisions import Decided, Entry
from engine.queue.fingerprints import Fingerprints
from engine.queue.intents import hunks_of, renumbered
from engine.review import Comment, Confirm, Intent, Redo, Reopen, ReviewState, Undo, reduce


def bound(plan: ReviewPlan, prints: Fingerprints, intent: Intent) -> Decided:
    """The intent with everything that it depends on."""
    seen = {hunk: prints.of[hunk] for hunk in hunks_of(intent) if 0 <= hunk < len(prints.of)}
    if not isinstance(intent, Confirm):
        return Decided(intent, seen)
    return Decided(intent, seen, tuple(sorted(prints.asked(plan, intent.path))), _risks(plan, intent.path))


def replay(
    plan: ReviewPlan, prints: Fingerprints, entries: Iterable[Entry], settled: Collection[int] = ()
) -> ReviewState:
    """The state after all entries. Decisions on `settled` hunks hold whatever the file says by now."""
    state, dropped = ReviewState(), False
    for entry in entries:
        if not isinstance(entry, Decided):
            continue
        intent = _still_holds(plan, prints, entry, settled)
        after = state if intent is None else reduce(plan, state, intent)
        after = _without(after, _overruled(prints, entry, settled), plan, state)
        if after is state and not isinstance(intent, Undo | Redo):
            dropped = True
            after = replace(state, previous=state, following=None)  # later undos count this step too
        state = after
    return _without_empty_steps(state) if dropped else state


def _still_holds(plan: ReviewPlan, prints: Fingerprints, entry: Decided, settled: Collection[int]) -> Intent | None:
    intent = entry.intent
    if isinstance(intent, Confirm):
        same = prints.asked(plan, intent.path) <= set(entry.asked)
        return intent if same and set(_risks(plan, intent.path)) <= set(entry.risks) else None
    find = prints.same_hunk if isinstance(intent, Comment) else prints.now
    numbers = {}
    for hunk, seen in entry.seen.items():
        number = hunk if hunk in settled else find(seen)
        if number is not None:
            numbers[hunk] = number
    return renumbered(intent, numbers)


def _overruled(prints: Fingerprints, entry: Decided, settled: Collection[int]) -> set[int]:
    """Hunks about which this was decided when they were shown against another text: what was said before is over."""
    if isinstance(entry.intent, Comment):
        return set()
    other = (seen for hunk, seen in entry.seen.items() if hunk not in settled and prints.now(seen) is None)
    return {number for number in map(prints.same_hunk, other) if number is not None}


def _without(after: ReviewState, hunks: set[int], plan: ReviewPlan, before: ReviewState) -> ReviewState:
    """`after` with these hunks open again: still one step behind `before`."""
    decided = tuple(sorted(hunks & after.decisions.keys()))
    return replace(reduce(plan, after, Reopen(decided)), previous=before) if decided else after


def _risks(plan: ReviewPlan, path: str) -> tuple[str, ...]:
    return tuple(sorted({risk for hunk in plan.hunks if hunk.path == path for risk in hunk.risks}))


def _without_empty_steps(state: ReviewState) -> ReviewState:
    chain: list[ReviewState] = []
    here: ReviewState | None = state
    while here is not None:
        chain.append(here)
        here = here.previous
    kept = chain.pop()
    while chain:
        step = chain.pop()
        if step != kept:
            kept = replace(step, previous=kept)
    return replace(kept, following=state.following)
