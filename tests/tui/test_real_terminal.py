"""The app in a real terminal: what a person does, and what must never reach the terminal."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.tui.pictures import WALK
from tests.tui.terminal import Terminal

HUNKDECK = [sys.executable, str(Path(__file__).resolve().parents[2] / "hunkdeck.py")]
FORBIDDEN = {
    "clipboard (OSC 52)": b"\x1b]52",
    "hyperlink (OSC 8)": b"\x1b]8;;https://evil",
    "title": b"\x1b]0;evil",
    "clear screen in the middle": b"EVIL\x1b[2J",
    "8-bit CSI": "\x9b31m".encode(),
    "right-to-left override": "\u202e".encode(),
    "zero width": "\u200b".encode(),
    "tag characters": "\U000e0041".encode(),
    "bell": b"EVIL\x07",
    "backspace": b"EVIL\x08",
    "device control": b"\x1bPq",
}
HOSTILE = (
    "EVIL\x1b[2J\x1b]52;c;aGk=\x07 EVIL\x07 EVIL\x08 \x1b]0;evil\x07 \x1b]8;;https://evil\x1b\\x "
    "\x9b31m \u202e \u200b \U000e0041 \x1bPq [/red][@click=app.accept_all]x[/]"
)


def review(home: Path, proposal: str, *, columns: int = 100, rows: int = 30) -> Terminal:
    command = [*HUNKDECK, "review", proposal, "--workspace", ".", "--json"]
    return Terminal(command, columns=columns, rows=rows, cwd=str(home), env={"HOME": str(home.parent)})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(WALK, tmp_path / "shop")
    return tmp_path / "shop"


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (200, 60)])
def test_twelve_hunks_reviewed_edited_rejected_applied_and_undone(home: Path, columns: int, rows: int) -> None:
    before = (home / "src/shop/cart.py").read_text()
    with review(home, "count-amounts.json", columns=columns, rows=rows) as terminal:
        terminal.wait_for("12 hunks")
        terminal.wait_for("exact")
        terminal.press("y")
        terminal.wait_for("1 ✓")
        terminal.press("r")
        terminal.wait_for("enter")
        terminal.press("keep it\r")
        terminal.wait_for("1 ✗")
        terminal.press("A")
        terminal.wait_for("11 ✓ 1 ✗ 0 ?")
        terminal.press("\x13")
        terminal.wait_for("Apply 11 of 12 hunks")
        terminal.press("\r")
        terminal.wait_for("11 applied, 1 rejected")
        assert (home / "src/shop/cart.py").read_text() != before
        terminal.press("u")
        terminal.settle(0.3)
        terminal.press("\r")
        terminal.wait_for(lambda _: (home / "src/shop/cart.py").read_text() == before)


def test_a_killed_review_goes_on_where_it_was(home: Path) -> None:
    with review(home, "count-amounts.json") as terminal:
        terminal.wait_for("exact")
        terminal.press("yy")
        terminal.wait_for("2 ✓")
        terminal.press("n")
        terminal.wait_for("2 ✓ 1 ✗")
    with review(home, "count-amounts.json") as terminal:
        terminal.wait_for("2 ✓ 1 ✗ 9 ?")


def test_pasting_decides_nothing(home: Path) -> None:
    with review(home, "count-amounts.json") as terminal:
        terminal.wait_for("exact")
        terminal.press("\x1b[200~yyyynnnnAAAA\x1b[201~")
        terminal.settle(0.3)
        assert "0 ✓ 0 ✗ 12 ?" in terminal.text


def test_nothing_of_a_hostile_proposal_reaches_the_terminal(home: Path) -> None:
    (home / "evil.txt").write_text(f"first\n{HOSTILE}\nlast\n")
    patches = [
        {"old_text": "first", "new_text": f"{HOSTILE}\nsecond", "why": HOSTILE},
        {"old_text": "nowhere", "new_text": HOSTILE, "why": "does not fit"},
    ]
    proposal = {
        "title": HOSTILE,
        "description": HOSTILE,
        "agent": {"name": HOSTILE, "session": "s"},
        "changes": [
            {"change_type": "multi_patch", "id": HOSTILE, "path": "evil.txt", "patches": patches},
            {"change_type": "new_file", "id": "n", "path": f"{HOSTILE}.txt", "content": HOSTILE},
            {"change_type": "new_file", "id": "m", "path": "fine.txt", "content": HOSTILE},
        ],
    }
    (home / "hostile.json").write_text(json.dumps(proposal))
    with review(home, "hostile.json", columns=120, rows=40) as terminal:
        terminal.wait_for("4 hunks")
        for keys in (
            "j",
            "]",
            "]",
            "G",
            "g",
            "w",
            "|",
            "|",
            "w",
            "p",
            "\x1b",
            "f",
            "\x1b",
            "e",
            "\x1b",
            "m",
            "\x1b",
            "/",
        ):
            terminal.press(keys)
            terminal.settle(0.1)
        terminal.press("EVIL\r\x1b")
        terminal.settle(0.1)
        for keys in ("A", "y", "y", "\x13", "\r", "\x1b", "?", "\x1b", "Z", "Z"):
            terminal.press(keys)
            terminal.settle(0.15)
        seen = terminal.seen
    assert [name for name, payload in FORBIDDEN.items() if payload in seen] == []


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (20, 5), (300, 100)])
def test_any_size_survives(home: Path, columns: int, rows: int) -> None:
    with review(home, "count-amounts.json", columns=columns, rows=rows) as terminal:
        terminal.settle(1.0)
        terminal.press("jjy]]zZ")
        terminal.settle(0.2)
        assert terminal.process.poll() is None
        terminal.press("q")
        assert terminal.wait() in (0, 4)
