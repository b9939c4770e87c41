"""Where a hunk stands: one mark, one word and the badge that says how its place was found."""

from __future__ import annotations

from enum import Enum

from engine.planning.data import Fit, PlannedHunk
from engine.review import Decision, Verdict


class Standing(Enum):
    """The mark that a hunk has in the sidebar, and the word in its header."""

    OPEN = ("?", "")
    ACCEPTED = ("✓", "accepted")
    EDITED = ("✎", "accepted, edited")
    PARTLY = ("◐", "accepted in part")
    REJECTED = ("✗", "rejected")
    MISFIT = ("!", "does not fit")
    NOTHING = ("·", "nothing to do")

    @property
    def mark(self) -> str:
        return self.value[0]

    @property
    def word(self) -> str:
        return self.value[1]


def standing(hunk: PlannedHunk, decision: Decision | None) -> Standing:
    if hunk.fit is Fit.SKIPPED:
        return Standing.NOTHING
    if decision is None:
        return Standing.MISFIT if hunk.fit is Fit.FAILS else Standing.OPEN
    if decision.verdict is Verdict.REJECT:
        return Standing.REJECTED
    if decision.text is not None:
        return Standing.EDITED
    return Standing.PARTLY if decision.parts is not None else Standing.ACCEPTED


def is_open(hunk: PlannedHunk, decision: Decision | None) -> bool:
    """Whether there is still something to decide."""
    return decision is None and hunk.fit is not Fit.SKIPPED


def line_range(first: int, last: int) -> str:
    """`line 12`, `lines 12-18`."""
    return f"line {first}" if first >= last else f"lines {first}-{last}"


def badge(hunk: PlannedHunk) -> str:
    """How the place was found: `exact`, a strategy, or a percentage."""
    if hunk.fit is Fit.FAILS:
        return (hunk.code.value if hunk.code else "does not fit").replace("_", " ")
    if hunk.fit is Fit.SKIPPED:
        return (hunk.code.value if hunk.code else "nothing to do").replace("_", " ")
    if hunk.match is None:
        return ""
    words = [
        "exact" if hunk.match.strategy in ("simple", "multi_occurrence") else hunk.match.strategy.replace("_", " ")
    ]
    if hunk.match.approximate or hunk.match.score < 1:
        words.insert(0, f"{hunk.match.score:.0%}")
    if hunk.replacements > 1:
        words.append(f"{hunk.replacements} places")
    return " ".join(words)
