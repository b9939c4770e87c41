"""Policies on the desk: journalled, shown as theirs, changed by the person; entirely theirs is answered at once."""

from __future__ import annotations

import json
from pathlib import Path

from engine.policy import Policy, Quality
from engine.queue.decisions import Decided
from engine.queue.desk import Desk, Item, open_queue
from engine.review import Accept, Reopen, Undo, Verdict
from engine.workspace import Workspace
from tests.engine.queue.support import TEXT, edits, lists, read, verdicts, write

TEXTS = Policy(Verdict.ACCEPT, ("*.txt",))
NO_PLACE = Policy(Verdict.REJECT, match=frozenset({Quality.NONE}), reason="read the file again")


def desk_with(workspace: Workspace, *policies: Policy, **proposals: bytes) -> Desk:
    queue = Path(workspace.root, ".hunkdeck", "queue")
    queue.mkdir(parents=True, exist_ok=True)
    for name, data in proposals.items():
        (queue / f"{name}.json").write_bytes(data)
    return open_queue(workspace, policies=policies)


def planned(desk: Desk) -> Item:
    (item,) = desk.items
    desk.plan(item)
    return item


def answer(workspace: Workspace, name: str = "p") -> dict[str, object]:
    told: dict[str, object] = json.loads(Path(workspace.root, ".hunkdeck", "queue", f"{name}.result.json").read_text())
    return told


def test_without_policies_everything_waits_for_the_person(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    with desk_with(workspace, p=edits(("one", "1"))) as desk:
        item = planned(desk)
        assert (verdicts(item), item.result) == ({}, None)


def test_a_proposal_that_policies_decide_entirely_is_answered_at_once(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    with desk_with(workspace, NO_PLACE, TEXTS, p=edits(("one", "1"), ("nowhere", "x"))) as desk:
        item = planned(desk)
        assert item.finished
    told = answer(workspace)
    assert (lists(told), told["final"]) == ({"applied": [0], "rejected": [1]}, True)
    hunks = told["results"]
    assert isinstance(hunks, list)
    assert [(hunk["decided_by"], hunk["comment"]) for hunk in hunks] == [("policy", None), ("policy", NO_PLACE.reason)]
    assert "was rejected by the reviewer's policy: read the file again" in str(told["message"])
    assert read(workspace).startswith("1\ntwo")
    assert Path(workspace.root, ".hunkdeck", "queue", "done", "p.json").exists()


def test_all_rejected_by_policy_says_so(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    with desk_with(workspace, NO_PLACE, p=edits(("nowhere", "x"))) as desk:
        planned(desk)
    assert answer(workspace)["error"] == "the reviewer's policy rejected everything"


def test_what_policies_leave_open_is_the_persons_and_so_is_the_verdict(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    with desk_with(workspace, TEXTS, p=edits(("one", "1"), ("nowhere", "x"))) as desk:
        item = planned(desk)
        assert (verdicts(item), item.result, read(workspace)) == ({0: "accept"}, None, TEXT)
        assert item.state.decisions[0].by == "policy"
        item.act(Accept((1,)))
        item.act(Reopen((0,)))
        assert verdicts(item) == {1: "accept"}
        desk.plan(item)
        assert verdicts(item) == {1: "accept"}  # taken back is taken back


def test_taking_a_policys_decision_back_is_kept_over_a_restart(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    two = edits(("one", "1"), ("nowhere", "x"))
    with desk_with(workspace, TEXTS, p=two) as desk:
        item = planned(desk)
        assert [entry.intent for entry in item.journal.entries if isinstance(entry, Decided)] == [
            Accept((0,), "policy")
        ]
        item.act(Undo())
    with desk_with(workspace, TEXTS) as desk:
        assert verdicts(planned(desk)) == {}


def test_policies_do_nothing_where_nothing_may_be_decided(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    with desk_with(workspace, p=edits(("one", "1"))), desk_with(workspace, TEXTS) as second:
        assert second.read_only
        assert verdicts(planned(second)) == {}
    assert read(workspace) == TEXT


def test_what_fails_under_a_policy_stays_with_the_person(workspace: Workspace) -> None:
    """A file that changes between planning and writing: the verdict is not final, and the hunk is open again."""
    write(workspace, a=TEXT)
    with desk_with(workspace, p=edits(("one", "1"))) as desk:
        item = planned(desk)
        desk.policies = (TEXTS,)
        Path(workspace.root, "a.txt").write_text("ONE\n")
        item.act(Accept((0,), "policy"))
        result = desk.send(item)
        assert (result.final, item.finished, lists(result)) == (False, False, {"failed": [0]})
    assert read(workspace) == "ONE\n"
