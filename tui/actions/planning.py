"""Reading and planning aside: first names and a glimpse of what was sent, then plans as they are ready.

One thread does it all, whatever there is to do next (`tui/work.py`), and only while there is something. What it made
is shown in batches, so that ten thousand proposals are not ten thousand pictures; a single one is shown at once.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterable
from functools import partial
from threading import Event
from time import monotonic

from textual.timer import Timer

from engine.errors import HunkdeckError
from engine.queue.item import Item
from tui.actions.base import ReviewBase
from tui.view_model.blocks import Section, build_section, same_picture
from tui.widgets import languages
from tui.work import FilesChanged, LookAgain, Plan, Task, Work

_TOGETHER = 0.05
"""Seconds between two pictures at least."""
_SHARE = 4
"""Of the time that a picture took it is quiet so many times longer before the next: keys come in between."""
_MOST_AT_ONCE = 250
"""Proposals that one picture adds."""


class PlanningActions(ReviewBase):
    """Brings plans to the screen."""

    untouched = True
    """Nobody has pressed or clicked anything yet."""

    def __init__(self, *arguments: object, **more: object) -> None:
        super().__init__(*arguments, **more)  # type: ignore[arg-type]
        self.work = Work()
        self.leaving = Event()
        """Set when the app ends: threads finish what they are at, and nothing more."""
        self._made: deque[Section] = deque()
        self._called = False
        """Somebody will look at what was made."""
        self._showing: Timer | None = None
        self._next_picture = 0.0

    def start_planning(self) -> None:
        """Show what there is, then read and plan it in a thread, in the queue's order."""
        for item in self.desk.items[:1]:
            item.peek()
        for item in self.desk.items:
            self.sections[item] = build_section(item, self.stream.options)
        self.show_sections()
        outdated = [item for item in self.desk.items if self._is_outdated(item)]
        self.call_after_refresh(self.plan_soon, outdated)  # so that nothing holds up the first picture

    def plan_soon(self, items: Iterable[Item]) -> None:
        """Plan what is not planned yet, and show every plan that is not on the screen."""
        self.work_soon(items=items)

    def work_soon(self, *, look: bool = False, paths: Iterable[str] = (), items: Iterable[Item] = ()) -> None:
        """Something to do for the planning thread."""
        if self.work.add(look=look, paths=paths, items=items):
            self.run_worker(self._work, thread=True, group="planning")

    @property
    def at_rest(self) -> bool:
        """Everything is planned and on the screen."""
        return self.work.done and not self._made and not self._called

    # ------------------------------------------------------------ in the thread

    def _work(self) -> None:
        while not self.leaving.is_set() and (task := self.work.next(self._wanted())) is not None:
            try:
                self._do(task)
            except HunkdeckError as problem:
                self.from_thread(partial(self.say, str(problem), warning=True))

    def _wanted(self) -> Item | None:
        """The proposal that somebody looks at."""
        cursor = self.stream.cursor
        return cursor.block.section.item if cursor else None

    def _do(self, task: Task) -> None:
        match task:
            case Plan(item):
                self.plan_now(item)
            case LookAgain():
                self.look_again()
            case FilesChanged(paths):
                self.files_changed(paths)

    def plan_now(self, item: Item) -> None:
        """Plan it if need be, and show the plan."""
        if item.plan is None and item.error is None and not item.finished:
            self._glimpse(item)
            try:
                with self.desk_lock:
                    self.desk.plan(item)
            except HunkdeckError as problem:
                item.error = str(problem)
        self.made(item)
        if item.plan is not None and languages.load(file.path for file in item.plan.files):
            self.from_thread(lambda: self.view.colour_soon())
        if item.finished:  # by a policy: what it wrote may have moved the hunks of others
            self.work.add(items=[other for other in self.desk.items if self._is_outdated(other)])

    def _glimpse(self, item: Item) -> None:
        """Whoever looks at an empty screen need not wait for a plan."""
        if self.stream.cursor is None:
            item.peek()
            self.made(item)

    def look_again(self) -> None:
        """Something happened in the proposal directory."""
        raise NotImplementedError

    def files_changed(self, paths: frozenset[str]) -> None:
        """Somebody wrote these files of the workspace."""
        raise NotImplementedError

    # ------------------------------------------------------------ from the thread to the screen

    def made(self, item: Item) -> None:
        """Show a proposal as it is now. In any thread."""
        self._made.append(build_section(item, self.stream.options))
        if not self._called:
            self._called = True
            self.from_thread(self._look_at_made)

    def _look_at_made(self) -> None:
        self._called = False
        wait = self._next_picture - monotonic()
        if wait <= 0:
            self._show_made()
        elif self._showing is None:
            self._showing = self.set_timer(wait, self._show_made)

    def _show_made(self) -> None:
        self._showing = None
        if not self._made:
            return
        started = monotonic()
        made = [self._made.popleft() for _ in range(min(len(self._made), _MOST_AT_ONCE))]
        for section in made:
            self._take(section)
        self.show_sections()
        if self.untouched:  # hunks are in the order sent until they are planned, then by position
            self.stream.go_to_line(0)
            self.cursor_moved(jump=True)
        gc.freeze()  # plans live as long as the review: no collection needs to look at them again
        self.check_soon(*(section for section in made if section.state.decisions))
        now = monotonic()
        self._next_picture = now + max(_TOGETHER, _SHARE * (now - started))
        if self._made:
            self._look_at_made()

    def _take(self, section: Section) -> None:
        item = section.item
        if item.finished:
            self.sections.pop(item, None)
            return
        self._carry_over(self.sections.get(item), section)
        plan, state = item.decided_now
        if plan is section.plan:  # something may have been decided since it was built
            section.decide(state, self.stream.options)
        section.fit(self.stream.options)
        self.sections[item] = section

    def _carry_over(self, old: Section | None, new: Section) -> None:
        """What the person folded stays folded, and what moved since it was shown says so."""
        if old is None:
            return
        new.follow(old)

    # ------------------------------------------------------------ plans that changed underneath

    def show_sections(self) -> None:
        """The stream anew. Where another hunk or text is under the cursor now, keys from before are dropped."""
        before = self.stream.cursor
        super().show_sections()
        after = self.stream.cursor
        if after is before or after is None:
            return
        if before is None or not same_picture(before.block, after.block):
            self.moved_by_itself()
        if before and before.block.section.item is not after.block.section.item:
            if not after.block.is_open:
                self.stream.next_open()
            self.cursor_moved(jump=True)

    def replanned(self, items: Iterable[Item]) -> None:
        """Plans changed underneath, or proposals are finished: these leave at once."""
        items = list(items)
        gone = [item for item in items if item.finished and item in self.sections]
        for item in gone:
            del self.sections[item]
        if gone:
            self.show_sections()
        self.plan_soon(item for item in items if self._is_outdated(item))

    def _is_outdated(self, item: Item) -> bool:
        """Not planned yet, or planned otherwise than it is shown."""
        shown = self.sections.get(item)
        if item.finished:
            return shown is not None
        return shown is None or shown.plan is not item.plan or (item.plan is None and item.error is None)
