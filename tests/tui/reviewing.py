"""A review by keys, for tests that read like one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from textual.widgets import Input

from engine.queue.desk import desk_of
from engine.review import Decision, ReviewState, Verdict
from engine.workspace import Workspace
from tui.app import ReviewApp
from tui.settings import Settings

CART = """def total(items):
    return sum(items)


def greet(name):
    return "hello " + name


def bye(name):
    return "bye " + name
"""
ACCEPTED, REJECTED = Decision(Verdict.ACCEPT), Decision(Verdict.REJECT)


def edits(*changes: tuple[str, str, str], **more: object) -> bytes:
    """A proposal of (path, old, new) edits."""
    listed = [{"file_path": path, "old_string": old, "new_string": new} for path, old, new in changes]
    return json.dumps({"description": "tidy up", "edits": listed, **more}).encode()


THREE = edits(
    ("cart.py", "return sum(items)", "return sum(item.price for item in items)"),
    ("cart.py", '"hello " + name', 'f"hello {name}"'),
    ("cart.py", '"bye " + name', 'f"bye {name}"'),
)


class Review:
    """A review by keys: `await review("y", "n")`."""

    def __init__(self, app: ReviewApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def __call__(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settled()

    async def settled(self) -> None:
        await self.pilot.pause()
        await self.app.workers.wait_for_complete()
        while not self.app.at_rest:
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def write(self, text: str) -> None:
        self.app.screen.query_one(Input).value = text
        await self("enter")

    async def planned(self) -> None:
        while any(section.provisional for section in self.app.stream.sections):
            await self.pilot.pause(0.01)

    @property
    def state(self) -> ReviewState:
        return self.app.desk.items[0].state

    @property
    def decisions(self) -> dict[int, Decision]:
        return dict(self.state.decisions)

    @property
    def at(self) -> int:
        """The hunk under the cursor."""
        assert self.app.stream.cursor is not None
        return self.app.stream.cursor.block.index

    def screen_text(self) -> str:
        """Everything on the screen, line by line."""
        width, height = self.app.size
        lines = self.app.screen._compositor.render_strips()
        assert (len(lines), width > 0) == (height, True)
        return "\n".join(strip.text for strip in lines)


Script = Callable[[Review], Awaitable[None]]


async def play_script(
    workspace: Workspace, script: Script, proposals: tuple[bytes, ...], size: tuple[int, int], settings: Settings
) -> None:
    async with open_review(workspace, proposals, size, settings) as review:
        await script(review)


@asynccontextmanager
async def open_review(
    workspace: Workspace, proposals: tuple[bytes, ...], size: tuple[int, int], settings: Settings
) -> AsyncIterator[Review]:
    desk = desk_of(workspace, [(f"p{number}", data) for number, data in enumerate(proposals)])
    app = ReviewApp(desk, settings=settings)
    try:
        async with app.run_test(size=size) as pilot:
            review = Review(app, pilot)
            await review.planned()
            yield review
    finally:
        desk.close()


Play = Callable[..., None]
