"""From decisions to an answer: apply, record, put the verdict where it is waited for.

The order makes every crash harmless: what is expected is recorded before anything is applied (`Sending`), the verdict
before anybody can read it (`Sent`), and each later step can be repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.errors import WorkspaceError
from engine.queue.crash import cut_off, last_transaction
from engine.queue.decisions import Decided, Entry, Opened, Sending, Sent
from engine.queue.item import Item
from engine.queue.store import Answered, Claim
from engine.queue.verdicts import verdicts, with_earlier
from engine.result import Result, as_json, build_result, unreadable_result
from engine.review import Reopen
from engine.settle import Status
from engine.workspace import Workspace

if TYPE_CHECKING:
    from engine.queue.directory_store import DirectoryStore
    from engine.session import Progress


class NotCurrent(WorkspaceError):
    """What was shown is not what the agent wants any more: it was revised, withdrawn, or answered by somebody else."""


class Sender:
    """Answers the proposals of one desk."""

    def __init__(self, workspace: Workspace, store: DirectoryStore | None) -> None:
        self._workspace = workspace
        self._store = store

    def earlier(self, item: Item) -> list[Result]:
        """What was answered about this proposal before and still holds: not what was taken back since."""
        return self._holding(item.journal.current)

    def _holding(self, entries: Sequence[Entry]) -> list[Result]:
        known = verdicts(entries)
        if not any(result.transaction for result in known):
            return known
        from engine.transaction import history

        undone = {entry.id for entry in history(self._workspace) if entry.undone}
        return [result for result in known if result.transaction not in undone]

    def send(self, item: Item, progress: Progress | None, *, allow_syntax_errors: bool, final: bool) -> Result:
        """One verdict, without what earlier ones said (`item.result` has everything)."""
        known = self.earlier(item)
        claim = self._claim(item)
        if item.unreadable:
            result = unreadable_result(item.name, item.digest, item.error or "cannot be read")
        elif final and known and known[-1].failures_open and _nothing_since(item.journal.current):
            result = replace(known.pop(), failures_open=False)
        else:
            result = self._apply(item, progress, allow_syntax_errors=allow_syntax_errors)
            result = replace(result, failures_open=not final and bool(result.indexes(Status.FAILED)))
        item.record(Sent(result.to_dict(), result.failures_open))
        self._deliver(item, with_earlier(result, known), claim)
        return result

    def finish_cut_off(self, item: Item) -> bool:
        """Record a verdict that was applied and not recorded; True where there was one."""
        result = cut_off(item.journal.current, self._workspace)
        if result is not None:
            item.record(Sent(result.to_dict(), result.failures_open))
        return result is not None

    def void_unheard(self, item: Item) -> None:
        """Revised after a verdict on the version before was applied and not answered: nobody heard of it."""
        entries = item.journal.entries
        if item.journal.current or not entries or self._store is None:
            return
        start = max((n for n, entry in enumerate(entries) if isinstance(entry, Opened)), default=0)
        unheard = cut_off(entries[start:], self._workspace)
        known = self._holding(entries[start:])
        if unheard is None and known and self._store.result(item.name) != as_json(with_earlier(known[-1], known[:-1])):
            unheard = known[-1]
        if unheard is not None:
            self._take_back(item, unheard)

    def answer_again(self, item: Item) -> None:
        """The answer that still holds; after an undo that may be an earlier one, or none."""
        known = self.earlier(item)
        if not known:
            item.result = None
            if item.source.waiting and self._store and not self._holding(item.journal.entries):
                self._store.forget_answer(item.name)
            return
        answer = with_earlier(known[-1], known[:-1])
        if self._store and item.source.waiting and self._store.result(item.name) == as_json(answer):
            self._answered(item, answer)
            return
        try:
            self._deliver(item, answer, self._claim(item))
        except NotCurrent:
            self._take_back(item, answer)

    def _apply(self, item: Item, progress: Progress | None, *, allow_syntax_errors: bool) -> Result:
        from engine.session import apply

        # A proposal that its agent applies itself (applied_by "agent") will get its verdict here without a write.
        assert item.plan is not None
        settlement = item.preview(allow_syntax_errors=allow_syntax_errors)
        expected = build_result(item.plan, item.state, settlement, item.mode, dry_run=False)
        if any(file.changed for file in expected.files) and not item.plan.proposal.dry_run:
            item.record(Sending(last_transaction(self._workspace), expected.to_dict()))
        return apply(item.plan, item.state, self._workspace, allow_syntax_errors=allow_syntax_errors, progress=progress)

    def _claim(self, item: Item) -> Claim | None:
        """Leave to answer exactly the bytes that were shown. WorkspaceError where they are not the current ones."""
        waiting, store = item.source.waiting, self._store
        if waiting is None or store is None:
            return None
        if item.source_gone:
            store.bring_back(item.name, waiting.file, item.source.data)
            item.brought_back = True
        claim = store.claim(item.name)
        if claim is None:
            raise NotCurrent(f"{item.name}: withdrawn or answered meanwhile; nothing of it was applied")
        if claim.digest != item.digest:
            raise NotCurrent(f"{item.name}: revised meanwhile; nothing of it was applied")
        return claim

    def _deliver(self, item: Item, result: Result, claim: Claim | None) -> None:
        """Put the answer where it is waited for; a final one takes the proposal off the desk."""
        if claim and self._store:
            said = self._store.answer(item.name, claim.token, as_json(result), final=result.final)
            if said is not Answered.OK:
                self._take_back(item, result)
                raise NotCurrent(f"{item.name}: withdrawn or revised meanwhile; what was applied was taken back")
        self._answered(item, result)

    def _answered(self, item: Item, result: Result) -> None:
        item.result = result
        if result.final:
            item.finish()

    def _take_back(self, item: Item, unheard: Result) -> None:
        """An answer that came too late: the files must be what the answer says that did count."""
        from engine.transaction import undo

        if unheard.transaction is not None:
            undo(self._workspace, unheard.transaction)


def _nothing_since(entries: Sequence[Entry]) -> bool:
    """Nobody has decided anything since the last verdict; what failed was opened again with it."""
    for entry in reversed(entries):
        if isinstance(entry, Sent):
            return True
        if not (isinstance(entry, Decided) and isinstance(entry.intent, Reopen)):
            return False
    return False
