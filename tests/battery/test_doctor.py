"""`hunkdeck doctor`: says what is promised here, and that it is less where it is less."""

from __future__ import annotations

import argparse
import json
import os

import pytest

from engine.disk import open_state
from engine.locks import ReviewerLock
from engine.transaction import Promise
from tests.battery.bench import Bench
from tests.faults.harness import QuietDisk
from tui.commands import doctor


def told(bench: Bench, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    parser = argparse.ArgumentParser()
    doctor.add_arguments(parser)
    code = doctor.run(parser.parse_args([*options, "--workspace", str(bench.root)]))
    return code, capsys.readouterr().out


def findings(bench: Bench, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, str]]:
    answer = json.loads(told(bench, capsys, "--json")[1])
    return {one["about"]: (one["health"], one["says"]) for one in answer["findings"]}


def test_all_is_well(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = told(bench, capsys)
    assert code == 0
    assert str(bench.root) in out
    assert "each file is entirely old or entirely new" in out
    assert "no repository here" in out
    (bench.root / ".git").mkdir()
    assert findings(bench, capsys)["git"][0] == "good"


@pytest.mark.parametrize(
    ("found", "saves", "rollback"),
    [
        (Promise(exchange=True, links=True), "good", "good"),
        (Promise(exchange=False, links=True), "bad", "good"),
        (Promise(exchange=False, links=False), "bad", "bad"),
    ],
)
def test_reduced_promises(
    bench: Bench,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    found: Promise,
    saves: str,
    rollback: str,
) -> None:
    monkeypatch.setattr("engine.transaction.promise", lambda workspace: found)
    said = findings(bench, capsys)
    assert (said["saves"][0], said["rollback"][0]) == (saves, rollback)
    assert told(bench, capsys)[0] == (0 if found.exchange else 1)


def test_a_damaged_journal(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    told(bench, capsys)
    (bench.root / ".hunkdeck/journal-swapping").write_bytes(b"\x1b[2J damaged")
    code, out = told(bench, capsys)
    assert code == 1
    assert "a journal was set aside" in out
    assert "then delete it" in out
    bench.set_aside = True


def test_a_state_directory_that_is_a_link(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    (bench.root / ".hunkdeck").symlink_to(bench.outside)
    said = findings(bench, capsys)
    assert (said["state"][0], said["files"][0]) == ("bad", "bad")
    (bench.root / ".hunkdeck").unlink()


def test_somebody_else_reviews(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    state = open_state(bench.workspace, disk=QuietDisk(), create=True)
    assert state is not None
    with state, ReviewerLock(state) as lock:
        assert lock.acquire()
        health, says = findings(bench, capsys)["locks"]
    assert (health, f"process {os.getpid()} on" in says) == ("note", True)


def test_what_waits(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert findings(bench, capsys)["queue"] == (
        "note",
        "none yet: hunkdeck submit makes it, hunkdeck watch reviews what is in it",
    )
    queue = bench.root / ".hunkdeck/queue"
    queue.mkdir()
    assert findings(bench, capsys)["queue"] == ("good", "nothing waits")
    (queue / "p.json").write_text("{}")
    assert findings(bench, capsys)["queue"] == ("note", "1 proposal waiting: hunkdeck watch")
