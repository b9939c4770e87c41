"""A file as it would be: every line of both sides is accounted for."""

from __future__ import annotations

from engine.compose import outcome
from engine.model import Create, Delete, TextEdit
from engine.review import Decision, Verdict
from tests.conftest import Planner
from tui.preview_rows import PreviewRow, RowKind, line_counts, preview_rows, touched_regions

SAME, ADDED, GONE = RowKind.SAME, RowKind.ADDED, RowKind.GONE
YES = Decision(Verdict.ACCEPT)


def test_changed_lines_stand_in_front_of_those_that_take_their_place(planned: Planner) -> None:
    edit = TextEdit("b", "B\nB2")
    plan = planned({"f": "a\nb\nc\n"}, ("f", edit))
    made = outcome(plan.files[0], {0: YES})
    rows = preview_rows(made)
    assert rows == [
        PreviewRow(SAME, 1, "a"),
        PreviewRow(GONE, None, "b"),
        PreviewRow(ADDED, 2, "B"),
        PreviewRow(ADDED, 3, "B2"),
        PreviewRow(SAME, 4, "c"),
    ]
    assert (touched_regions(rows), line_counts(made)) == ([1], (2, 1))


def test_new_deleted_and_untouched_files(planned: Planner) -> None:
    plan = planned({"old": "a\nb"}, ("new", Create("x\ny\n")), ("old", Delete()))
    new, old = plan.files
    assert preview_rows(outcome(new, {0: YES})) == [PreviewRow(ADDED, 1, "x"), PreviewRow(ADDED, 2, "y")]
    assert preview_rows(outcome(old, {1: YES})) == [PreviewRow(GONE, None, "a"), PreviewRow(GONE, None, "b")]
    assert preview_rows(outcome(old, {})) == [PreviewRow(SAME, 1, "a"), PreviewRow(SAME, 2, "b")]
    assert line_counts(outcome(old, {})) == (0, 0)
