"""Policies: what they decide, and that they never decide more than a bulk accept would."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from engine.bulk import bulk_choice
from engine.model import Copy, Create, Delete, Hunk, Mode, Move, Proposal, TextEdit
from engine.planning.data import FilePlan, Fit, Match, PlannedHunk, ReviewPlan
from engine.policy import Policy, Quality, only_policy_decided, policy_intents, quality
from engine.review import Accept, Reject, ReviewState, Verdict, reduce
from engine.settle import settle
from engine.sizes import changed_lines
from engine.text import FileText
from tests.conftest import Planner
from tests.engine.test_review import PLAN

ACCEPT, REJECT = Policy(Verdict.ACCEPT), Policy(Verdict.REJECT)
CART = "def total(items):\n    return sum(items)\n\n\ndef greet(name):\n    return name\n"


def decide(plan: ReviewPlan, *policies: Policy, state: ReviewState | None = None) -> ReviewState:
    state = state or ReviewState()
    for intent in policy_intents(plan, state, policies):
        state = reduce(plan, state, intent)
    return state


def verdicts(state: ReviewState) -> dict[int, str]:
    assert {decision.by for decision in state.decisions.values()} <= {"policy"}
    return {index: decision.verdict.value for index, decision in state.decisions.items()}


# ---------------------------------------------------------------- what a rule fits


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.md", "README.md", True),
        ("*.md", "docs/deep/er.md", True),
        ("*.md", "docs/er.mdx", False),
        ("docs/*", "docs/a.md", True),
        ("docs/*", "docs/deep/a.md", False),
        ("docs/**", "docs/deep/a.md", True),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "other/docs/a.md", False),
        ("**/test_?.py", "tests/test_a.py", True),
        ("**/test_?.py", "tests/test_ab.py", False),
        ("a[b].txt", "a[b].txt", True),
        ("a.b", "aXb", False),
        ("**", "any/where", True),
    ],
)
def test_path_patterns(pattern: str, path: str, fits: bool, planned: Planner) -> None:
    plan = planned({path: "one\n"}, (path, TextEdit("one", "two")))
    state = decide(plan, Policy(Verdict.REJECT, (pattern,)))
    assert bool(state.decisions) is fits


def test_a_rule_about_one_directory_says_nothing_about_another(planned: Planner) -> None:
    plan = planned(
        {"docs/a.md": "one\n", "src/b.py": "x = 1\n"},
        ("docs/a.md", Move("src/a.md")),
        ("docs/b.md", Copy("src/b.py")),
    )
    assert decide(plan, Policy(Verdict.ACCEPT, ("docs/**",))).decisions == {}
    assert verdicts(decide(plan, Policy(Verdict.ACCEPT, ("docs/**", "src/**")))) == {0: "accept", 1: "accept"}


def test_match_quality(planned: Planner) -> None:
    plan = planned(
        {"a.py": CART},
        ("a.py", TextEdit("return sum(items)", "return 0")),
        ("a.py", TextEdit("def greet(name):\n  return name", "def greet(name):\n  return 1")),
        ("a.py", TextEdit("nowhere", "x")),
        ("new.py", Create("x = 1\n")),
    )
    assert [quality(hunk).value for hunk in plan.hunks] == ["exact", "close", "none", "exact"]
    assert verdicts(decide(plan, Policy(Verdict.ACCEPT, match=frozenset({Quality.EXACT})))) == {
        0: "accept",
        3: "accept",
    }
    assert verdicts(decide(plan, Policy(Verdict.REJECT, match=frozenset({Quality.NONE})))) == {2: "reject"}


def test_size_counts_removed_and_added_lines(planned: Planner) -> None:
    plan = planned(
        {"a.py": CART, "gone.txt": "1\n2\n3\n", "empty.txt": "", "last.txt": "one"},
        ("a.py", TextEdit("return sum(items)", "return 0")),
        ("a.py", TextEdit("    return name\n", "    a = 1\n    return name\n")),
        ("new.py", Create("x = 1\ny = 2\n")),
        ("gone.txt", Delete()),
        ("empty.txt", TextEdit("", "now\n", whole_lines=True)),
        ("last.txt", TextEdit("one", "one\ntwo", whole_lines=True)),
        ("a.py", TextEdit("nowhere\n", "x\ny\n")),
    )
    assert [changed_lines(plan.file_of[hunk.index], hunk) for hunk in plan.hunks] == [2, 1, 2, 3, 1, 3, 3]
    small = Policy(Verdict.ACCEPT, max_lines=2)
    assert sorted(verdicts(decide(plan, small))) == [0, 1, 2, 4]
    large = Policy(Verdict.REJECT, min_lines=3, reason="too much at once")
    state = decide(plan, large)
    assert sorted(verdicts(state)) == [3, 5, 6]
    assert dict(state.comments) == dict.fromkeys((3, 5, 6), "too much at once")


def test_the_first_rule_that_fits_decides(planned: Planner) -> None:
    plan = planned({"a.md": "one\n", "b.txt": "one\n"}, ("a.md", TextEdit("one", "1")), ("b.txt", TextEdit("one", "1")))
    rules = (Policy(Verdict.ACCEPT, ("*.md",)), Policy(Verdict.REJECT, ("**",), reason="no"))
    assert verdicts(decide(plan, *rules)) == {0: "accept", 1: "reject"}
    assert verdicts(decide(plan, *reversed(rules))) == {0: "reject", 1: "reject"}
    assert decide(plan).decisions == {}


# ---------------------------------------------------------------- what no rule decides


def test_sensitive_files_are_never_decided(planned: Planner) -> None:
    plan = planned(
        {"Makefile": "all:\n", ".github/workflows/ci.yml": "on: push\n", "a.txt": "one\n"},
        ("Makefile", TextEdit("all", "none")),
        (".github/workflows/ci.yml", TextEdit("push", "pull")),
        ("a.txt", Move("conftest.py")),
    )
    assert all(hunk.risks for hunk in plan.hunks)
    assert decide(plan, ACCEPT).decisions == decide(plan, REJECT).decisions == {}


def test_a_rule_about_everything_takes_what_a_bulk_accept_takes() -> None:
    taken, left = bulk_choice(PLAN, ReviewState())
    assert left.keys() == {1, 2, 4, 5}  # approximate, without a place, risky, in conflict
    assert list(verdicts(decide(PLAN, ACCEPT))) == taken


def test_text_that_is_not_what_it_seems_is_left_to_a_persons_eyes(planned: Planner) -> None:
    plan = planned({"a.txt": "one\n"}, ("a.txt", TextEdit("one", "o\u202ene")))
    assert plan.hunks[0].warnings
    assert decide(plan, ACCEPT).decisions == {}
    assert verdicts(decide(plan, REJECT)) == {0: "reject"}


def test_what_would_not_parse_without_the_open_rest_stays_open(planned: Planner) -> None:
    """Together they parse, so a bulk accept takes both; the rule is about one of them only."""
    plan = planned(
        {"a.py": "x = 1\n\ny = 2\n"},
        ("a.py", TextEdit("x = 1", "x = (1,")),
        ("a.py", TextEdit("y = 2", "2,\n  3)")),
    )
    assert bulk_choice(plan, ReviewState())[0] == [0, 1]
    assert verdicts(decide(plan, ACCEPT)) == {0: "accept", 1: "accept"}
    assert decide(plan, Policy(Verdict.ACCEPT, max_lines=2)).decisions == {}


def test_what_needs_an_open_hunk_stays_open_with_it(planned: Planner) -> None:
    plan = planned(
        {"a.txt": "one\ntwo\n"},
        ("a.txt", TextEdit("one\n", "1\nnew\nmore\n")),
        ("a.txt", TextEdit("new", "newer")),
    )
    assert plan.hunks[1].needs == (0,)
    assert decide(plan, Policy(Verdict.ACCEPT, max_lines=2)).decisions == {}
    assert verdicts(decide(plan, ACCEPT)) == {0: "accept", 1: "accept"}


def test_a_persons_decision_is_left_alone_and_keeps_the_rest_for_the_person(planned: Planner) -> None:
    plan = planned({"a.txt": "one\ntwo\n"}, ("a.txt", TextEdit("one", "1")), ("a.txt", TextEdit("two", "2")))
    mine = reduce(plan, ReviewState(), Reject((0,)))
    state = decide(plan, ACCEPT, state=mine)
    assert {index: (one.verdict.value, one.by) for index, one in state.decisions.items()} == {
        0: ("reject", "reviewer"),
        1: ("accept", "policy"),
    }
    assert not only_policy_decided(plan, state)
    assert only_policy_decided(plan, decide(plan, ACCEPT))
    assert not only_policy_decided(plan, reduce(plan, ReviewState(), Accept((0,), "policy")))
    assert not only_policy_decided(plan, ReviewState())


# ---------------------------------------------------------------- for any plan and any rules

PATHS = ("a.txt", "docs/b.md", "src/c.txt", "docs/deep/d.txt")


@st.composite
def planned_hunks(draw: st.DrawFn) -> list[PlannedHunk]:
    hunks = []
    for index in range(draw(st.integers(1, 7))):
        path = draw(st.sampled_from(PATHS))
        match = Match("simple", 1.0, 1, 1, approximate=draw(st.booleans()), differs=draw(st.sampled_from(((), ("x",)))))
        fit = draw(st.sampled_from(Fit))
        hunks.append(
            PlannedHunk(
                index,
                Hunk(path, TextEdit("x\n" * draw(st.integers(0, 4)), "y")),
                path,
                fit,
                error="does not fit",
                match=draw(st.sampled_from((None, match))),
                risks=draw(st.sampled_from(((), (), ("runs in CI",)))),
                conflicts=draw(st.sampled_from(((), (), (0,)))) if index else (),
                needs=draw(st.sampled_from(((), (), (0,)))) if index else (),
            )
        )
    return hunks


policies = st.builds(
    Policy,
    st.sampled_from(Verdict),
    st.lists(st.sampled_from(("**", "docs/**", "*.txt", "docs/*")), min_size=1, max_size=2).map(tuple),
    st.frozensets(st.sampled_from(Quality), min_size=1),
    st.sampled_from((None, 0, 2)),
    st.sampled_from((None, 1, 3)),
)


@given(planned_hunks(), st.lists(policies, max_size=4), st.frozensets(st.integers(0, 6)))
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_a_policy_never_accepts_what_a_bulk_accept_leaves_open(
    hunks: list[PlannedHunk], rules: list[Policy], decided: frozenset[int]
) -> None:
    paths = dict.fromkeys(one.path for one in hunks)
    files = [FilePlan(path, None, FileText(""), tuple(one for one in hunks if one.path == path)) for path in paths]
    plan = ReviewPlan(Proposal("test", tuple(one.hunk for one in hunks)), tuple(files))
    before = reduce(plan, ReviewState(), Reject(tuple(index for index in decided if index < len(hunks))))
    taken = set(bulk_choice(plan, before)[0])
    after = decide(plan, *rules, state=before)
    new = {index: one for index, one in after.decisions.items() if index not in before.decisions}
    accepted = {index for index, one in new.items() if one.verdict is Verdict.ACCEPT}
    assert accepted <= taken
    assert not any(plan.hunks[index].risks for index in new)
    assert {one.by for one in new.values()} <= {"policy"}
    assert all(after.decisions[index] == one for index, one in before.decisions.items())
    assert accepted <= settle(plan, after, Mode.CONTINUE).chosen.keys()
