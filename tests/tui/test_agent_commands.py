"""The agent's side: submit, status, wait, withdraw; words, exit codes, and that waiting costs nothing."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.queue.desk import open_queue
from engine.review import Accept, Intent, Reject
from engine.workspace import Workspace
from tests.tui.terminal import Terminal
from tui.cli import main

HUNKDECK = str(Path(sys.executable).with_name("hunkdeck"))
TWO = {
    "description": "two hunks",
    "atomic": False,
    "edits": [
        {"file_path": "a.txt", "old_string": "one", "new_string": "1"},
        {"file_path": "a.txt", "old_string": "two", "new_string": "2"},
    ],
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "two.json").write_text(json.dumps(TWO))
    monkeypatch.chdir(tmp_path)
    return tmp_path


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: str) -> tuple[int, str, str]:
        code = main(argv)
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def queue(home: Path) -> Path:
    return home / ".hunkdeck" / "queue"


def files(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir() if path.is_file()) if directory.exists() else []


def decide(home: Path, *intents: Intent, directory: Path | None = None) -> None:
    """The person's side."""
    with Workspace(home) as workspace, open_queue(workspace, str(directory) if directory else None) as desk:
        for item in desk.items:
            desk.plan(item)
            for intent in intents:
                item.act(intent)
            desk.send(item)


# ---------------------------------------------------------------- submit


def test_submit_puts_a_proposal_under_a_fresh_name_and_prints_it(home: Path, run: Run) -> None:
    ids = [run("submit", "two.json", "--agent", "tester")[1].strip() for _ in range(2)]
    assert len({*ids, "two"}) == 3
    assert all(ident.startswith("two-") for ident in ids)
    assert files(queue(home)) == sorted(f"{ident}.json" for ident in ids)
    assert (home / "two.json").exists()
    assert (home / ".hunkdeck" / ".gitignore").read_text() == "*\n"
    code, out, _ = run("status", "--json")
    assert (code, [(one["id"], one["agent"], one["state"]) for one in json.loads(out)]) == (
        0,
        [(ident, "tester", "open") for ident in ids],
    )


def test_submit_reads_standard_input(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["-"], []):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(TWO).encode())))
        code, out, _ = run("submit", *arguments, "--json")
        assert (code, json.loads(out)["id"].startswith("stdin-")) == (0, True)
    assert len(files(queue(home))) == 2


@pytest.mark.parametrize("payload", [b"", b"{", b'{"edits": 3}', b"\xff\xfe", b"x" * 20_000_001])
def test_what_cannot_be_read_is_refused_and_not_put_anywhere(home: Path, run: Run, payload: bytes) -> None:
    (home / "bad.json").write_bytes(payload)
    code, out, err = run("submit", "bad.json")
    assert (code, out) == (2, "")
    assert "not a proposal that can be read" in err
    code, out, _ = run("submit", "bad.json", "--json", "--wait", "5")
    told = json.loads(out)
    assert (code, told["code"], told["final"]) == (2, "unreadable", True)
    assert not (home / ".hunkdeck").exists()


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["two.json", "--git-range", "a...b"], "not both"),
        (["two.json", "--wait", "soon"], "not a number of seconds"),
        (["two.json", "--wait", "-1"], "not a number of seconds"),
        (["two.json", "--wait", "nan"], "not a number of seconds"),
    ],
)
def test_bad_usage(home: Path, argv: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["submit", *argv])
    assert (left.value.code, problem in capsys.readouterr().err) == (2, True)
    assert not (home / ".hunkdeck").exists()


def test_a_missing_file_and_a_missing_queue_are_told(home: Path, run: Run) -> None:
    assert run("submit", "nowhere.json")[0] == 2
    code, _, err = run("submit", "two.json", "--queue", "nowhere")
    assert (code, "not a directory" in err) == (2, True)


