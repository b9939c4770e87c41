"""Places that a person chose, found again: they hold while the hunk and the chosen lines are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from engine.errors import HunkdeckError
from engine.planning.data import FilePlan, ReviewPlan
from engine.queue.decisions import Entry, Placed
from engine.queue.fingerprints import Fingerprints
from engine.workspace import Workspace


def lines_digest(file: FilePlan, first: int, last: int) -> str:
    """What stands on the lines `first` to `last` (1-based)."""
    lines = "\n".join(file.text.rows[first - 1 : last])
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()


def placed_again(
    plan: ReviewPlan, workspace: Workspace, entries: Collection[Entry], settled: Collection[int]
) -> ReviewPlan:
    """The plan with every chosen place that still holds."""
    choices = [entry for entry in entries if isinstance(entry, Placed)]
    if not choices:
        return plan
    from engine.planning.by_hand import placed

    prints = Fingerprints.of_plan(plan)
    for choice in choices:
        hunk = prints.same_hunk(choice.seen)
        if hunk is None or hunk in settled:
            continue
        if lines_digest(plan.file_of[hunk], choice.first, choice.last) == choice.lines:
            try:
                plan = placed(plan, workspace, hunk, choice.first, choice.last)
            except HunkdeckError:
                continue  # another reading of the file: the hunk shows by itself that it has no place
    return plan
