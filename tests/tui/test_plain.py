"""The plain review, and what the commands do without a terminal: real processes, lines in, lines out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOUR = {
    "description": "four hunks\x1b[2J",
    "atomic": False,
    "edits": [
        {"file_path": "a.txt", "old_string": "one", "new_string": "1"},
        {"file_path": "a.txt", "old_string": "two", "new_string": "2"},
        {"file_path": "a.txt", "old_string": "nowhere", "new_string": "x"},
        {"file_path": "Makefile", "old_string": "all:", "new_string": "all: test"},
    ],
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "Makefile").write_text("all:\n")
    (tmp_path / "p.json").write_text(json.dumps(FOUR))
    return tmp_path


def run(home: Path, *args: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """`hunkdeck ARGS` in a session of its own: there is no /dev/tty to fall back to."""
    return subprocess.run(
        [sys.executable, str(ROOT / "hunkdeck.py"), *args],
        cwd=home,
        input=typed,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
        check=False,
    )


def reviewed(home: Path, *commands: str, **environment: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, result and words of a plain review."""
    done = run(home, "review", "p.json", "--plain", "--json", typed="\n".join([*commands, ""]), **environment)
    return done.returncode, json.loads(done.stdout), done.stderr


def lists(result: dict[str, Any]) -> dict[str, list[int]]:
    return {name: result[name] for name in ("applied", "failed", "pending", "rejected") if result[name]}


def test_a_review_by_lines(home: Path) -> None:
    code, result, words = reviewed(
        home, "y", "r not like this", "n", "C thanks", "y", "no", "y", "yes", "s", "yes", "q"
    )
    assert (code, result["final"], lists(result)) == (0, True, {"applied": [0, 3], "rejected": [1, 2]})
    assert (result["feedback"], result["results"][1]["comment"]) == ("thanks", "not like this")
    assert (home / "a.txt").read_text() == "1\ntwo\nthree\n"
    assert (home / "Makefile").read_text() == "all: test\n"
    assert "Not confirmed" in words
    assert "\x1b" not in words


@pytest.mark.parametrize(
    ("commands", "code", "expected"),
    [
        (["q"], 4, {"pending": [0, 1, 2, 3]}),
        ([], 4, {"pending": [0, 1, 2, 3]}),
        (["y", "q"], 4, {"pending": [0, 1, 2, 3]}),
        (["A", "s", "yes", "q"], 4, {"applied": [0, 1], "pending": [2, 3]}),
        (["A", "s", "no", "q"], 4, {"pending": [0, 1, 2, 3]}),
        (["A", "u", "s", "q"], 4, {"pending": [0, 1, 2, 3]}),
        (["R too early", "s", "yes"], 3, {"rejected": [0, 1, 2, 3]}),
        (["N", "Y", "u", "U", "R", "s", "yes"], 3, {"rejected": [0, 1, 2, 3]}),
        (["1", "n", "0", "y", "0", "o", "n", "j", "k", "t", "d", "l", "R", "s", "yes"], 3, {"rejected": [0, 1, 2, 3]}),
        (["yes please", "no way", "99", "m", "m x", "e", "f", "c", "", "?", "z"], 4, {"pending": [0, 1, 2, 3]}),
        (["y", "s", "yes", "z", "yes"], 4, {"pending": [0, 1, 2, 3]}),
    ],
)
def test_commands_and_exit_codes(home: Path, commands: list[str], code: int, expected: dict[str, list[int]]) -> None:
    done, result, _ = reviewed(home, *commands, EDITOR="", VISUAL="")
    assert (done, lists(result)) == (code, expected)


def test_a_review_goes_on_where_it_stopped(home: Path) -> None:
    reviewed(home, "y", "n")
    code, result, words = reviewed(home, "n", "n", "s", "yes")
    assert "1 accepted, 1 rejected, 2 open" in words
    assert (code, lists(result)) == (0, {"applied": [0], "rejected": [1, 2, 3]})


def test_a_hunk_is_edited_in_the_persons_editor(home: Path) -> None:
    code, result, _ = reviewed(home, "e", "R", "s", "yes", EDITOR="sed -i s/1/eins/")
    assert (code, result["results"][0]["edited_by_reviewer"], result["results"][0]["new_text"]) == (0, True, "eins\n")
    assert (home / "a.txt").read_text() == "eins\ntwo\nthree\n"


def test_a_hunk_is_split_and_a_part_of_it_accepted(home: Path) -> None:
    three = {"file_path": "a.txt", "old_string": "one\ntwo\nthree", "new_string": "1\ntwo\n3"}
    (home / "p.json").write_text(json.dumps({"description": "d", "edits": [three]}))
    code, result, words = reviewed(home, "v", "7", "v", "2", "s", "yes", "q")
    assert "Part 1 of 2:" in words
    assert "say which parts, from 1 to 2" in words
    assert (code, lists(result), result["results"][0]["edited_by_reviewer"]) == (0, {"applied": [0]}, True)
    assert result["results"][0]["parts"] == [{"index": 0, "status": "rejected"}, {"index": 1, "status": "applied"}]
    assert "as the reviewer changed it" in result["message"]
    assert (home / "a.txt").read_text() == "one\ntwo\n3\n"


