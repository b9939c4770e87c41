"""Places that a person chose, found again: they hold while the hunk and the chosen lines are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from contextlib import suppress

from engine.errors import HunkdeckError
from engine.planning.data import FilePlan, ReviewPlan
from engine.review import Lines
from engine.workspace import Workspace


def chosen_lines(file: FilePlan, first: int, last: int) -> Lines:
    """The lines `first` to `last` (1-based), with what stands on them now."""
    text = "\n".join(file.text.rows[first - 1 : last])
    return Lines(first, last, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def placed_again(
    plan: ReviewPlan, workspace: Workspace, places: Mapping[int, Lines], settled: Collection[int]
) -> ReviewPlan:
    """The plan with every chosen place that still holds."""
    if not places:
        return plan
    from engine.planning.by_hand import placed

    for hunk, lines in places.items():
        if hunk in settled or chosen_lines(plan.file_of[hunk], lines.first, lines.last) != lines:
            continue
        with suppress(HunkdeckError):  # another reading of the file: the hunk shows by itself that it has no place
            plan = placed(plan, workspace, hunk, lines.first, lines.last)
    return plan
