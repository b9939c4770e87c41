"""A hunk in parts, by lines: each of them with its number, and the numbers that somebody types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.errors import HunkdeckError
from engine.planning.data import FilePlan, Fit, PlannedHunk
from tui.out import Out
from tui.plain_view import show_lines
from tui.view_model.body import cut_groups, lines_of

Parts = Sequence[frozenset[int]]
"""The cuts of each part."""


def parts_of(file: FilePlan, hunk: PlannedHunk) -> Parts:
    """What a hunk can be split into. HunkdeckError where it is one piece."""
    parts = cut_groups(file, hunk) if hunk.fit is Fit.FITS else []
    if len(parts) < 2:
        raise HunkdeckError("this hunk makes only one change: there is nothing to split")
    return parts


def show_parts(out: Out, file: FilePlan, hunk: PlannedHunk, parts: Parts) -> None:
    """Every part as it would be alone."""
    for number, cuts in enumerate(parts, 1):
        out.line((f"Part {number} of {len(parts)}:", "bold"))
        alone = tuple(cut for at, cut in enumerate(hunk.cuts) if at in cuts)
        show_lines(out, lines_of(file, replace(hunk, cuts=alone)))


def chosen_cuts(typed: str, parts: Parts) -> frozenset[int]:
    """The cuts of the parts that somebody names: `1,3` or `1 3`."""
    words = re.split(r"[\s,]+", typed.strip(" ,"))
    numbers = {int(word) for word in words if word.isdecimal()}
    if len(words) != sum(word.isdecimal() for word in words) or not numbers <= set(range(1, len(parts) + 1)):
        raise HunkdeckError(f"say which parts, from 1 to {len(parts)}: v 1,2; nothing has changed")
    return frozenset(cut for number in numbers for cut in parts[number - 1])
