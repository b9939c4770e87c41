"""A result again, from the JSON that was written of it."""

from __future__ import annotations

from typing import Any

from engine.matching.answer import Candidate
from engine.model import Code, Mode
from engine.planning.data import Match
from engine.result import FileResult, HunkResult, Result
from engine.settle import Status


class RememberedFile(FileResult):
    """What became of one file, by what was said about it: the outcome itself is not known any more."""

    told: dict[str, Any]

    def __init__(self, told: dict[str, Any]) -> None:
        object.__setattr__(self, "told", told)

    @property
    def path(self) -> str:
        return str(self.told["path"])

    @property
    def new_path(self) -> str | None:
        return self.told.get("new_path")

    @property
    def action(self) -> str:
        return str(self.told["action"])

    @property
    def changed(self) -> bool:
        return bool(self.told["changed"])

    @property
    def diff(self) -> str:
        return str(self.told["diff"])

    @property
    def first_changed_line(self) -> int | None:
        return self.told["first_changed_line"]  # type: ignore[no-any-return]

    @property
    def sha256(self) -> str | None:
        return self.told["sha256"]  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        return dict(self.told)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileResult) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.path, self.sha256))


def from_dict(told: dict[str, Any], *, failures_open: bool) -> Result:
    """The result that `to_dict` was called on."""
    return Result(
        told["proposal"],
        told["digest"],
        tuple(_hunk(hunk) for hunk in told["results"]),
        tuple(RememberedFile(file) for file in told["files"]),
        Mode(told["mode"]),
        told["dry_run"],
        told["call_id"],
        told["rollback_performed"],
        told["feedback"],
        tuple(told.get("notes", ())),
        Code(told["code"]) if told["code"] else None,
        told["error"] if told["code"] == Code.UNREADABLE else None,
        told.get("transaction"),
        applied_by=told["applied_by"],
        failures_open=failures_open,
    )


def _hunk(told: dict[str, Any]) -> HunkResult:
    return HunkResult(
        told["index"],
        told["file_path"],
        Status(told["status"]),
        told["id"],
        Code(told["code"]) if told["code"] else None,
        told["replacements"],
        _match(told["match"]) if told["match"] else None,
        told["decided_by"],
        told.get("new_text"),
        told["comment"],
        told["error"],
        tuple(told.get("notes", ())),
        tuple(_candidate(one) for one in told.get("candidates", ())),
        tuple((part["index"], Status(part["status"])) for part in told.get("parts", ())),
    )


def _match(told: dict[str, Any]) -> Match:
    first, last = told["lines"]
    runner_up = _candidate(told["runner_up"]) if "runner_up" in told else None
    return Match(
        told["strategy"], told["score"], first, last, runner_up=runner_up, differs=tuple(told.get("differs", ()))
    )


def _candidate(told: dict[str, Any]) -> Candidate:
    first, last = told["lines"]
    return Candidate(first, last, told["score"], told["differs"])
