"""When a review ends: the verdict on each proposal, and a word about what is left."""

from __future__ import annotations

from engine.queue.desk import Desk, Item
from engine.result import Result, build_result, unreadable_result
from engine.review import ReviewState
from engine.settle import settle
from engine.transaction import history
from tui.out import Out, safe
from tui.plain_view import plural, show_hunk, show_proposal
from tui.report import show_result, show_unreadable
from tui.sitting import Sitting


def verdict(desk: Desk, item: Item) -> Result:
    """What was sent last; for a proposal about which nothing was sent, that everything is pending."""
    if item.plan is None:
        desk.plan(item)
    if item.result is not None:
        return item.result
    if item.plan is None:
        return unreadable_result(item.name, item.digest, item.error or "cannot be read")
    nothing = ReviewState()
    return build_result(item.plan, nothing, settle(item.plan, nothing, item.mode), item.mode, dry_run=False)


def tell(desk: Desk, sitting: Sitting) -> None:
    """For people: what became of each proposal, and how to go on."""
    out = Out()
    undone = {entry.id for entry in history(desk.workspace) if entry.undone}
    for item in desk.items:
        if sitting is Sitting.NOBODY:
            _show_all(out, item)
        elif sitting is Sitting.SCREEN and item.result is not None:
            show_result(out, item.result, taken_back=item.result.transaction in undone)
        if not item.finished and item.proposal is not None:
            counts = item.counts()
            decided = f"{counts.accepted} accepted, {counts.rejected} rejected, {counts.open} open"
            out.line(f"{safe(item.name, 60)}: the verdict is not final: {decided}.")
    told = [item for item in desk.items if item.proposal is None and sitting is Sitting.NOBODY]  # nothing to decide
    waiting = sum(not item.finished for item in desk.items) - len(told)
    if waiting and sitting is Sitting.NOBODY:
        out.line("To decide: run this in a terminal, or add --plain; in a script use hunkdeck apply with --accept.")
    elif waiting:
        out.line(f"{plural(waiting, 'proposal')} left; the same command goes on where you stopped.")


def _show_all(out: Out, item: Item) -> None:
    if item.result is None and item.proposal is None:
        show_unreadable(out, unreadable_result(item.name, item.digest, item.error or "cannot be read"))
        return
    show_proposal(out, item)
    for hunk in item.plan.hunks if item.plan else ():
        show_hunk(out, item, hunk.index)
    out.line()
