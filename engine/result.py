"""What the agent gets: one schema for every way in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.compose import FileOutcome
from engine.matching.answer import Candidate
from engine.model import Code, Mode
from engine.planning.data import Match, PlannedHunk, ReviewPlan
from engine.review import Decision, ReviewState, Verdict
from engine.settle import Problem, Settlement, Status

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class HunkResult:
    """What became of one hunk."""

    index: int
    file_path: str
    status: Status
    id: str | None = None
    code: Code | None = None
    replacements: int = 0
    match: Match | None = None
    decided_by: str | None = None
    new_text: str | None = None
    """The reviewer's own text, where it was edited."""
    comment: str | None = None
    error: str | None = None
    notes: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    parts: tuple[tuple[int, Status], ...] = ()

    @property
    def success(self) -> bool:
        return self.status in (Status.APPLIED, Status.SKIPPED)

    @property
    def edited_by_reviewer(self) -> bool:
        some_parts = self.status is Status.APPLIED and any(status is Status.REJECTED for _, status in self.parts)
        return self.new_text is not None or some_parts

    def to_dict(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "index": self.index,
            "id": self.id,
            "file_path": self.file_path,
            "status": self.status.value,
            "success": self.success,
            "code": self.code and self.code.value,
            "replacements": self.replacements,
            "match": self.match and _match(self.match),
            "decided_by": self.decided_by,
            "edited_by_reviewer": self.edited_by_reviewer,
            "comment": self.comment,
            "error": self.error,
        }
        optional: dict[str, Any] = {
            "new_text": self.new_text,
            "notes": list(self.notes),
            "candidates": [_candidate(candidate) for candidate in self.candidates],
            "parts": [{"index": index, "status": status.value} for index, status in self.parts],
        }
        return said | {key: value for key, value in optional.items() if value}


@dataclass(frozen=True)
class FileResult:
    """What became of one file. The diff is made when somebody looks at it."""

    outcome: FileOutcome

    @property
    def path(self) -> str:
        return self.outcome.file.path

    @property
    def new_path(self) -> str | None:
        """Where a moved file is now."""
        return self.outcome.path if self.outcome.path != self.path else None

    @property
    def action(self) -> str:
        return self.outcome.action.value

    @property
    def changed(self) -> bool:
        return self.outcome.changed

    @property
    def diff(self) -> str:
        return self._diff[0]

    @property
    def first_changed_line(self) -> int | None:
        return self._diff[1]

    @property
    def sha256(self) -> str | None:
        """Of the content as it is now (with `dry_run`: as it would be); None where there is no file."""
        return self.outcome.sha256

    @cached_property
    def _diff(self) -> tuple[str, int | None]:
        return self.outcome.diff() if self.changed else ("", None)

    def to_dict(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "path": self.path,
            "action": self.action,
            "changed": self.changed,
            "first_changed_line": self.first_changed_line,
            "diff": self.diff,
            "sha256": self.sha256,
        }
        return said | ({"new_path": self.new_path} if self.new_path else {})


@dataclass(frozen=True)
class Result:
    """The verdict on one proposal."""

    proposal: str
    digest: str
    hunks: tuple[HunkResult, ...] = ()
    files: tuple[FileResult, ...] = ()
    mode: Mode = Mode.ROLLBACK
    dry_run: bool = False
    call_id: str | None = None
    rollback_performed: bool = False
    feedback: str | None = None
    notes: tuple[str, ...] = ()
    code: Code | None = None
    unreadable: str | None = None
    """Why the proposal could not be read at all."""
    transaction: str | None = None
    """What `undo` calls it; None where nothing was written."""
    applied_by: str = field(default="hunkdeck", kw_only=True)
    failures_open: bool = field(default=False, kw_only=True)
    """The reviewer still works on what failed, so this is not the last word."""

    def indexes(self, status: Status) -> list[int]:
        return [hunk.index for hunk in self.hunks if hunk.status is status]

    @property
    def final(self) -> bool:
        return not self.indexes(Status.PENDING) and not (self.failures_open and self.indexes(Status.FAILED))

    @property
    def success(self) -> bool:
        return not self.indexes(Status.FAILED) and any(hunk.success for hunk in self.hunks)

    @property
    def error(self) -> str | None:
        """One sentence about the first thing that went wrong."""
        if self.unreadable:
            return self.unreadable
        if self.code is Code.WITHDRAWN:
            return "withdrawn by whoever sent it"
        for hunk in self.hunks:
            if hunk.status is Status.FAILED:
                return f"hunk {hunk.index} ({hunk.file_path}): {hunk.error}"
        if not self.success and self.final:
            return f"{self._who_rejected()} rejected everything"
        return None

    def _who_rejected(self) -> str:
        return "the reviewer" if any(hunk.decided_by != "policy" for hunk in self.hunks) else "the reviewer's policy"

    @property
    def exit_code(self) -> int:
        """Of the command line: the first that fits."""
        if self.unreadable:
            return 2
        if self.indexes(Status.FAILED) or self.code is Code.WITHDRAWN:
            return 1
        if not self.final:
            return 4
        return 0 if self.success else 3

    @property
    def summary(self) -> dict[str, int]:
        paths = dict.fromkeys(hunk.file_path for hunk in self.hunks)
        bad = {hunk.file_path for hunk in self.hunks if hunk.status is Status.FAILED}
        good = {hunk.file_path for hunk in self.hunks if hunk.success} - bad
        return {
            "total_files": len(paths),
            "successful_files": len(good),
            "failed_files": len(bad),
            "total_replacements": sum(hunk.replacements for hunk in self.hunks if hunk.status is Status.APPLIED),
        }

    def to_dict(self) -> dict[str, Any]:
        """The JSON that agents read."""
        from engine.message import message

        said: dict[str, Any] = {
            "schema": SCHEMA,
            "proposal": self.proposal,
            "call_id": self.call_id,
            "digest": self.digest,
            "final": self.final,
            "success": self.success,
            "error": self.error,
            "code": self.code and self.code.value,
            "mode": self.mode.value,
            "applied_by": self.applied_by,
            "dry_run": self.dry_run,
            "rollback_performed": self.rollback_performed,
            **{status.value: self.indexes(status) for status in Status},
            "results": [hunk.to_dict() for hunk in self.hunks],
            "files": [file.to_dict() for file in self.files],
            "summary": self.summary,
            "feedback": self.feedback,
            "message": message(self),
        }
        optional = {"notes": list(self.notes), "transaction": self.transaction}
        return said | {key: value for key, value in optional.items() if value}


