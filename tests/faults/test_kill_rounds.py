"""Agents and the app, killed at random; HUNKDECK_KILL_ROUNDS says how often (`make bench-queue`: 1,000 times)."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.faults.kill_rounds import NEW, OLD, audit, play

ROUNDS = int(os.environ.get("HUNKDECK_KILL_ROUNDS", "4"))


def test_every_proposal_has_one_final_result_whoever_is_killed() -> None:
    played = play(ROUNDS, seed=time.time_ns() % 1_000_000)
    assert played.problems == []
    assert sum(played.kills.values()) == ROUNDS


# ---------------------------------------------------------------- the audit can fail


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A workspace as a good round leaves it."""
    done = tmp_path / ".hunkdeck" / "queue" / "done"
    done.mkdir(parents=True)
    told = {
        "final": True,
        "applied": [0, 2],
        "results": [{"index": n, "file_path": "a.txt"} for n in range(3)],
    }
    (tmp_path / "a.txt").write_text(f"{NEW[0]}\n{OLD[1]}\n{NEW[2]}\n")
    (done / "p.json").write_text("{}")
    for place in (done, done.parent):
        (place / "p.result.json").write_text(json.dumps(told))
    return tmp_path


def test_the_audit_is_content_with_what_is_right(finished: Path) -> None:
    assert audit(finished, {"p"}, {}) == []


@pytest.mark.parametrize(
    ("break_it", "problem"),
    [
        ("rm .hunkdeck/queue/done/p.json", "p: lost"),
        ("rm .hunkdeck/queue/p.result.json", "p: no final result"),
        ("rm .hunkdeck/queue/done/p.result.json", "p: no final result"),
        ("echo '{}' > .hunkdeck/queue/other.json", "other: still waits"),
        (
            "sed -i s/true/false/ .hunkdeck/queue/p.result.json .hunkdeck/queue/done/p.result.json",
            "p: the result is not",
        ),
        ("echo >> .hunkdeck/queue/done/p.result.json", "p: more than one final result"),
        ("sed -i 's/0, 2/0/' .hunkdeck/queue/p.result.json .hunkdeck/queue/done/p.result.json", "a.txt: not what"),
        ("echo >> a.txt", "a.txt: not what the results say"),
    ],
)
def test_the_audit_sees_what_is_wrong(finished: Path, break_it: str, problem: str) -> None:
    subprocess.run(["sh", "-ec", break_it], cwd=finished, check=True)
    assert any(said.startswith(problem) for said in audit(finished, {"p"}, {}))


def test_the_audit_remembers_what_was_said_before(finished: Path) -> None:
    before = {"p": b"another final result"}
    assert audit(finished, {"p"}, before) == ["p: more than one final result"]
