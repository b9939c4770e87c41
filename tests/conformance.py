"""What the peers' own tests pin down (`facts.jsonl`), played through the whole engine: load, plan, accept, apply.

Every hunk is accepted singly, every path confirmed and syntax errors allowed: the facts are about where text goes, not
about our policy. A row whose options ask for something that hunkdeck does not offer is left out, and counted.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hunkdeck
from engine.formats import parse
from engine.model import Hunk, LineCommand, LineEdit, Mode, Proposal, TextEdit
from engine.review import Accept, Confirm

DATA = Path(__file__).resolve().parents[2] / "shared" / "conformance"
Row = dict[str, Any]

NOT_OFFERED = {
    "strip": "another -p level than 0 or 1",
    "reverse": "applying a patch backwards",
    "directory": "a prefix for all paths",
    "config": "git's own configuration",
    "whitespace": "correcting white space on the way",
    "ignore_whitespace": "git's option of that name",
    "min_context": "ignoring context on request",
    "inaccurate_eof": "git's option of that name",
    "dry_run": "a dry run, tested elsewhere",
    "file_changed_meanwhile_to": "a race, tested elsewhere",
    "file_appears_meanwhile": "a race, tested elsewhere",
    "mode": "permissions that the super-user ignores",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one row went."""

    id: str
    kind: str
    right: bool
    wrote_wrongly: bool
    """Something was written that should have been refused, or another text than the row says."""
    said: str


