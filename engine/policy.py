"""Rules for what a person never wants to see: plan + policies → intents. Pure, and off until somebody writes a rule.

The first rule that fits a hunk decides it. No rule decides about a hunk that carries a risk. What a rule accepts is
never more than a bulk accept would take: of those hunks only what can be applied without the others, and nothing whose
text carries a warning, because nobody will look at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from engine.bulk import bulk_choice, open_hunks
from engine.model import Copy, Mode, Move
from engine.planning.data import FilePlan, Fit, PlannedHunk, ReviewPlan
from engine.review import Accept, Intent, Reject, ReviewState, Verdict, reduce
from engine.settle import settle
from engine.sizes import changed_lines

BY = "policy"
"""`decided_by` in the result."""
_EXACT_STRATEGIES = ("simple", "multi_occurrence")


class Quality(StrEnum):
    """How a hunk's place was found."""

    EXACT = "exact"
    """The old text stands in the file as it was sent."""
    CLOSE = "close"
    """With small repairs that leave no doubt: indentation, quotes, line numbers."""
    APPROXIMATE = "approximate"
    NONE = "none"
    """There is no place for it."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One rule: every condition that it states has to hold."""

    verdict: Verdict
    paths: tuple[str, ...] = ("**",)
    """Without `/`: a file's name in any directory. Otherwise `*` stays within a directory, `**` does not."""
    match: frozenset[Quality] = frozenset(Quality)
    max_lines: int | None = None
    """At most this many lines removed and added together."""
    min_lines: int | None = None
    reason: str | None = None
    """What the agent is told about what is rejected."""

    def fits(self, file: FilePlan, hunk: PlannedHunk) -> bool:
        if quality(hunk) not in self.match or not all(self._names(path) for path in _paths(hunk)):
            return False
        if self.max_lines is None and self.min_lines is None:
            return True
        lines = changed_lines(file, hunk)
        return (self.min_lines or 0) <= lines and (self.max_lines is None or lines <= self.max_lines)

    def _names(self, path: str) -> bool:
        return any(_pattern(pattern).fullmatch(path) for pattern in self.paths)


def quality(hunk: PlannedHunk) -> Quality:
    if hunk.fit is Fit.FAILS:
        return Quality.NONE
    if hunk.approximate:
        return Quality.APPROXIMATE
    match = hunk.match
    if match is None:  # a whole file: there is no place to look for
        return Quality.EXACT
    return Quality.EXACT if match.strategy in _EXACT_STRATEGIES and not match.differs else Quality.CLOSE


def policy_intents(plan: ReviewPlan, state: ReviewState, policies: Sequence[Policy]) -> list[Intent]:
    """What the policies decide about the hunks that are open."""
    if not policies:
        return []
    bulk = set(bulk_choice(plan, state)[0])
    accepted: list[int] = []
    rejected: dict[str | None, list[int]] = {}
    for hunk in open_hunks(plan, state):
        rule = None if hunk.risks else _first_that_fits(policies, plan.file_of[hunk.index], hunk)
        if rule is None:
            continue
        if rule.verdict is Verdict.REJECT:
            rejected.setdefault(rule.reason, []).append(hunk.index)
        elif hunk.index in bulk and not hunk.warnings:
            accepted.append(hunk.index)
    together = _can_be_applied(plan, state, accepted)
    accept = [Accept(tuple(together), BY)] if together else []
    return [*accept, *(Reject(tuple(hunks), reason, BY) for reason, hunks in rejected.items())]


def only_policy_decided(plan: ReviewPlan, state: ReviewState) -> bool:
    """Whether nobody has to see it: something was decided, nothing is open, and no person had a part in it."""
    decided = state.decisions.values()
    return bool(decided) and not open_hunks(plan, state) and all(decision.by == BY for decision in decided)


def _first_that_fits(policies: Iterable[Policy], file: FilePlan, hunk: PlannedHunk) -> Policy | None:
    return next((policy for policy in policies if policy.fits(file, hunk)), None)


def _can_be_applied(plan: ReviewPlan, state: ReviewState, hunks: list[int]) -> list[int]:
    """Those that need none of the hunks that are still open, and break nothing without them."""
    while hunks:
        settled = settle(plan, reduce(plan, state, Accept(tuple(hunks), BY)), Mode.CONTINUE)
        left = [index for index in hunks if index in settled.chosen]
        if left == hunks:
            break
        hunks = left
    return hunks


# ---------------------------------------------------------------- paths


def _paths(hunk: PlannedHunk) -> list[str]:
    """Every name that the hunk has to do with: a rule about one directory says nothing about others."""
    op = hunk.hunk.op
    other = op.new_path if isinstance(op, Move) else op.source if isinstance(op, Copy) else None
    return [hunk.path, *([other] if other else [])]


@lru_cache(256)
def _pattern(pattern: str) -> re.Pattern[str]:
    if "/" not in pattern and pattern != "**":
        pattern = f"**/{pattern}"
    tokens = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(token) or re.escape(token) for token in tokens), re.DOTALL)
