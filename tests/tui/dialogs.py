"""A stage for one dialog: keys in, answers and the text of the screen out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.screen import ModalScreen

Script = Callable[["Stage", Pilot[None]], Awaitable[None]]


class Stage(App[None]):
    """Shows one dialog over an empty screen."""

    def __init__(self, dialog: ModalScreen[Any]) -> None:
        super().__init__()
        self.dialog = dialog
        self.answers: list[Any] = []

    def on_mount(self) -> None:
        self.push_screen(self.dialog, self.answers.append)

    @property
    def text(self) -> str:
        """What the terminal shows."""
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())


async def settled(pilot: Pilot[None]) -> None:
    """Until what a dialog works out is on the screen."""
    await pilot.pause()
    if pilot.app.workers:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def play(dialog: ModalScreen[Any], script: Script, size: tuple[int, int] = (80, 24)) -> Stage:
    """Run a script against an open dialog."""

    async def run() -> Stage:
        stage = Stage(dialog)
        async with stage.run_test(size=size) as pilot:
            await settled(pilot)
            await script(stage, pilot)
        return stage

    return asyncio.run(run())


def answers(dialog: ModalScreen[Any], *keys: str, size: tuple[int, int] = (80, 24)) -> list[Any]:
    """What the dialog answers to keys."""

    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return play(dialog, script, size).answers


def shown(dialog: ModalScreen[Any], *keys: str, size: tuple[int, int] = (80, 24)) -> str:
    """What the screen says after some keys."""
    texts: list[str] = []

    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
        texts.append(stage.text)

    play(dialog, script, size)
    return texts[0]