def test_a_directory_elsewhere(home: Path, run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    ident = run("submit", "two.json", "--queue", "other")[1].strip()
    assert files(other) == [f"{ident}.json"]
    assert run("status", ident)[0] == 2
    assert run("status", ident, "--queue", "other")[0] == 4
    decide(home, Accept((0, 1)), directory=other)
    assert run("wait", ident, "--queue", "other")[0] == 0


def test_a_branch_is_proposed_and_applied_to_the_workspace(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = """
    git init -q -b main && git config user.email a@example.org && git config user.name a
    printf 'one\\ntwo\\n' > a.txt && git add a.txt && git commit -qm first
    git checkout -qb feat/x && printf '1\\ntwo\\n' > a.txt && git commit -qam second && git checkout -q main
    """
    subprocess.run(["sh", "-ec", script], cwd=tmp_path, check=True)
    code, out, _ = run("submit", "--git-range", "main...feat/x")
    ident = out.strip()
    assert (code, ident.startswith("feat-x-")) == (0, True)
    decide(tmp_path, Accept((0,)))
    assert run("wait", ident)[0] == 0
    assert (tmp_path / "a.txt").read_text() == "1\ntwo\n"
    assert run("submit", "--git-range", "main...feat/x")[2] == ""
    subprocess.run(["git", "checkout", "-q", "-f", "feat/x"], cwd=tmp_path, check=True)
    code, _, err = run("submit", "--git-range", "main...HEAD")
    assert (code, "is at the end of main...HEAD already" in err) == (0, True)
    code, out, err = run("submit", "--git-range", "main...nowhere")
    assert (code, out, "there is no commit called nowhere" in err) == (2, "", True)


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("intents", "code", "words"),
    [
        ((Accept((0, 1)),), 0, "2 applied (0, 1)"),
        ((Accept((0,)), Reject((1,), "keep two")), 0, "hunk 1 (a.txt) was rejected: keep two"),
        ((Reject((0, 1)),), 3, "2 rejected (0, 1)"),
        ((Accept((0,)),), 4, "1 applied (0), 1 pending (1)"),
    ],
)
def test_exit_codes_and_words_of_a_verdict(
    home: Path, run: Run, intents: tuple[Intent, ...], code: int, words: str
) -> None:
    ident = run("submit", "two.json")[1].strip()
    decide(home, *intents)
    for command in (("wait", ident, "--timeout", "0"), ("status", ident)):
        got, out, _ = run(*command)
        assert (got, words in out) == (code, True)
        assert ("hunkdeck wait" in out) is (code == 4)
    told = json.loads(run("wait", ident, "--timeout", "0", "--json")[1])
    assert (told["proposal"], told["final"]) == (ident, code != 4)
    status = json.loads(run("status", ident, "--json")[1])
    assert (status["id"], status["result"]) == (ident, told)
    assert status["state"] == ("answered" if code == 4 else "final")


def test_a_failure_is_exit_code_one(home: Path, run: Run) -> None:
    missing = {"description": "x", "edits": [{"file_path": "a.txt", "old_string": "nowhere", "new_string": "x"}]}
    (home / "p.json").write_text(json.dumps(missing))
    ident = run("submit", "p.json")[1].strip()
    decide(home, Accept((0,)))
    code, out, _ = run("wait", ident, "--timeout", "0")
    assert (code, "failed" in out) == (1, True)


def test_undecided_is_pending_and_says_what_to_do(home: Path, run: Run) -> None:
    code, out, err = run("submit", "two.json", "--wait", "0")
    ident = err.removeprefix("submitted as ").strip()
    assert (code, f"hunkdeck wait {ident}" in out, "2 pending (0, 1)" in out) == (4, True, True)
    told = json.loads(run("status", ident, "--json")[1])
    assert (told["state"], told["result"]["pending"], told["result"]["final"]) == ("open", [0, 1], False)


def test_unknown_ids(home: Path, run: Run) -> None:
    for command in ("status", "wait", "withdraw"):
        code, out, err = run(command, "nobody-knows")
        assert (code, out, "there is no queue yet" in err) == (2, "", True)
    run("submit", "two.json")
    for command in ("status", "wait", "withdraw"):
        for ident in ("nobody-knows", "../two", "a/b", "two\x1b[31m"):
            code, out, err = run(command, ident)
            assert (code, out, "\x1b" in err) == (2, "", False)


def test_withdrawing_once_twice_and_too_late(home: Path, run: Run) -> None:
    ident = run("submit", "two.json")[1].strip()
    assert run("withdraw", ident)[:2] == (0, f"{ident} is withdrawn\n")
    assert json.loads(run("withdraw", ident, "--json")[1]) == {"id": ident, "withdrawn": True}
    code, out, _ = run("wait", ident)
    assert (code, out) == (1, "The proposal was withdrawn. Nothing of it was applied.\n")
    assert json.loads(run("status", ident, "--json")[1])["state"] == "withdrawn"
    late = run("submit", "two.json")[1].strip()
    decide(home, Accept((0, 1)))
    code, out, _ = run("withdraw", late)
    assert (code, "final verdict already" in out) == (1, True)
    assert run("wait", late)[0] == 0


def test_an_undo_after_the_final_verdict_is_told(home: Path, run: Run) -> None:
    ident = run("submit", "two.json")[1].strip()
    decide(home, Accept((0, 1)))
    before = run("status", ident, "--json")[1]
    assert run("undo")[0] == 0
    code, out, _ = run("status", ident)
    assert (code, "the reviewer has taken back what was applied (000001: a.txt)" in out) == (0, True)
    after = json.loads(run("status", ident, "--json")[1])
    assert (json.loads(before)["notes"], len(after["notes"])) == ([], 1)
    assert run("undo", "000002")[0] == 0  # redo
    assert json.loads(run("status", ident, "--json")[1])["notes"] == []


def test_an_answer_that_is_none_is_not_believed(home: Path, run: Run) -> None:
    (queue(home)).mkdir(parents=True)
    (queue(home) / "p.json").write_text(json.dumps(TWO))
    (queue(home) / "p.result.json").write_text('{"final": true}')
    code, _, err = run("status", "p")
    assert (code, "cannot be read" in err) == (2, True)


def test_the_list_is_for_people_too(home: Path, run: Run) -> None:
    assert run("status")[:2] == (0, "nothing waits in the queue\n")
    ident = run("submit", "two.json", "--agent", "robo\x1b[31mt")[1].strip()
    os.utime(queue(home) / f"{ident}.json", (0, 0))
    (queue(home) / "dropped.json").write_text(json.dumps(TWO))
    os.utime(queue(home) / "dropped.json", (2**40, 2**40))
    _, out, _ = run("status")
    assert (len(out.splitlines()), ident in out, "dropped" in out, "\x1b" in out) == (2, True, True, False)
    assert len(json.loads(run("status", "--json")[1])) == 2


# ---------------------------------------------------------------- waiting


def submit_and_wait(home: Path, *more: str) -> tuple[subprocess.Popen[str], str]:
    """A waiting agent, and the ident of its proposal."""
    command = [HUNKDECK, "submit", "two.json", "--wait", "60", *more]
    process = subprocess.Popen(command, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    return process, process.stderr.readline().removeprefix("submitted as ").strip()


def until(condition: Callable[[], Any], seconds: float = 20) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never came"
        threading.Event().wait(0.01)
    return found


def waits(home: Path, run: Run, ident: str) -> bool:
    return bool(json.loads(run("status", ident, "--json")[1])["waits_until"])


def test_several_agents_wait_at_once_and_each_gets_its_own_verdict(home: Path, run: Run) -> None:
    agents = [submit_and_wait(home, "--json") for _ in range(4)]
    assert len({ident for _, ident in agents}) == 4
    decide(home, Reject((0, 1), "not now"))
    for process, ident in agents:
        out, _ = process.communicate(timeout=20)
        assert (process.returncode, json.loads(out)["proposal"]) == (3, ident)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc to read CPU times from")
def test_waiting_costs_no_cpu_and_is_seen_by_the_reviewer(home: Path, run: Run) -> None:
    process, ident = submit_and_wait(home)
    until(lambda: waits(home, run, ident))
    before, started = cpu_seconds(process.pid), time.monotonic()
    assert process.poll() is None
    until(lambda: time.monotonic() - started > 2)
    spent = cpu_seconds(process.pid) - before
    process.kill()
    process.communicate()
    assert spent <= 0.05
    assert until(lambda: not waits(home, run, ident))
    assert run("status", ident)[0] == 4  # the proposal outlives whoever sent it


def test_ctrl_c_leaves_the_proposal_in_the_queue_and_says_so(home: Path, run: Run) -> None:
    with Terminal([HUNKDECK, "submit", "two.json", "--wait", "60"], cwd=str(home), columns=200) as terminal:
        terminal.wait_for("submitted as two-")
        (ident,) = [word for word in terminal.text.split() if word.startswith("two-")]
        until(lambda: waits(home, run, ident))
        terminal.press("\x03")
        terminal.wait_for(f"{ident} stays in the queue")
        assert terminal.wait() == 130
    assert run("status", ident)[0] == 4


def test_a_killed_agent_can_wait_again(home: Path, run: Run) -> None:
    process, ident = submit_and_wait(home)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    decide(home, Accept((0, 1)))
    assert run("wait", ident)[0] == 0
    assert (home / "a.txt").read_text() == "1\n2\nthree\n"
