"""A result as people read it: a frame, one line per file, the reasons, a summary."""

from __future__ import annotations

from engine.model import Mode
from engine.planning.data import PlannedHunk, ReviewPlan
from engine.result import HunkResult, Result
from engine.settle import Status
from tui.out import Out, safe
from tui.view_model.marks import line_range

_MARKS = {
    Status.APPLIED: ("✓", "green"),
    Status.FAILED: ("✗", "red"),
    Status.PENDING: ("?", "yellow"),
    Status.REJECTED: ("–", "magenta"),
    Status.SKIPPED: ("=", "dim"),
}
_MODES = {
    Mode.ROLLBACK: "rollback (all or nothing)",
    Mode.STOP: "stop at the first failure",
    Mode.CONTINUE: "continue after a failure",
}


def show_frame(out: Out, plan: ReviewPlan, mode: Mode) -> None:
    """What the proposal is: the frame above everything else."""
    proposal = plan.proposal
    rows = [f"Description: {text}" for text in (proposal.title, proposal.description) if text]
    if proposal.agent.name:
        rows.append(f"Agent: {proposal.agent.name}")
    rows += [
        f"Files: {len(plan.files)} · hunks: {len(plan.hunks)} · format: {proposal.format}",
        f"Mode: {_MODES[mode]}",
    ]
    out.box(proposal.name, rows)
    out.line()


def show_result(out: Out, result: Result, *, taken_back: bool = False) -> None:
    """What became of every file, and why. `taken_back`: it was undone since; the verdict as such stands."""
    if result.unreadable:
        show_unreadable(out, result)
        return
    out.line(("Preview (no changes made):", "bold") if result.dry_run else ("Results:", "bold"))
    width = min(max(len(safe(hunk.file_path)) for hunk in result.hunks), 60) if result.hunks else 0
    for path in dict.fromkeys(hunk.file_path for hunk in result.hunks):
        _show_file(out, result, path, width)
    show_notes(out, result)
    out.line()
    if result.indexes(Status.FAILED) and not result.indexes(Status.APPLIED):
        _show_failure(out, result)
    else:
        show_counts(out, result, taken_back=taken_back)


def show_unreadable(out: Out, result: Result) -> None:
    out.line(("✗ ", "red"), safe(result.proposal, 60), ": not a proposal that can be read")
    out.block(result.unreadable or "", indent="  ")


def show_notes(out: Out, result: Result) -> None:
    for note in result.notes:
        out.line(("note: ", "dim"), (safe(note), "dim"))


def _show_file(out: Out, result: Result, path: str, width: int) -> None:
    hunks = [hunk for hunk in result.hunks if hunk.file_path == path]
    shown = safe(path)
    done = sum(hunk.replacements for hunk in hunks if hunk.status is Status.APPLIED)
    if all(hunk.status is Status.APPLIED for hunk in hunks):
        _show_done(out, result, path, shown, width, done)
        return
    for hunk in hunks:
        mark, style = _MARKS[hunk.status]
        out.line((f"{mark} ", style), shown.ljust(width), f"  hunk {hunk.index}: ", *_outcome(hunk, result))
        if hunk.error and hunk.status is not Status.PENDING and "\n" in hunk.error:
            out.block(hunk.error.partition("\n")[2], "red", "    ")


def _show_done(out: Out, result: Result, path: str, shown: str, width: int, done: int) -> None:
    file = next(file for file in result.files if file.path == path)
    what = {"create": "created", "delete": "deleted", "move": f"moved to {safe(file.new_path or '')}"}.get(file.action)
    if result.dry_run:
        would = {"create": "Would be created", "delete": "Would be deleted"}.get(file.action)
        would = f"Would be {what}" if file.action == "move" else would
        out.line(("• ", "cyan"), f"{shown}: {would or f'Would make {_count(done)}'}")
    else:
        out.line(("✓ ", "green"), shown.ljust(width), f"  ({what or _count(done)})")


def _outcome(hunk: HunkResult, result: Result) -> tuple[str, ...]:
    if hunk.status is Status.APPLIED:
        return (f"would make {_count(hunk.replacements)}" if result.dry_run else _count(hunk.replacements),)
    said = (hunk.comment or "") if hunk.status is Status.REJECTED else (hunk.error or "").partition("\n")[0]
    return (f"{hunk.status.value}: {safe(said)}" if said else hunk.status.value,)


def _count(replacements: int, kind: str = "") -> str:
    return f"{replacements} {kind}replacement{'' if replacements == 1 else 's'}"


def show_diffs(out: Out, result: Result) -> None:
    """The changes themselves, as unified diffs."""
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for file in result.files:
        for row in file.diff.split("\n")[:-1]:
            style = "bold" if row.startswith(("+++", "---")) else styles.get(row[:1], "")
            out.line((safe(row), style))


def _show_failure(out: Out, result: Result) -> None:
    out.line(("Error: ", "bold red"), safe((result.error or "").partition("\n")[0]))
    out.line("Rollback complete. No files were modified." if result.rollback_performed else "No files were modified.")


def show_counts(out: Out, result: Result, *, taken_back: bool = False) -> None:
    """The last lines: how many files and places, and what is left."""
    counts = result.summary
    verb = "would be updated" if result.dry_run else "updated"
    changed = sum(file.changed for file in result.files)
    out.line(
        ("Summary: ", "bold"),
        f"{changed}/{counts['total_files']} files {verb}, {_count(counts['total_replacements'], 'total ')}",
    )
    for status in (Status.FAILED, Status.PENDING, Status.REJECTED, Status.SKIPPED):
        if indexes := result.indexes(status):
            mark, style = _MARKS[status]
            out.line((f"  {mark} ", style), f"{len(indexes)} {status.value}: {', '.join(map(str, indexes[:20]))}")
    if taken_back:
        out.line(("Taken back since: the files are as they were before.", "yellow"))
    elif result.transaction and not result.dry_run:
        out.line((f"Take it back with: hunkdeck undo {result.transaction}", "dim"))


def describe_place(hunk: PlannedHunk) -> str:
    """Where a hunk goes and how sure that is, in a few words."""
    if hunk.match is None:
        return "whole file"
    match = hunk.match
    more = hunk.replacements - 1
    places = f" and {more} more place{'s' if more > 1 else ''}" if more > 0 else ""
    sure = "exact" if match.strategy in ("simple", "multi_occurrence") else match.strategy.replace("_", " ")
    percent = "" if match.score >= 0.9995 else f" {match.score:.0%}"
    told = [what for what in match.differs if what != sure]
    differs = f" ({safe(', '.join(told))})" if told else ""
    return f"{line_range(match.first, match.last)}{places} · {sure}{percent}{differs}"
