"""hunkdeck behind the edit corpus' protocol: one JSON request per line on stdin, one reply per line on stdout.

It measures the engine, not the policy: through the same functions as everything else, every hunk is accepted singly,
every path is confirmed and syntax errors are allowed. Whatever fails, nothing is changed (`multi` is all or nothing).
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import hunkdeck
from engine.model import Hunk, Proposal, TextEdit
from engine.text import normalise_newlines

Request = dict[str, Any]


def proposal_of(request: Request) -> Proposal:
    """What the request proposes."""
    if request["kind"] == "replace":
        return Proposal("replace", (_hunk(request, request["path"]),))
    if request["kind"] == "multi":
        return Proposal("multi", tuple(_hunk(edit, edit["path"]) for edit in request["edits"]))
    text = request["patch"] if request["kind"] == "codex_patch" else request["diff"]
    try:
        return hunkdeck.load(text.encode())
    except hunkdeck.UnreadableProposal:
        if request["kind"] == "codex_patch" or len(request["files"]) != 1:
            raise
        # A diff without a file header: the tool call that carries it names the file.
        call = {"path": next(iter(request["files"])), "diff": text}
        return hunkdeck.load(json.dumps(call).encode())


def _hunk(source: Request, path: str) -> Hunk:
    edit = TextEdit(
        normalise_newlines(source["old"]),
        normalise_newlines(source["new"]),
        replace_all=bool(source.get("replace_all")),
        start_line=source.get("start_line"),
    )
    return Hunk(path, edit)


def answer(request: Request, home: Path) -> dict[str, Any]:
    """What becomes of the request's files, or why nothing does."""
    files: dict[str, str] = request.get("files") or {request["path"]: request["content"]}
    for path, text in files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(text.encode("utf-8", "surrogatepass"))
    started = time.perf_counter_ns()
    try:
        reply = _decide(request, files, home)
    except hunkdeck.HunkdeckError as problem:
        reply = {"ok": False, "error": str(problem)}
    reply["ns"] = time.perf_counter_ns() - started
    for path in files:
        (home / path).unlink()
    return reply


def _decide(request: Request, files: dict[str, str], home: Path) -> dict[str, Any]:
    with hunkdeck.Workspace(home) as workspace:
        plan = hunkdeck.plan(proposal_of(request), workspace)
        confirmed = [hunkdeck.Confirm(file.path) for file in plan.files]
        state = hunkdeck.decide(plan, *confirmed, hunkdeck.Accept(tuple(range(len(plan.hunks)))))
        result = hunkdeck.apply(plan, state, workspace, dry_run=True, allow_syntax_errors=True)
    if not result.success:
        return {"ok": False, "error": result.error}
    after = {file.new_path or file.path: file.outcome.after for file in result.files}
    texts = {path: data.decode("utf-8", "surrogatepass") for path, data in after.items() if data is not None}
    if request["kind"] == "replace":
        return {"ok": True, "content": texts[request["path"]]}
    return {"ok": True, "files": {**files, **texts}}


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        for line in sys.stdin:
            request = json.loads(line)
            print(json.dumps({"id": request["id"], **answer(request, Path(directory))}), flush=True)


if __name__ == "__main__":
    main()
