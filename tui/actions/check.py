"""Warnings for the chosen subset, worked out aside when the keys rest: would it parse, does it go together?"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from textual.timer import Timer

from engine.model import Code
from engine.planning.data import FilePlan, Fit
from engine.review import Decision, ReviewState, Verdict
from engine.settle import Status, breaking_hunks
from tui.actions.base import ReviewBase
from tui.view_model.blocks import HunkBlock, Section

_REST = 0.4
_LONG_REST = 10.0
_LARGEST = 100_000
"""Bytes of one file that are parsed while somebody types; a larger one is checked when it is applied."""
_MOST_HUNKS = 1_000
"""Of one proposal that are settled while somebody types; a larger one is settled when it is applied."""
_SAID = {Code.SYNTAX: "would not parse", Code.OVERLAP: "overlaps", Code.NEEDS_HUNK: "needs another hunk"}


class CheckActions(ReviewBase):
    """Keeps the warnings up to date: of the proposal under the cursor, and of those in which something was chosen."""

    _resting: Timer | None = None
    _tidying: Timer | None = None
    _usual: tuple[int, int, int] = (700, 10, 10)

    def start_tidying(self) -> None:
        """Full garbage collections only when the keys have rested for long: each of them would hold up a key."""
        self._usual = gc.get_threshold()
        gc.set_threshold(2_000, 20, 1_000_000)
        self._tidying = self.set_interval(_LONG_REST, self._tidy)

    def _tidy(self) -> None:
        gc.collect()

    def on_unmount(self) -> None:
        gc.set_threshold(*self._usual)
        gc.unfreeze()

    def check_soon(self, *chosen: Section) -> None:
        self.unchecked.update(dict.fromkeys(chosen))
        if self._tidying is not None:
            self._tidying.reset()
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST, self._check)

    def _check(self) -> None:
        """The proposal under the cursor, and at each rest one of the others, so that no key waits for many."""
        cursor = self.stream.cursor
        if cursor is None:
            return
        here = cursor.block.section
        self.unchecked = {one: None for one in self.unchecked if self.sections.get(one.item) is one}
        looks = [_Look(here, here.state, cursor.block)]
        looks += [_Look(other, other.state, None) for other in self.unchecked if other is not here][:1]
        self.in_thread(
            lambda: [warnings(look) for look in looks],
            lambda found: self._show(looks, found),
            group="check",
        )

    def _show(self, looks: Sequence[_Look], found: Sequence[Mapping[int, str]]) -> None:
        for look, warned in zip(looks, found, strict=True):
            section = look.section
            if section.state is look.state and self.sections.get(section.item) is section:
                self.unchecked.pop(section, None)
                self._warn(section, warned)
        if self.unchecked:
            self.check_soon()

    def _warn(self, section: Section, found: Mapping[int, str]) -> None:
        changed = [block for block in section.hunks.values() if block.warning != found.get(block.index)]
        for block in changed:
            block.warning = found.get(block.index)
        if changed:
            self.view.keep_in_place(lambda: self._reheight(changed))

    def _reheight(self, changed: Sequence[HunkBlock]) -> None:
        """A warning comes or goes above the diff: the cursor and a selection stay on the lines that they were on."""
        cursor = self.stream.cursor
        before = self.stream.height_of(cursor.block) if cursor else 0
        self.stream.reheight(changed)
        if cursor is None or not cursor.offset:
            return
        moved = self.stream.height_of(cursor.block) - before
        self.stream.go(cursor.block, max(cursor.offset + moved, 0))
        if self.selecting is not None:
            self.selecting = max(self.selecting + moved, 0)
        self.show_selection()


class _Look(NamedTuple):
    """What is to be checked: the decisions as they were shown."""

    section: Section
    state: ReviewState
    under_cursor: HunkBlock | None


def warnings(look: _Look) -> dict[int, str]:
    """What is wrong with the accepted hunks, and what would be if the hunk under the cursor were one of them."""
    section, state, block = look
    plan = section.plan
    accepted = {index: decision for index, decision in state.decisions.items() if decision.verdict is Verdict.ACCEPT}
    tried = block.index if block and block.is_open and block.planned.fit is Fit.FITS else None
    wanted = accepted if tried is None else {**accepted, tried: Decision(Verdict.ACCEPT)}
    if plan is None or not wanted or any(_size(plan.file_of[index]) > _LARGEST for index in wanted):
        return {}
    found: dict[int, str] = {}
    if accepted and len(plan.hunks) <= _MOST_HUNKS:
        problems = section.item.preview().problems
        for index in accepted:
            problem = problems.get(index)
            if problem and problem.status is Status.FAILED and problem.code in _SAID:
                found[index] = f"{_SAID[problem.code]}: {problem.error.partition(chr(10))[0]}"
    if tried is not None:
        path = plan.hunks[tried].path
        beside = {index: decision for index, decision in wanted.items() if plan.hunks[index].path == path}
        broken = breaking_hunks(plan, beside).get(tried)
        if broken:
            found[tried] = f"would not parse: {broken.message}"
    return found


def _size(file: FilePlan) -> int:
    return file.before.size if file.before else 0
