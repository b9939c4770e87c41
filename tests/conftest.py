"""Fixtures for all tests."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import hunkdeck
from engine.model import Hunk, Op, Proposal
from engine.planning.data import ReviewPlan
from engine.workspace import Workspace

# A slow machine is not a bug: time limits are for the benchmarks.
settings.register_profile("hunkdeck", deadline=None)
settings.load_profile("hunkdeck")

# Started in the background, a shell has Ctrl-C ignored, and every process below would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

Planner = Callable[..., ReviewPlan]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path) as opened:
        yield opened


@pytest.fixture
def planned(workspace: Workspace) -> Planner:
    """`planned({"a.txt": "text"}, ("a.txt", TextEdit(…)), …)`: the files written, the hunks planned."""

    def make(files: dict[str, str | bytes], *hunks: tuple[str, Op], **fields: Any) -> ReviewPlan:
        for path, content in files.items():
            target = Path(workspace.root, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        proposal = Proposal("test", tuple(Hunk(path, op) for path, op in hunks), name="test", **fields)
        return hunkdeck.plan(proposal, workspace)

    return make
