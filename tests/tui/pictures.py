"""Pictures of the app: a sample workspace, a running app, and its screen as SVG that is the same on every machine."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from engine.queue.desk import open_desk
from engine.workspace import Workspace
from tui.app import ReviewApp
from tui.settings import Settings
from tui.widgets import key_line

ROOT = Path(__file__).resolve().parents[2]
WALK = ROOT / "docs" / "examples" / "walk"
DEMO = ROOT / "tui" / "demo"
_STILL = 4
"""How many looks in a row must show the same."""
_ID = re.compile(r"terminal-\d+")
"""Rich's own name for a picture, which is not the same in every run."""
_FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def shop(home: Path, *, demo: bool = False) -> list[Path]:
    """A sample workspace at `home`, and its proposals."""
    shutil.copytree(DEMO / "workspace" if demo else WALK, home)
    (home / ".git").mkdir()
    (home / ".git/HEAD").write_text("ref: refs/heads/main\n")
    if demo:
        shutil.copytree(DEMO / "proposals", home / "proposals")
        return sorted((home / "proposals").iterdir())
    return [home / "count-amounts.json"]


@asynccontextmanager
async def review(
    home: Path, proposals: list[Path], *, size: tuple[int, int] = (80, 24), theme: str = "dark"
) -> AsyncIterator[Pilot[None]]:
    """The app on these proposals, with everything planned."""
    key_line._MESSAGE_SHOWS = 3600.0  # a picture must not depend on how long it takes to draw it
    with Workspace(home) as workspace:
        desk = open_desk(workspace, proposals)
        app = ReviewApp(desk, settings=Settings(theme=theme))
        try:
            async with app.run_test(size=size) as pilot:
                while any(section.provisional for section in app.stream.sections):
                    await pilot.pause(0.01)
                await ready(pilot)
                yield pilot
        finally:
            desk.close()


async def ready(pilot: Pilot[None]) -> None:
    """Until everything that was started has finished."""
    app = pilot.app
    assert isinstance(app, ReviewApp)
    await pilot.pause()
    await app.workers.wait_for_complete()
    while not app.at_rest:
        await pilot.pause(0.01)
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await ready(pilot)


async def write(pilot: Pilot[None], text: str) -> None:
    names = {" ": "space", ",": "comma", "'": "apostrophe", ".": "full_stop", "#": "number_sign"}
    await pilot.press(*(names.get(char, char) for char in text))
    await ready(pilot)


async def picture(pilot: Pilot[None]) -> str:
    """The screen as SVG once it stands still (colours come in idle moments), without fonts from elsewhere."""
    for field in (*pilot.app.screen.query(Input), *pilot.app.screen.query(TextArea)):
        field.cursor_blink = False
    drawn: list[str] = []
    while len(drawn) < _STILL or len(set(drawn[-_STILL:])) > 1:
        await pilot.pause(0.05)
        await ready(pilot)
        drawn.append(_ID.sub("terminal", _FONTS.sub("", pilot.app.export_screenshot(title="hunkdeck"))))
    return drawn[-1]
