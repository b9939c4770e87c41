"""The command line as scripts meet it: arguments in, text, JSON and exit codes out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tui.cli import COMMANDS, build_parser, main

ROOT = Path(__file__).resolve().parents[2]
ONE = {"file_path": "a.txt", "old_string": "one", "new_string": "1"}
FOUR = {
    "description": "four hunks",
    "atomic": False,
    "edits": [
        {"file_path": "a.txt", "old_string": "one", "new_string": "1"},
        {"file_path": "a.txt", "old_string": "two", "new_string": "2"},
        {"file_path": "a.txt", "old_string": "nowhere", "new_string": "x"},
        {"file_path": "Makefile", "old_string": "all:", "new_string": "all: test"},
    ],
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "Makefile").write_text("all:\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def proposal(tmp_path: Path) -> Callable[..., str]:
    def write(payload: Any, name: str = "p.json") -> str:
        (tmp_path / name).write_text(payload if isinstance(payload, str) else json.dumps(payload))
        return name

    return write


Proposals = Callable[..., str]


def run_json(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, Any]:
    code = main([*argv, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_check_plans_and_writes_nothing(home: Path, proposal: Proposals, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", proposal(ONE)]) == 0
    assert "hunk 0: line 1 · exact" in capsys.readouterr().out
    assert (home / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert not (home / ".hunkdeck").exists()


@pytest.mark.parametrize(
    ("options", "code", "lists"),
    [
        (["--all"], 1, {"applied": [0, 1], "failed": [2], "pending": [3]}),
        (["--all", "--mode", "rollback"], 1, {"applied": [], "failed": [2], "pending": [0, 1, 3]}),
        (["--accept", "0,1"], 4, {"applied": [0, 1], "failed": [], "pending": [2, 3]}),
        (["--accept", "0-1", "--reject", "2-3"], 0, {"applied": [0, 1], "failed": [], "rejected": [2, 3]}),
        (["--reject", "0-3"], 3, {"applied": [], "rejected": [0, 1, 2, 3]}),
        (["--accept", "3", "--reject", "0-2"], 4, {"pending": [3], "rejected": [0, 1, 2]}),
        (["--accept", "3", "--reject", "0-2", "--confirm", "Makefile"], 0, {"applied": [3]}),
        (["--accept", "0", "--reject", "1-3", "--dry-run"], 0, {"applied": [0]}),
    ],
)
def test_apply_decides_by_options_and_exits_by_the_outcome(
    home: Path,
    proposal: Proposals,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    code: int,
    lists: dict[str, list[int]],
) -> None:
    exit_code, result = run_json(capsys, "apply", proposal(FOUR), *options)
    assert (exit_code, {key: result[key] for key in lists}) == (code, lists)
    wrote = bool(lists.get("applied")) and "--dry-run" not in options
    changed = (home / "a.txt").read_text() != "one\ntwo\nthree\n" or (home / "Makefile").read_text() != "all:\n"
    assert changed == wrote


def test_check_exits_as_apply_all_dry_run_would(
    home: Path, proposal: Proposals, capsys: pytest.CaptureFixture[str]
) -> None:
    file = proposal(FOUR)
    checked, planned = run_json(capsys, "check", file)
    applied, result = run_json(capsys, "apply", file, "--all", "--dry-run")
    assert (checked, planned) == (applied, result)


def test_several_proposals_give_a_list_and_the_most_important_exit_code(
    home: Path, proposal: Proposals, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        proposal(ONE, "one.json"),
        proposal("nonsense", "two.json"),
        proposal({**ONE, "old_string": "x"}, "three.json"),
    ]
    code, results = run_json(capsys, "apply", *files, "--all")
    assert code == 2
    assert [(one["proposal"], one["code"], one["success"]) for one in results] == [
        ("one", None, True),
        ("two", "unreadable", False),
        ("three", None, False),
    ]
    assert (home / "a.txt").read_text() == "1\ntwo\nthree\n"


def test_a_proposal_from_standard_input(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "hunkdeck.py"), "apply", "-", "--all", "--json"],
        input=json.dumps(ONE), cwd=home, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr, json.loads(done.stdout)["proposal"]) == (0, "", "stdin")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["apply", "p.json"], "say which hunks to apply"),
        (["apply", "p.json", "--accept", "x"], "'x' is not a hunk number"),
        (["apply", "p.json", "--accept", "0", "--reject", "0"], "hunk 0 is both accepted and rejected"),
        (["apply", "p.json", "--accept", "7"], "there is no hunk 7; the proposal has only hunk 0"),
        (["apply", "p.json", "p.json", "--accept", "0"], "need exactly one FILE"),
        (["check"], "required"),
        (["nonsense"], "invalid choice"),
        (["check", "p.json", "--workspace", "missing"], "not a directory"),
    ],
)
def test_bad_usage_exits_2_and_says_what_to_do(
    home: Path, proposal: Proposals, capsys: pytest.CaptureFixture[str], argv: list[str], says: str
) -> None:
    proposal(ONE)
    try:
        code = main(argv)
    except SystemExit as end:
        code = int(str(end.code))
    assert (code, says in capsys.readouterr().err) == (2, True)
    assert (home / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_the_workspace_is_the_enclosing_repository(
    home: Path, proposal: Proposals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proposal(ONE)
    (home / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(home / "deep" / "down")
    assert main(["apply", "../../p.json", "--all"]) == 0
    assert (home / "a.txt").read_text() == "1\ntwo\nthree\n"


def test_log_and_undo_and_redo(home: Path, proposal: Proposals, capsys: pytest.CaptureFixture[str]) -> None:
    main(["apply", proposal(ONE), "--all"])
    capsys.readouterr()
    (entry,) = run_json(capsys, "log")[1]
    assert (entry["proposal"], [file["path"] for file in entry["files"]]) == ("p", ["a.txt"])
    code, undone = run_json(capsys, "undo", "p")
    assert (code, undone["success"], (home / "a.txt").read_text()) == (0, True, "one\ntwo\nthree\n")
    assert run_json(capsys, "undo", undone["transaction"])[0] == 0
    assert (home / "a.txt").read_text() == "1\ntwo\nthree\n"


def test_undo_is_refused_where_the_file_changed_since(
    home: Path, proposal: Proposals, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["apply", proposal(ONE), "--all"])
    (home / "a.txt").write_text("mine\n")
    assert main(["undo"]) == 1
    assert "a.txt: was changed since" in capsys.readouterr().err
    assert (home / "a.txt").read_text() == "mine\n"


def test_log_follow_prints_a_line_per_file(home: Path, proposal: Proposals) -> None:
    main(["apply", proposal(ONE), "--all"])
    follower = subprocess.Popen(
        [sys.executable, str(ROOT / "hunkdeck.py"), "log", "--follow", "--json"],
        cwd=home, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert follower.stdout is not None
    with follower:
        first = json.loads(follower.stdout.readline())
        main(["undo"])
        second = json.loads(follower.stdout.readline())
        follower.terminate()
    assert [(line["path"], line["event"], line["proposal"]) for line in (first, second)] == [
        ("a.txt", "applied", "p"),
        ("a.txt", "undone", "p"),
    ]


def test_show_numbers_the_lines(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "a.txt:2-3"]) == 0
    assert capsys.readouterr().out == "   2: two\n   3: three\n"
    code, shown = run_json(capsys, "show", "a.txt:2-9")
    assert (code, shown["first_line"], shown["line_count"], shown["lines"]) == (0, 2, 2, ["two", "three"])


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("a.txt:7-9", "lines 7-9 are out of range: the file has 3 lines"),
        ("missing.txt", "there is no such file"),
        ("../a.txt", "'..'"),
    ],
)
def test_show_says_what_is_wrong(home: Path, capsys: pytest.CaptureFixture[str], place: str, says: str) -> None:
    assert main(["show", place]) == 2
    assert says in capsys.readouterr().err


def test_schema_prints_tool_definitions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "multi_edit"]) == 0
    definition = json.loads(capsys.readouterr().out)
    assert {"name", "description", "input_schema"} <= set(definition)
    assert main(["schema"]) == 0
    assert len(json.loads(capsys.readouterr().out)) >= 10


def test_untrusted_text_never_reaches_the_terminal_raw(
    home: Path, proposal: Proposals, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = "\x1b[2J\x1b]52;c;aGk=\x07\u202e\x9b31m[/red]"
    payload = {
        "description": hostile,
        "edits": [{"file_path": f"{hostile}.txt", "old_string": hostile, "new_string": "x"}],
    }
    for command in (["check"], ["apply", "--all", "--diff"]):
        main([*command, proposal(payload)])
    seen = capsys.readouterr()
    assert not set(seen.out + seen.err) & set("\x1b\x07\u202e\x9b")
    assert "␛[2J" in seen.out


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        assert (end.value.code, "example: hunkdeck" in capsys.readouterr().out) == (0, True)
    assert build_parser().format_help().count("\n    ") >= len(COMMANDS)


def test_a_closed_pipe_is_no_traceback(home: Path) -> None:
    (home / "long.txt").write_text("line\n" * 100_000)
    script = f"{sys.executable} {ROOT / 'hunkdeck.py'} show long.txt | head -1"
    done = subprocess.run(["sh", "-c", script], cwd=home, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("   1: line\n", "")


def test_colours_only_on_a_terminal(home: Path, proposal: Proposals) -> None:
    import pty

    command = [sys.executable, str(ROOT / "hunkdeck.py"), "check", proposal(ONE)]
    env = {**os.environ, "TERM": "xterm-256color"}
    env.pop("NO_COLOR", None)
    assert b"\x1b[" in _on_a_terminal(pty, command, home, env)
    assert b"\x1b[" not in _on_a_terminal(pty, command, home, {**env, "NO_COLOR": "1"})


def _on_a_terminal(pty: Any, command: list[str], home: Path, env: dict[str, str]) -> bytes:
    leader, follower = pty.openpty()
    with subprocess.Popen(command, cwd=home, env=env, stdin=follower, stdout=follower, stderr=follower) as process:
        os.close(follower)
        seen = b""
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk
        process.wait()
    os.close(leader)
    return seen


def test_the_demo_runs_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    said = capsys.readouterr().out
    assert "13/13" in said
    assert "took back" in said
