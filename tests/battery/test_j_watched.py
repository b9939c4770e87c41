"""Group J, a watched workspace: what a change costs depends on what it changes."""

from __future__ import annotations

import pytest

from engine.queue.desk import desk_of
from engine.workspace import Found, Workspace
from tests.battery.bench import Bench
from tests.engine.queue.support import edits


def test_J13_many_proposals_on_one_file(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 on one file, 500 on another: a change is looked at once, and only those that it concerns are planned anew."""
    bench.seconds = 60
    bench.put("a.txt", b"one\n")
    bench.put("b.txt", b"one\n")
    payloads = [(f"{path}-{n}", edits(("one", str(n)), path=path)) for path in ("a.txt", "b.txt") for n in range(500)]
    with desk_of(bench.workspace, payloads) as desk:
        for item in desk.items:
            desk.plan(item)
        reads: list[str] = []
        real = Workspace.read

        def counted(workspace: Workspace, path: str, *, max_bytes: int | None = None) -> Found | None:
            reads.append(path)
            return real(workspace, path, max_bytes=max_bytes)

        monkeypatch.setattr(Workspace, "read", counted)
        assert desk.replan({"a.txt", "b.txt", "elsewhere.txt"}) == []
        assert sorted(reads) == ["a.txt", "b.txt"]
        bench.put("a.txt", b"zero\none\n")
        assert {item.name for item in desk.replan({"a.txt", "b.txt"})} == {f"a.txt-{n}" for n in range(500)}
        reads.clear()
        assert desk.replan({"a.txt", "b.txt"}) == []
        assert sorted(reads) == ["a.txt", "b.txt"]
