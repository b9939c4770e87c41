"""Looking: folding, context, wrapping, side by side, preview, sidebar, themes. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.compose import FileOutcome, outcome
from engine.planning.data import Fit
from engine.review import Decision, Verdict
from tui.actions.base import ReviewBase
from tui.settings import THEMES
from tui.view_model.blocks import HunkBlock
from tui.view_model.body_view import Size, ViewOptions, size_of

NARROWEST_SPLIT = 100
_NARROWEST_WITH_SIDEBAR = 100
_AT_ONCE = 5_000
"""Rows that are measured while a key waits."""
_CONTEXT_STEP = 3
_MOST_CONTEXT = 60
_SIDEWAYS = 16


class ArrangeActions(ReviewBase):
    """How things are shown."""

    # ------------------------------------------------------------ folding

    def action_fold(self) -> None:
        if self.stream.cursor:
            self.fold(self.stream.cursor.block)

    def fold(self, block: HunkBlock) -> None:
        block.unfolded = block.folded
        self.stream.go(block)
        self.stream.reheight([block])
        self.view.redraw([block])
        self.cursor_moved()

    def action_fold_all(self) -> None:
        """All folded, then all open, then each as it was decided."""
        hunks = self.stream.hunks
        any_open = any(not block.folded for block in hunks)
        self.view.keep_in_place(lambda: self.stream.fold_all(unfold=not any_open))
        self.cursor_moved()

    # ------------------------------------------------------------ measures

    def action_more_context(self) -> None:
        self._change_context(_CONTEXT_STEP)

    def action_less_context(self) -> None:
        self._change_context(-_CONTEXT_STEP)

    def _change_context(self, step: int) -> None:
        context = max(0, min(self.stream.options.context + step, _MOST_CONTEXT))
        self.measure(replace(self.stream.options, context=context))
        self.say(f"{context} lines around every change.")

    def action_wrap(self) -> None:
        options = replace(self.stream.options, wrap=not self.stream.options.wrap)
        self.view.painter.left = 0
        self.measure(options)
        self.say("Long lines are wrapped." if options.wrap else "Long lines are cut: → marks them.")

    def action_side_by_side(self) -> None:
        options = self.stream.options
        if not options.split and options.width < NARROWEST_SPLIT:
            self.say(f"Side by side needs {NARROWEST_SPLIT} columns; b hides the queue.", warning=True)
            return
        self.measure(replace(options, split=not options.split))

    def action_scroll_right(self) -> None:
        self._sideways(_SIDEWAYS)

    def action_scroll_left(self) -> None:
        self._sideways(-_SIDEWAYS)

    def _sideways(self, step: int) -> None:
        self.view.painter.left = max(self.view.painter.left + step, 0)
        self.view.redraw()

    def measure(self, options: ViewOptions) -> None:
        """Other options: every hunk gets a new height, at once or (where there are many) aside."""
        hunks = list(self.stream.hunks)
        if sum(block.size.rows for block in hunks) <= _AT_ONCE:
            self._measured(options, _sizes(hunks, options))
            return
        self.in_thread(lambda: _sizes(hunks, options), lambda sizes: self._measured(options, sizes), group="measure")

    def _measured(self, options: ViewOptions, sizes: Mapping[HunkBlock, Size]) -> None:
        def change() -> None:
            self.stream.options = replace(options, width=self.stream.options.width)
            for block in self.stream.hunks:
                block.size = sizes.get(block) or size_of(block.lines(), self.stream.options)
            self.stream.reflow()

        self.view.keep_in_place(change)

    def fit_width(self, width: int) -> None:
        """The stream has another width: notes break elsewhere, and a split view may have no room any more."""
        options = self.stream.options
        if width == options.width or width <= 0:
            return
        split = options.split and width >= NARROWEST_SPLIT

        def change() -> None:
            self.stream.options = replace(self.stream.options, width=width)
            self.stream.reflow()

        self.view.keep_in_place(change)
        if options.wrap or split != options.split:
            self.measure(replace(self.stream.options, split=split))

    # ------------------------------------------------------------ the rest of the screen

    def action_sidebar(self) -> None:
        self.sidebar_wanted = not self.queue.display
        self.fit_sidebar(self.size.width)

    def fit_sidebar(self, width: int) -> None:
        """Shown where there is room, until the person says otherwise."""
        roomy = width >= _NARROWEST_WITH_SIDEBAR
        shown = roomy if self.sidebar_wanted is None else self.sidebar_wanted
        if shown != self.queue.display:
            self.queue.display = shown
            self.show_marks()

    def action_theme(self) -> None:
        at = THEMES.index(self.theme) if self.theme in THEMES else -1
        self.theme = THEMES[(at + 1) % len(THEMES)]
        self.say(f"Theme: {self.theme}.")

    def watch_theme(self, theme: str) -> None:
        if self.is_running and self.screen_stack:
            self.queue.look = self.look
            self.queue.refresh()
            self.view.recolour(self.look)

    def action_help(self) -> None:
        from tui.screens.help import Help

        def clicked(action: str | None) -> None:
            if action is not None:
                self.call_later(self.run_action, action)

        self.push_screen(Help([key for key in self.keys if key.keys]), clicked)

    # ------------------------------------------------------------ the whole file

    def action_preview(self) -> None:
        """The file under the cursor with what was accepted, and with this hunk if it is open."""
        from tui.preview_rows import preview_rows
        from tui.screens.preview import Preview

        cursor = self.stream.cursor
        if cursor is None or cursor.block.file.plan is None:
            return
        block = cursor.block
        title = f"{block.file.path} as it would be, with what was accepted"
        if block.is_open and block.planned.fit is Fit.FITS:
            title += f" and #{block.index}"
        self.push_screen(Preview(title, lambda: preview_rows(_outcome(block))))


def _sizes(hunks: list[HunkBlock], options: ViewOptions) -> dict[HunkBlock, Size]:
    return {block: size_of(block.lines(), options) for block in hunks}


def _outcome(block: HunkBlock) -> FileOutcome:
    """The file of a hunk with the accepted hunks and this one, as far as they go together."""
    plan = block.file.plan
    assert plan is not None
    decisions = block.section.state.decisions
    accepted = {
        hunk.index: decisions[hunk.index]
        for hunk in plan.hunks
        if hunk.index in decisions and decisions[hunk.index].verdict is Verdict.ACCEPT and hunk.fit is Fit.FITS
    }
    wanted = {block.index: Decision(Verdict.ACCEPT), **accepted} if block.is_open else accepted
    for chosen in (wanted, accepted):
        try:
            return outcome(plan, chosen)
        except (LookupError, ValueError):
            continue
    return outcome(plan, {})
