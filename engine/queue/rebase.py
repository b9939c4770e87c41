"""After a verdict about some hunks of a proposal: the others, as they have to be read in the files as they are now.

The agent counted lines in the file that it had. What was applied since moves those lines, and may have given the file
another name or digest; the verdicts say exactly how.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from engine.model import Code, Hunk, LineEdit, Op, Proposal, TextEdit, Unsupported
from engine.queue.verdicts import settled_hunks
from engine.result import FileResult, HunkResult, Result

_NAME_ROWS = 2
"""The two rows above the first `@@` of a diff."""


def rebased(proposal: Proposal, results: Iterable[Result]) -> Proposal:
    """The proposal after all that was applied of it; what is settled asks for nothing any more."""
    results = list(results)
    for result in results:
        changed = {
            file.path: (file, LineMap(file.diff)) for file in result.files if file.changed and not result.dry_run
        }
        if result.transaction is not None and changed:
            pairs = zip(proposal.hunks, result.hunks, strict=True)
            proposal = replace(proposal, hunks=tuple(_rebased(hunk, known, changed) for hunk, known in pairs))
    settled = settled_hunks(results)
    if not settled:
        return proposal
    nothing = Unsupported("settled by an earlier verdict", Code.ALREADY_APPLIED)
    hunks = (replace(hunk, op=nothing) if n in settled else hunk for n, hunk in enumerate(proposal.hunks))
    return replace(proposal, hunks=tuple(hunks))


def _rebased(hunk: Hunk, known: HunkResult, changed: dict[str, tuple[FileResult, LineMap]]) -> Hunk:
    if known.file_path not in changed or known.code is Code.STALE:
        return hunk
    file, lines = changed[known.file_path]
    base = file.sha256 if hunk.base_sha256 else None
    return replace(hunk, path=file.new_path or file.path, base_sha256=base, op=_moved(hunk.op, lines))


def _moved(op: Op, lines: LineMap) -> Op:
    if isinstance(op, LineEdit):
        return replace(op, start_line=lines.now(op.start_line), end_line=lines.now(op.end_line))
    if isinstance(op, TextEdit) and op.start_line:
        end = lines.now(op.end_line) if op.end_line else op.end_line
        return replace(op, start_line=lines.now(op.start_line), end_line=end)
    return op


class LineMap:
    """Where the lines of the old file stand in the new one, by a unified diff between them."""

    def __init__(self, diff: str) -> None:
        self._firsts = [0]
        """Old lines from which on another shift holds."""
        self._shifts = [0]
        old = 0
        for row in diff.split("\n")[_NAME_ROWS:]:
            if row.startswith("@@"):
                old = self._start(row)
            elif row.startswith((" ", "-")):
                old += 1
                self._shift(old, -1 if row.startswith("-") else 0)
            elif row.startswith("+"):
                self._shift(old, 1)

    def now(self, line: int) -> int:
        """The new number of an old line (1-based; 0 is the top of the file)."""
        return max(line + self._shifts[bisect_right(self._firsts, line) - 1], 0)

    def _start(self, row: str) -> int:
        first, _, count = row.split(" ")[1].removeprefix("-").partition(",")
        return int(first) if count == "0" else int(first) - 1

    def _shift(self, old: int, change: int) -> None:
        if change:
            self._firsts.append(old + 1)
            self._shifts.append(self._shifts[-1] + change)
