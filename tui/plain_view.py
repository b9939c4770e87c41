"""What the plain review prints: short lines that read well aloud, one fact each, everything untrusted made safe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.model import Copy, Create, Delete, Move, SetMode, Write
from engine.planning.data import FilePlan, Fit, PlannedHunk
from engine.policy import BY as BY_POLICY
from engine.queue.desk import Counts, Item
from engine.review import Verdict
from engine.safe_text import safe_text
from engine.settle import Settlement, Status
from tui.out import Out, Span, safe
from tui.plain_walk import Stop
from tui.report import describe_place
from tui.view_model.body import Lines, Mark, Run, lines_of, runs_of
from tui.view_model.decided import as_decided
from tui.view_model.marks import line_range

_CONTEXT = 3
_STYLES = {Mark.ADDED: "green", Mark.REMOVED: "red"}


def plural(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def show_counts(out: Out, counts: Counts) -> None:
    out.line(
        f"{plural(counts.proposals, 'proposal')}, {plural(counts.hunks, 'hunk')}: "
        f"{counts.accepted} accepted, {counts.rejected} rejected, {counts.open} open."
    )


# ---------------------------------------------------------------- proposals


def show_queue(out: Out, items: Sequence[Item]) -> None:
    """One line for each proposal."""
    for number, item in enumerate(items, 1):
        out.line(f"{number:>3}. ", (safe(item.name, 60), "bold"), ": ", _about(item))


def _about(item: Item) -> Span:
    if item.proposal is None:
        return (f"cannot be read: {safe((item.error or '').partition(chr(10))[0], 200)}", "red")
    proposal, counts = item.proposal, item.counts()
    words = [plural(len(proposal.hunks), "hunk"), proposal.format.replace("_", " ")]
    if proposal.agent.name:
        words.append(f"from {safe(proposal.agent.name, 40)}")
    if counts.accepted or counts.rejected:
        words.append(f"{counts.accepted} accepted, {counts.rejected} rejected")
    return ", ".join(words)


def show_proposal(out: Out, item: Item) -> None:
    """What the agent says about it."""
    out.line()
    out.line(("Proposal ", "bold"), (safe(item.name, 60), "bold"), ": ", _about(item))
    if item.source_gone:
        out.line(("  ! its file was taken away; this is the proposal as it was first shown", "yellow"))
    if item.proposal is None:
        out.line("  There is nothing to decide: s tells the agent, j goes on.")
        return
    for text in (item.proposal.title, item.proposal.description):
        if text:
            out.block(text, "italic", "  agent: ")
    for note in item.proposal.notes:
        out.line(("  note: ", "dim"), safe(note))


# ---------------------------------------------------------------- hunks


def show_hunk(out: Out, item: Item, index: int) -> None:
    """One hunk: where it goes, what is said about it, what it changes."""
    assert item.plan is not None
    file, hunk = item.plan.file_of[index], item.plan.hunks[index]
    out.line()
    out.line(
        (f"Hunk {index} ", "bold"),
        f"({index + 1} of {len(item.plan.hunks)}): ",
        (safe(file.path), "bold"),
        f", {_place(file, hunk)}. ",
        _standing(item, hunk),
    )
    for who, text, style in _said(item, hunk):
        for row in text.split("\n"):
            out.line((f"  {who} ", "dim"), (safe(row), style))
    show_lines(out, lines_of(file, as_decided(file, hunk, item.state.decisions.get(hunk.index))))


def show_lines(out: Out, lines: Lines) -> None:
    """What changes, as a diff."""
    for spans in _diff(lines):
        out.line(*spans)


def prompt_for(stop: Stop | None) -> str:
    """The question, with the place that it is about."""
    if stop is None:
        return "q leaves, ? help: "
    item, index = stop
    where = "unreadable" if index is None else f"hunk {index}"
    return f"[{safe(item.name, 30)} {where}] y accept, n reject, s send, ? help: "


def _place(file: FilePlan, hunk: PlannedHunk) -> str:
    op = hunk.hunk.op
    if hunk.fit is Fit.FAILS:
        return "has no place"
    if isinstance(op, Move):
        return f"moves to {safe(op.new_path)}"
    if isinstance(op, Copy):
        return f"a copy of {safe(op.source)}"
    if isinstance(op, SetMode):
        return "becomes executable" if op.executable else "stops being executable"
    if isinstance(op, Delete):
        return "is deleted"
    if isinstance(op, Create | Write) and file.before is None:
        return "a new file"
    return describe_place(hunk)


def _standing(item: Item, hunk: PlannedHunk) -> str:
    decision = item.state.decisions.get(hunk.index)
    if hunk.fit is Fit.SKIPPED:
        return "Nothing to do."
    if decision is None:
        return "Open."
    who = " by policy" if decision.by == BY_POLICY else ""
    if decision.verdict is Verdict.REJECT:
        return f"Rejected{who}."
    if decision.parts is not None:
        return "Accepted in part."
    return "Accepted as you edited it." if decision.text is not None else f"Accepted{who}."


def _said(item: Item, hunk: PlannedHunk) -> Iterator[tuple[str, str, str]]:
    """Who says it, the text, and its style."""
    if hunk.hunk.why:
        yield "agent:", hunk.hunk.why, "italic"
    if hunk.error and hunk.fit is not Fit.FITS:
        yield "!", hunk.error, "red" if hunk.fit is Fit.FAILS else ""
    for candidate in hunk.candidates[:3]:
        yield "near:", f"{line_range(candidate.first, candidate.last)}, {candidate.score:.0%} alike", ""
    for risk in hunk.risks:
        known = " (confirmed)" if hunk.path in item.state.confirmed else ""
        yield "!", risk + known, "yellow"
    for warning in hunk.warnings:
        yield "!", warning, "yellow"
    if hunk.approximate:
        yield "!", "the match is approximate: look at it closely", "yellow"
    for other in hunk.needs:
        yield "!", f"needs hunk {other}", "yellow"
    for other in hunk.conflicts:
        yield "!", f"changes the same text as hunk {other}", "yellow"
    for note in hunk.notes:
        yield "note:", note, ""
    if comment := item.state.comments.get(hunk.index):
        yield "you:", comment, "bold"


def _diff(lines: Lines) -> Iterator[tuple[Span, ...]]:
    shift = 0
    for run in runs_of(lines, _CONTEXT):
        if run.mark is Mark.GAP:
            yield ((f"  … {plural(run.length, 'line')} between", "dim"),)
        elif run.mark is Mark.ADDED:
            first = lines.changes[run.change].a2 + shift  # the removed ones are off already
            yield from _rows(run, lines.new, first, numbered=lines.numbered)
            shift += run.length
        else:
            yield from _rows(run, lines.old, run.at + (shift if run.mark is Mark.SAME else 0), numbered=lines.numbered)
            shift -= run.length if run.mark is Mark.REMOVED else 0


def _rows(run: Run, texts: Sequence[str], first: int, *, numbered: bool) -> Iterator[tuple[Span, ...]]:
    """Rows with their line number: that of the old file for removed lines, else that of the new one."""
    for n in range(run.length):
        number = f"{first + n + 1:>6} " if numbered else "  "
        yield (
            (number, "dim"),
            (f"{run.mark.value} {safe_text(texts[run.at + n], tabs=True)}", _STYLES.get(run.mark, "")),
        )


# ---------------------------------------------------------------- what would happen


def show_preview(out: Out, item: Item, settlement: Settlement) -> None:
    """What sending the verdict does now."""
    for result in settlement.outcomes:
        count = sum(hunk.index in settlement.chosen for hunk in result.file.hunks)
        if result.changed:
            out.line(f"  {result.action.value} ", (safe(result.path), "bold"), f": {plural(count, 'hunk')}")
    rejected = sum(decision.verdict is Verdict.REJECT for decision in item.state.decisions.values())
    if rejected:
        out.line(f"  {plural(rejected, 'hunk')} rejected")
    for index in settlement.failed:
        out.line(("  ✗ ", "red"), f"hunk {index}: ", safe(settlement.problems[index].error.partition("\n")[0]))
    waiting = [index for index, problem in settlement.problems.items() if problem.status is Status.PENDING]
    if waiting:
        out.line(f"  {plural(len(waiting), 'hunk')} left open: {', '.join(map(str, waiting[:20]))}")
