"""Deciding: hunks, selected lines, parts, files, proposals; reasons and comments; undo and redo."""

from __future__ import annotations

from collections.abc import Callable

from engine.bulk import bulk_choice, nothing_to_decide
from engine.planning.data import Fit
from engine.review import (
    Accept,
    AcceptAll,
    Comment,
    Confirm,
    DecidePart,
    Intent,
    Redo,
    Reject,
    RejectAll,
    Reopen,
    Undo,
    Verdict,
)
from tui.actions.base import Acted
from tui.actions.move import MoveActions
from tui.view_model.blocks import HunkBlock, Section, same_key
from tui.view_model.labels import left_open
from tui.view_model.marks import Standing
from tui.view_model.notes import numbers


class DecideActions(MoveActions):
    """Every decision goes through `act`: recorded first, shown then."""

    @property
    def here(self) -> HunkBlock | None:
        """The hunk that a key is about."""
        return self.stream.cursor.block if self.stream.cursor else None

    # ------------------------------------------------------------ one hunk

    def action_accept(self) -> None:
        if (block := self.here) is None:
            return
        if self.selecting is not None:
            self.take_selection(take=True)
        elif block.is_split:
            self.decide_part(block, take=True)
        else:
            self.accept(block)

    def action_reject(self) -> None:
        if self.search_bar.display:
            self.search_on()
            return
        if (block := self.here) is None:
            return
        if self.selecting is not None:
            self.take_selection(take=False)
        elif block.is_split:
            self.decide_part(block, take=False)
        else:
            self.reject(block)

    def accept(self, block: HunkBlock, *, go_on: bool = True) -> None:
        """Accept, after the confirmation of a risk where it needs one."""
        refusal = self.refusal(block)
        if refusal:
            self.say(refusal, warning=True)
            return
        if self.asks_first(block, lambda: self.accept(block, go_on=go_on)):
            return
        acted = self.act(block.section, Accept((block.index,)))
        if go_on and acted is not Acted.REFUSED:
            self.go_on()
        if acted:
            self._say_needs(block)

    def asks_first(self, block: HunkBlock, then: Callable[[], None]) -> bool:
        """Open the question about a risk, where there is one that nobody has confirmed."""
        path = block.planned.path
        if not block.planned.risks or path in block.section.state.confirmed:
            return False
        from tui.screens.confirm_risk import ConfirmRisk

        def confirmed(yes: bool | None) -> None:
            if yes and self.act(block.section, Confirm(path)):
                then()

        self.push_screen(ConfirmRisk(path, block.planned.risks), confirmed)
        return True

    def refusal(self, block: HunkBlock) -> str | None:
        """Why a hunk cannot be accepted at all."""
        hunk, state = block.planned, block.section.state
        if problem := self.cannot_decide(block.section):
            return problem
        if hunk.fit is Fit.SKIPPED:
            return self._nothing_to_decide(block)
        if hunk.fit is Fit.FAILS:
            place, no = self.key("place"), self.key("reject")
            by_hand = f"does not fit: {place} chooses a place by hand, " if hunk.candidates else "cannot be applied: "
            return f"It {by_hand}{no} rejects it."
        rivals = {*hunk.conflicts, *(o.index for o in block.file.hunks if block.index in o.planned.conflicts)}
        taken = [i for i in sorted(rivals) if (d := state.decisions.get(i)) and d.verdict is Verdict.ACCEPT]
        if taken:
            return f"It changes the same text as {numbers(taken)}, which is accepted: open or reject that first."
        return None

    def _nothing_to_decide(self, block: HunkBlock) -> str:
        plan = block.section.plan
        then = f" {self.key('apply')} sends the verdict." if plan and nothing_to_decide(plan) else ""
        return f"There is nothing to decide: {block.planned.error or 'no change'}.{then}"

    def _say_needs(self, block: HunkBlock) -> None:
        decisions = block.section.state.decisions
        missing = [
            index
            for index in block.planned.needs
            if index not in decisions or decisions[index].verdict is Verdict.REJECT
        ]
        if missing:
            self.say(f"Accepted, but it needs {numbers(missing)}: accept that too.", warning=True)

    def reject(self, block: HunkBlock, comment: str | None = None) -> None:
        if block.planned.fit is Fit.SKIPPED and not block.section.provisional:
            self.say(self._nothing_to_decide(block), warning=True)
            return
        acted = self.act(block.section, Reject((block.index,), comment))
        if acted is Acted.REFUSED:
            return
        self.go_on()
        builders = [other.index for other in block.file.hunks if block.index in other.planned.needs]
        if acted and builders:
            self.say(f"Rejected. {numbers(builders).capitalize()} cannot be applied without it.", warning=True)

    def action_cycle(self) -> None:
        """Open → accepted → rejected → open, without going on."""
        block = self.here
        if block is None:
            return
        if block.is_open and block.standing is not Standing.MISFIT:
            self.accept(block, go_on=False)
        elif block.standing is Standing.REJECTED:
            self.act(block.section, Reopen((block.index,)))
        else:
            self.act(block.section, Reject((block.index,)))
        self.cursor_moved()

    # ------------------------------------------------------------ parts of a hunk

    def decide_part(self, block: HunkBlock, *, take: bool) -> None:
        """The part under the cursor of a hunk that is split; the last one makes the decision."""
        groups, known = block.parts(), block.section.state.parts.get(block.index, {})
        left = [number for number, group in enumerate(groups) if not group <= known.keys()]
        change = self.stream.change_at_cursor()
        if not 0 <= change < len(groups):
            change = left[0]
        if take and (refusal := self.refusal(block)):
            self.say(refusal, warning=True)
            return
        if take and self.asks_first(block, lambda: self.decide_part(block, take=take)):
            return
        if self.act(block.section, DecidePart(block.index, groups[change], take)) is Acted.REFUSED:
            return
        left = [number for number in left if number != change]
        if left:
            self.go_to_part(block, left[0])
        else:
            self.go_on()

    def go_to_part(self, block: HunkBlock, change: int) -> None:
        raise NotImplementedError

    def take_selection(self, *, take: bool) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------ files and proposals

    def action_accept_file(self) -> None:
        if block := self.here:
            self.accept_all(block.section, block.file.path)

    def action_reject_file(self) -> None:
        if self.search_bar.display:
            self.search_on(backwards=True)
        elif block := self.here:
            self.reject_all(block.section, block.file.path)

    def action_accept_proposal(self) -> None:
        if block := self.here:
            self.accept_all(block.section, None)

    def action_reject_proposal(self) -> None:
        if block := self.here:
            self.reject_all(block.section, None)

    def accept_all(self, section: Section, path: str | None) -> None:
        """What is open and needs no second look; says what it left and why."""
        taken, left = bulk_choice(section.plan, section.state, path) if section.plan else ([], {})
        if self._bulk(section, AcceptAll(path)) is Acted.REFUSED:
            return
        said = f"{len(taken)} accepted"
        if left:
            said += f", {len(left)} left open: {left_open(left)}"
        self.say(f"{said}.{self._can_take_back() if taken else ''}", warning=bool(left))

    def reject_all(self, section: Section, path: str | None) -> None:
        before = len(section.state.decisions)
        if self._bulk(section, RejectAll(path)) is Acted.REFUSED:
            return
        rejected = len(section.state.decisions) - before
        self.say(f"{rejected} rejected.{self._can_take_back() if rejected else ''}")

    def _can_take_back(self) -> str:
        return f" {self.key('undo')} takes it back."

    def _bulk(self, section: Section, intent: Intent) -> Acted:
        self.end_selection()
        acted = self.act(section, intent)
        if acted:
            self.cursor_moved(jump=True)
        return acted

    def action_same(self) -> None:
        """The decision on this hunk, for every open hunk that makes the same change."""
        block = self.here
        plan = block.section.plan if block else None
        if block is None or plan is None:
            return
        decision, key = block.decision, same_key(block.planned)
        if decision is None or key is None or block.same < 2:
            self.say("Decide this hunk first; then = decides the same changes alike.", warning=True)
            return
        section = block.section
        alike = {o.index for o in section.hunks.values() if o.is_open and same_key(o.planned) == key}
        if decision.verdict is Verdict.ACCEPT:
            alike &= set(bulk_choice(plan, section.state)[0])
        hunks = tuple(sorted(alike))
        if hunks:
            self.act(section, Accept(hunks) if decision.verdict is Verdict.ACCEPT else Reject(hunks))
        self.say(f"{len(hunks)} more {'accepted' if decision.verdict is Verdict.ACCEPT else 'rejected'} alike.")
        self.cursor_moved()

    # ------------------------------------------------------------ words

    def action_reject_why(self) -> None:
        if block := self.here:
            target = block
            title = f"Reject #{block.index}, and tell the agent why"
            known = block.section.state.comments.get(block.index, "")
            self._ask(title, known, lambda text: self.reject(target, text or None), verb="Reject")

    def action_comment(self) -> None:
        if block := self.here:
            section, index = block.section, block.index
            known = section.state.comments.get(index, "")
            self._ask(
                f"Comment on #{index}, for the agent",
                known,
                lambda text: self.act(section, Comment(index, text or None)),
            )

    def action_feedback(self) -> None:
        if block := self.here:
            section = block.section
            known = section.state.feedback or ""
            self._ask(
                f"Comment on all of {section.name}, for the agent",
                known,
                lambda text: self.act(section, Comment(None, text or None)),
            )

    def _ask(self, title: str, known: str, then: Callable[[str], object], *, verb: str = "Keep it") -> None:
        from tui.screens.ask_text import AskText

        def answered(text: str | None) -> None:
            if text is not None:
                then(text)

        self.push_screen(AskText(title, known, verb=verb), answered)

    # ------------------------------------------------------------ undo

    def action_undo(self) -> None:
        applied = any(item.result and item.result.transaction for item in self.desk.items)
        nothing = "There is no decision to undo."
        if applied:
            nothing += f" {self.key('undo_apply')} takes back what was applied."
        self._show_taken_back(Undo(), "Undone", nothing)

    def action_redo(self) -> None:
        self._show_taken_back(Redo(), "Done again", "There is nothing to redo.")

    def _show_taken_back(self, intent: Undo | Redo, done: str, nothing: str) -> None:
        taken = self.take_back(intent)
        if taken is None:
            self.say(nothing)
            return
        blocks = taken.blocks
        if blocks:
            self.stream.go(min(blocks, key=lambda block: block.place))
            self.cursor_moved(jump=True)
        self.say(f"{done}: {len(blocks)} hunk{'s' if len(blocks) != 1 else ''}.")
