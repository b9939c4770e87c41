"""What happens while somebody reviews: proposals come, change and go, files are written, another reviewer is there."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events

from engine.queue.desk import open_queue
from engine.review import Accept
from engine.workspace import Workspace
from tests.tui.reviewing import ACCEPTED, CART, Review, edits
from tui.app import ReviewApp
from tui.settings import Settings

SUM = ("cart.py", "return sum(items)", "return sum(item.price for item in items)")
HELLO = ("cart.py", '"hello " + name', 'f"hello {name}"')
BYE = ("cart.py", '"bye " + name', 'f"bye {name}"')


class Watched(Review):
    """A review of a directory, with an agent in the next room."""

    queue: Path

    def drop(self, name: str, *changes: tuple[str, str, str], **more: object) -> None:
        """Written elsewhere and renamed in."""
        made = self.queue.parent / f"{name}.being-made"
        made.write_bytes(edits(*changes, **more))
        made.rename(self.queue / f"{name}.json")

    async def until(self, condition: Callable[[], object], seconds: float = 20) -> None:
        ends = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < ends, self.screen_text()
            await self.pilot.pause(0.01)
        await self.settled()

    async def sees(self, text: str) -> None:
        await self.until(lambda: text in self.screen_text())

    @property
    def names(self) -> list[str]:
        return [section.name for section in self.app.stream.sections]


Story = Callable[[Watched], Awaitable[None]]
Watch = Callable[..., None]


@asynccontextmanager
async def watching(workspace: Workspace, size: tuple[int, int], settings: Settings) -> AsyncIterator[Watched]:
    queue = Path(workspace.root, ".hunkdeck", "queue")
    with open_queue(workspace) as desk:
        app = ReviewApp(desk, settings=settings)
        async with app.run_test(size=size) as pilot:
            review = Watched(app, pilot)
            review.queue = queue
            await review.settled()
            yield review


@pytest.fixture
def watch(workspace: Workspace) -> Watch:
    Path(workspace.root, "cart.py").write_text(CART)

    def run(story: Story, *, size: tuple[int, int] = (120, 40), **settings: object) -> None:
        async def go() -> None:
            async with watching(workspace, size, Settings(**settings)) as review:  # type: ignore[arg-type]
                await story(review)

        asyncio.run(go())

    return run


def test_the_first_arrival_gets_the_cursor_and_later_ones_do_not_move_it(watch: Watch) -> None:
    async def story(review: Watched) -> None:
        assert "Nothing to review" in review.screen_text()
        early = events.Key("y", "y")
        review.drop("first", SUM, HELLO)
        await review.sees("exact")
        review.app.post_message(early)
        await review.settled()
        assert (review.at, review.decisions) == (0, {})
        await review("right_square_bracket")
        cursor, line = review.app.stream.cursor, review.app.stream.cursor_line - round(review.app.view.scroll_y)
        review.drop("second", BYE)
        await review.until(lambda: review.names == ["first", "second"])
        assert review.app.stream.cursor is cursor
        assert review.app.stream.cursor_line - round(review.app.view.scroll_y) == line
        await review("y")
        assert review.decisions == {1: ACCEPTED}

    watch(story)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
def test_a_row_says_who_sent_it_how_long_ago_and_until_when_somebody_waits(watch: Watch, size: tuple[int, int]) -> None:
    async def story(review: Watched) -> None:
        review.drop("first", SUM)
        await review.sees("just now")
        item = review.app.desk.items[0]
        item.submitted_by, item.arrived, item.waits_until = "\x1b[2Jclaude", time.time() - 200, time.time() + 5
        review.app.show_ages()
        await review.sees("[2Jclaude · 3 min · waits until ")

    watch(story, size=size)


def test_a_revision_says_what_changed_and_keeps_what_is_the_same(watch: Watch) -> None:
    async def story(review: Watched) -> None:
        review.drop("first", SUM, HELLO)
        await review.sees("exact")
        await review("y")
        review.drop("first", SUM, ("cart.py", '"hello " + name', '"hi " + name'), BYE)
        await review.sees("revision 2: 1 changed, 1 new, 1 as before")
        assert (review.decisions, review.at) == ({0: ACCEPTED}, 1)
        await review("i")
        await review.sees("as it is now")
        shown = review.screen_text()
        assert "< + " in shown
        assert 'return "hi " + name' in shown
        await review("escape", "y")
        assert review.decisions == {0: ACCEPTED, 1: ACCEPTED}

    watch(story)


def test_what_is_withdrawn_leaves_and_what_was_begun_stays(watch: Watch) -> None:
    async def story(review: Watched) -> None:
        review.drop("first", SUM, HELLO)
        await review.until(lambda: review.names == ["first"])
        review.drop("second", BYE)
        await review.until(lambda: review.names == ["first", "second"])
        await review.sees("exact")
        await review("y")
        (review.queue / "second.json").unlink()
        await review.until(lambda: review.names == ["first"])
        (review.queue / "first.json").unlink()
        await review.sees("its file was taken away")
        assert review.decisions == {0: ACCEPTED}

    watch(story)


def test_files_that_change_underneath(watch: Watch) -> None:
    async def story(review: Watched) -> None:
        cart = Path(review.app.desk.workspace.root, "cart.py")
        review.drop("first", SUM, HELLO)
        await review.sees("exact")
        await review("y")
        cart.write_text("# one\n# two\n" + CART)
        await review.sees("moved +2")
        assert (review.decisions, review.at) == ({0: ACCEPTED}, 1)
        cart.write_text(CART.replace("hello", "good morning").replace("sum(items)", "0"))
        await review.sees("stale")
        assert (review.decisions, review.at) == ({}, 1)

    watch(story)


def test_whoever_comes_second_only_looks_until_the_first_is_gone(watch: Watch, workspace: Workspace) -> None:
    first = open_queue(workspace)

    async def story(review: Watched) -> None:
        review.drop("first", SUM, HELLO)
        await review.sees("exact")
        assert f"read-only: in use by pid {os.getpid()}" in review.screen_text()
        for key in ("y", "n", "A", "r", "e", "ctrl+s"):
            await review(key)
            assert "Nothing can be decided here" in review.app.said
            assert len(review.app.screen_stack) == 1
        assert (review.decisions, review.at) == ({}, 0)
        assert first.look_again().new
        first.plan(first.items[0])
        first.items[0].act(Accept((1,)))
        first.close()
        await review.until(lambda: "you decide from here on" in review.app.said)
        await review.until(lambda: review.decisions == {1: ACCEPTED})
        await review("y")
        assert review.decisions == {0: ACCEPTED, 1: ACCEPTED}

    watch(story)
    first.close()


def test_the_bell_rings_and_the_title_counts(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(ReviewApp, "_to_terminal", lambda self, text: told.append(text))

    async def story(review: Watched) -> None:
        review.drop("\u202eEVIL", SUM)
        await review.sees("exact")
        assert "\a" in told
        assert any(text.endswith("\x1b]0;hunkdeck: 1 waiting\a") for text in told)
        assert not any("EVIL" in text for text in told)

    watch(story, bell=True)
