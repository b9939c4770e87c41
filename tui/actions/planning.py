"""Reading and planning aside: first names and a glimpse of what was sent, then plans as they are ready."""

from __future__ import annotations

import gc
from collections.abc import Iterable

from textual.timer import Timer

from engine.errors import HunkdeckError
from engine.queue.item import Item
from tui.actions.base import ReviewBase
from tui.view_model.blocks import Section, build_section

_TOGETHER = 0.05
"""Plans that are ready within this time are shown at once: ten thousand proposals are not ten thousand pictures."""


class PlanningActions(ReviewBase):
    """Brings plans to the screen."""

    _arrived: dict[Item, Section]
    _showing: Timer | None = None
    untouched = True
    """Nobody has pressed or clicked anything yet."""

    def start_planning(self) -> None:
        """Show what there is, then read and plan it in a thread, in the queue's order."""
        self._arrived = {}
        waiting = [item for item in self.desk.items if item.plan is None and item.error is None]
        for item in waiting[:1]:
            item.peek()
        for item in self.desk.items:
            self.sections[item] = build_section(item, self.stream.options)
        self.show_sections()
        # Only then, so that nothing holds up the first picture.
        self.call_after_refresh(lambda: self.run_worker(lambda: self._plan(waiting), thread=True, group="planning"))

    def _plan(self, items: list[Item]) -> None:
        """In a thread."""
        _load_what_painting_needs()
        for item in items:
            if not self.is_running:
                return
            try:
                with self.desk_lock:
                    self.desk.plan(item)
            except HunkdeckError as problem:
                item.error = str(problem)
            section = build_section(item, self.stream.options)
            self.call_from_thread(self._arrive, section)

    def _arrive(self, section: Section) -> None:
        self._arrived[section.item] = section
        if self._showing is None:
            self._showing = self.set_timer(_TOGETHER, self._show_arrived)

    def _show_arrived(self) -> None:
        self._showing = None
        for item, section in self._arrived.items():
            self._carry_over(self.sections.get(item), section)
            self.sections[item] = section
        by_policy = any(item.finished for item in self._arrived)
        self._arrived.clear()
        self.show_sections()
        if by_policy:  # what it wrote may have moved the hunks of others
            self.replanned(self.desk.items)
        if self.untouched:  # hunks are in the order sent until they are planned, then by position
            self.stream.go_to_line(0)
            self.cursor_moved(jump=True)
        gc.freeze()  # plans live as long as the review: no collection needs to look at them again
        self.check_soon()

    def _carry_over(self, old: Section | None, new: Section) -> None:
        """What the person folded stays folded."""
        if old is None:
            return
        for index, block in old.hunks.items():
            if block.unfolded is not None and index in new.hunks:
                new.hunks[index].unfolded = block.unfolded
            self.forget_parts(block)

    def replanned(self, items: Iterable[Item]) -> None:
        """Plans changed underneath, or proposals are finished: what is under the cursor stays where it is."""
        before = self.stream.cursor
        for item in list(items):
            known = self.sections.get(item)
            if item.finished:
                self.sections.pop(item, None)
            elif known is None or known.plan is not item.plan:
                section = build_section(item, self.stream.options)
                self._carry_over(known, section)
                self.sections[item] = section
        self.show_sections()
        after = self.stream.cursor
        if before and after and (before.block.section.item is not after.block.section.item):
            self.moved_by_itself()
            if not after.block.is_open:
                self.stream.next_open()
            self.cursor_moved(jump=True)


def _load_what_painting_needs() -> None:
    """Imports that would otherwise hold up the first picture with colours and changed words."""
    import pygments.lexers
    import rapidfuzz.distance

    assert pygments.lexers
    assert rapidfuzz.distance
