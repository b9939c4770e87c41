"""What the matcher says about one text edit: where it goes, or why not and what comes closest.

Named tuples: there is one of each for every edit, and they cost a fifth of frozen dataclasses to make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.model import Code
from engine.text import Splice

if TYPE_CHECKING:
    from engine.matching.plain_place import PlainPlace


class Candidate(NamedTuple):
    """A place that resembles the old text: for a person to choose, or for the agent to look at."""

    first: int
    """1-based, inclusive, as people count lines."""
    last: int
    score: float
    """0 to 1, of the lines without their indentation."""
    differs: str | None = None
    """What stands in the way, in words: `line 3 differs`. Names lines and kinds, quotes no file content."""


class Place(NamedTuple):
    """One place where the edit goes, and exactly what changes there."""

    first: int
    """The lines that the old text was aligned with, 1-based and inclusive."""
    last: int
    splices: tuple[Splice, ...]
    """Only what the agent really changed; in order, not overlapping; endings are the file's."""


class Located(NamedTuple):
    """The edit has a place."""

    strategy: str
    """snake_case name of the laxest thing that had to be forgiven."""
    score: float
    places: tuple[Place | PlainPlace, ...]
    """One, or with `replace_all` as many as there are."""
    approximate: bool = False
    """Elision or laxer: never taken by a bulk accept."""
    runner_up: Candidate | None = None
    differs: tuple[str, ...] = ()
    """What was forgiven: `indentation`, `line 3 of the context`."""
    notes: tuple[str, ...] = ()


class Refused(NamedTuple):
    """The edit has no place, or needs none."""

    code: Code
    """NOT_FOUND, AMBIGUOUS, ALREADY_APPLIED or NO_CHANGE."""
    reason: str
    """One sentence for the agent: what is wrong, where the closest text is, what to do next."""
    candidates: tuple[Candidate, ...] = ()


Answer = Located | Refused
