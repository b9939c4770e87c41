"""Planning, settling and applying together: what the disk and the modes do to decisions."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

import hunkdeck
from engine.disk import Disk
from engine.model import Create, Delete, Mode, Move, Proposal, SetMode, TextEdit, Write
from engine.planning import Limits
from engine.review import Accept, AcceptAll, Confirm, Edit, Intent, Reject
from engine.workspace import Workspace
from tests.conftest import Planner

AB = {"a.txt": "one\n", "b.txt": "two\n"}
EDIT_A = ("a.txt", TextEdit("one", "1"))
EDIT_B = ("b.txt", TextEdit("two", "2"))
MISSING = ("a.txt", TextEdit("nowhere", "x"))


def applied(plan: hunkdeck.ReviewPlan, workspace: Workspace, *intents: Intent, **options: Any) -> dict[str, Any]:
    state = hunkdeck.decide(plan, *(intents or (AcceptAll(unfit_too=True),)))
    return hunkdeck.apply(plan, state, workspace, **options).to_dict()


def lists(result: dict[str, Any]) -> dict[str, list[int]]:
    return {key: result[key] for key in ("applied", "failed", "pending", "rejected", "skipped") if result[key]}


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode.ROLLBACK, {"failed": [1], "pending": [0, 2]}),
        (Mode.STOP, {"applied": [0], "failed": [1], "pending": [2]}),
        (Mode.CONTINUE, {"applied": [0, 2], "failed": [1]}),
    ],
)
def test_modes(planned: Planner, workspace: Workspace, mode: Mode, expected: dict[str, list[int]]) -> None:
    result = applied(planned(AB, EDIT_A, MISSING, EDIT_B), workspace, mode=mode)
    assert lists(result) == expected
    assert result["mode"] == mode.value
    assert Path(workspace.root, "a.txt").read_text() == ("1\n" if "applied" in expected else "one\n")


@pytest.mark.parametrize("mode", list(Mode))
def test_a_file_that_changed_since_it_was_shown_is_a_conflict(
    planned: Planner, workspace: Workspace, mode: Mode
) -> None:
    plan = planned(AB, EDIT_A, EDIT_B)
    Path(workspace.root, "a.txt").write_text("one, and more\n")
    result = applied(plan, workspace, mode=mode)
    expected = {"failed": [0], "applied": [1]} if mode is Mode.CONTINUE else {"failed": [0], "pending": [1]}
    assert lists(result) == expected
    assert result["results"][0]["code"] == "conflict"
    assert Path(workspace.root, "a.txt").read_text() == "one, and more\n"


def test_the_result_of_one_plain_hunk(planned: Planner, workspace: Workspace) -> None:
    result = applied(planned({"a.txt": "zero\none\n"}, EDIT_A, call_id="call_1", digest="sha256:x"), workspace)
    message = result.pop("message")
    assert message == "1 hunk: 1 applied (0)."
    assert result.pop("transaction")
    assert result == {
        "schema": 1,
        "proposal": "test",
        "call_id": "call_1",
        "digest": "sha256:x",
        "final": True,
        "success": True,
        "error": None,
        "code": None,
        "mode": "rollback",
        "applied_by": "hunkdeck",
        "dry_run": False,
        "rollback_performed": False,
        "applied": [0],
        "failed": [],
        "pending": [],
        "rejected": [],
        "skipped": [],
        "results": [
            {
                "index": 0,
                "id": None,
                "file_path": "a.txt",
                "status": "applied",
                "success": True,
                "code": None,
                "replacements": 1,
                "match": {"strategy": "simple", "score": 1.0, "lines": [2, 2]},
                "decided_by": "reviewer",
                "edited_by_reviewer": False,
                "comment": None,
                "error": None,
            }
        ],
        "files": [
            {
                "path": "a.txt",
                "action": "modify",
                "changed": True,
                "first_changed_line": 2,
                "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n zero\n-one\n+1\n",
                "sha256": hashlib.sha256(b"zero\n1\n").hexdigest(),
            }
        ],
        "summary": {"total_files": 1, "successful_files": 1, "failed_files": 0, "total_replacements": 1},
        "feedback": None,
    }


def test_a_dry_run_writes_nothing_and_creates_no_state(planned: Planner, workspace: Workspace) -> None:
    result = applied(planned(AB, EDIT_A), workspace, dry_run=True)
    assert (result["applied"], result["dry_run"], result["files"][0]["changed"]) == ([0], True, True)
    assert sorted(os.listdir(workspace.root)) == ["a.txt", "b.txt"]


def test_a_proposal_that_asks_for_a_dry_run_gets_one_unless_the_caller_says_otherwise(
    planned: Planner, workspace: Workspace
) -> None:
    plan = planned(AB, EDIT_A, dry_run=True)
    assert applied(plan, workspace)["dry_run"] is True
    assert applied(plan, workspace, dry_run=False)["dry_run"] is False
    assert Path(workspace.root, "a.txt").read_text() == "1\n"


@pytest.mark.parametrize("limits", [Limits(max_files=1), Limits(max_bytes=5)])
def test_limits_fail_every_hunk_and_say_which(planned: Planner, workspace: Workspace, limits: Limits) -> None:
    proposal = planned(AB, EDIT_A, EDIT_B).proposal
    result = applied(hunkdeck.plan(proposal, workspace, limits=limits), workspace)
    assert [one["code"] for one in result["results"]] == ["limit", "limit"]
    assert "limit of" in result["error"]


def test_create_delete_move_and_mode_in_one_transaction_and_back(planned: Planner, workspace: Workspace) -> None:
    before = {"gone.txt": "bye\n", "old.txt": "move me\n", "run": "#!/bin/sh\n"}
    plan = planned(
        before,
        ("new/file.txt", Create("hello\n")),
        ("gone.txt", Delete()),
        ("old.txt", Move("moved/new.txt")),
        ("old.txt", TextEdit("move me", "moved")),
        ("run", SetMode(executable=True)),
    )
    result = applied(plan, workspace, Confirm("run"), Accept((0, 1, 2, 3, 4)))
    assert lists(result) == {"applied": [0, 1, 2, 3, 4]}
    root = Path(workspace.root)
    assert {path.relative_to(root).as_posix() for path in root.rglob("*.txt")} == {"new/file.txt", "moved/new.txt"}
    assert (root / "moved/new.txt").read_text() == "moved\n"
    assert os.access(root / "run", os.X_OK)
    hunkdeck.undo(workspace)
    assert {path.name: path.read_text() for path in root.iterdir() if path.is_file()} == before
    assert not (root / "new").exists()
    assert not os.stat(root / "run").st_mode & 0o111


def test_risky_hunks_stay_pending_even_when_accepted_one_by_one(planned: Planner, workspace: Workspace) -> None:
    plan = planned({"Makefile": "all:\n"}, ("Makefile", TextEdit("all:", "all: x")))
    result = applied(plan, workspace, Accept((0,)))
    assert (lists(result), result["results"][0]["code"]) == ({"pending": [0]}, "needs_confirmation")
    assert lists(applied(plan, workspace, Confirm("Makefile"), Accept((0,)))) == {"applied": [0]}


def test_hard_links_and_read_only_files_need_a_confirmation(planned: Planner, workspace: Workspace) -> None:
    plan = planned(AB, EDIT_A, EDIT_B)
    os.link(Path(workspace.root, "a.txt"), Path(workspace.root, "other.txt"))
    os.chmod(Path(workspace.root, "b.txt"), 0o444)
    plan = hunkdeck.plan(plan.proposal, workspace)
    assert [hunk.risks for hunk in plan.hunks] == [
        ("2 names share this file; the others keep the old text",),
        ("is read-only",),
    ]


def test_setuid_links_and_directories_are_blocked(planned: Planner, workspace: Workspace) -> None:
    plan = planned({**AB, "dir/x": "x\n"}, EDIT_A, ("link", TextEdit("two", "2")), ("dir", Delete()))
    os.chmod(Path(workspace.root, "a.txt"), 0o4755)
    os.symlink("b.txt", Path(workspace.root, "link"))
    plan = hunkdeck.plan(plan.proposal, workspace)
    assert [(hunk.code, hunk.error) for hunk in plan.hunks] == [
        ("blocked_path", "runs with another user's rights (setuid or setgid)"),
        ("blocked_path", "is a symbolic link"),
        ("blocked_path", "is a directory"),
    ]


def test_a_reviewers_text_is_applied_and_reported(planned: Planner, workspace: Workspace) -> None:
    plan = planned({"a.py": "def f():\n    return 1\n"}, ("a.py", TextEdit("    return 1", "    return 2")))
    result = applied(plan, workspace, Edit(0, "    return 42\n"))
    assert result["results"][0]["edited_by_reviewer"] is True
    assert result["results"][0]["new_text"] == "    return 42\n"
    assert Path(workspace.root, "a.py").read_text() == "def f():\n    return 42\n"


def test_a_hunk_that_builds_on_an_edited_one_fails_instead_of_guessing(planned: Planner, workspace: Workspace) -> None:
    plan = planned({"a.txt": "one\n"}, EDIT_A, ("a.txt", TextEdit("1", "2")))
    assert plan.hunks[1].needs == (0,)
    result = applied(plan, workspace, Edit(0, "my own\n"), Accept((1,)), mode=Mode.CONTINUE)
    assert (lists(result), result["results"][1]["code"]) == ({"applied": [0], "failed": [1]}, "needs_hunk")


def test_an_edited_block_that_reaches_into_another_hunk_conflicts(planned: Planner, workspace: Workspace) -> None:
    text = "a\nb\nc\n"
    plan = planned({"a.txt": text}, ("a.txt", TextEdit("a\nb\n", "A\nb\n")), ("a.txt", TextEdit("b", "B")))
    result = applied(plan, workspace, Edit(0, "A\nX\n"), Accept((1,)), mode=Mode.CONTINUE)
    assert (lists(result), result["results"][1]["code"]) == ({"applied": [0], "failed": [1]}, "overlap")


def test_whole_file_write_over_a_crlf_file_keeps_its_endings_and_bom(planned: Planner, workspace: Workspace) -> None:
    plan = planned({"a.txt": b"\xef\xbb\xbfone\r\ntwo\r\n"}, ("a.txt", Write("one\n2\n")))
    assert lists(applied(plan, workspace)) == {"applied": [0]}
    assert Path(workspace.root, "a.txt").read_bytes() == b"\xef\xbb\xbfone\r\n2\r\n"


def test_all_rejected_is_no_success_and_says_so(planned: Planner, workspace: Workspace) -> None:
    plan = planned(AB, EDIT_A)
    state = hunkdeck.decide(plan, Reject((0,), "not like this"))
    result = hunkdeck.apply(plan, state, workspace)
    assert (result.success, result.final, result.exit_code) == (False, True, 3)
    assert result.error == "the reviewer rejected everything"
    assert "not like this" in result.to_dict()["message"]


def test_paths_are_one_file_however_they_are_spelled(planned: Planner, workspace: Workspace) -> None:
    absolute = str(Path(workspace.root, "a.txt"))
    plan = planned({"a.txt": "one\ntwo\n"}, ("./a.txt", TextEdit("one", "1")), (absolute, TextEdit("two", "2")))
    assert [file.path for file in plan.files] == ["a.txt"]


def test_a_proposal_is_read_from_bytes_or_a_file(tmp_path: Path) -> None:
    data = b'{"file_path": "a", "old_string": "x", "new_string": "y"}'
    (tmp_path / "my.proposal.json").write_bytes(data)
    from_file, from_bytes = hunkdeck.load(tmp_path / "my.proposal.json"), hunkdeck.load(data, name="my.proposal")
    assert from_file == from_bytes
    assert isinstance(from_file, Proposal)
    assert from_file.digest.startswith("sha256:")
    with pytest.raises(hunkdeck.UnreadableProposal, match="cannot be opened"):
        hunkdeck.load(tmp_path / "missing.json")


def test_a_rollback_of_written_files_is_reported(
    planned: Planner, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = planned(AB, EDIT_A, EDIT_B)
    real = Disk.exchange

    def fail_at_b(disk: Disk, directory: int, one: str, other: str) -> None:
        if other == "b.txt":
            raise OSError(errno.EIO, "Input/output error")
        real(disk, directory, one, other)

    monkeypatch.setattr(Disk, "exchange", fail_at_b)
    result = applied(plan, workspace)
    assert (lists(result), result["rollback_performed"]) == ({"failed": [1], "pending": [0]}, True)
    assert result["results"][1]["code"] == "io"
    assert Path(workspace.root, "a.txt").read_text() == "one\n"
