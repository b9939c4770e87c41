"""Applying: the exact effect first, then the verdict, then what became of each hunk; and taking it back."""

from __future__ import annotations

from engine.bulk import nothing_to_decide
from engine.queue.item import Item
from engine.result import Result
from engine.settle import Status
from tui.actions.refine import RefineActions
from tui.view_model.blocks import Section


class ApplyActions(RefineActions):
    """Sends verdicts. The disk is touched by the desk only, in a thread."""

    def action_apply(self) -> None:
        cursor = self.stream.cursor
        section = cursor.block.section if cursor else self._unreadable()
        if section is None:
            return
        if section.provisional:
            self.say("Its hunks are still being placed: one moment.", warning=True)
            return
        from tui.screens.confirm_apply import ApplyChoice, ConfirmApply

        item, shown = section.item, section.plan

        def confirmed(choice: ApplyChoice | None) -> None:
            if choice and item.plan is not shown:  # what the dialog said is not what would happen any more
                self.say(f"{item.name} has just changed: look at it again.", warning=True)
            elif choice:
                self._send(item, allow_syntax_errors=choice.allow_syntax_errors)

        if item.unreadable:
            self._send(item)
        else:
            self.push_screen(ConfirmApply(item), confirmed)

    def _unreadable(self) -> Section | None:
        return next((section for section in self.stream.sections if section.item.unreadable), None)

    def _send(self, item: Item, *, allow_syntax_errors: bool = False, final: bool = False) -> None:
        self.say(f"Applying {item.name} …")

        def progress(done: int, total: int) -> None:
            self.call_from_thread(self.say, f"Applying {item.name}: {_bar(done, total)} {done}/{total} files")

        def work() -> Result:
            with self.desk_lock:
                return self.desk.send(item, allow_syntax_errors=allow_syntax_errors, final=final, progress=progress)

        self.in_thread(work, lambda result: self._sent(item, result, final=final), group="desk")

    def _sent(self, item: Item, result: Result, *, final: bool) -> None:
        """Show what became of it; what is finished leaves the stream."""
        self.replanned(self.desk.items)
        applied, failed = len(result.indexes(Status.APPLIED)), len(result.indexes(Status.FAILED))
        then = f"{self.key('undo_apply')} takes it back." if result.transaction else "Nothing was written here."
        self.say(f"{item.name}: {applied} applied, {failed} failed. {then}", warning=failed > 0)
        if final or item.unreadable:
            return
        from tui.screens.show_result import Next, ShowResult

        screen = ShowResult(result)

        def answered(chosen: Next | None) -> None:
            if chosen is Next.UNDO:
                self._undo_apply()
            elif chosen is Next.SENT and not item.finished and result.failures_open:
                self._send(item, final=True)
            elif chosen is Next.PLACE and screen.hunk is not None:
                self.go_to_hunk(item, screen.hunk)
                self.action_place()

        self.push_screen(screen, answered)

    def go_to_hunk(self, item: Item, index: int) -> None:
        section = self.sections.get(item)
        if section and index in section.hunks:
            self.stream.go(section.hunks[index])
            self.cursor_moved(jump=True)

    # ------------------------------------------------------------ all of them

    def action_apply_all(self) -> None:
        """Every proposal in which something was decided, one transaction each."""
        items = [
            section.item for section in self.stream.sections if _can_be_sent(section) and not section.item.finished
        ]
        if not items:
            self.say("Nothing is decided yet.", warning=True)
            return
        from tui.screens.confirm import Confirm

        def confirmed(yes: bool | None) -> None:
            if yes:
                self._send_all(items)

        names = "\n".join(f"{item.name}: {len(item.state.decisions)} decided" for item in items)
        self.push_screen(Confirm(f"Apply {len(items)} proposals, one after the other", names), confirmed)

    def _send_all(self, items: list[Item]) -> None:
        def work() -> list[Result]:
            with self.desk_lock:
                return [self.desk.send(item) for item in items if not item.finished]

        def sent(results: list[Result]) -> None:
            self.replanned(self.desk.items)
            good = sum(result.success for result in results)
            self.say(f"{len(results)} verdicts are out, {good} without a failure.", warning=good < len(results))

        self.in_thread(work, sent, group="desk")

    # ------------------------------------------------------------ taking back

    def action_undo_apply(self) -> None:
        from engine.transaction import history
        from tui.screens.confirm import Confirm

        done = [entry for entry in history(self.desk.workspace) if not entry.undone and not entry.undoes]
        if not done:
            self.say("Nothing was applied that could be taken back.", warning=True)
            return
        last = done[-1]

        def confirmed(yes: bool | None) -> None:
            if yes:
                self._undo_apply()

        files = "\n".join(file.path for file in last.files)
        self.push_screen(Confirm(f"Take back the apply of {last.proposal}", files), confirmed)

    def _undo_apply(self) -> None:
        def work() -> tuple[str, ...]:
            with self.desk_lock:
                return self.desk.undo_last().paths

        def undone(paths: tuple[str, ...]) -> None:
            self.replanned(self.desk.items)
            self.say(f"Taken back: {', '.join(paths[:3])}{' …' if len(paths) > 3 else ''}")

        self.in_thread(work, undone, group="desk")


def _can_be_sent(section: Section) -> bool:
    """Something was decided, or nothing has to be."""
    return section.plan is not None and (bool(section.state.decisions) or nothing_to_decide(section.plan))


def _bar(done: int, total: int) -> str:
    filled = 20 * done // max(total, 1)
    return "█" * filled + "░" * (20 - filled)
