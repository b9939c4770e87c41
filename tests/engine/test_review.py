"""Decisions: a pure reducer over intents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Hunk, Proposal, TextEdit
from engine.planning.data import FilePlan, Fit, Match, PlannedHunk, ReviewPlan
from engine.review import (
    Accept,
    AcceptAll,
    Comment,
    Confirm,
    Decision,
    Edit,
    Intent,
    Redo,
    Reject,
    RejectAll,
    Reopen,
    ReviewState,
    Undo,
    Verdict,
    bulk_choice,
    reduce,
)
from engine.text import FileText

ACCEPTED, REJECTED = Decision(Verdict.ACCEPT), Decision(Verdict.REJECT)


def hunk(index: int, path: str = "a.txt", **fields: object) -> PlannedHunk:
    return PlannedHunk(index, Hunk(path, TextEdit("x", "y")), path, **fields)  # type: ignore[arg-type]


def plan_of(*hunks: PlannedHunk) -> ReviewPlan:
    paths = dict.fromkeys(one.path for one in hunks)
    files = [FilePlan(path, None, FileText(""), tuple(one for one in hunks if one.path == path)) for path in paths]
    return ReviewPlan(Proposal("test", tuple(one.hunk for one in hunks)), tuple(files))


PLAN = plan_of(
    hunk(0),
    hunk(1, match=Match("context_aware", 0.8, 1, 2, approximate=True)),
    hunk(2, fit=Fit.FAILS, error="not found"),
    hunk(3, fit=Fit.SKIPPED, error="already there"),
    hunk(4, "ci.yml", risks=("runs in CI",)),
    hunk(5, conflicts=(0,)),
    hunk(6, "b.txt"),
)


def after(*intents: Intent) -> ReviewState:
    state = ReviewState()
    for intent in intents:
        state = reduce(PLAN, state, intent)
    return state


def test_a_single_accept_takes_whatever_is_shown() -> None:
    assert after(Accept((1, 2))).decisions == {1: ACCEPTED, 2: ACCEPTED}


def test_bulk_accept_takes_what_needs_no_second_look_and_says_what_it_left() -> None:
    taken, left = bulk_choice(PLAN, ReviewState())
    assert taken == [0, 6]
    assert left == {
        1: "the match is approximate",
        2: "not found",
        4: "needs its own confirmation: runs in CI",
        5: "changes the same text as hunk 0",
    }


def test_the_command_line_takes_also_what_will_fail() -> None:
    assert list(after(AcceptAll(unfit_too=True)).decisions) == [0, 2, 5, 6]


def test_a_confirmed_file_is_taken_by_bulk_accept() -> None:
    assert 4 in after(Confirm("ci.yml"), AcceptAll()).decisions


def test_bulk_never_changes_a_decision_already_made() -> None:
    state = after(Reject((0,), "no"), AcceptAll(), RejectAll())
    assert state.decisions[0] == REJECTED
    assert state.decisions[6] == ACCEPTED
    assert {index for index, one in state.decisions.items() if one == REJECTED} == {0, 1, 2, 4, 5}


def test_bulk_of_one_file_leaves_the_others() -> None:
    assert list(after(AcceptAll("b.txt")).decisions) == [6]
    assert list(after(RejectAll("ci.yml", "never")).comments) == [4]


def test_comments_feedback_edits_and_reopening() -> None:
    state = after(Comment(0, "nice"), Comment(None, "thanks"), Edit(0, "mine"), Accept((6,)), Reopen((6,)))
    assert (dict(state.comments), state.feedback) == ({0: "nice"}, "thanks")
    assert state.decisions == {0: Decision(Verdict.ACCEPT, text="mine")}


def test_an_unknown_hunk_is_an_error_that_names_the_range() -> None:
    with pytest.raises(IndexError, match="there is no hunk 9; the proposal has hunks 0-6"):
        after(Accept((9,)))


intents = st.one_of(
    st.integers(0, 6).map(lambda n: Accept((n,))),
    st.integers(0, 6).map(lambda n: Reject((n,), f"because {n}")),
    st.integers(0, 6).map(lambda n: Edit(n, "text")),
    st.just(AcceptAll()),
    st.just(RejectAll()),
    st.just(Confirm("ci.yml")),
    st.text(max_size=3).map(lambda text: Comment(None, text)),
)


@given(st.lists(intents, max_size=20))
def test_undo_goes_back_all_the_way_and_redo_comes_back(script: list[Intent]) -> None:
    state = after(*script)
    seen = [state]
    while seen[-1].previous:
        seen.append(reduce(PLAN, seen[-1], Undo()))
    assert seen[-1] == ReviewState()
    back = seen[-1]
    for _ in seen[1:]:
        back = reduce(PLAN, back, Redo())
    assert back == state
    assert reduce(PLAN, back, Redo()) is back


def test_a_new_decision_after_undo_forgets_what_was_undone() -> None:
    state = after(Accept((0,)), Undo(), Reject((0,)))
    assert reduce(PLAN, state, Redo()).decisions == {0: REJECTED}
