"""A hunk as it was decided: with the reviewer's own text, or with some of its parts only."""

from __future__ import annotations

from dataclasses import replace

from engine.compose import cuts_of
from engine.planning.data import FilePlan, PlannedHunk
from engine.review import Decision


def is_refined(decision: Decision) -> bool:
    """Something else was accepted than was sent."""
    return decision.text is not None or decision.parts is not None


def as_decided(file: FilePlan, hunk: PlannedHunk, decision: Decision | None) -> PlannedHunk:
    """The hunk as it would be applied."""
    if decision is None or not is_refined(decision):
        return hunk
    try:
        return replace(hunk, cuts=cuts_of(file, hunk, decision))
    except ValueError:  # an edit that no longer fits is reported when the verdict is sent
        return hunk
