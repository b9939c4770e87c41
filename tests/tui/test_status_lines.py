"""The lines above and below the stream: where we are, how far it is, what was said; and who has the room."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.safe_text import is_safe
from tests.tui.reviewing import THREE, Play, Review, edits
from tui.view_model.cells import cell_width
from tui.widgets import key_line
from tui.widgets.top_line import arranged

WHERE, FIGURES, WATCHING = "~/src/shop (main)", "3 proposals · 41 hunks · 17 ✓ 3 ✗ 21 ?", "watching .hunkdeck/queue"

# ---------------------------------------------------------------- above


def line(width: int, said: str = "", aside: str = WATCHING) -> str:
    left, right = arranged(width, WHERE, FIGURES, said, aside)
    assert cell_width(left + right) <= width
    return left + right


def test_a_wide_line_says_everything() -> None:
    assert line(100).split("   ") == [f" {WHERE}", FIGURES, *([""] * 4), f" {WATCHING}"]


def test_the_remark_goes_first_then_the_place_never_the_figures() -> None:
    assert (WHERE in line(70), WATCHING in line(70)) == (True, False)
    assert line(45).startswith(f" {FIGURES}")


def test_what_goes_on_is_more_important_than_where_we_are() -> None:
    assert "read-only: somebody" in line(70, said="read-only: somebody")
    assert FIGURES in line(70, said="read-only: somebody")


@pytest.mark.parametrize("width", [0, 1, 10])
def test_no_width_is_too_small(width: int) -> None:
    line(width, said="placing hunks …")


def test_the_branch_is_shown_and_cannot_steer_the_terminal(play: Play, tmp_path: Path) -> None:
    async def script(review: Review) -> None:
        root = Path(review.app.desk.workspace.root)
        (root / ".git").mkdir(exist_ok=True)
        (root / ".git/HEAD").write_text("ref: refs/heads/fix-\x1b[2Jcart\n")
        review.app.show_sections()
        await review.settled()
        first = review.screen_text().split("\n")[0]
        assert "(fix-␛[2Jcart)" in first
        assert is_safe(first)

    play(script, size=(200, 24))


def test_the_figures_are_plain_numbers(play: Play) -> None:
    many = edits(*((f"f{number}.txt", "a", "b") for number in range(1_001)))

    async def script(review: Review) -> None:
        assert "1001 hunks" in review.screen_text()

    play(script, many)


# ---------------------------------------------------------------- below


def test_a_message_covers_the_keys_only_where_there_is_no_room(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("A")
        assert ("3 accepted. u takes" in review.screen_text(), "y accept" in review.screen_text()) == (True, False)
        await review.pilot.resize_terminal(160, 24)
        await review.settled()
        assert ("3 accepted. u takes" in review.screen_text(), "y accept" in review.screen_text()) == (True, True)

    play(script)


def test_a_click_on_a_message_brings_the_keys_back(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("A")
        await review.pilot.click(key_line.KeyLine, offset=(3, 0))
        await review.settled()
        assert "y accept" in review.screen_text()
        assert len(review.decisions) == 3

    play(script)


def test_the_next_key_takes_an_old_message_away(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(review: Review) -> None:
        await review("m")
        assert "its place already" in review.screen_text()
        await review("j")
        assert "its place already" in review.screen_text()
        monkeypatch.setattr(key_line, "_MESSAGE_STAYS", 0.0)
        await review("j")
        assert "y accept" in review.screen_text()

    play(script)


# ---------------------------------------------------------------- beside


def test_the_queue_is_shown_where_there_is_room(play: Play) -> None:
    async def script(review: Review) -> None:
        shown = []
        for width in (120, 80, 120):
            await review.pilot.resize_terminal(width, 24)
            await review.settled()
            shown.append(review.app.queue.display)
        assert shown == [True, False, True]

    play(script, THREE)


def test_what_the_person_says_about_the_queue_stands_at_any_size(play: Play) -> None:
    async def script(review: Review) -> None:
        await review("b")
        await review.pilot.resize_terminal(120, 24)
        await review("b")
        await review.pilot.resize_terminal(80, 24)
        await review.pilot.resize_terminal(120, 24)
        await review.settled()
        assert not review.app.queue.display

    play(script, THREE)