def test_undo_goes_to_what_it_opened_again(home: Path) -> None:
    _, _, words = reviewed(home, "y", "n", "u", "U", "q")
    assert [line.partition(" (")[0] for line in words.splitlines() if line.startswith("Hunk")] == [
        "Hunk 0",
        "Hunk 1",
        "Hunk 2",
        "Hunk 1",
        "Hunk 1",
    ]
    assert "Rejected." in words


def test_a_place_is_chosen_and_a_failure_given_up(home: Path) -> None:
    twice = {**FOUR, "edits": [{"file_path": "a.txt", "old_string": "x = 1", "new_string": "x = 2"}]}
    (home / "a.txt").write_text("x = 1\n\nx = 1\n")
    (home / "p.json").write_text(json.dumps(twice))
    code, _, words = reviewed(home, "y", "m 3", "y", "s", "yes")
    assert "it has no place" in words
    assert (code, (home / "a.txt").read_text()) == (0, "x = 1\n\nx = 2\n")


def test_what_would_not_parse_can_be_given_up_or_sent_all_the_same(home: Path) -> None:
    (home / "a.py").write_text("x = 1\n")
    (home / "p.json").write_text(json.dumps({"file_path": "a.py", "old_string": "x = 1", "new_string": "x = ("}))
    code, result, words = reviewed(home, "y", "s", "yes", "f")
    assert (code, result["final"], lists(result)) == (1, True, {"failed": [0]})
    assert "What failed is open again" in words
    code, result, _ = reviewed(home, "y", "S", "yes")
    assert (code, lists(result), (home / "a.py").read_text()) == (0, {"applied": [0]}, "x = (\n")


def test_without_a_terminal_the_proposal_is_shown_and_nothing_is_written(home: Path) -> None:
    done = run(home, "review", "p.json")
    assert done.returncode == 4
    assert "- one" in done.stdout
    assert "--plain" in done.stdout
    assert "\x1b" not in done.stdout
    assert not (home / ".hunkdeck").exists()
    piped = run(home, "review", "-", "--json", typed=json.dumps(FOUR))
    assert (piped.returncode, lists(json.loads(piped.stdout))) == (4, {"pending": [0, 1, 2, 3]})


def test_unreadable_and_missing_proposals_are_exit_code_2(home: Path) -> None:
    (home / "bad.json").write_text("{")
    done = run(home, "review", "p.json", "bad.json", "missing.json", "--plain", "--json", typed="t\ns\nq\n")
    results = json.loads(done.stdout)
    assert (done.returncode, [result["code"] for result in results]) == (2, [None, "unreadable", "unreadable"])
    looked = run(home, "review", "bad.json")
    assert (looked.returncode, "not a proposal that can be read" in looked.stdout) == (2, True)
    assert "To decide" not in looked.stdout


def test_standard_input_stands_alone(home: Path) -> None:
    done = run(home, "review", "-", "p.json")
    assert (done.returncode, "stands for the only proposal" in done.stderr) == (2, True)


def test_several_proposals_one_after_the_other(home: Path) -> None:
    other = {"file_path": "a.txt", "old_string": "three", "new_string": "3"}
    (home / "q.json").write_text(json.dumps(other))
    done = run(home, "review", "p.json", "q.json", "--plain", typed="R\ns\nyes\ny\ns\nyes\n")
    assert done.returncode == 3
    assert (home / "a.txt").read_text() == "one\ntwo\n3\n"


def queue(home: Path) -> Path:
    folder = home / ".hunkdeck" / "queue"
    folder.mkdir(parents=True)
    (home / "p.json").rename(folder / "p.json")
    return folder


@pytest.mark.parametrize("command", [[], ["watch"]])
def test_the_queue_is_printed_without_a_terminal(home: Path, command: list[str]) -> None:
    empty = run(home, *command)
    assert (empty.returncode, "Nothing waits in" in empty.stdout) == (0, True)
    assert not (home / ".hunkdeck").exists()
    folder = queue(home)
    (folder / "bad\x1b[31m.json").write_text("{")
    full = run(home, *command)
    assert full.returncode == 0
    assert "2 proposals, 4 hunks" in full.stdout
    assert "cannot be read" in full.stdout
    assert "\x1b" not in full.stdout


def test_watching_by_lines_answers_beside_the_proposal(home: Path) -> None:
    folder = queue(home)
    done = run(home, "watch", "--plain", typed="A\nR\ns\nyes\n")
    assert done.returncode == 0
    assert sorted(name for name in os.listdir(folder) if not name.startswith(".")) == ["done", "p.result.json"]
    assert lists(json.loads((folder / "p.result.json").read_text())) == {"applied": [0, 1], "rejected": [2, 3]}


def test_watching_a_directory_that_is_not_there(home: Path) -> None:
    done = run(home, "watch", "nowhere", "--plain")
    assert (done.returncode, "nowhere: not a directory" in done.stderr) == (2, True)


def test_the_demo_by_lines(home: Path) -> None:
    done = run(home, "demo", "--plain", typed="A\ns\nyes\nq\n")
    assert done.returncode == 0
    assert "Proposal 02-count-amounts" in done.stdout
    assert "\x1b" not in done.stdout
