"""What happens while somebody reviews: proposals come, change and go, files are written, the other reviewer leaves.

One thread waits for news and does nothing else; the planning thread looks at what they mean; here is how the screen
follows. Nothing of it moves what is under the cursor.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import copy_context
from functools import partial
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from textual.timer import Timer

from tui.actions.planning import PlanningActions
from tui.notify import Notifier
from tui.view_model.blocks import ProposalBlock
from tui.view_model.notes import revised

if TYPE_CHECKING:
    from engine.queue.following import Arrivals
    from engine.queue.item import Item

_AGES = 20.0
"""Seconds between two looks at the clock: ages are told in minutes."""
_TAKE_OVER = 1.0
"""Seconds between two tries to decide here instead of another reviewer."""
_LAST_LOOK = 2.0
"""Seconds that leaving waits for the watcher at most."""


class ArrivalActions(PlanningActions):
    """Follows the proposal directory and the workspace."""

    def __init__(self, *arguments: object, **more: object) -> None:
        super().__init__(*arguments, **more)
        self.notifier = Notifier(self.settings, self._to_terminal, self.set_timer)
        self._watcher: Thread | None = None
        self._taking_over: Timer | None = None

    def start_watching(self) -> None:
        self._watcher = Thread(target=copy_context().run, args=(self._watch,), daemon=True, name="watcher")
        self._watcher.start()
        if self.desk.store is not None:
            self.set_interval(_AGES, self.show_ages)
        if self.desk.is_held_by_another:
            self._taking_over = self.set_interval(_TAKE_OVER, self._try_to_take_over)

    def on_unmount(self) -> None:
        self.leaving.set()
        self.notifier.close()
        if self._watcher is not None:
            self._watcher.join(_LAST_LOOK)

    def _watch(self) -> None:
        """The thread that waits."""
        for noticed in self.desk.watch(self.leaving):
            self.from_thread(partial(self.work_soon, look=noticed.queue, paths=noticed.paths))

    def _to_terminal(self, text: str) -> None:
        if self._driver is not None:
            self._driver.write(text)

    # ------------------------------------------------------------ in the planning thread

    def look_again(self) -> None:
        with self.desk_lock:
            found = self.desk.look_again()
        for item in (*found.new, *found.withdrawn):
            self.made(item)
        self.work.add(items=(*found.new, *found.revised))
        if found:
            self.from_thread(partial(self._tell, found))
        due = self.desk.look_again_at
        if due is not None and due <= monotonic():  # there is more; but the first ones can be shown already
            self._plan_first(found.new)
            self.work.add(look=True)

    def _plan_first(self, items: Iterable[Item]) -> None:
        """Whoever has nothing to read yet gets something before the rest is listed."""
        first = next(iter(items), None)
        if first is not None and self.stream.cursor is None:
            self.plan_now(first)

    def files_changed(self, paths: frozenset[str]) -> None:
        with self.desk_lock:
            changed = self.desk.replan(paths)
        for item in changed:
            self.made(item)

    # ------------------------------------------------------------ on the screen

    def _tell(self, found: Arrivals) -> None:
        """Where something the person has seen is not what it was, say so; what is new only asks for attention."""
        for item in found.gone:
            self._show_source(item)
        if found.told:
            self.show_ages()
        if found.revised:
            self.say(f"Revised: {_names(found.revised)}. {self.key('revision')} shows what changed.", warning=True)
        elif found.withdrawn:
            self.say(f"No longer asked for: {_names(found.withdrawn)}.", warning=True)
        if found.new or found.revised:
            self.notifier.came(len(found.new) + len(found.revised))

    def _show_source(self, item: Item) -> None:
        """Its file is gone, or back: the header says so."""
        section = self.sections.get(item)
        if section is not None:
            section.source_gone = item.source_gone
            self.view.keep_in_place(lambda: self.stream.reheight([section.header]))

    def show_ages(self) -> None:
        """The clock has moved on, or somebody waits who did not: only what is in sight is painted again."""
        self.queue.refresh()
        in_sight = self.stream.around(round(self.view.scroll_y), self.view.size.height)
        self.view.redraw([block for block in in_sight if isinstance(block, ProposalBlock)])

    def show_counts(self) -> None:
        super().show_counts()
        self.notifier.show_waiting(len(self.stream.sections))

    # ------------------------------------------------------------ another reviewer

    def _try_to_take_over(self) -> None:
        def work() -> bool:
            with self.desk_lock:
                return self.desk.take_over()

        self.in_thread(work, self._took_over, group="take over")

    def _took_over(self, taken: bool) -> None:
        """Whoever decided here is gone: go on with what they decided."""
        if not taken:
            return
        if self._taking_over is not None:
            self._taking_over.stop()
        self.work_soon(look=self.desk.store is not None, items=[*self.desk.items])
        self.show_counts()
        self.say("The other reviewer is gone: you decide from here on.")

    # ------------------------------------------------------------ revisions

    def action_revision(self) -> None:
        """What changed since the version that was shown before."""
        from tui.screens.revision_rows import revision_rows
        from tui.screens.show_revision import ShowRevision

        section = self.stream.cursor.block.section if self.stream.cursor else None
        revision, plan = (section.revision, section.plan) if section else (None, None)
        if section is None or revision is None or plan is None:
            self.say("This proposal is as it was sent first.")
            return
        title = f"{section.name}, {revised(revision)}"
        self.push_screen(ShowRevision(title, lambda: revision_rows(revision, plan)))


def _names(items: list[Item]) -> str:
    shown = ", ".join(item.name for item in items[:3])
    return f"{shown} and {len(items) - 3} more" if len(items) > 3 else shown
