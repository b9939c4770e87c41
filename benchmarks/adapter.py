"""Speaks the edit corpus' JSON-lines protocol: one request per line on stdin, one reply per line on stdout."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.errors import UnreadableProposal
from engine.formats import parse
from engine.matching import Located, locate_all
from engine.model import TextEdit
from engine.text import FileText, Splice, normalise_newlines, splice

Request = dict[str, Any]
Reply = dict[str, Any]


def text_edit(source: Request) -> TextEdit:
    return TextEdit(
        old=normalise_newlines(source["old"]),
        new=normalise_newlines(source["new"]),
        replace_all=bool(source.get("replace_all")),
        start_line=source.get("start_line"),
    )


def apply(content: str, edits: Sequence[TextEdit]) -> Reply:
    """All edits of one file, or none."""
    file = FileText(content)
    cuts: set[Splice] = set()
    for answer in locate_all(file, edits):
        if not isinstance(answer, Located):
            return {"ok": False, "error": answer.reason, "code": answer.code}
        cuts.update(cut for place in answer.places for cut in place.splices)
    ordered = sorted(cuts, key=lambda cut: (cut.start, cut.end))
    if any(left.end > right.start or left.start == right.start for left, right in pairwise(ordered)):
        return {"ok": False, "error": "two edits change the same lines"}
    return {"ok": True, "content": splice(content, ordered)}


def replace(request: Request) -> Reply:
    return apply(request["content"], [text_edit(request)])


def multi(request: Request) -> Reply:
    files: dict[str, str] = dict(request["files"])
    for path in dict.fromkeys(edit["path"] for edit in request["edits"]):
        reply = apply(files[path], [text_edit(edit) for edit in request["edits"] if edit["path"] == path])
        if not reply["ok"]:
            return reply
        files[path] = reply["content"]
    return {"ok": True, "files": files}


def patch(request: Request, text: str) -> Reply:
    """Every hunk of a Codex patch or unified diff; only changes of existing files are in the corpus."""
    files: dict[str, str] = dict(request["files"])
    try:
        hunks = parse(text.encode()).hunks
    except UnreadableProposal as error:
        return {"ok": False, "error": str(error)}
    only = next(iter(files))
    edits: dict[str, list[TextEdit]] = {}
    for hunk in hunks:
        if not isinstance(hunk.op, TextEdit):
            return {"ok": False, "error": "not a change of lines"}
        edits.setdefault(hunk.path or only, []).append(hunk.op)
    for path, changes in edits.items():
        if path not in files:
            return {"ok": False, "error": f"no such file: {path}"}
        reply = apply(files[path], changes)
        if not reply["ok"]:
            return reply
        files[path] = reply["content"]
    return {"ok": True, "files": files}


def codex_patch(request: Request) -> Reply:
    return patch(request, request["patch"])


def udiff(request: Request) -> Reply:
    return patch(request, request["diff"])


HANDLERS: dict[str, Callable[[Request], Reply]] = {
    "replace": replace,
    "multi": multi,
    "codex_patch": codex_patch,
    "udiff": udiff,
}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        handler = HANDLERS.get(request["kind"])
        started = time.perf_counter_ns()
        reply = handler(request) if handler else {"ok": False, "unsupported": True}
        reply |= {"id": request["id"], "ns": time.perf_counter_ns() - started}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
