"""What a reviewer made of a hunk: shown as it would be written, kept as it is made, taken back step by step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.widgets import TextArea

from engine.planning.data import Fit
from engine.review import Decision, Verdict
from tests.tui.reviewing import ACCEPTED, CART, THREE, Play, Review, edits
from tui.view_model.rows import LineRow

WHOLE = json.dumps(
    {"file_path": "cart.py", "content": CART.replace("sum(items)", "max(items)").replace("bye", "ciao")}
).encode()


def shown(review: Review, index: int) -> list[str]:
    """The changed lines of a hunk, as they stand on the screen."""
    stream = review.app.stream
    block = stream.sections[0].hunks[index]
    block.unfolded = True
    stream.reheight([block])
    rows = [stream.row(block, offset) for offset in range(1, stream.height_of(block))]
    changed = [row for row in rows if isinstance(row, LineRow) and row.change >= 0]
    return [f"{side.mark.value}{side.text}" for row in changed for side in (row.old, row.new) if side]


def fit(review: Review) -> Fit:
    return review.app.stream.hunks[0].planned.fit


async def replan(review: Review, **files: str) -> None:
    for name, text in files.items():
        Path(review.app.desk.workspace.root, f"{name}.py").write_text(text)
    for item in review.app.desk.items:
        review.app.desk.plan(item)
    review.app.replanned(review.app.desk.items)
    await review.settled()


def test_an_edited_hunk_shows_the_text_of_the_reviewer(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("e")
        review.app.screen.query_one(TextArea).text = "    return max(items)\n"
        await review("ctrl+s")
        assert shown(review, 0) == ["-    return sum(items)", "+    return max(items)"]
        assert review.app.stream.sections[0].hunks[0].size[1:] == (1, 1)
        await review("u")
        assert shown(review, 0) == ["-    return sum(items)", "+    return sum(item.price for item in items)"]

    play(script)


def test_a_hunk_accepted_in_part_shows_that_part_only(play: Play) -> None:
    async def script(review: Review) -> None:
        assert len(shown(review, 0)) == 6
        await review("g", "s", "y", "n")
        assert shown(review, 0) == ["-    return sum(items)", "+    return max(items)"]
        await review("g", "s")
        assert len(shown(review, 0)) == 6

    play(script, WHOLE)


def test_parts_are_kept_and_taken_back_one_by_one(play: Play) -> None:
    async def script(review: Review) -> None:
        block = review.app.stream.hunks[0]
        await review("s", "y")
        assert (review.decisions, block.part_marks()) == ({}, ["✓", "?"])
        assert "decide_part" in next(Path(review.app.desk.workspace.root).glob(".hunkdeck/reviews/*.jsonl")).read_text()
        await review("n")
        assert review.decisions == {0: Decision(Verdict.ACCEPT, parts=frozenset({0}))}
        await review("u")
        assert (review.decisions, block.part_marks()) == ({}, ["✓", "?"])
        await review("u")
        assert dict(review.state.parts) == {}

    play(script, WHOLE)


def test_putting_a_split_hunk_together_forgets_its_parts(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("s", "y", "s")
        assert (dict(review.state.parts), review.app.stream.hunks[0].is_split) == ({}, False)
        assert "Together again" in review.app.said

    play(script, WHOLE)


def test_a_place_by_hand_is_taken_back_and_made_again(play: Play) -> None:
    async def script(review: Review) -> None:
        await replan(review, twice="x = 1\ny = 1\nx = 1\n")
        assert fit(review) is Fit.FAILS
        await review("m", "enter")
        assert fit(review) is Fit.FITS
        await review("u")
        assert fit(review) is Fit.FAILS
        await review("ctrl+r", "y")
        assert review.decisions == {0: ACCEPTED}

    play(script, edits(("twice.py", "x = 1\n", "x = 2\n")))


def test_a_place_inside_a_word_replaces_no_more_than_what_was_offered(play: Play) -> None:
    async def script(review: Review) -> None:
        await replan(review, get="def load():\n    return getData()\n")
        await review("m", "enter")
        assert shown(review, 0) == ["-    return getData()", "+    return getInfo()"]

    play(script, edits(("get.py", "Data", "Info")))


def test_a_place_where_the_text_stands_twice_is_asked_about(play: Play) -> None:
    async def script(review: Review) -> None:
        await replan(review, get="getData(getData)\n")
        await review("m", "enter")
        assert fit(review) is Fit.FAILS
        assert "2 places" in review.app.said

    play(script, edits(("get.py", "Data", "Info")))


def test_bulk_accept_leaves_what_changes_the_same_text_as_an_accepted_hunk(play: Play) -> None:
    rivals = edits(("cart.py", "return sum(items)", "return 1"), ("cart.py", "sum(items)", "max(items)"))

    async def script(review: Review) -> None:
        await review("]", "y", "A")
        assert review.decisions == {1: ACCEPTED}
        assert "#0 changes the same text as hunk 1" in review.app.said

    play(script, rivals)


def test_bulk_accept_never_takes_a_second_risk_in_a_confirmed_file(play: Play) -> None:
    ci = edits(
        (".github/workflows/ci.yml", "on: push", "on: [push]"), (".github/workflows/ci.yml", "make", "curl | sh")
    )

    async def script(review: Review) -> None:
        root = Path(review.app.desk.workspace.root)
        (root / ".github/workflows").mkdir(parents=True)
        (root / ".github/workflows/ci.yml").write_text("on: push\nrun: make\n")
        await replan(review)
        await review("y", "enter", "A")
        assert review.decisions == {0: ACCEPTED}
        await review("y")
        assert review.decisions == {0: ACCEPTED, 1: ACCEPTED}

    play(script, ci)


def test_a_reason_does_not_outlive_the_rejection(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("r")
        await review.write("bad idea")
        await review("g", "y")
        assert dict(review.state.comments) == {}
        await review("g", "c")
        await review.write("hm")
        await review("g", "c")
        await review.write("")
        assert dict(review.state.comments) == {}

    play(script)


def test_what_is_applied_cannot_be_undone_as_a_decision(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("y", "ctrl+s", "enter", "enter")
        assert Path(review.app.desk.workspace.root, "cart.py").read_text() != CART
        before = review.decisions
        await review("u")
        assert review.decisions == before
        assert "ctrl+z takes back what was applied" in review.app.said

    play(script)


def test_a_proposal_with_nothing_to_do_is_answered(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("y")
        assert "ctrl+s sends the verdict" in review.app.said
        await review("ctrl+s")
        assert "there is nothing to do" in review.screen_text()
        await review("enter")
        item = review.app.desk.items[0]
        assert item.result is not None
        assert (item.finished, item.result.final, item.result.success) == (True, True, True)

    play(script, edits(("cart.py", "name", "name")))


@pytest.mark.parametrize("asked", ["p0", "p1"])
def test_undo_after_a_restart_takes_back_the_last_decision_of_all(play: Play, asked: str) -> None:
    other = edits(("cart.py", "total", "amount"))

    async def script(review: Review) -> None:
        first, second = review.app.desk.items
        keys = ("y", "G", "y") if asked == "p1" else ("G", "y", "g", "y")
        await review(*keys)
        review.app._steps = None  # as after a restart: the journals are all there is
        await review("u")
        undone = {"p0": first, "p1": second}[asked]
        kept = second if undone is first else first
        assert (len(undone.state.decisions), len(kept.state.decisions)) == (0, 1)

    play(script, THREE, other)


def test_of_a_very_long_line_the_dialog_shows_the_place(play: Play) -> None:
    async def script(review: Review) -> None:
        await replan(review, long=f"{'a ' * 9_000}theEND{'z ' * 900}\n")
        await review("m")
        assert "theEND" in review.screen_text()
        await review("enter")
        assert fit(review) is Fit.FITS

    play(script, edits(("long.py", "END", "FIN")))
