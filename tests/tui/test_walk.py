"""What a newcomer does, in a real terminal: twelve hunks over four files are reviewed, one of them edited, one rejected
with a reason, applied and undone. By keyboard alone, and by mouse alone (only words are typed)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.tui.pictures import WALK
from tests.tui.terminal import Terminal
from tests.tui.test_real_terminal import HUNKDECK

REASON = "keep it, it is public API"
CTRL_S, ENTER, BACKSPACE = "\x13", "\r", "\x7f"
DOWN, LEFT, END = "\x1b[B", "\x1b[D", "\x1b[F"
FILES = ("src/shop/cart.py", "src/shop/users.py", "src/shop/shipping.py", "tests/test_cart.py")
SIZES = pytest.mark.parametrize("size", [(80, 24), (200, 60)], ids=["80x24", "200x60"])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(WALK, tmp_path / "shop")
    return tmp_path / "shop"


def open_terminal(home: Path, size: tuple[int, int]) -> Terminal:
    command = [*HUNKDECK, "review", "count-amounts.json", "--workspace", ".", "--json"]
    terminal = Terminal(command, columns=size[0], rows=size[1], cwd=str(home), env={"HOME": str(home.parent)})
    terminal.wait_for("12 hunks · 0 ✓ 0 ✗ 12 ?")
    terminal.wait_for("exact")
    return terminal


def texts(home: Path) -> dict[str, str]:
    return {name: (home / name).read_text() for name in FILES}


def verdict(terminal: Terminal) -> dict[str, Any]:
    """What the review printed when it was left."""
    code = terminal.wait()
    printed = terminal.seen.decode().rpartition("\x1b")[2]
    result: dict[str, Any] = json.loads(printed[printed.index("{") :])
    return {"exit code": code, **result}


def check_applied(home: Path, before: dict[str, str]) -> None:
    after = texts(home)
    assert [name for name in FILES if after[name] != before[name]] == list(FILES)
    assert "item.amount < 2" in after["src/shop/cart.py"]
    assert "item.price * item.amount" not in after["src/shop/cart.py"]


def check_verdict(result: dict[str, Any]) -> None:
    by_index = {hunk["index"]: hunk for hunk in result["results"]}
    assert (result["exit code"], result["final"], result["rejected"]) == (0, True, [0])
    assert (by_index[0]["comment"], by_index[3]["edited_by_reviewer"]) == (REASON, True)


@SIZES
def test_by_keyboard(home: Path, size: tuple[int, int]) -> None:
    before = texts(home)
    with open_terminal(home, size) as terminal:
        terminal.press("e")
        terminal.wait_for("Accept this text")
        terminal.press(DOWN + END + LEFT + BACKSPACE + "2" + CTRL_S)
        terminal.wait_for("accepted, edited")
        terminal.press("r")
        terminal.wait_for("tell the agent why")
        terminal.press(REASON + ENTER)
        terminal.wait_for("1 ✓ 1 ✗ 10 ?")
        terminal.press("y")
        terminal.wait_for("2 ✓ 1 ✗ 9 ?")
        terminal.press("A")
        terminal.wait_for("11 ✓ 1 ✗ 0 ?")
        terminal.press(CTRL_S)
        terminal.wait_for("Apply 11 of 12 hunks to 4 files")
        terminal.press(ENTER)
        terminal.wait_for("Done: 11 applied, 1 rejected")
        check_applied(home, before)
        terminal.press("u")
        terminal.wait_for("Taken back")
        assert texts(home) == before
        terminal.press("q")
        check_verdict(verdict(terminal))


@SIZES
def test_by_mouse(home: Path, size: tuple[int, int]) -> None:
    before = texts(home)
    with open_terminal(home, size) as terminal:
        terminal.click("e edit")
        terminal.wait_for("Accept this text")
        terminal.settle()
        terminal.click("if item.amount < 1:", last=True)
        terminal.press(END + LEFT + BACKSPACE + "2")
        terminal.click("Accept this text")
        terminal.wait_for("accepted, edited")
        terminal.click("? help")
        terminal.click("reject with a reason")
        terminal.wait_for("tell the agent why")
        terminal.press(REASON)
        terminal.click("enter  Reject")
        terminal.wait_for("1 ✓ 1 ✗ 10 ?")
        scroll_and_back(terminal)
        terminal.click("[✓ all]")
        terminal.wait_for("11 ✓ 1 ✗ 0 ?")
        uncover(terminal)
        terminal.click("ctrl+s apply")
        terminal.wait_for("Apply 11 of 12 hunks to 4 files")
        terminal.click("enter  Apply")
        terminal.wait_for("Done: 11 applied, 1 rejected")
        check_applied(home, before)
        terminal.click("u  Undo")
        terminal.wait_for("Taken back")
        assert texts(home) == before
        terminal.click("leave; every decision is kept")
        check_verdict(verdict(terminal))


def scroll_and_back(terminal: Terminal) -> None:
    """The wheel, seen to its end: a click on a picture that is about to move would hit something else."""
    at_top = "[✓ all]" in terminal.text.split("\n")[1]
    terminal.wheel()
    terminal.settle(0.3)
    terminal.wheel(up=True)
    terminal.wait_for(lambda text: ("[✓ all]" in text.split("\n")[1]) == at_top)
    terminal.settle(0.3)


def uncover(terminal: Terminal) -> None:
    """A click on a message brings the keys back that it covers."""
    terminal.wait_for("u takes it back")
    if "ctrl+s apply" not in terminal.text:
        terminal.click("u takes it back")
    terminal.wait_for("ctrl+s apply")
