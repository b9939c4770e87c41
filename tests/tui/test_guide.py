"""The guide's example, typed as it is written, in two terminals."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from tests.documents import ROOT
from tests.tui.terminal import Terminal
from tui.commands.guide import GUIDE

PAGE = (ROOT / "docs" / "agents.md").read_text()


def block(marker: str, text: str = PAGE) -> str:
    found = re.search(rf"{re.escape(marker)}\n```\w+\n(.*?)```", text, re.DOTALL)
    assert found, f"there is no example behind {marker}"
    return found[1]


def terminal(home: Path, rows: int = 24) -> Terminal:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {"HOME": str(home), "PATH": path, "PS1": "$ ", "XDG_CONFIG_HOME": str(home / "none")}
    opened = Terminal(["bash", "--norc", "--noprofile"], cwd=str(home), env=env, columns=130, rows=rows)
    opened.wait_for("$")
    return opened


def test_the_example_works_as_written_between_two_terminals(tmp_path: Path) -> None:
    with terminal(tmp_path) as reviewer, terminal(tmp_path) as agent:
        reviewer.press(block("<!-- terminal: reviewer -->"))
        reviewer.wait_for("watching")
        agent.press(block("<!-- terminal: agent -->"))
        agent.wait_for("submitted as")
        reviewer.wait_for(lambda text: "YOUR-NAME" in text and "greet.py" in text)
        reviewer.wait_for("exact")
        reviewer.press("y")
        reviewer.wait_for("1 ✓")
        reviewer.press("\x13")
        reviewer.wait_for("Apply")
        reviewer.press("\r")
        agent.wait_for(block("<!-- printed -->").strip())
        agent.press("echo exit code $?\n")
        agent.wait_for("exit code 0")
        assert (tmp_path / "hunkdeck-try" / "greet.py").read_text() == 'print("hello, world")\n'


def test_a_reason_reaches_the_agent(tmp_path: Path) -> None:
    with terminal(tmp_path) as reviewer, terminal(tmp_path) as agent:
        reviewer.press(block("<!-- terminal: reviewer -->"))
        reviewer.wait_for("watching")
        agent.press(block("<!-- terminal: agent -->"))
        reviewer.wait_for("exact")
        reviewer.press("r")
        reviewer.wait_for("esc")
        reviewer.press("it says world already\r")
        reviewer.wait_for("1 ✗")
        reviewer.press("\x13")
        reviewer.wait_for("enter")
        reviewer.press("\r")
        agent.wait_for("was rejected: it says world already")
        agent.press("echo exit code $?\n")
        agent.wait_for("exit code 3")


def test_the_guide_and_the_page_show_the_same_example() -> None:
    example = block("in as many files as they need:\n", GUIDE.read_text())
    assert example in block("<!-- terminal: agent -->")
