"""Looking, clicking and applying in the app: keys and clicks in, what is shown and written out."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from textual._callback import invoke

from engine.queue.desk import desk_of
from engine.safe_text import is_safe
from engine.workspace import Workspace
from tests.tui.reviewing import ACCEPTED, CART, REJECTED, THREE, Play, Review, edits, open_review
from tui.actions import check
from tui.settings import Settings
from tui.view_model.blocks import build_section
from tui.view_model.labels import tally
from tui.widgets.lines import EmptyView

# ---------------------------------------------------------------- looking


def test_folding(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("z")
        assert [block.folded for block in review.app.stream.hunks] == [True, False, False]
        await review("enter")
        await review("Z")
        assert [block.folded for block in review.app.stream.hunks] == [True, True, True]
        await review("Z")
        assert [block.folded for block in review.app.stream.hunks] == [False, False, False]

    play(script)


def test_context_wrap_and_side_by_side(play: Play) -> None:
    async def script(review: Review) -> None:
        before = review.app.stream.height
        await review("plus")
        assert review.app.stream.height > before
        await review("minus", "minus")
        assert review.app.stream.height < before
        await review("w", "vertical_line")
        assert (review.app.stream.options.wrap, review.app.stream.options.split) == (True, False)
        assert "columns" in review.app.said
        await review.pilot.resize_terminal(160, 40)
        await review("vertical_line")
        assert review.app.stream.options.split
        await review.pilot.resize_terminal(60, 20)
        await review.settled()
        assert not review.app.stream.options.split

    play(script)


def test_search_and_then_reject(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("slash")
        await review.write("bye {")
        assert review.at == 2
        await review("n", "N")
        assert review.decisions == {}
        await review("escape", "n")
        assert review.decisions == {2: REJECTED}

    play(script)


def test_jump_and_preview_and_help_change_nothing(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("f")
        await review.write("cart")
        await review("p", "escape", "question_mark", "escape")
        assert review.decisions == {}
        assert len(review.app.screen_stack) == 1

    play(script)


@pytest.mark.parametrize("size", [(80, 24), (200, 60), (30, 8), (4, 2), (1, 1)])
def test_any_size(play: Play, size: tuple[int, int]) -> None:
    async def script(review: Review) -> None:
        await review("j", "right_square_bracket", "pagedown", "G", "g", "y", "b", "Z", "u")
        assert review.decisions == {}

    play(script, size=size)


def test_other_keys_and_themes(play: Play) -> None:
    async def script(review: Review) -> None:
        assert review.app.theme == "blue-orange"
        await review("x", "y")
        assert review.decisions == {0: ACCEPTED}
        await review("t")
        assert review.app.theme == "dark"

    play(script, theme="blue-orange", keys={"accept": ("x",)})


def test_a_long_rest_ends_nothing(play: Play) -> None:
    async def script(review: Review) -> None:
        tidying = review.app._tidying
        assert tidying is not None
        assert tidying._callback is not None
        await invoke(tidying._callback)  # as the timer does when the keys have rested
        await review("y")
        assert review.decisions == {0: ACCEPTED}

    play(script)


# ---------------------------------------------------------------- the mouse


def test_the_buttons_do_the_same(play: Play) -> None:
    async def script(review: Review) -> None:
        view = review.app.view
        line = review.app.stream.top_of(review.app.stream.hunks[1])
        x = view.row_width - 3
        await review.pilot.click(view, offset=(x, line - round(view.scroll_y)))
        await review.settled()
        assert review.decisions == {1: REJECTED}
        line = review.app.stream.top_of(review.app.stream.hunks[0])
        await review.pilot.click(view, offset=(x - 4, line - round(view.scroll_y)))
        await review.settled()
        assert review.decisions == {1: REJECTED, 0: ACCEPTED}

    play(script)


def test_a_press_on_an_old_picture_does_nothing(play: Play) -> None:
    async def script(review: Review) -> None:
        view, old = review.app.view, review.app.stream.hunks[0]
        item = old.section.item
        review.app.sections[item] = build_section(item, review.app.stream.options)
        review.app.show_sections()
        view.post_message(view.Pressed("accept_hunk", old))
        await review.settled()
        assert review.decisions == {}

    play(script)


# ---------------------------------------------------------------- applying


def test_apply_finish_and_take_back(play: Play) -> None:
    async def script(review: Review) -> None:
        cart = Path(review.app.desk.workspace.root, "cart.py")
        await review("y", "n", "y", "ctrl+s", "enter")
        assert "item.price" in cart.read_text()
        assert 'f"hello' not in cart.read_text()
        await review("enter")
        assert review.app.screen_stack[0].query_one(EmptyView).display
        await review("ctrl+z", "enter")
        assert cart.read_text() == CART

    play(script)


def test_going_back_applies_nothing(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("A", "ctrl+s", "escape")
        assert Path(review.app.desk.workspace.root, "cart.py").read_text() == CART

    play(script)


def test_a_finished_proposal_leaves_and_the_next_open_hunk_gets_the_cursor(play: Play) -> None:
    second = edits(("cart.py", "def bye", "def farewell"))

    async def script(review: Review) -> None:
        await review("A", "ctrl+s", "enter", "enter")
        cursor = review.app.stream.cursor
        assert cursor is not None
        assert (cursor.block.section.name, len(review.app.stream.sections)) == ("p1", 1)

    play(script, THREE, second)


def test_apply_all_decided(play: Play) -> None:
    second = edits(("cart.py", "def bye", "def farewell"))

    async def script(review: Review) -> None:
        await review("A", "tab", "y")
        review.app.action_apply_all()
        await review.settled()
        await review("enter")
        assert "2 verdicts" in review.app.said
        assert "farewell" in Path(review.app.desk.workspace.root, "cart.py").read_text()

    play(script, THREE, second)


# ---------------------------------------------------------------- what is on the screen


def test_nothing_untrusted_steers_the_terminal(play: Play) -> None:
    evil = "\x1b[2J\x1b]52;c;AAAA\x07 \u202e \u200b \x9b31m [@click=app.action_accept_proposal]x[/] \U000e0041"
    hostile = edits(("cart.py", "return sum(items)", f"return sum(items)  # {evil}"), description=evil)

    async def script(review: Review) -> None:
        for keys in ((), ("y",), ("u", "e"), ("escape", "p"), ("escape", "A", "ctrl+s"), ("escape", "slash")):
            await review(*keys)
            shown = review.screen_text()
            assert all(is_safe(line) for line in shown.split("\n"))

    play(script, hostile, size=(120, 40))


def test_unreadable_proposals_are_named_and_stop_nobody(play: Play) -> None:
    async def script(review: Review) -> None:
        assert "cannot be read" in review.screen_text()
        await review("y")
        assert review.app.desk.items[1].state.decisions == {0: ACCEPTED}

    play(script, b"{ not json", THREE)


def test_an_empty_queue_says_what_to_do(workspace: Workspace) -> None:
    async def run() -> None:
        async with open_review(workspace, (), (80, 24), Settings()) as review:
            await review("y", "j", "ctrl+s", "slash", "escape")
            assert "Nothing to review" in review.screen_text()

    asyncio.run(run())


def test_a_second_reviewer_only_looks(play: Play, workspace: Workspace) -> None:
    first = desk_of(workspace, [])
    try:

        async def script(review: Review) -> None:
            await review("y")
            assert review.decisions == {}
            assert "read-only" in review.app.said

        play(script)
    finally:
        first.close()


def test_the_app_survives_a_long_rest(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does when nobody has pressed a key for long must not end it: a timer calls methods, not built-ins."""
    monkeypatch.setattr("tui.actions.check._LONG_REST", 0.01)

    async def script(review: Review) -> None:
        await review.pilot.pause(0.1)
        await review("y")
        assert review.decisions == {0: ACCEPTED}

    play(script)


