"""Moving: lines, hunks, files, pages, the next open hunk, search and jump."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter

from tui.actions.base import ReviewBase
from tui.view_model.blocks import FileBlock, Section
from tui.view_model.stream import Cursor

_BREATH = 0.008


class MoveActions(ReviewBase):
    """Where the cursor goes."""

    def __init__(self, *arguments: object, **more: object) -> None:
        super().__init__(*arguments, **more)  # type: ignore[arg-type]
        self.needle = ""

    def action_line_down(self) -> None:
        self._lines(1)

    def action_line_up(self) -> None:
        self._lines(-1)

    def _lines(self, count: int) -> None:
        before = self.stream.cursor
        self.stream.move_lines(count)
        if (
            self.selecting is not None
            and before
            and self.stream.cursor
            and self.stream.cursor.block is not before.block
        ):
            self.stream.cursor = before  # a selection stays inside its hunk
        self.show_selection()
        self.cursor_moved()

    def show_selection(self) -> None:
        """The lines between where the selection began and the cursor."""
        cursor = self.stream.cursor
        if self.selecting is None or cursor is None:
            self.view.selection = None
            return
        top = self.stream.top_of(cursor.block)
        first, last = sorted((self.selecting, cursor.offset))
        self.view.selection = top + first, top + last

    def end_selection(self) -> None:
        self.selecting = None
        self.show_selection()
        self.view.refresh()

    def action_next_hunk(self) -> None:
        self._jump(lambda: self.stream.move_hunks(1))

    def action_previous_hunk(self) -> None:
        self._jump(lambda: self.stream.move_hunks(-1))

    def action_next_file(self) -> None:
        self._jump(lambda: self.stream.move_files(1))

    def action_previous_file(self) -> None:
        self._jump(lambda: self.stream.move_files(-1))

    def action_first(self) -> None:
        self._jump(lambda: self.stream.go_to_line(0))

    def action_last(self) -> None:
        self._jump(self.stream.go_to_end)

    def action_page_down(self) -> None:
        self._jump(lambda: self.view.scroll_page(1), jump=False)

    def action_page_up(self) -> None:
        self._jump(lambda: self.view.scroll_page(-1), jump=False)

    def action_next_open(self) -> None:
        self.go_on()

    def go_on(self) -> None:
        """To the next open hunk, or say that there is none."""
        self.end_selection()
        if self.stream.next_open():
            self.cursor_moved(jump=True)
            return
        self.cursor_moved()
        if self.stream.hunks:
            self.say(f"Everything is decided. {self.key('apply')} applies the proposal under the cursor.")

    def _jump(self, move: Callable[[], None], *, jump: bool = True) -> None:
        self.end_selection()
        move()
        self.cursor_moved(jump=jump)

    def go_to(self, section: Section, file: FileBlock | None) -> None:
        """The first hunk of a file or proposal; a proposal without hunks is only shown."""
        target = file or next(iter(section.files), None)
        if target and target.hunks:
            self._jump(lambda: self.stream.go(target.hunks[0]))
        else:
            self.view.scroll_to(y=self.stream.top_of(section.header), animate=False, force=True)

    # ------------------------------------------------------------ jump by name

    def action_jump(self) -> None:
        from tui.screens.jump import Jump

        places = self._places()

        def go(chosen: str | None) -> None:
            if chosen is not None:
                self.go_to(*places[int(chosen)][1])

        self.push_screen(Jump([(label, str(number)) for number, (label, _) in enumerate(places)]), go)

    def _places(self) -> list[tuple[str, tuple[Section, FileBlock | None]]]:
        places: list[tuple[str, tuple[Section, FileBlock | None]]] = []
        for section in self.stream.sections:
            places.append((section.name, (section, None)))
            places += [(f"{section.name}  {file.path}", (section, file)) for file in section.files]
        return places

    # ------------------------------------------------------------ search

    async def action_search(self) -> None:
        await self.search_bar.open()

    def close_search(self) -> None:
        self.needle = ""
        self.view.painter.find = None
        self.search_bar.display = False
        self.view.focus()
        self.view.redraw()

    def look_for(self, text: str) -> None:
        """Go to the first match behind the cursor; an empty search closes the bar."""
        if not text:
            self.close_search()
            return
        self.needle = text
        self.view.painter.find = finder(text)
        self.view.focus()
        self.view.redraw()
        self.search_on()

    def search_on(self, *, backwards: bool = False) -> None:
        self.run_worker(self._search(backwards=backwards), group="search", exclusive=True)

    async def _search(self, *, backwards: bool) -> None:
        """In slices: a search for what is not there must not hold up a key."""
        found: Cursor | None = None
        until = perf_counter() + _BREATH
        for found in self.stream.find(matcher(self.needle), backwards=backwards):
            if found is not None:
                break
            if perf_counter() > until:
                self.search_bar.say("searching …")
                await asyncio.sleep(0)
                until = perf_counter() + _BREATH
        if found is None:
            self.search_bar.say("not found")
            return
        self.search_bar.say("n next · N previous · esc close")
        self.stream.cursor = found
        self.view.redraw([found.block])  # it may have been folded
        self.cursor_moved()


def matcher(needle: str) -> Callable[[str], bool]:
    """Whether a line holds the text; capitals count only where some are asked for."""
    if needle != needle.casefold():
        return lambda line: needle in line
    return lambda line: needle in line.casefold()


def finder(needle: str) -> Callable[[str], list[tuple[int, int]]]:
    """Where a shown line holds the text."""
    exact = needle != needle.casefold()

    def find(line: str) -> list[tuple[int, int]]:
        text = line if exact else line.lower()
        spans, at = [], text.find(needle)
        while at >= 0:
            spans.append((at, at + len(needle)))
            at = text.find(needle, at + len(needle))
        return spans

    return find
