"""The review app: composition and routing only. `tui/actions/` is what keys do, `tui/view_model/` what is shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.actions import ActionParseResult
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen

from engine.safe_text import safe_text
from tui.actions.apply import ApplyActions
from tui.actions.arrange import ArrangeActions
from tui.actions.arrivals import ArrivalActions
from tui.actions.check import CheckActions
from tui.guard import SafeLines
from tui.keymap import DECIDE, KEYS, REFINE, shown_key
from tui.view_model.blocks import FileBlock, HunkBlock, ProposalBlock
from tui.widgets.diff_stream import DiffStream
from tui.widgets.key_line import KeyLine
from tui.widgets.lines import EmptyView, SearchBar
from tui.widgets.queue_list import QueueList
from tui.widgets.top_line import TopLine

_FAIR_TURNS = 0.001
"""Seconds after which a thread that plans gives way to the keys."""

_ANYWHERE = ("leave", "help", "command_palette", "close")
"""Actions that are not about the hunk under the cursor."""
_DECISIONS = {key.action for key in KEYS if key.group in (DECIDE, REFINE)} | {"apply", "undo_apply", "apply_all"}


class ReviewApp(ApplyActions, ArrangeActions, CheckActions, ArrivalActions):
    """A person, a queue of proposals, and one hunk at a time."""

    TITLE = "hunkdeck"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(key.keys), key.action, key.help, id=key.action, show=False)
        for key in KEYS
        if key.action != "command_palette"
    ]
    CSS = """
    Screen { layout: vertical; }
    #middle { height: 1fr; }
    """

    def compose(self) -> ComposeResult:
        yield TopLine()
        with Horizontal(id="middle"):
            yield QueueList(self.look)
            yield DiffStream(self.stream, self.look)
            yield EmptyView()
        yield SearchBar()
        yield KeyLine(self.keys)

    def on_mount(self) -> None:
        sys.setswitchinterval(_FAIR_TURNS)
        self.set_keymap({key.action: ",".join(key.keys) for key in self.keys if key.action in self.settings.keys})
        self.fit_sidebar(self.size.width)
        self.query_one(EmptyView).explain(self._how_to_get_something(), self.keys)
        self.view.focus()
        self.start_tidying()
        self.start_planning()
        self.start_watching()
        for complaint in self.settings.complaints[:1]:
            self.say(complaint, warning=True)

    def _how_to_get_something(self) -> str:
        store = self.desk.store
        if store is None:
            return "Everything has its verdict."
        return (
            f"Proposals are reviewed here when an agent puts them into\n{safe_text(self.short_path(store.path))}\n"
            "as NAME.json, .patch, .diff, .md or .txt.\n"
            "The verdict will be NAME.result.json beside it.\n\n"
            "To see how a review goes: hunkdeck demo"
        )

    # ------------------------------------------------------------ what the widgets say

    def on_diff_stream_pressed(self, message: DiffStream.Pressed) -> None:
        """A button in the stream. What has left it since is not decided any more."""
        block = message.block
        if not self.stream.holds(block):
            return
        if isinstance(block, HunkBlock):
            self._hunk_pressed(block, message.action)
        elif isinstance(block, FileBlock):
            self.stream.go(block.hunks[0])
            act = self.accept_all if message.action == "accept_file" else self.reject_all
            act(block.section, block.path)
        elif isinstance(block, ProposalBlock):
            act = self.accept_all if message.action == "accept_proposal" else self.reject_all
            act(block.section, None)

    def _hunk_pressed(self, block: HunkBlock, action: str) -> None:
        self.end_selection()
        self.stream.go(block)
        if action == "fold":
            self.fold(block)
        elif action == "accept_hunk":
            self.accept(block)
        else:
            self.reject(block)

    def on_diff_stream_line_clicked(self, message: DiffStream.LineClicked) -> None:
        self.end_selection()
        self.stream.go_to_line(message.line)
        self.cursor_moved()

    def on_resize(self, event: events.Resize) -> None:
        self.fit_sidebar(event.size.width)

    def on_diff_stream_resized(self, message: DiffStream.Resized) -> None:
        self.fit_width(message.width)

    def on_queue_list_chosen(self, message: QueueList.Chosen) -> None:
        self.go_to(message.section, message.file)

    def on_search_bar_wanted(self, message: SearchBar.Wanted) -> None:
        self.look_for(message.text)

    async def on_key_line_clicked(self, message: KeyLine.Clicked) -> None:
        await self.run_action(message.action)

    # ------------------------------------------------------------ keys

    async def on_event(self, event: events.Event) -> None:
        """A key that was pressed before something else moved the cursor was meant for another hunk: it is dropped."""
        if isinstance(event, events.Key) and event.time < self.moved_at and self._is_for_a_hunk(event):
            return
        if isinstance(event, events.Key | events.MouseDown | events.MouseScrollDown):
            self.untouched = False
            self.key_line.fade()
        if isinstance(event, events.Key) and await self._obeyed_at_once(event):
            return
        await super().on_event(event)

    async def _obeyed_at_once(self, event: events.Key) -> bool:
        """Keys of the review are run here, one by one: on their way through the widgets a later one, meant for the
        search or a dialog that an earlier one opens, would still be sent to the stream."""
        if event.is_forwarded or self.screen.is_modal or self.focused not in (None, self.view):
            return False
        return await self._check_bindings(event.key)

    def _is_for_a_hunk(self, key: events.Key) -> bool:
        """Not what is written into a dialog or the search, nor what does the same wherever the cursor is."""
        elsewhere = {name for entry in self.keys if entry.action in _ANYWHERE for name in entry.keys}
        return len(self.screen_stack) == 1 and self.focused is self.view and key.key not in elsewhere

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Whoever only looks is told so at the key, not at the end of a dialog."""
        name = action if isinstance(action, str) else action[1]
        searching = self.search_bar.display
        if self.desk.read_only and name.removeprefix("app.") in _DECISIONS and not searching:
            self.say(f"Nothing can be decided here, read-only: {self.desk.read_only}.", warning=True)
            return False
        return await super().run_action(action, default_namespace, namespaces)

    def action_close(self) -> None:
        """`esc` closes and ends, it never decides."""
        if self.search_bar.display:
            self.close_search()
        self.end_selection()

    def action_leave(self) -> None:
        self.exit()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        yield SystemCommand("Apply all decided", "every proposal with decisions, one by one", self.action_apply_all)
        for key in self.keys:
            action = getattr(self, f"action_{key.action}", None)
            if action is not None and key.action not in ("command_palette", "close"):
                shown = " ".join(map(shown_key, key.keys))
                yield SystemCommand(key.help[:1].upper() + key.help[1:], f"key: {shown}", action)

    def get_driver_class(self) -> type[Driver]:
        from tui.driver import SteadyDriver

        return SteadyDriver

    # ------------------------------------------------------------ errors of our own

    @property
    def crash(self) -> Exception | None:
        """What ended the app, if it was not the person."""
        return self._exception

    def _fatal_error(self) -> None:
        """Leave, without the traceback that would quote untrusted text: whoever started the app tells what it was."""
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        if self.crash is not None:
            self._exit_renderables.clear()
        super()._print_error_renderables()

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), self._guard]

    _guard = SafeLines()