def rows(*kinds: str) -> list[Row]:
    with open(DATA / "facts.jsonl", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    return [row for row in found if row["kind"] in kinds]


def left_out(row: Row) -> str | None:
    """Why a row cannot be asked of hunkdeck; None if it can."""
    options = row.get("options") or {}
    if options.get("strip") in (0, 1):
        options = {key: value for key, value in options.items() if key != "strip"}
    return next((reason for option, reason in NOT_OFFERED.items() if option in options), None) or _out_of_reach(row)


def _out_of_reach(row: Row) -> str | None:
    """What no proposal may touch: links and binary files (battery B01, D01, G11, G12)."""
    diff = row.get("diff", "")
    if "Binary files " in diff or "GIT binary patch" in diff:
        return "a binary patch: shown, and can only be rejected"
    links = any(isinstance(content, dict) and "symlink" in content for content in row.get("files", {}).values())
    return "a symbolic link" if links or "120000" in diff else None


def play(row: Row, root: Path, *, confirm: bool = True) -> Verdict:
    """One row in the empty directory `root`."""
    before = row.get("files", {"f": row["content"]} if "content" in row else {})
    for path, content in before.items():
        put(root / path, content)
    parse_only = row["kind"] == "schema" or bool((row.get("options") or {}).get("parse_only"))
    error, failed = _apply(row, root, parse_only=parse_only, confirm=confirm)
    if parse_only:
        return Verdict(row["id"], row["kind"], (error is None) == (row["expect"] == "apply"), False, error or "read")
    return _judge(row, root, before, error, failed)


def _judge(row: Row, root: Path, before: dict[str, Any], error: str | None, failed: list[int]) -> Verdict:
    after = _state(root)
    unchanged = after == {path: _as_state(content) for path, content in before.items()}
    if row["expect"] == "refuse":
        return Verdict(row["id"], row["kind"], unchanged, not unchanged, error or "applied")
    if row["pinned"] == "outcome" or row.get("truth") is None:
        return Verdict(row["id"], row["kind"], error is None, False, error or "applied")
    truth = row["truth"] if isinstance(row["truth"], dict) else {"f": row["truth"]}
    wanted = {
        **{path: _as_state(content) for path, content in before.items()},
        **{p: _as_state(t) for p, t in truth.items()},
    }
    right = _same(after, wanted) and (failed == row.get("failed_edits", []))
    return Verdict(
        row["id"], row["kind"], right, not right and not unchanged, error or "applied, but not as the row says"
    )


def _apply(row: Row, root: Path, *, parse_only: bool, confirm: bool) -> tuple[str | None, list[int]]:
    """The first error, and the hunks that failed."""
    try:
        proposal = _proposal(row)
        if parse_only:
            return None, []
        with hunkdeck.Workspace(root) as workspace:
            plan = hunkdeck.plan(proposal, workspace)
            confirmed = [Confirm(file.path) for file in plan.files] if confirm else []
            state = hunkdeck.decide(plan, *confirmed, Accept(tuple(range(len(plan.hunks)))))
            result = hunkdeck.apply(plan, state, workspace, allow_syntax_errors=True)
            return result.error, result.to_dict()["failed"]
    except hunkdeck.HunkdeckError as problem:
        return str(problem), []


def _proposal(row: Row) -> Proposal:
    kind = row["kind"]
    if kind == "replace":
        return Proposal("facts", (Hunk("f", _text_edit(row)),))
    if kind == "multi":
        mode = Mode.ROLLBACK if (row.get("options") or {}).get("atomic", True) else Mode.CONTINUE
        return Proposal("facts", tuple(Hunk(edit["path"], _text_edit(edit)) for edit in row["edits"]), mode=mode)
    if kind == "lines":
        return Proposal("facts", (Hunk(next(iter(row.get("files") or {}), "f"), _line_edit(row["op"])),))
    if kind == "schema":
        return parse(json.dumps(row["options"]["payload"]).encode())
    if kind == "codex_patch":
        return parse(row["patch"].encode(), format="codex")
    text = row["diff"] if kind == "udiff" else row["text"]
    if _names_no_file(row):  # the tool call names it: Cline's replace_in_file, Roo's apply_diff
        call = {"path": next(iter(row.get("files") or {}), "f"), "diff": text}
        return parse(json.dumps(call).encode())
    return parse(text.encode("utf-8", "surrogatepass"), format="unified_diff" if kind == "udiff" else "search_replace")


def _names_no_file(row: Row) -> bool:
    options = row.get("options") or {}
    return bool(options.get("single_file")) or options.get("dialect", "aider") != "aider"


def _text_edit(row: Row) -> TextEdit:
    return TextEdit(
        row["old"].replace("\r\n", "\n"),
        row["new"].replace("\r\n", "\n") if row["old"] else row["new"],
        bool(row.get("replace_all")),
        row.get("start_line"),
        row.get("end_line"),
    )


def _line_edit(op: Row) -> LineEdit:
    if op["op"] == "insert":
        line = op["before_line"] - 1 if "before_line" in op else op["after_line"]
        return LineEdit(LineCommand.INSERT, line, line, op["text"])
    return LineEdit(LineCommand(op["op"]), op["start_line"], op["end_line"], op.get("text", ""))


# ---------------------------------------------------------------- files as the facts write them


def put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, dict) and "symlink" in content:
        os.symlink(content["symlink"], path)
        return
    text = content if isinstance(content, str) else content.get("text")
    path.write_bytes(base64.b64decode(content["base64"]) if text is None else text.encode("utf-8", "surrogatepass"))
    if isinstance(content, dict) and content.get("mode"):
        os.chmod(path, int(str(content["mode"])[-3:], 8))


def _as_state(content: Any) -> Any:
    """A comparable form: bytes, a digest, a link's target, or None for no file."""
    if content is None or isinstance(content, str):
        return content if content is None else content.encode("utf-8", "surrogatepass")
    if "symlink" in content:
        return ("link", content["symlink"])
    if "sha256" in content:
        return ("sha256", content["sha256"])
    if "base64" in content:
        return base64.b64decode(content["base64"])
    return content["text"].encode()


def _state(root: Path) -> dict[str, Any]:
    return dict(_walk(root))


def _walk(root: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.startswith(".hunkdeck"):
            continue
        if path.is_symlink():
            yield name, ("link", os.readlink(path))
        elif stat.S_ISREG(path.stat().st_mode):
            yield name, path.read_bytes()


def _same(after: dict[str, Any], wanted: dict[str, Any]) -> bool:
    if set(after) != {path for path, content in wanted.items() if content is not None}:
        return False
    return all(_equal(after[path], content) for path, content in wanted.items() if content is not None)


def _equal(data: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple) and wanted[0] == "sha256":
        return isinstance(data, bytes) and hashlib.sha256(data).hexdigest() == wanted[1]
    return bool(data == wanted)
