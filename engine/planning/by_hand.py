"""A place that a person chose for a hunk that has none, or another one."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import HunkdeckError
from engine.matching import Refused, place_at
from engine.model import TextEdit
from engine.planning.data import FilePlan, PlannedHunk, ReviewPlan
from engine.planning.one_file import from_answer, with_conflicts
from engine.planning.risks import Risks
from engine.planning.warnings import with_warnings
from engine.planning.whole import with_risks
from engine.workspace import Workspace


def placed(plan: ReviewPlan, workspace: Workspace, index: int, first: int, last: int) -> ReviewPlan:
    """The plan with hunk `index` on the lines `first` to `last`. HunkdeckError where it cannot go there."""
    file = plan.file_of[index]
    alone = replace(file, hunks=(_located(file, plan.hunks[index], first, last),))
    (chosen,) = with_risks(workspace, Risks(workspace, overwrite_is_fine=False), alone).hunks
    hunks = with_conflicts([chosen if hunk.index == index else replace(hunk, conflicts=()) for hunk in file.hunks])
    files = tuple(replace(file, hunks=tuple(hunks)) if one is file else one for one in plan.files)
    return replace(plan, files=files, composed={})


def _located(file: FilePlan, hunk: PlannedHunk, first: int, last: int) -> PlannedHunk:
    if not isinstance(hunk.hunk.op, TextEdit) or file.before is None:
        raise HunkdeckError("only a change of some lines of a text file can be given another place")
    answer = place_at(file.text, hunk.hunk.op, first, last)
    if isinstance(answer, Refused):
        raise HunkdeckError(answer.reason)
    return with_warnings(from_answer(hunk.index, hunk.hunk, hunk.path, answer))
