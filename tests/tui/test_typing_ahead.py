"""Keys that come in one piece, as from a quick hand or a slow line: each acts on what the one before it opened."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.tui.pictures import WALK
from tests.tui.terminal import Terminal
from tests.tui.test_real_terminal import HUNKDECK


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(WALK, tmp_path / "shop")
    return tmp_path / "shop"


def review(home: Path, **environment: str) -> Terminal:
    command = [*HUNKDECK, "review", "count-amounts.json", "--workspace", "."]
    terminal = Terminal(command, columns=100, rows=30, cwd=str(home), env={"HOME": str(home.parent), **environment})
    terminal.wait_for("12 hunks · 0 ✓ 0 ✗ 12 ?")
    terminal.wait_for("exact")
    return terminal


def test_what_is_searched_for_is_seen_and_no_command(home: Path) -> None:
    with review(home) as terminal:
        terminal.press("/ANRtotal")
        terminal.wait_for("/ ANRtotal")
        assert "0 ✓ 0 ✗ 12 ?" in terminal.text


def test_a_reason_goes_with_its_rejection(home: Path) -> None:
    with review(home) as terminal:
        terminal.press("rNever\x7f, not this way\r")
        terminal.wait_for("0 ✓ 1 ✗ 11 ?")
        terminal.press("[z")
        terminal.wait_for("» Neve, not this way")


def test_an_edit_is_sent_with_its_last_letters(home: Path) -> None:
    with review(home) as terminal:
        terminal.press("e")
        terminal.wait_for("Accept this text")
        terminal.press("# first\r\x7f\r\x13")
        terminal.wait_for("accepted, edited")


def test_an_editor_gets_the_terminal_and_what_it_leaves_is_accepted(home: Path) -> None:
    script = home.parent / "editor"
    script.write_text('#!/bin/sh\nsed -i "s/amount < 1/amount < 7/" "$1"\n')
    os.chmod(script, 0o700)
    with review(home, EDITOR=str(script)) as terminal:
        terminal.press("E")
        terminal.wait_for("accepted, edited")
        terminal.press("p")
        terminal.wait_for("if item.amount < 7:")


def test_an_editor_that_changes_nothing_decides_nothing(home: Path) -> None:
    with review(home, EDITOR="true") as terminal:
        terminal.press("E")
        terminal.wait_for("nothing is decided")
        terminal.wait_for("0 ✓ 0 ✗ 12 ?")


def test_the_palette_runs_commands_by_name(home: Path) -> None:
    with review(home) as terminal:
        terminal.press("\x10")
        terminal.wait_for("Search for commands")
        terminal.press("reject what is open in the file")
        terminal.wait_for("key: N")
        terminal.press("\r")
        terminal.settle()
        if "Search for commands" in terminal.text or "key: N" in terminal.text:
            terminal.press("\r")
        terminal.wait_for("0 ✓ 4 ✗ 8 ?")


def test_the_wheel_moves_the_picture_and_decides_nothing(home: Path) -> None:
    with review(home) as terminal:
        for _ in range(8):
            terminal.wheel()
        terminal.wait_for(lambda text: "count-amounts  " not in text.split("\n")[1])
        for _ in range(8):
            terminal.wheel(up=True)
        terminal.wait_for(lambda text: "count-amounts " in text.split("\n")[1])
        assert "0 ✓ 0 ✗ 12 ?" in terminal.text
