"""Journal + plan → the decisions that still hold: those whose hunk and shown text are the same as when it was decided.

The chain for undo and redo is rebuilt with them, as if the others had never been made.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from engine.planning.data import ReviewPlan
from engine.queue.decisions import Decided, Entry, Sent
from engine.queue.fingerprints import Fingerprints
from engine.queue.intents import hunks_of, renumbered
from engine.review import (
    Comment,
    Confirm,
    Intent,
    Place,
    Redo,
    Reopen,
    ReviewState,
    Undo,
    as_one_step,
    reduce,
    without_empty_steps,
)


def bound(plan: ReviewPlan, prints: Fingerprints, intent: Intent) -> Decided:
    """The intent with everything that it depends on."""
    seen = {hunk: prints.of[hunk] for hunk in hunks_of(intent) if 0 <= hunk < len(prints.of)}
    decided = Decided(intent, seen, at=time.time())
    if not isinstance(intent, Confirm):
        return decided
    return decided._replace(asked=tuple(sorted(prints.asked(plan, intent.path))), risks=_risks(plan, intent.path))


def replay(
    plan: ReviewPlan, prints: Fingerprints, entries: Iterable[Entry], settled: AbstractSet[int] = frozenset()
) -> ReviewState:
    """The state after all entries. Decisions on `settled` hunks hold whatever the file says by now.

    What a verdict brought to the disk can no longer be undone as a decision: undo begins behind it.
    """
    state, dropped = ReviewState(), False
    for entry in entries:
        if isinstance(entry, Sent) and not settled.isdisjoint(entry.result["applied"]):
            state = replace(state, past=None, future=None)
        if not isinstance(entry, Decided):
            continue
        intent = _still_holds(plan, prints, entry, settled)
        after = state if intent is None else reduce(plan, state, intent)
        after = _without(after, _overruled(prints, entry, settled), plan, state)
        if after is state and not isinstance(intent, Undo | Redo):
            dropped = True
            after = as_one_step(state, state)  # later undos count this step too
        state = after
    return without_empty_steps(state) if dropped else state


def _still_holds(plan: ReviewPlan, prints: Fingerprints, entry: Decided, settled: Collection[int]) -> Intent | None:
    intent = entry.intent
    if isinstance(intent, Confirm):
        same = prints.asked(plan, intent.path) <= set(entry.asked)
        return intent if same and set(_risks(plan, intent.path)) <= set(entry.risks) else None
    find = prints.same_hunk if isinstance(intent, Comment | Place) else prints.now
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
    return as_one_step(before, reduce(plan, after, Reopen(decided))) if decided else after


def _risks(plan: ReviewPlan, path: str) -> tuple[str, ...]:
    return tuple(sorted({risk for hunk in plan.hunks if hunk.path == path for risk in hunk.risks}))
