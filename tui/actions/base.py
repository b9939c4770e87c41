"""The state that all actions share, and the one way in which it changes: an intent, recorded, then shown.

The app owns the state. Widgets get told; what they post is routed in `tui/app.py`. Planning, measuring and checking run
in threads and come back as a call on the app's own thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from threading import Lock
from time import monotonic
from typing import NamedTuple, TypeVar

from textual.app import App

from engine.branch import branch_of
from engine.errors import HunkdeckError
from engine.queue.desk import Desk
from engine.queue.item import Item
from engine.queue.steps import Steps
from engine.review import Intent, Redo, ReviewState, Undo
from engine.safe_text import safe_text
from tui.keymap import KEYS, key_for, remapped
from tui.look import Look, look_for, themes
from tui.settings import Settings
from tui.view_model.blocks import Block, HunkBlock, Section, different
from tui.view_model.body_view import ViewOptions
from tui.view_model.labels import Tally
from tui.view_model.stream import Stream
from tui.widgets.diff_stream import DiffStream
from tui.widgets.key_line import KeyLine
from tui.widgets.lines import EmptyView, SearchBar
from tui.widgets.queue_list import QueueList
from tui.widgets.top_line import TopLine

Answer = TypeVar("Answer")


class Acted(Enum):
    """What became of an intent; only DONE counts as true."""

    DONE = "recorded, and shown"
    NOTHING = "nothing was to change"
    REFUSED = "the person was told why"

    def __bool__(self) -> bool:
        return self is Acted.DONE


class TakenBack(NamedTuple):
    """What an undo or a redo did."""

    section: Section
    before: ReviewState
    after: ReviewState
    blocks: list[HunkBlock]


class ReviewBase(App[None]):
    """A review in progress."""

    def __init__(self, desk: Desk, *, settings: Settings | None = None) -> None:
        super().__init__()
        self.desk = desk
        self.settings = settings or Settings()
        for theme in themes():
            self.register_theme(theme)
        self.theme = self.settings.theme
        self.keys = remapped(dict(self.settings.keys)) if self.settings.keys else KEYS
        options = ViewOptions(context=self.settings.context, split=self.settings.split, wrap=self.settings.wrap)
        self.stream = Stream(options)
        self.sidebar_wanted = self.settings.sidebar
        """None: shown where there is room."""
        self.sections: dict[Item, Section] = {}
        self.said = ""
        """The last message, as it was shown."""
        self.selecting: int | None = None
        """The offset in the hunk where a selection of lines began."""
        self.moved_at = 0.0
        """When something other than a key moved the cursor: decisions that were typed before are dropped."""
        self.desk_lock = Lock()
        """Held by the thread that plans, applies or takes back."""
        self.unchecked: dict[Section, None] = {}
        """Where something was chosen since the warnings were worked out; the cursor may be elsewhere by now."""
        self._last_block: HunkBlock | None = None
        self._steps: Steps | None = None

    # ------------------------------------------------------------ the parts of the screen

    @property
    def view(self) -> DiffStream:
        return self.screen_stack[0].query_one(DiffStream)

    @property
    def queue(self) -> QueueList:
        return self.screen_stack[0].query_one(QueueList)

    @property
    def search_bar(self) -> SearchBar:
        return self.screen_stack[0].query_one(SearchBar)

    @property
    def top_line(self) -> TopLine:
        return self.screen_stack[0].query_one(TopLine)

    @property
    def key_line(self) -> KeyLine:
        return self.screen_stack[0].query_one(KeyLine)

    @property
    def look(self) -> Look:
        return look_for(self.theme, dark=self.current_theme.dark)

    def say(self, text: str, *, warning: bool = False) -> None:
        """A word to the person, where it covers nothing."""
        self.said = safe_text(text)
        self.key_line.say(self.said, warning=warning)

    def key(self, action: str) -> str:
        """What this person presses for an action."""
        return key_for(self.keys, action)

    # ------------------------------------------------------------ what is shown

    def show_sections(self) -> None:
        """The stream anew from the sections of all unfinished proposals."""
        shown = [section for item, section in self.sections.items() if not item.finished]
        self.view.show(shown)
        self.top_line.stand_in(self._whereabouts())
        self.show_marks()
        self.show_emptiness()

    def show_emptiness(self) -> None:
        empty = not self.stream.blocks
        self.view.display = not empty
        self.screen_stack[0].query_one(EmptyView).display = empty

    def show_marks(self) -> None:
        """The counts and the sidebar, all of it."""
        self.show_counts()
        cursor = self.stream.cursor
        self.queue.show(self.stream.sections, cursor.block.file if cursor else None)
        self.queue.refresh()

    def show_counts(self) -> None:
        counts = self.desk.counts()
        done = Tally(counts.hunks, counts.accepted, counts.rejected, counts.open)
        self.top_line.show(counts.proposals, done, self.status(), self._watched())

    def status(self) -> str:
        """What goes on, at the right of the top line."""
        waiting = sum(section.provisional for section in self.stream.sections)
        if waiting == 1 and any(section.item.glimpse for section in self.stream.sections):
            return "reading …"
        if waiting:
            return f"placing hunks, {waiting} to go …" if waiting > 1 else "placing hunks …"
        return f"read-only: {self.desk.read_only}" if self.desk.read_only else ""

    def _watched(self) -> str:
        store = self.desk.store
        return f"watching {self.short_path(store.path)}" if store is not None else ""

    def _whereabouts(self) -> str:
        """`~/src/shop (main)`."""
        root = self.desk.workspace.root
        branch = branch_of(root)
        return f"{self.short_path(root)} ({branch})" if branch else self.short_path(root)

    def short_path(self, path: str) -> str:
        """A path as people say it: inside the workspace by its own name, else below `~`."""
        root = self.desk.workspace.root
        if path.startswith(root + os.sep):
            return os.path.relpath(path, root)
        home = os.path.expanduser("~")
        return "~" + path[len(home) :] if path.startswith(home + os.sep) else path

    def changed(self, blocks: Iterable[Block]) -> None:
        """Decisions or notes of these blocks changed."""
        blocks = list(blocks)
        self.stream.reheight(blocks)
        self.view.redraw(blocks)
        self.show_counts()
        self.queue.repaint(*{block.file for block in blocks if isinstance(block, HunkBlock)})

    # ------------------------------------------------------------ deciding

    def act(self, section: Section, intent: Intent) -> Acted:
        """Record an intent and show what it changed."""
        before, problem = section.state, self.cannot_decide(section)
        if problem is None:
            try:
                after = section.item.act(intent, shown=section.plan)
            except HunkdeckError as refusal:
                problem = str(refusal)
        if problem is not None:
            self.say(problem, warning=True)
            return Acted.REFUSED
        if after is before:
            return Acted.NOTHING
        self.steps.made(section.item)
        self.decided(section, before, after)
        return Acted.DONE

    @property
    def steps(self) -> Steps:
        """In which order things were decided: before this sitting, as the journals say."""
        if self._steps is None:
            self._steps = Steps.so_far((item, item.journal.entries) for item in self.desk.items)
        return self._steps

    def cannot_decide(self, section: Section) -> str | None:
        """Why nothing can be decided about a proposal just now."""
        if self.desk.read_only:
            return f"Nothing can be decided here, read-only: {self.desk.read_only}."
        return "Its hunks are still being placed: one moment." if section.provisional else None

    def decided(self, section: Section, before: ReviewState, after: ReviewState) -> list[HunkBlock]:
        """Show the difference of two states; the hunks that it is about."""
        decided = section.decide(after, self.stream.options)
        said = different(before.comments, after.comments)
        blocks = [section.hunks[index] for index in decided | said if index in section.hunks]
        for block in blocks:
            if before.decisions.get(block.index) != after.decisions.get(block.index):
                block.unfolded = None
                block.warning = None
                block.file.marks = None
        risky = before.confirmed != after.confirmed or before.feedback != after.feedback
        self.changed([section.header, *blocks] if not risky else list(section.blocks()))
        self.check_soon(section)
        return blocks

    def split(self, block: HunkBlock, *, apart: bool) -> None:
        """Show the parts of a hunk for deciding them one by one, or the hunk as a whole again."""
        block.split = apart
        block.measure(self.stream.options)
        self.changed([block])

    def take_back(self, intent: Undo | Redo) -> TakenBack | None:
        """Undo or redo the last step of all; None where there is none."""
        here = self.stream.cursor.block.section.item if self.stream.cursor else None
        for item in self.steps.to_take_back(intent, here):
            section = self.sections.get(item)
            if section is None or section.provisional:
                continue
            before = section.state
            try:
                after = item.act(intent, shown=section.plan)
            except HunkdeckError as problem:
                self.say(str(problem), warning=True)
                return None
            if after is not before:
                self.steps.took_back(intent, item)
                blocks = self.decided(section, before, after)
                if before.places != after.places:
                    self.place_anew(item)
                return TakenBack(section, before, after, blocks)
        return None

    def place_anew(self, item: Item) -> None:
        """A person's own choice of a place came or went: plan it again, aside."""

        def work() -> None:
            with self.desk_lock:
                self.desk.plan(item)

        self.in_thread(work, lambda _: self.replanned([item]), group="desk")

    def check_soon(self, *chosen: Section) -> None:
        """Work out warnings for the subset chosen under the cursor, and in these sections, when the keys rest."""
        raise NotImplementedError

    def replanned(self, items: Iterable[Item]) -> None:
        """The desk has new plans for these: show them."""
        raise NotImplementedError

    # ------------------------------------------------------------ the cursor

    def cursor_moved(self, *, jump: bool = False) -> None:
        """Show the cursor where it is now."""
        self.view.show_cursor(whole_hunk=jump)
        cursor = self.stream.cursor
        if cursor is None or cursor.block is not self._last_block:
            self._last_block = cursor.block if cursor else None
            self.queue.show(self.stream.sections, cursor.block.file if cursor else None)
            self.check_soon()

    def show_selection(self) -> None:
        """Show which lines are selected."""
        raise NotImplementedError

    def moved_by_itself(self) -> None:
        """The cursor is somewhere else, and not because of a key."""
        self.moved_at = monotonic()

    # ------------------------------------------------------------ threads

    def from_thread(self, call: Callable[[], None]) -> None:
        """Run something on the app's own thread, soon; nobody waits for it."""
        with suppress(RuntimeError):  # the app has ended since
            self.call_later(call)

    def in_thread(self, work: Callable[[], Answer], then: Callable[[Answer], None], *, group: str) -> None:
        """Run `work` aside, then `then` with its answer on this thread. A problem is said."""

        def run() -> None:
            try:
                answer = work()
            except HunkdeckError as problem:
                self.call_from_thread(self.say, str(problem), warning=True)
                return
            self.call_from_thread(then, answer)

        vital = group == "desk"  # a warning or a measure that cannot be worked out must not end a review
        self.run_worker(run, thread=True, group=group, exclusive=group == "check", exit_on_error=vital)
