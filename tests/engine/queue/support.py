"""A small workspace, proposals for it, and desks on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.queue.desk import Desk, Item, desk_of
from engine.workspace import Workspace

TEXT = "one\ntwo\nthree\nfour\nfive\nsix\n"


def edits(*pairs: tuple[str, str], path: str = "a.txt", atomic: bool = False) -> bytes:
    """A proposal with one hunk for each pair of old and new text."""
    listed = [{"file_path": path, "old_string": old, "new_string": new} for old, new in pairs]
    return json.dumps({"description": "several edits", "atomic": atomic, "edits": listed}).encode()


FOUR = edits(("one", "1"), ("two", "2"), ("nowhere", "x"), ("four", "4"))


def write(workspace: Workspace, **files: str) -> None:
    """`write(workspace, a="text")` makes a.txt."""
    for name, text in files.items():
        Path(workspace.root, f"{name}.txt").write_text(text)


def read(workspace: Workspace, name: str = "a.txt") -> str:
    return Path(workspace.root, name).read_text()


def planned(workspace: Workspace, data: bytes, name: str = "p") -> tuple[Desk, Item]:
    """A desk with one proposal, planned."""
    desk = desk_of(workspace, [(name, data)])
    (item,) = desk.items
    desk.plan(item)
    return desk, item


def verdicts(item: Item) -> dict[int, str]:
    return {hunk: decision.verdict.value for hunk, decision in item.state.decisions.items()}


def lists(result: Any) -> dict[str, list[int]]:
    """The lists of a result that are not empty."""
    said = result if isinstance(result, dict) else result.to_dict()
    return {name: said[name] for name in ("applied", "failed", "pending", "rejected", "skipped") if said[name]}
