"""Files change underneath: a decision holds where the hunk and the text it was shown against are the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import HunkdeckError
from engine.planning.data import Fit
from engine.queue.desk import Item, open_desk
from engine.review import Accept, Comment, Confirm, Intent, Reject, Undo
from engine.workspace import Workspace
from tests.engine.queue.support import FOUR, TEXT, edits, planned, read, verdicts, write

ALL = {0: "accept", 1: "reject", 2: "reject", 3: "accept"}


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        (TEXT, ALL),
        ("zero\n" + TEXT, ALL),
        (TEXT.replace("six", "6"), ALL),
        (TEXT.replace("one", "one and more"), {n: ALL[n] for n in (1, 2, 3)}),
        (TEXT.replace("two", "deux"), {n: ALL[n] for n in (0, 2, 3)}),
        (TEXT + "nowhere\n", {n: ALL[n] for n in (0, 1, 3)}),
        ("", {2: "reject"}),
    ],
)
@pytest.mark.parametrize("restart", [True, False])
def test_only_the_decisions_on_changed_text_are_open_again(
    workspace: Workspace, after: str, kept: dict[int, str], *, restart: bool
) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    for intent in (Accept((0, 3)), Reject((1, 2), "no"), Comment(0, "fine")):
        item.act(intent)
    write(workspace, a=after)
    if restart:
        desk.close()
        desk, item = planned(workspace, FOUR)
    else:
        desk.plan(item)
    assert verdicts(item) == kept
    said = {0: "fine"} | {hunk: "no" for hunk in (1, 2) if hunk in kept}
    assert item.state.comments == said
    write(workspace, a=TEXT)
    desk.plan(item)
    assert verdicts(item) == ALL
    desk.close()


def test_undo_goes_on_behind_a_decision_that_no_longer_holds(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    steps: list[Intent] = [Accept((0,)), Accept((1,)), Undo(), Accept((3,)), Accept((1,)), Undo()]
    for intent in steps:
        item.act(intent)
    write(workspace, a=TEXT.replace("four", "vier"))
    desk.plan(item)
    assert verdicts(item) == {0: "accept"}
    item.act(Undo())
    assert verdicts(item) == {}
    desk.close()


def test_the_last_word_on_another_text_overrules_an_earlier_decision(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    desk, item = planned(workspace, FOUR)
    item.act(Accept((0, 3)))
    write(workspace, a=TEXT.replace("one", "one and more"))
    desk.plan(item)
    item.act(Reject((0,), "not like that"))
    write(workspace, a=TEXT)
    desk.plan(item)
    assert verdicts(item) == {3: "accept"}  # nobody has said anything about this text since
    item.act(Undo())
    assert verdicts(item) == {0: "accept", 3: "accept"}
    desk.close()


def test_a_confirmation_holds_for_the_same_risks_and_the_same_hunks(workspace: Workspace) -> None:
    makefile = Path(workspace.root, "Makefile")
    makefile.write_text("all:\n\ntest:\n")
    data = edits(("all:", "all: test"), ("test:", "test: all"), path="Makefile")
    desk, item = planned(workspace, data)
    item.act(Confirm("Makefile"))
    item.act(Accept((0,)))
    makefile.write_text("all:\n\n\ntest:\n")
    desk.plan(item)
    assert (item.state.confirmed, verdicts(item)) == (frozenset({"Makefile"}), {0: "accept"})
    makefile.chmod(0o444)
    desk.plan(item)
    assert (item.state.confirmed, verdicts(item)) == (frozenset(), {})
    desk.close()


def test_hunks_that_look_alike_lose_their_decisions_when_their_number_changes(workspace: Workspace) -> None:
    pytest.importorskip("ast_grep_py")
    source = Path(workspace.root, "a.py")
    source.write_text("f(1)\nf(1)\n")
    data = json.dumps({"pattern": "f($A)", "rewrite": "g($A)", "path": ".", "language": "python"}).encode()
    desk, item = planned(workspace, data)
    assert item.plan is not None
    assert len(item.plan.hunks) == 2
    item.act(Reject((1,)))
    desk.close()
    source.write_text("f(1)\nf(1)\nf(1)\n")
    desk, item = planned(workspace, data)
    assert item.plan is not None
    assert len(item.plan.hunks) == 2  # what was shown stays what is decided about
    desk.close()


def test_a_rewrite_keeps_its_numbers_after_some_of_it_was_applied(workspace: Workspace) -> None:
    pytest.importorskip("ast_grep_py")
    source = Path(workspace.root, "a.py")
    source.write_text("f(1)\nf(2)\nf(3)\n")
    data = json.dumps({"pattern": "f($A)", "rewrite": "g($A)", "path": ".", "language": "python"}).encode()
    desk, item = planned(workspace, data)
    item.act(Accept((1,)))
    desk.send(item)
    desk.close()
    desk, item = planned(workspace, data)
    item.act(Accept((0,)))
    item.act(Reject((2,)))
    result = desk.send(item)
    assert (result.to_dict()["applied"], result.final) == ([0, 1], True)
    assert source.read_text() == "g(1)\ng(2)\nf(3)\n"
    desk.close()


def test_a_revised_file_keeps_the_decisions_on_hunks_that_are_the_same(workspace: Workspace) -> None:
    write(workspace, a=TEXT)
    file = Path(workspace.root, "p.json")
    file.write_bytes(FOUR)
    desk = open_desk(workspace, [file])
    desk.plan(desk.items[0])
    desk.items[0].act(Accept((0,)))
    desk.items[0].act(Reject((3,)))
    desk.close()
    file.write_bytes(edits(("six", "6"), ("four", "4"), ("one", "uno")))
    desk = open_desk(workspace, [file])
    (item,) = desk.items
    desk.plan(item)
    assert verdicts(item) == {1: "reject"}
    item.act(Accept((0,)))
    desk.close()
    desk = open_desk(workspace, [file])
    desk.plan(desk.items[0])
    assert verdicts(desk.items[0]) == {0: "accept", 1: "reject"}
    desk.close()


def test_a_place_chosen_by_hand_holds_while_the_lines_are_the_same(workspace: Workspace) -> None:
    twice = "begin\n  a = 1\nend\n\nbegin\n  a = 1\nend\n"
    write(workspace, a=twice)
    data = edits(("a = 1", "a = 2"))
    desk, item = planned(workspace, data)
    with pytest.raises(HunkdeckError):
        desk.place(item, 0, 90, 91)
    desk.place(item, 0, 6, 6)
    item.act(Accept((0,)))
    desk.close()
    desk, item = planned(workspace, data)
    assert (_fit(item), verdicts(item)) == (Fit.FITS, {0: "accept"})
    write(workspace, a=twice.replace("a = 1\nend\n\n", "a = 1\nend\n\n\n"))
    desk.plan(item)
    assert (_fit(item), verdicts(item)) == (Fit.FAILS, {})
    write(workspace, a=twice)
    desk.plan(item)
    assert desk.send(item).success
    assert read(workspace) == "begin\n  a = 1\nend\n\nbegin\n  a = 2\nend\n"
    desk.close()


def test_a_place_chosen_by_hand_in_a_sensitive_file_needs_its_confirmation(workspace: Workspace) -> None:
    Path(workspace.root, "Makefile").write_text("a = 1\n\na = 1\n")
    desk, item = planned(workspace, edits(("a = 1", "a = 2"), path="Makefile"))
    desk.place(item, 0, 3, 3)
    assert item.plan is not None
    assert item.plan.hunks[0].risks
    desk.close()


def _fit(item: Item) -> Fit:
    assert item.plan is not None
    return item.plan.hunks[0].fit