def test_what_was_accepted_and_would_not_parse_says_so_wherever_the_cursor_is(play: Play) -> None:
    breaks = edits(("cart.py", "return sum(items)", "return sum(items"))

    async def script(review: Review) -> None:
        await review("y")
        assert review.app.stream.cursor is not None
        assert review.app.stream.cursor.block.section.name == "p1"
        broken = review.app.stream.sections[0].hunks[0]
        async with asyncio.timeout(10):
            while not broken.warning:
                await review.pilot.pause(0.01)
        assert "⚠ would not parse" in review.screen_text()

    play(script, breaks, edits(("cart.py", '"bye " + name', 'f"bye {name}"')), size=(120, 40))


def test_the_preview_shows_what_an_accepted_deletion_takes_away(play: Play) -> None:
    gone = json.dumps({"changes": [{"change_type": "delete_file", "id": "d", "path": "cart.py"}]}).encode()

    async def script(review: Review) -> None:
        await review("y", "g", "p")
        async with asyncio.timeout(10):
            while "reading" in review.screen_text():
                await review.pilot.pause(0.01)
        assert "change 1 of 1" in review.screen_text()

    play(script, gone)


def test_after_a_part_was_applied_the_rest_still_counts_as_open(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("y", "ctrl+s", "enter", "enter")
        await review.planned()
        assert "3 hunks · 1 ✓ 0 ✗ 2 ?" in review.screen_text()
        assert str(tally(review.app.stream.sections[0])) == "1 ✓ 0 ✗ 2 ?"

    play(script, size=(120, 40))


def test_a_file_that_has_moved_still_says_whence(play: Play) -> None:
    moved = json.dumps(
        {
            "changes": [
                {"change_type": "move_file", "id": "m", "path": "cart.py", "new_path": "basket.py"},
                {"change_type": "new_file", "id": "n", "path": "fresh.py", "content": "x = 1\n"},
            ]
        }
    ).encode()

    async def script(review: Review) -> None:
        assert "cart.py → basket.py" in review.screen_text()
        await review("y", "ctrl+s", "enter", "enter")
        await review.planned()
        assert "cart.py → basket.py" in review.screen_text()

    play(script, moved, size=(120, 40))


def test_who_wrote_nothing_is_not_told_how_to_take_it_back(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("R", "R")
        assert review.app.said == "0 rejected."
        await review("ctrl+s", "enter")
        assert "0 applied, 0 failed. Nothing was written here." in review.app.said

    play(script)


def test_messages_name_the_keys_of_the_person(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("x", "x", "x")
        assert "ctrl+a applies" in review.app.said
        await review("U", "R")
        assert review.app.said == "1 rejected. U takes it back."

    play(script, keys={"accept": ("x",), "apply": ("ctrl+a",), "undo": ("U",)})


def test_a_warning_that_comes_late_leaves_the_cursor_and_the_selection_on_their_lines(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks = edits(("cart.py", "return sum(items)", "return sum(items"))

    async def script(review: Review) -> None:
        stream = review.app.stream
        assert stream.cursor is not None
        hunk = stream.cursor.block
        await review("j", "j", "v", "j")
        at = stream.cursor.offset
        chosen = [stream.row(hunk, offset) for offset in (at - 1, at)]
        monkeypatch.setattr(check, "_REST", 0.01)
        review.app.check_soon()
        async with asyncio.timeout(10):
            while "would not parse" not in review.screen_text():
                await review.pilot.pause(0.01)
        assert review.app.selecting is not None
        assert [stream.row(hunk, offset) for offset in (review.app.selecting, stream.cursor.offset)] == chosen

    monkeypatch.setattr(check, "_REST", 3600.0)
    play(script, breaks)
