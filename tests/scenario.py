"""Scenario directories: a specification by example, one directory a case.

    before/          the workspace (absent: empty)
    proposal.*       what the agent sent
    decisions.json   what the reviewer did (see `Decisions`)
    after/           the workspace afterwards
    result.json      what the agent got, without digest and transaction

`python -m tests.scenario NAME…` writes after/ and result.json from what the engine does now: read the diff like code.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hunkdeck
from engine.model import Mode
from engine.result import Result, unreadable_result
from engine.review import Accept, AcceptAll, AcceptParts, Comment, Confirm, Edit, Intent, Reject

HOME = Path(__file__).parent / "scenarios"
_VOLATILE = ("digest", "transaction")


@dataclass(frozen=True)
class Decisions:
    """decisions.json: every field is optional."""

    all: bool = False
    accept: list[int] = field(default_factory=list)
    reject: dict[str, str | None] = field(default_factory=dict)
    parts: dict[str, list[int]] = field(default_factory=dict)
    edit: dict[str, str] = field(default_factory=dict)
    confirm: list[str] = field(default_factory=list)
    feedback: str | None = None
    mode: str | None = None
    dry_run: bool | None = None
    allow_syntax_errors: bool = False
    codex_compat: bool = False
    format: str | None = None

    def intents(self) -> list[Intent]:
        return [
            *(Confirm(path) for path in self.confirm),
            *(Accept((index,)) for index in self.accept),
            *(Reject((int(index),), comment) for index, comment in self.reject.items()),
            *(AcceptParts(int(index), frozenset(parts)) for index, parts in self.parts.items()),
            *(Edit(int(index), text) for index, text in self.edit.items()),
            *([AcceptAll(unfit_too=True)] if self.all else []),
            *([Comment(None, self.feedback)] if self.feedback else []),
        ]


def names() -> list[str]:
    return sorted(path.parent.name for path in HOME.glob("*/decisions.json"))


def run(name: str, workspace: Path) -> dict[str, Any]:
    """Play one scenario in `workspace`, and give what the agent gets."""
    case = HOME / name
    plant(case / "before", workspace)
    decisions = Decisions(**json.loads((case / "decisions.json").read_text()))
    (proposal,) = case.glob("proposal.*")
    result = _play(proposal, decisions, workspace).to_dict()
    return {key: value for key, value in result.items() if key not in _VOLATILE}


def _play(file: Path, decisions: Decisions, root: Path) -> Result:
    try:
        proposal = hunkdeck.load(file, format=decisions.format)
    except hunkdeck.UnreadableProposal as problem:
        return unreadable_result("proposal", "", str(problem))
    with hunkdeck.Workspace(root) as workspace:
        plan = hunkdeck.plan(proposal, workspace, codex_compat=decisions.codex_compat)
        state = hunkdeck.decide(plan, *decisions.intents())
        return hunkdeck.apply(
            plan,
            state,
            workspace,
            mode=Mode(decisions.mode) if decisions.mode else None,
            dry_run=decisions.dry_run,
            allow_syntax_errors=decisions.allow_syntax_errors,
        )


def tree(root: Path) -> dict[str, bytes]:
    """Every file below `root` but our own state, by relative path."""
    files = [path for path in root.rglob("*") if path.is_file()]
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
    return {path: data for path, data in found.items() if not path.startswith(".hunkdeck/")}


def plant(source: Path, target: Path) -> None:
    """Copy the files below `source`, if there are any, with ordinary permissions."""
    for path, data in tree(source).items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)


def update(name: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        result = run(name, Path(directory))
        shutil.rmtree(HOME / name / "after", ignore_errors=True)
        plant(Path(directory), HOME / name / "after")
    (HOME / name / "result.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    for scenario in sys.argv[1:] or names():
        update(scenario)
