"""Every screen as a picture in snapshots/, reviewed like code. `UPDATE_SNAPSHOTS=1 make test` draws them anew."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.tui.pictures import ROOT, picture, press, review, shop, write

SNAPSHOTS = ROOT / "snapshots"
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
THEMES = ("dark", "light", "blue-orange")
STATES: dict[str, tuple[str, ...]] = {
    "start": (),
    "decided": ("y", "n", "y"),
    "folded": ("Z",),
    "side-by-side": ("|",),
    "search": ("/", "t", "o", "t", "a", "l", "enter"),
    "help": ("?",),
    "jump": ("f",),
    "preview": ("y", "p"),
    "edit": ("e",),
    "reason": ("r",),
    "apply": ("A", "ctrl+s"),
    "result": ("A", "ctrl+s", "enter"),
    "empty": ("A", "ctrl+s", "enter", "enter"),
}


def compare(name: str, drawn: str) -> None:
    expected = SNAPSHOTS / f"{name}.svg"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOTS.mkdir(exist_ok=True)
        expected.write_text(drawn)
    assert expected.exists(), f"no picture yet: UPDATE_SNAPSHOTS=1 draws {expected.name}"
    assert drawn == expected.read_text(), f"{expected.name} looks different now"


def draw(home: Path, *keys: str, size: tuple[int, int], theme: str = "dark", demo: bool = False) -> str:
    async def run() -> str:
        async with review(home, shop(home, demo=demo), size=size, theme=theme) as pilot:
            await press(pilot, *keys)
            return await picture(pilot)

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace, shown as ~/shop wherever it is."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path / "shop"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_queue_of_the_demo(home: Path, size: str, theme: str) -> None:
    compare(f"demo-{size}-{theme}", draw(home, size=SIZES[size], theme=theme, demo=True))


@pytest.mark.parametrize("size", ["80x24", "120x40"])
@pytest.mark.parametrize("state", STATES)
def test_each_state(home: Path, state: str, size: str) -> None:
    compare(f"{state}-{size}", draw(home, *STATES[state], size=SIZES[size]))


def test_a_risk_is_named_before_it_is_confirmed(home: Path) -> None:
    async def run() -> str:
        async with review(home, shop(home, demo=True), size=(100, 30)) as pilot:
            await press(pilot, "f")
            await write(pilot, "workflows")
            await press(pilot, "enter", "y")
            return await picture(pilot)

    compare("risk-100x30", asyncio.run(run()))
