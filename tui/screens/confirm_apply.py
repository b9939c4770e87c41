"""What will happen when the verdict is sent, exactly, before it happens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from engine.errors import HunkdeckError
from engine.queue.item import Item
from tui.screens.apply_rows import Effect, effect_of
from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Tone, row
from tui.screens.rows_view import RowsView


@dataclass(frozen=True, slots=True)
class ApplyChoice:
    """The answer; it is true when the verdict is to be sent."""

    go: bool
    allow_syntax_errors: bool = False

    def __bool__(self) -> bool:
        return self.go


class ConfirmApply(Dialog[ApplyChoice]):
    """`enter` sends the verdict as it is shown; `f` allows what would not parse, and shows the effect of that."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f", "allow", "Allow syntax errors")]

    def __init__(self, item: Item) -> None:
        super().__init__("Working out what would be applied …")
        self.ready = False
        self._item = item
        self._allow = False
        self._effect: Effect | None = None

    def body(self) -> Iterable[Widget]:
        yield RowsView([row(("one moment", Tone.DIM))])

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "…", "accept", primary=True)
        yield Choice("esc", "Back", "go_back")
        yield Choice("f", "Allow syntax errors", "allow")

    def on_mount(self) -> None:
        self._work_out()

    def _work_out(self) -> None:
        self.ready = False
        self.query_one("#choice-allow").display = self._allow
        self.run_worker(self._fill(allow=self._allow), exclusive=True)

    async def _fill(self, *, allow: bool) -> None:
        try:
            effect = await asyncio.to_thread(effect_of, self._item, allow_syntax_errors=allow)
        except HunkdeckError as problem:
            rows = (row((str(problem), Tone.BAD)),)
            effect = Effect("Nothing can be applied now", rows, sendable=False, breaks_syntax=False)
        self._effect = effect
        self.set_title(effect.title)
        self.query_one(RowsView).set_rows(effect.rows)
        self.query_one("#choice-accept", Choice).relabel(_verb(effect))
        allowing = self.query_one("#choice-allow", Choice)
        allowing.display = effect.breaks_syntax or allow
        allowing.relabel("Hold syntax errors back" if allow else "Allow syntax errors")
        self.ready = True

    def action_allow(self) -> None:
        if self.ready and self._effect and (self._effect.breaks_syntax or self._allow):
            self._allow = not self._allow
            self._work_out()

    def answer_on_enter(self) -> ApplyChoice:
        sendable = self._effect is not None and self._effect.sendable
        return ApplyChoice(sendable, self._allow)

    def answer_on_back(self) -> ApplyChoice:
        return ApplyChoice(go=False)


def _verb(effect: Effect) -> str:
    if not effect.sendable:
        return "Go on reviewing"
    return effect.title.partition(" ")[0]
