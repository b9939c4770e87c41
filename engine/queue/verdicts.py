"""Verdicts that went out before: what they settled for good, and how the next one repeats it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.model import Code, Proposal
from engine.planning.data import Fit, PlannedHunk, ReviewPlan
from engine.queue.decisions import Entry, Sent
from engine.queue.remembered import from_dict
from engine.result import HunkResult, Result
from engine.settle import Status

_LAST_WORDS = {
    Status.APPLIED: "applied already, with an earlier verdict",
    Status.FAILED: "given up: it failed with an earlier verdict",
}


def verdicts(entries: Iterable[Entry]) -> list[Result]:
    """What was answered so far; a verdict that was sent again later, as it was, counts once."""
    found: list[Result] = []
    for entry in entries:
        if isinstance(entry, Sent):
            result = from_dict(entry.result, failures_open=entry.failures_open)
            if found and found[-1].transaction is not None and found[-1].transaction == result.transaction:
                found.pop()
            found.append(result)
    return found


def settled_hunks(results: Iterable[Result]) -> dict[int, HunkResult]:
    """The hunks about which everything is said: on disk, or given up."""
    settled: dict[int, HunkResult] = {}
    for result in results:
        for hunk in result.hunks:
            given_up = hunk.status is Status.FAILED and not result.failures_open
            if (hunk.status is Status.APPLIED and not result.dry_run) or given_up:
                settled.setdefault(hunk.index, hunk)
    return settled


def set_aside(plan: ReviewPlan, asked: Proposal, settled: dict[int, HunkResult]) -> ReviewPlan:
    """The plan of a rebased proposal, with the hunks as they were sent and nothing left to do for the settled ones."""
    files = tuple(
        replace(file, hunks=tuple(_as_sent(hunk, asked, settled) for hunk in file.hunks)) for file in plan.files
    )
    return replace(plan, proposal=asked, files=files, composed={})


def _as_sent(hunk: PlannedHunk, asked: Proposal, settled: dict[int, HunkResult]) -> PlannedHunk:
    sent = asked.hunks[hunk.index]
    if hunk.index not in settled:
        return replace(hunk, hunk=sent)
    said = _LAST_WORDS[settled[hunk.index].status]
    return PlannedHunk(hunk.index, sent, hunk.path, Fit.SKIPPED, Code.ALREADY_APPLIED, said, notes=sent.notes)


def with_earlier(result: Result, earlier: Iterable[Result]) -> Result:
    """The verdict as one answer to everything: what earlier ones settled is in it too."""
    earlier = list(earlier)
    settled = settled_hunks(earlier)
    files = {file.path: file for before in earlier for file in before.files if file.changed and not before.dry_run}
    files |= {file.path: file for file in result.files if file.changed or file.path not in files}
    hunks = tuple(settled.get(hunk.index, hunk) for hunk in result.hunks)
    return replace(result, hunks=hunks, files=tuple(files.values()))
