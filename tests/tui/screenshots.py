"""The pictures in the documentation, made by the app itself: `python -m tests.tui.screenshots`."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from tests.tui.pictures import ROOT, picture, press, review, shop, write

TARGET = ROOT / "docs" / "screenshots"
SIZE = (110, 32)


async def walk(home: Path) -> None:
    """A review of twelve hunks: accept, reject with a reason, edit, apply, undo."""
    async with review(home, shop(home), size=SIZE) as pilot:
        await _save(pilot, "walk-1-start")
        await press(pilot, "y", "y")
        await _save(pilot, "review")
        await press(pilot, "r")
        await write(pilot, "keep the short form, it is clearer")
        await press(pilot, "enter")
        await _save(pilot, "walk-2-rejected")
        await press(pilot, "e", "down", "down", "end")
        await write(pilot, "  # for whom")
        await _save(pilot, "walk-3-edit")
        await press(pilot, "ctrl+s", "A", "ctrl+s")
        await _save(pilot, "walk-4-apply")
        await press(pilot, "enter")
        await _save(pilot, "walk-5-result")
        await press(pilot, "u")
        await _save(pilot, "walk-6-undone")


async def _save(pilot: Pilot[None], name: str) -> None:
    TARGET.mkdir(exist_ok=True)
    (TARGET / f"{name}.svg").write_text(await picture(pilot))


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        os.environ["HOME"] = directory
        asyncio.run(walk(Path(directory, "shop")))


if __name__ == "__main__":
    main()