def as_json(result: Result) -> bytes:
    """The result file that agents read."""
    return (json.dumps(result.to_dict(), indent=2) + "\n").encode()


def unreadable_result(name: str, digest: str, error: str) -> Result:
    """The answer to a payload that is not a proposal."""
    return Result(name, digest, code=Code.UNREADABLE, unreadable=error)


def build_result(
    plan: ReviewPlan,
    state: ReviewState,
    settlement: Settlement,
    mode: Mode,
    *,
    dry_run: bool,
    rollback_performed: bool = False,
    transaction: str | None = None,
    notes: Iterable[str] = (),
) -> Result:
    """The verdict, from what was decided and what was done."""
    proposal = plan.proposal
    return Result(
        proposal.name,
        proposal.digest,
        tuple(_hunk(hunk, state, settlement) for hunk in plan.hunks),
        tuple(map(FileResult, settlement.outcomes)),
        mode,
        dry_run,
        proposal.call_id,
        rollback_performed,
        state.feedback,
        (*proposal.notes, *notes),
        transaction=transaction,
    )


def _hunk(hunk: PlannedHunk, state: ReviewState, settlement: Settlement) -> HunkResult:
    decision = state.decisions.get(hunk.index)
    problem = settlement.problems.get(hunk.index)
    status = _status(decision, problem)
    applied = status is Status.APPLIED
    return HunkResult(
        hunk.index,
        hunk.path,
        status,
        hunk.hunk.id,
        problem.code if problem else None,
        _replacements(hunk, decision) if applied else 0,
        hunk.match,
        decision.by if decision else None,
        decision.text if decision and applied else None,
        state.comments.get(hunk.index),
        problem.error if problem else None,
        hunk.notes,
        hunk.candidates,
        _parts(hunk, decision, status),
    )


def _status(decision: Decision | None, problem: Problem | None) -> Status:
    if problem:
        return problem.status
    if decision and decision.verdict is Verdict.REJECT:
        return Status.REJECTED
    return Status.APPLIED


def _replacements(hunk: PlannedHunk, decision: Decision | None) -> int:
    return hunk.replacements if decision and (decision.parts is None or decision.parts) else 0


def _parts(hunk: PlannedHunk, decision: Decision | None, status: Status) -> tuple[tuple[int, Status], ...]:
    wanted = decision.parts if decision else None
    if wanted is None and not hunk.has_parts:
        return ()
    taken = range(len(hunk.cuts)) if wanted is None else wanted
    return tuple((n, status if n in taken else Status.REJECTED) for n in range(len(hunk.cuts)))


def _match(match: Match) -> dict[str, Any]:
    said: dict[str, Any] = {
        "strategy": match.strategy,
        "score": round(match.score, 3),
        "lines": [match.first, match.last],
    }
    if match.runner_up:
        said["runner_up"] = _candidate(match.runner_up)
    if match.differs:
        said["differs"] = list(match.differs)
    return said


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "lines": [candidate.first, candidate.last],
        "score": round(candidate.score, 3),
        "differs": candidate.differs,
    }
