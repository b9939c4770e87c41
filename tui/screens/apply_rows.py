"""What `ctrl+s` would do to one proposal, in words: the title, and the rows below it. No terminal in here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.bulk import nothing_to_decide
from engine.compose import Action, FileOutcome
from engine.model import Code, Mode
from engine.planning.data import ReviewPlan
from engine.queue.item import Item
from engine.review import ReviewState, Verdict
from engine.settle import Problem, Settlement, Status
from tui.preview_rows import line_counts
from tui.screens.rows import Row, Tone, block, row

MODES = {
    Mode.ROLLBACK: "rollback: if one of them fails, nothing is written",
    Mode.STOP: "stop: those before the first failure are written",
    Mode.CONTINUE: "continue: all that can be applied are written",
}
_ACTIONS = {
    Action.CREATE: ("A", "new file"),
    Action.MODIFY: ("M", ""),
    Action.DELETE: ("D", "deleted"),
    Action.MOVE: ("R", "moved"),
}


@dataclass(frozen=True, slots=True)
class Effect:
    """The exact effect of sending the verdict now."""

    title: str
    """Says what `enter` does."""
    rows: tuple[Row, ...]
    sendable: bool
    """There is something to say: at least one hunk is decided, or none has to be."""
    breaks_syntax: bool
    """Something is held back only because it would not parse."""


def effect_of(item: Item, *, allow_syntax_errors: bool = False) -> Effect:
    """Works it out; may take a while. WorkspaceError where the proposal is not planned."""
    state, settlement = item.state, item.preview(allow_syntax_errors=allow_syntax_errors)
    plan = item.plan
    assert plan is not None
    return Effect(
        _title(plan, state, settlement),
        tuple(_rows(plan, state, settlement, item.mode, allow_syntax_errors=allow_syntax_errors)),
        sendable=bool(state.decisions) or nothing_to_decide(plan),
        breaks_syntax=any(problem.code is Code.SYNTAX for problem in settlement.problems.values()),
    )


# ---------------------------------------------------------------- the title


def _title(plan: ReviewPlan, state: ReviewState, settlement: Settlement) -> str:
    if nothing_to_decide(plan):
        return "Send the verdict: there is nothing to do, so nothing is written"
    if not state.decisions:
        return "Nothing is decided yet, so there is nothing to apply"
    chosen, total = len(settlement.chosen), len(plan.hunks)
    files = sum(outcome.changed for outcome in settlement.outcomes)
    if not chosen:
        return f"Send the verdict: {_why_nothing(state, settlement)}, so nothing is written"
    of = f"{chosen} of {count(total, 'hunk')}" if chosen < total else f"all {count(total, 'hunk')}"
    if plan.proposal.dry_run:
        return f"Report what would happen ({of}, {count(files, 'file')}): a dry run, nothing is written"
    return f"Apply {of} to {count(files, 'file')}"


def _why_nothing(state: ReviewState, settlement: Settlement) -> str:
    if settlement.failed:
        return f"{count(len(settlement.failed), 'hunk')} cannot be applied"
    if any(decision.verdict is Verdict.ACCEPT for decision in state.decisions.values()):
        return "what is accepted has to wait"
    return f"{count(len(state.decisions), 'hunk')} rejected"


def count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


# ---------------------------------------------------------------- the rows


def _rows(
    plan: ReviewPlan, state: ReviewState, settlement: Settlement, mode: Mode, *, allow_syntax_errors: bool
) -> Iterator[Row]:
    yield _figures(state, settlement)
    yield row((f"Mode {MODES[mode]}", Tone.DIM), hang=5)
    if allow_syntax_errors:
        yield row(("Syntax errors are allowed this time.", Tone.WARN))
    yield row()
    for outcome in settlement.outcomes:
        if outcome.changed:
            yield _file_row(outcome, settlement)
    yield from _failures(plan, settlement)
    yield from _left_open(settlement)
    yield from _confirmed(plan, state, settlement)


def _figures(state: ReviewState, settlement: Settlement) -> Row:
    """Everything that is not simply applied, in one line at the top, however long the list below gets."""
    rejected = sum(decision.verdict is Verdict.REJECT for decision in state.decisions.values())
    waiting = sum(problem.status is Status.PENDING for problem in settlement.problems.values())
    figures = [
        (len(settlement.failed), "will fail", Tone.BAD),
        (waiting, "left open", Tone.WARN),
        (rejected, "rejected", Tone.PLAIN),
    ]
    spans = [(f"{number} {words}  ", tone) for number, words, tone in figures if number]
    return row(*spans) if spans else row(("Everything fits.", Tone.GOOD))


def _file_row(outcome: FileOutcome, settlement: Settlement) -> Row:
    mark, words = _ACTIONS[outcome.action]
    added, gone = line_counts(outcome)
    hunks = sum(hunk.index in settlement.chosen for hunk in outcome.file.hunks)
    moved = (("  → ", Tone.PLAIN), (outcome.path, Tone.PATH)) if outcome.action is Action.MOVE else ()
    return row(
        (f"{mark} ", Tone.STRONG),
        (outcome.file.path, Tone.PATH),
        *moved,
        (f"  +{added}", Tone.GOOD),
        (f" -{gone}", Tone.BAD),
        (f"  {count(hunks, 'hunk')}", Tone.DIM),
        (f"  {words}" if words else "", Tone.WARN if outcome.action is Action.DELETE else Tone.DIM),
    )


def _failures(plan: ReviewPlan, settlement: Settlement) -> Iterator[Row]:
    if not settlement.failed:
        return
    yield row()
    yield row(("Will fail", Tone.BAD))
    for index in settlement.failed:
        yield from problem_rows(plan.hunks[index].path, index, settlement.problems[index])


def problem_rows(path: str, index: int, problem: Problem) -> Iterator[Row]:
    """Which hunk, and why; what a parser says stands below it, with its line and its caret."""
    said, _, more = problem.error.partition("\n")
    yield row(("✗ ", Tone.BAD), (path, Tone.PATH), f"  hunk {index}: {said}", indent=2, hang=2)
    if more:
        yield from block(more, Tone.CODE, indent=6)


def _left_open(settlement: Settlement) -> Iterator[Row]:
    """What stays pending, the same reason once for all its hunks."""
    reasons: dict[str, list[int]] = {}
    for index, problem in sorted(settlement.problems.items()):
        if problem.status is Status.PENDING:
            reasons.setdefault(problem.error.partition("\n")[0], []).append(index)
    if not reasons:
        return
    yield row()
    yield row(("Left open", Tone.WARN))
    for reason, indexes in reasons.items():
        yield row(("? ", Tone.WARN), f"{hunk_numbers(indexes)}: ", reason, indent=2, hang=2)


def hunk_numbers(indexes: list[int]) -> str:
    """`hunk 3`, `hunks 1, 2, 5 and 9 more`."""
    shown = ", ".join(map(str, indexes[:8]))
    more = f" and {len(indexes) - 8} more" if len(indexes) > 8 else ""
    return f"hunk{'s' if len(indexes) > 1 else ''} {shown}{more}"


def _confirmed(plan: ReviewPlan, state: ReviewState, settlement: Settlement) -> Iterator[Row]:
    risks: dict[str, dict[str, None]] = {}
    for index in settlement.chosen:
        hunk = plan.hunks[index]
        if hunk.risks and hunk.path in state.confirmed:
            risks.setdefault(hunk.path, {}).update(dict.fromkeys(hunk.risks))
    if risks:
        yield row()
        yield row(("Confirmed by you", Tone.WARN))
    for path, said in risks.items():
        yield row(("⚠ ", Tone.WARN), (path, Tone.PATH), f"  {'; '.join(said)}", indent=2, hang=2)
