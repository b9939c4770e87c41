"""From decisions to verdicts: what is applied, what stays open, what the agent reads."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.disk import Disk
from engine.errors import WorkspaceError
from engine.model import Code
from engine.queue.desk import Counts, desk_of, open_desk
from engine.review import Accept, AcceptAll, Comment, Reject, RejectAll
from engine.workspace import Workspace
from tests.engine.queue.support import FOUR, TEXT, edits, lists, planned, read, verdicts, write


def test_a_verdict_about_some_hunks_leaves_the_others_open(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0,)))
    first = desk.send(item)
    assert (lists(first), first.final, item.finished) == ({"applied": [0], "pending": [1, 2, 3]}, False, False)
    assert desk.counts() == Counts(1, 4, accepted=1, open=3)
    item.act(Accept((1, 3)))
    item.act(Reject((2,), "there is no such text"))
    second = desk.send(item)
    assert (lists(second), second.final, item.finished) == ({"applied": [0, 1, 3], "rejected": [2]}, True, True)
    assert [file.path for file in second.files if file.changed] == ["a.txt"]
    assert read(workspace) == "1\n2\nthree\n4\nfive\nsix\n"
    assert desk.counts() == Counts()
    with pytest.raises(WorkspaceError, match="final"):
        desk.send(item)
    desk.close()


def test_everything_rejected_is_a_verdict_too(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(RejectAll(None, "not now"))
    result = desk.send(item)
    assert (result.final, result.exit_code, item.finished) == (True, 3, True)
    assert read(workspace) == TEXT
    desk.close()


def test_what_failed_is_open_again_until_it_is_given_up(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0, 1, 2, 3)))
    result = desk.send(item)
    assert (lists(result), result.final) == ({"applied": [0, 1, 3], "failed": [2]}, False)
    assert verdicts(item) == {0: "accept", 1: "accept", 3: "accept"}
    given_up = desk.send(item, final=True)
    assert (lists(given_up), given_up.final, item.finished) == (lists(result), True, True)
    desk.close()


def test_a_rollback_keeps_the_decisions_and_giving_up_writes_nothing(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    data = FOUR.replace(b"false", b"true")
    desk, item = planned(workspace, data)
    item.act(Accept((0, 1, 2, 3)))
    assert lists(desk.send(item)) == {"failed": [2], "pending": [0, 1, 3]}
    given_up = desk.send(item, final=True)
    assert (lists(given_up), given_up.final) == ({"failed": [2], "pending": [0, 1, 3]}, False)
    assert (verdicts(item), read(workspace)) == ({0: "accept", 1: "accept", 3: "accept"}, TEXT)
    desk.close()
    desk, item = planned(workspace, data)
    last = desk.send(item)
    assert (lists(last), last.final) == ({"applied": [0, 1, 3], "failed": [2]}, True)
    desk.close()


def line_edits(*commands: dict[str, Any]) -> bytes:
    return json.dumps([{"path": "a.txt", **command} for command in commands]).encode()


def test_line_numbers_follow_what_was_applied_before(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    data = line_edits(
        {"command": "insert", "insert_line": 1, "new_content": "1a\n1b"},
        {"command": "delete", "start_line": 3, "end_line": 3},
        {"command": "replace", "start_line": 5, "end_line": 5, "new_content": "FIVE"},
        {"command": "insert", "insert_line": 6, "new_content": "seven"},
    )
    desk, item = planned(workspace, data)
    item.act(Comment(2, "later"))
    item.act(Accept((0, 1)))
    desk.send(item)
    desk.close()
    desk, item = planned(workspace, data)
    item.act(Accept((3,)))
    desk.send(item)
    item.act(Accept((2,)))
    assert desk.send(item).final
    assert read(workspace) == "one\n1a\n1b\ntwo\nfour\nFIVE\nsix\nseven\n"
    desk.close()


def test_the_rest_of_a_moved_file_is_found_under_its_new_name(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-two\n+2\n@@\n-four\n+4\n*** End Patch\n"
    desk, item = planned(workspace, patch.encode())
    assert item.plan is not None
    kinds = [type(hunk.hunk.op).__name__ for hunk in item.plan.hunks]
    move, first, second = kinds.index("Move"), *[n for n, kind in enumerate(kinds) if kind == "TextEdit"]
    item.act(Accept((move, first)))
    assert lists(desk.send(item))["pending"] == [second]
    item.act(Accept((second,)))
    result = desk.send(item)
    assert (result.final, result.success) == (True, True)
    assert [(file.path, file.action, file.new_path) for file in result.files] == [
        ("a.txt", "move", "b.txt"),
        ("b.txt", "modify", None),
    ]
    assert (os.path.exists(os.path.join(workspace.root, "a.txt")), read(workspace, "b.txt")) == (
        False,
        "one\n2\nthree\n4\nfive\nsix\n",
    )
    desk.close()


def test_undo_takes_the_last_apply_back_and_opens_its_verdict(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0,)))
    desk.send(item)
    assert desk.undo_last().paths == ("a.txt",)
    assert (read(workspace), item.result, verdicts(item)) == (TEXT, None, {0: "accept"})
    item.act(Accept((1,)))
    assert lists(desk.send(item)) == {"applied": [0, 1], "pending": [2, 3]}
    item.act(RejectAll())
    final = desk.send(item)
    desk.undo_last()
    assert (item.finished, item.result, read(workspace)) == (True, final, TEXT)
    desk.close()


def test_other_proposals_on_the_same_file_are_planned_anew(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk = desk_of(workspace, [("first", FOUR), ("second", edits(("one\ntwo", "1\ntwo"), ("five", "5")))])
    first, second = desk.items
    for item in desk.items:
        desk.plan(item)
    second.act(AcceptAll())
    first.act(Accept((0,)))
    desk.send(first)
    assert verdicts(second) == {1: "accept"}
    desk.close()


def test_an_unreadable_proposal_is_answered_and_done_with(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(b"{")
    desk = open_desk(workspace, [tmp_path / "bad.json", tmp_path / "missing.json"])
    bad, missing = desk.items
    assert (bad.error, missing.error) == (None, "cannot be opened: No such file or directory")
    desk.plan(bad)
    assert bad.error is not None
    assert [desk.send(item).code for item in desk.items] == [Code.UNREADABLE, Code.UNREADABLE]
    assert (bad.finished, missing.finished, desk.counts()) == (True, True, Counts())
    desk.close()


def test_the_same_file_twice_is_one_proposal(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_bytes(FOUR)
    with open_desk(workspace, [tmp_path / "p.json", tmp_path / "." / "p.json"]) as desk:
        assert [item.name for item in desk.items] == ["p"]


def test_a_verdict_that_could_not_be_recorded_is_not_applied_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, line_edits({"command": "insert", "insert_line": 0, "new_content": "zero"}))
    item.act(Accept((0,)))

    def full(disk: Disk, operation: str, name: str) -> None:
        if operation == "append" and read(workspace) != TEXT:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "before", full)
        with pytest.raises(WorkspaceError, match="No space left"):
            desk.send(item)
    result = desk.send(item)
    assert (lists(result), result.final, read(workspace)) == ({"applied": [0]}, True, "zero\n" + TEXT)
    desk.close()


def test_giving_up_after_new_decisions_applies_them(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0, 2)))
    desk.send(item)
    item.act(Accept((1, 2, 3)))
    result = desk.send(item, final=True)
    assert (lists(result), result.final) == ({"applied": [0, 1, 3], "failed": [2]}, True)
    desk.close()


def test_a_second_desk_may_only_look(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0,)))
    other, seen = planned(workspace, FOUR)
    assert other.read_only == f"in use by pid {os.getpid()} on {os.uname().nodename}"
    assert verdicts(seen) == {0: "accept"}
    for forbidden in (lambda: seen.act(Accept((1,))), lambda: other.send(seen), other.undo_last):
        with pytest.raises(WorkspaceError, match="read-only: in use by pid"):
            forbidden()
    other.close()
    desk.close()
    again, _ = planned(workspace, FOUR)
    assert again.read_only is None
    again.close()


def test_looking_leaves_no_trace(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk = desk_of(workspace, [("p", FOUR)], look_only=True)
    desk.plan(desk.items[0])
    desk.close()
    assert os.listdir(workspace.root) == ["a.txt"]


def test_the_state_is_private_and_ignored_by_git(workspace: Workspace) -> None:
    desk_of(workspace, []).close()
    state = Path(workspace.root, ".hunkdeck")
    assert ((state / ".gitignore").read_text(), state.stat().st_mode & 0o777) == ("*\n", 0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_workspace_that_cannot_be_written_can_be_looked_at(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    os.chmod(workspace.root, 0o555)
    desk, item = planned(workspace, FOUR)
    os.chmod(workspace.root, 0o755)
    assert desk.read_only is not None
    assert item.plan is not None
    desk.close()


def test_a_dry_run_says_what_would_happen_and_settles_nothing(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    data = json.dumps({**json.loads(FOUR), "dry_run": True}).encode()
    desk, item = planned(workspace, data)
    item.act(Accept((0,)))
    assert lists(desk.send(item)) == {"applied": [0], "pending": [1, 2, 3]}
    item.act(RejectAll())
    result = desk.send(item)
    assert (lists(result), result.dry_run, read(workspace)) == ({"applied": [0], "rejected": [1, 2, 3]}, True, TEXT)
    desk.close()
