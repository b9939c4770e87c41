"""Refining a hunk before it is accepted: split it, take some of its lines, edit it, choose its place."""

from __future__ import annotations

from textual.app import SuspendNotSupported

from engine.compose import block_text
from engine.model import TextEdit
from engine.planning.data import Fit
from engine.review import Edit, Reopen
from tui.actions.base import Acted
from tui.actions.decide import DecideActions
from tui.view_model.blocks import HunkBlock
from tui.view_model.body import Mark
from tui.view_model.rows import LineRow
from tui.view_model.selection import Chosen, changed_lines, text_with

_NO_BLOCK = "It has no single block of lines that could be edited: accept or reject it as it is."


class RefineActions(DecideActions):
    """What a reviewer changes about a hunk."""

    # ------------------------------------------------------------ split

    def action_split_hunk(self) -> None:
        block = self.here
        if block is None:
            return
        if block.is_split:
            self._join(block)
            return
        groups = block.parts()
        if len(groups) < 2:
            self.say(f"It makes only one change; {self.key('select')} selects single lines of it.", warning=True)
            return
        block.unfolded = True
        self.split(block, apart=True)
        self.go_to_part(block, 0)
        yes, no, whole = self.key("accept"), self.key("reject"), self.key("split_hunk")
        self.say(
            f"Split in {len(groups)}: {yes} and {no} decide the part under the cursor, {whole} makes it whole again."
        )

    def _join(self, block: HunkBlock) -> None:
        """Whole again; what was decided about its parts is open."""
        if block.index in block.section.state.parts:
            if self.act(block.section, Reopen((block.index,))) is Acted.REFUSED:
                return
            block.unfolded = True
        self.split(block, apart=False)
        self.say("Together again.")

    def go_to_part(self, block: HunkBlock, change: int) -> None:
        offset = next(
            (
                offset
                for offset in range(1, self.stream.height_of(block))
                if isinstance(row := self.stream.row(block, offset), LineRow) and row.change == change
            ),
            0,
        )
        self.stream.go(block, offset)
        self.cursor_moved()

    # ------------------------------------------------------------ lines

    def action_select(self) -> None:
        cursor = self.stream.cursor
        if cursor is None:
            return
        if self.selecting is not None:
            self.end_selection()
            return
        if cursor.block.folded:
            self.say(f"Unfold it first: {self.key('fold')}.", warning=True)
            return
        self.selecting = cursor.offset
        self.show_selection()
        self.view.refresh()
        down, up, yes, no = (self.key(action) for action in ("line_down", "line_up", "accept", "reject"))
        self.say(f"Selecting: {down} and {up} widen it, {yes} takes only these lines, {no} all but these, esc ends it.")

    def take_selection(self, *, take: bool) -> None:
        """Accept the hunk with only the selected lines, or with all but these."""
        block, chosen = self.here, self._selected()
        if block is None or block.file.plan is None:
            return
        lines = block.lines()
        wanted = chosen if take else changed_lines(lines) - chosen
        text = text_with(block.file.plan, block.planned, lines, wanted)
        if text is None:
            self.say(_NO_BLOCK, warning=True)
            return
        self.end_selection()
        if not chosen:
            self.say("No changed line is selected.", warning=True)
        elif wanted == changed_lines(lines):
            self.accept(block)
        elif not wanted:
            self.reject(block)
        else:
            self.take_text(block, text)

    def _selected(self) -> Chosen:
        cursor = self.stream.cursor
        if cursor is None or self.selecting is None:
            return frozenset()
        first, last = sorted((self.selecting, cursor.offset))
        chosen: set[tuple[Mark, int]] = set()
        for offset in range(first, last + 1):
            row = self.stream.row(cursor.block, offset)
            if isinstance(row, LineRow) and row.change >= 0:
                chosen |= {(side.mark, side.at) for side in (row.old, row.new) if side}
        return frozenset(chosen)

    # ------------------------------------------------------------ edit

    def action_edit(self) -> None:
        block = self.here
        text = self._editable(block)
        if block is None or text is None:
            return
        from tui.screens.edit_hunk import EditHunk

        target, sent = block, self._as_sent(block)

        def edited(answer: str | None) -> None:
            if answer is not None:
                self.take_text(target, answer)

        title = f"Edit #{block.index} of {block.file.path}, and accept it"
        self.push_screen(EditHunk(title, text, _language(block.file.path), original=sent), edited)

    def action_edit_outside(self) -> None:
        block = self.here
        text = self._editable(block)
        if block is None or text is None:
            return
        from tui.editor import EditorUnavailable, edit_text

        answer, problem = None, None
        name = block.file.path.rpartition("/")[2]
        try:
            with self.suspend():
                try:
                    answer = edit_text(text, "." + name.rpartition(".")[2] if "." in name else ".txt")
                except EditorUnavailable as unavailable:
                    problem = str(unavailable)
        except SuspendNotSupported:
            problem = "This terminal cannot be handed to an editor: e edits in place."
        if problem:
            self.say(problem, warning=True)
        elif answer is None or answer == text:
            self.say("Nothing was changed, so nothing is decided.")
        else:
            self.take_text(block, answer)

    def _editable(self, block: HunkBlock | None) -> str | None:
        """The text to edit: the reviewer's own where there is one already."""
        if block is None:
            return None
        if block.file.plan is None or block.planned.fit is not Fit.FITS:
            self.say(f"Only a hunk that fits can be edited; {self.key('place')} chooses a place by hand.", warning=True)
            return None
        sent = self._as_sent(block)
        if sent is None or not block.planned.cuts:
            self.say(_NO_BLOCK, warning=True)
            return None
        decision = block.decision
        return decision.text if decision and decision.text is not None else sent

    def _as_sent(self, block: HunkBlock) -> str | None:
        return block_text(block.file.plan, block.planned) if block.file.plan else None

    def take_text(self, block: HunkBlock, text: str) -> None:
        """Accept the hunk with the reviewer's own text; unchanged, it is accepted as it was sent."""
        if text == self._as_sent(block):
            self.accept(block)
            return
        refusal = self.refusal(block)
        if refusal:
            self.say(refusal, warning=True)
        elif self.asks_first(block, lambda: self.take_text(block, text)):
            return
        elif self.act(block.section, Edit(block.index, text)) is not Acted.REFUSED:
            self.go_on()

    # ------------------------------------------------------------ a place by hand

    def action_place(self) -> None:
        block = self.here
        if block is None or block.file.plan is None:
            return
        if block.planned.fit is Fit.FITS:
            self.say("It has its place already.", warning=True)
            return
        if not block.planned.candidates:
            self.say("Nothing in the file resembles it: e cannot help either, r tells the agent.", warning=True)
            return
        from tui.screens.place_by_hand import PlaceByHand

        file, target = block.file.plan, block
        places, op = block.planned.candidates, block.planned.hunk.op
        wanted = op.old.partition("\n")[0] if isinstance(op, TextEdit) else ""

        def chosen(lines: tuple[int, int] | None) -> None:
            if lines is not None:
                self._put(target, *lines)

        self.push_screen(PlaceByHand(f"#{block.index} of {file.path}", places, file.text.rows, wanted), chosen)

    def _put(self, block: HunkBlock, first: int, last: int) -> None:
        item = block.section.item

        def work() -> None:  # aside: another proposal may be being planned
            with self.desk_lock:
                self.desk.place(item, block.index, first, last)

        def placed(_: None) -> None:
            self.steps.made(item)
            self.replanned([item])
            self.say(f"Placed. Look at it, then accept or reject it; {self.key('undo')} takes it away again.")

        self.in_thread(work, placed, group="desk")


def _language(path: str) -> str | None:
    """What the editor field is told about the text."""
    ending = path.rpartition(".")[2].lower()
    known = {"py": "python", "js": "javascript", "ts": "typescript", "md": "markdown", "rs": "rust", "yml": "yaml"}
    return known.get(ending, ending if ending.isalnum() and ending.isascii() and "." in path else None)
