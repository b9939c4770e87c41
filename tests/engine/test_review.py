"""Decisions: a pure reducer over intents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bulk import bulk_choice
from engine.model import Hunk, Proposal, TextEdit
from engine.pieces import on_original
from engine.planning.data import FilePlan, Fit, Match, PlannedHunk, ReviewPlan
from engine.review import (
    Accept,
    AcceptAll,
    Comment,
    Confirm,
    DecidePart,
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
    reduce,
)
from engine.text import FileText, Splice

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


def test_a_risk_that_was_confirmed_is_taken_by_the_command_line_but_never_unseen() -> None:
    assert 4 in after(Confirm("ci.yml"), AcceptAll(unfit_too=True)).decisions
    assert 4 not in after(Confirm("ci.yml"), AcceptAll()).decisions


def test_bulk_accept_leaves_the_earlier_of_two_rivals_once_the_later_is_accepted() -> None:
    assert bulk_choice(PLAN, after(Accept((5,))))[1][0] == "changes the same text as hunk 5"
    assert 5 in after(Reject((0,)), AcceptAll()).decisions


def test_bulk_never_changes_a_decision_already_made() -> None:
    state = after(Reject((0,), "no"), AcceptAll(), RejectAll())
    assert state.decisions[0] == REJECTED
    assert state.decisions[6] == ACCEPTED
    assert {index for index, one in state.decisions.items() if one == REJECTED} == {0, 1, 2, 4}


def test_bulk_of_one_file_leaves_the_others() -> None:
    assert list(after(AcceptAll("b.txt")).decisions) == [6]
    assert list(after(RejectAll("ci.yml", "never")).comments) == [4]


def test_comments_feedback_edits_and_reopening() -> None:
    state = after(Comment(0, "nice"), Comment(None, "thanks"), Edit(0, "mine"), Accept((6,)), Reopen((6,)))
    assert (state.comments[0], state.feedback) == ("nice", "thanks")
    assert state.decisions == {0: Decision(Verdict.ACCEPT, text="mine")}


def test_a_comment_can_be_taken_away() -> None:
    assert after(Comment(0, "hm"), Comment(0, None), Comment(None, "all"), Comment(None, None)) == ReviewState()


def test_the_reason_of_a_rejection_goes_with_it_and_a_comment_stays() -> None:
    assert after(Reject((0,), "no"), Accept((0,))).comments == {}
    assert after(Reject((0,), "no"), Reopen((0,))).comments == {}
    assert after(Reject((0,), "no"), Reject((0,))).comments == {0: "no"}
    assert after(Comment(0, "hm"), Reject((0,)), Accept((0,))).comments == {0: "hm"}


def test_a_hunk_is_decided_part_by_part() -> None:
    plan = plan_of(hunk(0, cuts=on_original([Splice(0, 1, "x"), Splice(2, 3, "y"), Splice(4, 5, "z")])), hunk(1))

    def so(*intents: Intent) -> ReviewState:
        state = ReviewState()
        for intent in intents:
            state = reduce(plan, state, intent)
        return state

    def part(*parts: int, take: bool) -> Intent:
        return DecidePart(0, frozenset(parts), take)

    half = so(part(0, take=True))
    assert (half.decisions, half.parts) == ({}, {0: {0: True}})
    assert so(part(0, take=True), part(1, 2, take=False)).decisions == {
        0: Decision(Verdict.ACCEPT, parts=frozenset({0}))
    }
    assert so(part(0, take=True), part(1, 2, take=True)).decisions == {0: ACCEPTED}
    assert so(part(0, take=False), part(1, 2, take=False)).decisions == {0: REJECTED}
    assert so(part(0, take=True), part(1, 2, take=False), Undo()) == half
    assert so(part(0, take=True), Accept((0,))).parts == {}
    assert so(part(0, take=True), AcceptAll()).decisions == {1: ACCEPTED}
    assert so(part(0, take=True), RejectAll()).decisions == {1: REJECTED}


def test_history_costs_what_was_changed_not_what_there_is() -> None:
    plan = plan_of(*(hunk(index) for index in range(2_000)))
    state = reduce(plan, ReviewState(), AcceptAll())
    for index in range(2_000):
        state = reduce(plan, state, Reject((index,)))
    kept, step = 0, state.past
    while step is not None:
        kept += len(step.change.decisions)
        step = step.rest
    assert kept == 2_000 + 2_000


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
    while seen[-1].past:
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
