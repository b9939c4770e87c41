"""The decision journal: what was decided is there again, whatever happened to the last line."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.disk import Disk, PrivateDirectory
from engine.errors import WorkspaceError
from engine.planning.data import ReviewPlan
from engine.queue import intents
from engine.queue.decisions import (
    Decided,
    DecisionJournal,
    Entry,
    Expanded,
    Opened,
    Sending,
    Sent,
    decode,
    encode,
)
from engine.queue.desk import desk_of
from engine.queue.fingerprints import Fingerprints
from engine.queue.intents import spelled_out
from engine.queue.replay import bound, replay
from engine.review import (
    Accept,
    AcceptAll,
    AcceptParts,
    Comment,
    Confirm,
    DecidePart,
    Edit,
    Intent,
    Lines,
    Place,
    Redo,
    Reject,
    RejectAll,
    Reopen,
    ReviewState,
    Undo,
    reduce,
)
from engine.workspace import Workspace
from tests.engine.queue.support import FOUR, TEXT, planned, verdicts, write

hunks = st.integers(0, 3)
texts = st.text(max_size=8)
maybe = st.none() | texts
single = st.one_of(
    st.builds(Accept, st.lists(hunks, max_size=3).map(tuple)),
    st.builds(AcceptParts, hunks, st.frozensets(hunks)),
    st.builds(DecidePart, hunks, st.frozensets(st.integers(0, 1), min_size=1), st.booleans()),
    st.builds(Place, hunks, st.builds(Lines, st.integers(1, 4), st.integers(1, 4), texts)),
    st.builds(Reject, st.lists(hunks, max_size=3).map(tuple), maybe),
    st.builds(Edit, hunks, texts),
    st.builds(Comment, st.none() | hunks, maybe),
    st.builds(Confirm, st.sampled_from(["a.txt", "b.txt"])),
    st.builds(Reopen, st.lists(hunks, max_size=2).map(tuple)),
    st.builds(Undo),
    st.builds(Redo),
)
any_intent = st.one_of(single, st.builds(AcceptAll), st.builds(RejectAll, st.none(), maybe))


@given(single)
@settings(max_examples=200)
def test_an_intent_survives_json(intent: Intent) -> None:
    assert intents.from_dict(intents.to_dict(intent)) == intent


@pytest.mark.parametrize(
    "entry",
    [
        Opened("p", "/queue/p.json", "sha256:00"),
        Expanded((0, {"path": "a.txt"})),
        Decided(Accept((1, 2)), {1: "a:b", 2: "c:d"}),
        Decided(Confirm("a.txt"), {}, ("a",), ("runs later",)),
        Decided(Place(0, Lines(3, 4, "digest")), {0: "a:b"}, at=1.5),
        Sending(7, {"results": []}),
        Sent({"results": []}, failures_open=True),
    ],
)
def test_an_entry_survives_json(entry: Entry) -> None:
    assert list(decode(b"\n" + encode(entry))) == [entry]


def same_history(plan: ReviewPlan, one: ReviewState, other: ReviewState) -> bool:
    """Equal, and equal after every undo and redo."""
    for step in (Undo(), Redo()):
        a, b, more = one, other, True
        while more:
            if a != b:
                return False
            next_a, next_b = reduce(plan, a, step), reduce(plan, b, step)
            if (next_a is a) != (next_b is b):
                return False
            a, b, more = next_a, next_b, next_a is not a
    return True


@cache
def four() -> ReviewPlan:
    with tempfile.TemporaryDirectory() as home, Workspace(home) as workspace:
        write(workspace, a=TEXT)
        _, item = planned(workspace, FOUR)
        assert item.plan is not None
        return item.plan


@given(st.lists(any_intent, max_size=12))
@settings(max_examples=150)
def test_replaying_the_journal_gives_the_same_state_with_the_same_history(steps: list[Intent]) -> None:
    plan = four()
    prints = Fingerprints.of_plan(plan)
    state, entries = ReviewState(), []
    for intent in steps:
        intent = spelled_out(plan, state, intent)
        after = reduce(plan, state, intent)
        if after is not state:
            entries.append(bound(plan, prints, intent))
        state = after
    written = b"".join(b"\n" + encode(entry) for entry in entries)
    assert same_history(plan, replay(plan, prints, decode(written)), state)


def test_a_journal_that_is_cut_off_at_any_byte_holds_all_whole_lines() -> None:
    opened = Opened("p", "", "sha256:00")
    steps = [Decided(Accept((0,)), {0: "a"}), Decided(Comment(1, "ünd\n"), {1: "b"}), Decided(Undo(), {})]
    entries: list[Entry] = [opened, *steps]
    lines = [encode(entry) for entry in entries]
    data = b"\n".join(lines)
    ends = [len(b"\n".join(lines[: n + 1])) for n in range(len(lines))]
    for cut in range(len(data) + 1):
        whole = entries[: sum(end <= cut for end in ends)]
        assert list(decode(data[:cut])) == whole
        assert list(decode(data[:cut] + b"\n" + encode(steps[0]))) == [*whole, steps[0]]


def test_lines_that_say_nothing_known_are_left_out() -> None:
    known = Decided(Reject((0,)), {0: "a"})
    damaged = b'\nnull\n[1]\n{}\n{"what": "later"}\n{"what": "decided", "seen": 3}\n' + b"[" * 100_000 + b"\n\x00\xff\n"
    assert list(decode(damaged + encode(known))) == [known]


def test_what_was_decided_is_there_after_a_restart(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    for intent in (Accept((0,)), Reject((1,), "no"), Edit(3, "IV\n"), Comment(None, "thanks"), AcceptAll(), Undo()):
        item.act(intent)
    before = item.state
    desk.close()
    desk, item = planned(workspace, FOUR)
    assert item.state == before
    item.act(Undo())
    assert verdicts(item) == {0: "accept", 1: "reject"}
    desk.close()


def test_every_decision_is_on_disk_before_act_returns(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    reviews = Path(workspace.root, ".hunkdeck", "reviews")
    assert list(reviews.iterdir()) == []
    item.act(Accept((0,)))
    (journal,) = reviews.glob("*.jsonl")
    (captured,) = reviews.glob("*.proposal")
    assert captured.read_bytes() == FOUR
    assert journal.stat().st_mode & 0o777 == 0o600
    assert [type(entry) for entry in decode(journal.read_bytes())] == [Opened, Decided]
    item.act(Accept((0,)))
    assert len(list(decode(journal.read_bytes()))) == 2
    desk.close()


def test_a_decision_that_cannot_be_recorded_is_not_made(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0,)))

    def full(disk: Disk, operation: str, name: str) -> None:
        if operation == "write":
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "before", full)
        with pytest.raises(WorkspaceError, match="No space left"):
            item.act(Accept((1,)))
    assert verdicts(item) == {0: "accept"}
    item.act(Accept((3,)))
    desk.close()
    desk, item = planned(workspace, FOUR)
    assert verdicts(item) == {0: "accept", 3: "accept"}
    desk.close()


def test_a_journal_without_a_directory_is_only_for_looking() -> None:
    journal = DecisionJournal(None, Opened("p", "", "sha256:00"))
    with pytest.raises(WorkspaceError):
        journal.append(Decided(Undo(), {}), bytes)


def test_a_revision_keeps_its_journal_and_says_so(tmp_path: Path, workspace: Workspace) -> None:
    fd = PrivateDirectory.open(workspace.fd, "reviews", disk=Disk(), create=True)
    first = DecisionJournal(fd, Opened("p", "/p.json", "sha256:00"))
    first.append(Decided(Undo(), {}), lambda: b"first")
    second = DecisionJournal(fd, Opened("p", "/p.json", "sha256:11"))
    assert second.current == []
    second.append(Decided(Redo(), {}), lambda: b"second")
    assert [type(entry) for entry in second.entries] == [Opened, Decided, Opened, Decided]
    assert second.current == [Opened("p", "/p.json", "sha256:11"), Decided(Redo(), {})]
    second.discard()
    assert fd.names() == []
    fd.close()


def test_payloads_with_the_same_name_have_their_own_decisions(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0,)))
    desk.close()
    desk = desk_of(workspace, [("p", FOUR.replace(b"nowhere", b"NOWHERE"))])
    desk.plan(desk.items[0])
    assert verdicts(desk.items[0]) == {}
    desk.close()
