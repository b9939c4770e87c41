"""The verdict in words, ready to hand to the agent: what was done, what was not and why, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.model import Code
from engine.result import HunkResult, Result
from engine.settle import Status

_NEXT = {
    Code.NOT_FOUND: "read the lines named above and send the old text exactly as they are",
    Code.AMBIGUOUS: "send more lines around the change, or a start_line",
    Code.STALE: "read the file again and make the hunk from what it says now",
    Code.OVERLAP: "send one hunk that makes both changes",
    Code.NEEDS_HUNK: "send it again together with the hunk that it builds on",
    Code.SYNTAX: "send a version that parses",
    Code.BLOCKED_PATH: "this path cannot be changed here; do without it",
    Code.CONFLICT: "the file changed meanwhile: read it again",
    Code.LIMIT: "split the proposal",
}


def message(result: Result) -> str:
    """A few lines, the most important first."""
    if result.unreadable:
        return (
            f"The proposal could not be read: {result.unreadable}. Nothing was changed. Correct it and send it again."
        )
    if result.code is Code.WITHDRAWN:
        return _withdrawn(result)
    return "\n".join(_lines(result))


def _withdrawn(result: Result) -> str:
    done = result.indexes(Status.APPLIED)
    before = f"Applied before that: {_numbers(done)}." if done else "Nothing of it was applied."
    return f"The proposal was withdrawn. {before}"


def _lines(result: Result) -> Iterator[str]:
    yield _headline(result)
    for hunk in result.hunks:
        if hunk.status is Status.FAILED:
            yield f"- hunk {hunk.index} ({hunk.file_path}) failed: {hunk.error}"
        elif hunk.status is Status.REJECTED:
            yield f"- hunk {hunk.index} ({hunk.file_path}) was rejected{_by_policy(hunk)}{_said(hunk)}"
        elif hunk.status is Status.APPLIED and hunk.edited_by_reviewer:
            yield f"- hunk {hunk.index} ({hunk.file_path}) was applied as the reviewer changed it{_said(hunk)}"
        elif hunk.comment:
            yield f"- hunk {hunk.index} ({hunk.file_path}){_said(hunk)}"
    if result.feedback:
        yield f"The reviewer says: {result.feedback}"
    yield from _advice(result)


def _headline(result: Result) -> str:
    counts = [
        f"{len(indexes)} {status.value} ({_numbers(indexes)})"
        for status in Status
        if (indexes := result.indexes(status))
    ]
    total = len(result.hunks)
    head = f"{total} hunk{'s' if total != 1 else ''}: {', '.join(counts) or 'nothing to do'}."
    if result.dry_run:
        return f"Dry run, nothing was written. {head}"
    if not result.indexes(Status.APPLIED):
        return f"{head} Nothing was written."
    return head


def _by_policy(hunk: HunkResult) -> str:
    return " by the reviewer's policy" if hunk.decided_by == "policy" else ""


def _said(hunk: HunkResult) -> str:
    return f": {hunk.comment}" if hunk.comment else ""


def _advice(result: Result) -> Iterator[str]:
    codes = dict.fromkeys(hunk.code for hunk in result.hunks if hunk.status is Status.FAILED)
    steps = [_NEXT[code] for code in codes if code in _NEXT]
    if steps:
        yield f"Next: {'; '.join(steps)}."
    if result.indexes(Status.REJECTED):
        yield "Do not send rejected hunks again unchanged."
    if result.indexes(Status.PENDING):
        yield "Pending hunks can still be applied: they wait for a decision."


def _numbers(indexes: Sequence[int]) -> str:
    shown = ", ".join(str(index) for index in indexes[:12])
    return shown if len(indexes) <= 12 else f"{shown} and {len(indexes) - 12} more"
