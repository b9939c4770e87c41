"""On a real terminal, whatever standard input and output are: keys from it, the verdict into the pipe."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal
from tui.terminal import on_terminal

ROOT = Path(__file__).resolve().parents[2]
HUNKDECK = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'hunkdeck.py'))}"
ONE = {"file_path": "a.txt", "old_string": "one", "new_string": "1"}
CTRL_S, ENTER = "\x13", "\r"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "p.json").write_text(json.dumps(ONE))
    return tmp_path


def shell(home: Path, command: str, **environment: str) -> Terminal:
    script = command.replace("hunkdeck ", f"{HUNKDECK} ")
    return Terminal(["sh", "-c", script], cwd=str(home), env={"XDG_CONFIG_HOME": str(home / "none"), **environment})


def apply(terminal: Terminal) -> None:
    terminal.wait_for("exact")
    terminal.press("y")
    terminal.wait_for("1 ✓")
    terminal.press(CTRL_S)
    terminal.wait_for("Apply")
    terminal.press(ENTER)
    terminal.wait_for("Done: 1 applied")
    terminal.press(ENTER)
    terminal.wait_for("Everything has its verdict")


def apply_all(terminal: Terminal) -> None:
    apply(terminal)
    terminal.press("q")


def asked(times: int) -> Callable[[str], bool]:
    return lambda text: text.count("? help:") + text.count("(yes/no):") >= times


def answer(terminal: Terminal, *lines: str) -> None:
    """One line for each question."""
    for number, line in enumerate(lines, 1):
        terminal.wait_for(asked(number))
        terminal.press(f"{line}\n")


def test_the_screen_is_drawn_on_the_terminal_between_two_pipes(home: Path) -> None:
    with shell(home, "(cat p.json | hunkdeck review - --json; echo $? >code) 2>errors | cat >verdict") as terminal:
        apply_all(terminal)
        terminal.wait()
    verdict = json.loads((home / "verdict").read_text())
    assert (verdict["applied"], verdict["final"]) == ([0], True)
    assert ((home / "code").read_text(), (home / "errors").read_text()) == ("0\n", "")
    assert (home / "a.txt").read_text() == "1\ntwo\nthree\n"


def test_without_pipes_the_verdict_is_printed_where_the_screen_was(home: Path) -> None:
    with shell(home, "hunkdeck review p.json") as terminal:
        apply_all(terminal)
        assert terminal.wait() == 0
        assert "1 replacement" in terminal.text


def test_who_took_it_back_is_not_told_that_files_were_updated(home: Path) -> None:
    with shell(home, "hunkdeck review p.json") as terminal:
        apply(terminal)
        terminal.press("\x1a")
        terminal.wait_for("Take back the apply")
        terminal.press("\r")
        terminal.wait_for("Taken back:")
        terminal.press("q")
        terminal.wait_for("Taken back since")
        assert "Take it back with" not in terminal.text


def test_a_review_that_is_killed_goes_on_at_the_next_start(home: Path) -> None:
    with shell(home, "exec hunkdeck review p.json") as terminal:
        terminal.wait_for("exact")
        terminal.press("y")
        terminal.wait_for("1 ✓")
        terminal.process.kill()
    with shell(home, "hunkdeck review p.json") as terminal:
        terminal.wait_for("1 ✓")
        terminal.press("q")
        assert terminal.wait() == 4
    assert (home / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_watching_an_empty_queue_stays_open_until_q(home: Path) -> None:
    with shell(home, "hunkdeck ") as terminal:
        terminal.wait_for("queue")
        terminal.press("q")
        assert terminal.wait() == 0


def test_a_proposal_that_is_dropped_while_the_app_is_open_is_reviewed(home: Path) -> None:
    with shell(home, "hunkdeck watch") as terminal:
        terminal.wait_for("Nothing to review")
        (home / "p.json").rename(home / ".hunkdeck" / "queue" / "p.json")
        terminal.wait_for("exact")
        assert "just now" in terminal.text
        terminal.press("y")
        terminal.wait_for("1 ✓")
        terminal.press("q")
        assert terminal.wait() == 0


def test_line_prompts_see_what_arrives_between_two_questions(home: Path) -> None:
    with shell(home, "hunkdeck watch --plain") as terminal:
        terminal.wait_for("q leaves")
        (home / "p.json").rename(home / ".hunkdeck" / "queue" / "p.json")
        terminal.press("l\n")
        terminal.wait_for("New: p")
        terminal.wait_for("y accept")
        terminal.press("q\n")
        assert terminal.wait() == 0


def test_the_demo_opens_on_the_terminal(home: Path) -> None:
    with shell(home, "hunkdeck demo") as terminal:
        terminal.wait_for("01-rename-user-api")
        terminal.press("q")
        assert terminal.wait() == 0
        assert "throw-away" in terminal.text


def test_a_dumb_terminal_gets_line_prompts(home: Path) -> None:
    with shell(home, "hunkdeck review p.json", TERM="dumb") as terminal:
        answer(terminal, "y", "s", "yes", "q")
        assert terminal.wait() == 0
    assert (home / "a.txt").read_text() == "1\ntwo\nthree\n"


def test_lines_that_are_pasted_answer_one_question_at_most(home: Path) -> None:
    with shell(home, "hunkdeck review p.json --plain") as terminal:
        terminal.wait_for("? help:")
        terminal.press("y\ns\nyes\n")
        terminal.wait_for(asked(2))
        terminal.press("q\n")
        assert terminal.wait() == 4
    assert (home / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_line_prompts_ask_on_the_terminal_when_the_proposal_comes_through_standard_input(home: Path) -> None:
    with shell(home, "cat p.json | hunkdeck review - --plain") as terminal:
        answer(terminal, "n", "s", "yes", "q")
        assert terminal.wait() == 3


def test_the_descriptors_are_given_back_even_after_an_error(home: Path) -> None:
    script = (
        "import os, sys\n"
        "from tui.terminal import on_terminal\n"
        "try:\n"
        "    with on_terminal():\n"
        "        print([os.isatty(fd) for fd in (0, 1, 2)], flush=True)\n"
        "        raise ValueError\n"
        "except ValueError:\n"
        "    print([os.isatty(fd) for fd in (0, 1, 2)], sys.stdin.read())\n"
    )
    (home / "try.py").write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{script}")
    with shell(home, f"echo hello | {shlex.quote(sys.executable)} try.py 2>errors | cat >out") as terminal:
        terminal.wait_for("[True, True, True]")
        terminal.wait()
    assert ((home / "out").read_text(), (home / "errors").read_text()) == ("[False, False, False] hello\n\n", "")


def test_without_a_terminal_nothing_is_lost(tmp_path: Path) -> None:
    """No /dev/tty: the error comes before any descriptor was touched."""
    child = os.fork()
    if not child:
        os.setsid()
        fd = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
        os.dup2(fd, 1)
        try:
            with on_terminal():
                os._exit(1)
        except OSError:
            os.write(1, b"still here")
            os._exit(0)
    assert (os.waitpid(child, 0)[1], (tmp_path / "out").read_text()) == (0, "still here")
