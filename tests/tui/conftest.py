"""Fixtures of the app's tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.workspace import Workspace
from tests.tui.reviewing import CART, THREE, Script, play_script
from tui.settings import Settings


@pytest.fixture
def play(workspace: Workspace) -> Callable[..., None]:
    """`play(script, proposals…)`: run a review by a script on the files of a small shop."""
    Path(workspace.root, "cart.py").write_text(CART)

    def run(script: Script, *proposals: bytes, size: tuple[int, int] = (80, 24), **settings: object) -> None:
        asyncio.run(play_script(workspace, script, proposals or (THREE,), size, Settings(**settings)))  # type: ignore[arg-type]

    return run
