"""The stream as plain data: what stands in which row, without a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.compose import outcome
from engine.model import Create, Delete, Hunk, Move, TextEdit, Write
from engine.pieces import on_original
from engine.planning.data import FilePlan, Match, PlannedHunk
from engine.queue.desk import Desk, desk_of
from engine.review import Accept, Comment, Decision, Reject, Verdict
from engine.text import FileText, Splice, split_lines
from engine.workspace import Workspace
from tests.conftest import Planner
from tui.view_model.blocks import Block, HunkBlock, Section, build_section
from tui.view_model.body import Lines, Mark, lines_of
from tui.view_model.body_view import BodyView, ViewOptions, size_of
from tui.view_model.labels import Tally, proposal_facts, tally
from tui.view_model.marks import Standing
from tui.view_model.queue_rows import QueueRows, file_marks, row_words
from tui.view_model.rows import GapRow, HunkRow, LineRow, NoteRow, Voice
from tui.view_model.selection import changed_lines, text_with
from tui.view_model.stream import Stream
from tui.view_model.whence import Whence

OPTIONS = ViewOptions(width=80)


def picture(view: BodyView) -> list[str]:
    """A body as people read it: both numbers, the mark, the text."""
    rows = []
    for n in range(view.height):
        row = view.row(n)
        if isinstance(row, GapRow):
            rows.append(f"⋯ {row.hidden}")
            continue
        side = row.new or row.old
        assert side is not None
        old = row.other_number if side.mark is Mark.SAME else side.number if side.mark is Mark.REMOVED else ""
        new = side.number if side.mark is not Mark.REMOVED else ""
        rows.append(f"{old}|{new}{side.mark.value}{side.text}")
    return rows


def view_of(planned: Planner, text: str, *edits: TextEdit, context: int = 1, index: int = 0) -> BodyView:
    plan = planned({"a.txt": text}, *(("a.txt", edit) for edit in edits))
    return BodyView(lines_of(plan.files[0], plan.hunks[index]), ViewOptions(context=context))


# ---------------------------------------------------------------- bodies


def test_a_change_with_its_context_and_both_numbers(planned: Planner) -> None:
    view = view_of(planned, "one\ntwo\nthree\nfour\n", TextEdit("two\nthree\n", "two\n3\nthree and a half\n"))
    assert picture(view) == ["2|2 two", "3|-three", "|3+3", "|4+three and a half", "4|5 four"]


def test_far_changes_of_one_hunk_are_told_apart_by_a_gap(planned: Planner) -> None:
    old = "".join(f"{n}\n" for n in range(1, 11))
    view = view_of(planned, old, TextEdit(old, old.replace("2\n", "two\n", 1).replace("9\n", "nine\n")))
    assert picture(view) == [
        "1|1 1", "2|-2", "|2+two", "3|3 3", "⋯ 4", "8|8 8", "9|-9", "|9+nine", "10|10 10",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "old", "new", "rows"),
    [
        ("a\nb", "b", "b\nc", ["2|-b", "|2+b", "|3+c"]),
        ("foo bar\n", "bar", "baz", ["1|-foo bar", "|1+foo baz"]),
        ("x = 1 + 1\n", "x = 1 + 1\n", "", ["1|-x = 1 + 1"]),
        ("a\nb\nc\n", "a\n", "a\nnew\n", ["|2+new"]),
    ],
)
def test_cuts_are_widened_to_whole_lines(planned: Planner, text: str, old: str, new: str, rows: list[str]) -> None:
    assert [row for row in picture(view_of(planned, text, TextEdit(old, new), context=0)) if "⋯" not in row] == rows


def test_a_hunk_on_another_hunks_output_is_shown_against_that(planned: Planner) -> None:
    view = view_of(planned, "a\nb\n", TextEdit("b\n", "b\nmiddle\n"), TextEdit("middle\n", "centre\n"), index=1)
    assert [row for row in picture(view) if row[-6:] in ("middle", "centre")] == ["3|-middle", "|3+centre"]


def test_what_has_no_place_is_shown_as_it_was_sent(planned: Planner) -> None:
    view = view_of(planned, "a\n", TextEdit("nothing like it at all\nb\n", "nothing like it at all\nc\n"))
    assert picture(view) == ["None|None nothing like it at all", "None|-b", "|None+c"]


def test_new_deleted_and_moved_files(planned: Planner) -> None:
    plan = planned(
        {"old.py": "x = 1\ny = 2\n", "there.py": "z\n"},
        ("new.py", Create("a = 1\nb = 2\n")),
        ("old.py", Delete()),
        ("there.py", Move("here.py")),
    )
    bodies = [picture(BodyView(lines_of(file, file.hunks[0]), OPTIONS)) for file in plan.files]
    assert bodies == [["|1+a = 1", "|2+b = 2"], ["1|-x = 1", "2|-y = 2"], []]


def test_side_by_side_pairs_the_lines_of_a_change(planned: Planner) -> None:
    plan = planned({"a.txt": "a\nb\nc\n"}, ("a.txt", TextEdit("b\n", "B\nB2\n")))
    view = BodyView(lines_of(plan.files[0], plan.hunks[0]), ViewOptions(context=0, split=True, width=160))
    pairs = [(row.old and row.old.text, row.new and row.new.text) for n in range(2) if (row := line_row(view, n))]
    assert (view.height, pairs) == (2, [("b", "B"), (None, "B2")])


def line_row(view: BodyView, n: int) -> LineRow:
    row = view.row(n)
    assert isinstance(row, LineRow)
    return row


def test_a_wrapped_line_takes_as_many_rows_as_it_needs(planned: Planner) -> None:
    plan = planned({"a.txt": "short\n"}, ("a.txt", TextEdit("short\n", "x" * 100 + "\n")))
    options = ViewOptions(context=0, wrap=True, width=54)
    view = BodyView(lines_of(plan.files[0], plan.hunks[0]), options)
    assert [line_row(view, n).part for n in range(view.height)] == [(0, -1), (0, 40), (40, 80), (80, 100)]
    assert size_of(view.lines, options).rows == view.height


def test_a_million_new_lines_are_counted_not_built(planned: Planner) -> None:
    plan = planned({}, ("big.txt", Write("line\n" * 1_000_000)))
    view = BodyView(lines_of(plan.files[0], plan.hunks[0]), OPTIONS)
    last = line_row(view, 999_999).new
    assert last is not None
    assert (view.height, last.number) == (1_000_000, 1_000_000)


@st.composite
def _files_and_cuts(draw: st.DrawFn) -> tuple[str, list[Splice]]:
    text = draw(st.text(alphabet="ab\n", max_size=30))
    edges = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6)))
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    return text, [Splice(a, b, draw(st.text(alphabet="xy\n", max_size=6))) for a, b in spans]


@settings(max_examples=300)
@given(_files_and_cuts(), st.integers(0, 3))
def test_the_rows_are_exactly_what_would_be_written(case: tuple[str, list[Splice]], context: int) -> None:
    text, cuts = case
    hunk = PlannedHunk(0, Hunk("a", TextEdit("", "")), "a", cuts=on_original(cuts), match=Match("simple", 1.0, 1, 1))
    file = FilePlan("a", None, FileText(text), (hunk,))
    lines = lines_of(file, hunk)
    applied = outcome(file, {0: Decision(Verdict.ACCEPT)}).text
    assert _both_sides(lines) == (split_lines(text)[0], split_lines(applied)[0])
    view = BodyView(lines, ViewOptions(context=context))
    assert size_of(lines, ViewOptions(context=context)).rows == view.height == len(picture(view))


def _both_sides(lines: Lines) -> tuple[list[str], list[str]]:
    """Both texts, put together again from what stays and the changes."""
    new: list[str] = []
    at = 0
    for change in lines.changes:
        new += [*lines.old[at : change.a1], *lines.new[change.b1 : change.b2]]
        at = change.a2
    return list(lines.old), [*new, *lines.old[at:]]


# ---------------------------------------------------------------- the stream


@pytest.fixture
def desk(workspace: Workspace) -> Iterator[Desk]:
    """Two proposals: two files with three hunks, and one that cannot be read."""
    Path(workspace.root, "a.py").write_text("one = 1\ntwo = 2\nthree = 3\n")
    Path(workspace.root, "b.py").write_text("four = 4\n")
    rename = b"""*** Begin Patch
*** Update File: a.py
@@
-three = 3
+three = 33
@@
-one = 1
+one = 11
*** Update File: b.py
@@
-four = 4
+four = 44
*** End Patch
"""
    opened = desk_of(workspace, [("rename", rename), ("broken", b"{")])
    for item in opened.items:
        opened.plan(item)
    yield opened
    opened.close()


def stream_of(desk: Desk) -> Stream:
    stream = Stream(OPTIONS)
    stream.show([build_section(item, OPTIONS) for item in desk.items])
    return stream


def where(stream: Stream) -> tuple[str, int, int]:
    assert stream.cursor is not None
    return stream.cursor.block.file.path, stream.cursor.block.index, stream.cursor.offset


def test_hunks_stand_by_position_and_the_cursor_is_in_the_first(desk: Desk) -> None:
    stream = stream_of(desk)
    assert [(block.file.path, block.number, block.index) for block in stream.hunks] == [
        ("a.py", 1, 1),
        ("a.py", 2, 0),
        ("b.py", 1, 2),
    ]
    assert where(stream) == ("a.py", 1, 0)


def test_a_proposal_is_named_before_it_is_read_and_glimpsed_before_it_is_planned(workspace: Workspace) -> None:
    sent = b'{"file_path": "a.py", "old_string": "one", "new_string": "two"}'
    with desk_of(workspace, [("p", sent)]) as desk:
        (item,) = desk.items
        unread = build_section(item, OPTIONS)
        assert (proposal_facts(unread), unread.provisional, unread.hunks) == ("being read …", True, {})
        item.load()
        read = build_section(item, OPTIONS)
        assert (read.provisional, list(read.hunks)) == (True, [0])


def test_every_line_has_a_row_and_headers_stand_on_top(desk: Desk) -> None:
    stream = stream_of(desk)
    rows = [stream.row(*stream.at(line)) for line in range(stream.height)]
    for block in stream.hunks:
        assert rows[stream.top_of(block)] == HunkRow(block)
    problems = [row.text for row in rows if isinstance(row, NoteRow) and row.voice is Voice.PROBLEM]
    assert problems
    assert problems[0].startswith("cannot be read")


MOVES: list[tuple[str, Callable[[Stream], object], tuple[str, int, int]]] = [
    ("line", lambda s: s.move_lines(1), ("a.py", 1, 1)),
    ("over the end of a hunk", lambda s: s.move_lines(s.height_of(s.hunks[0])), ("a.py", 0, 0)),
    ("over a file header", lambda s: s.move_lines(s.height_of(s.hunks[0]) + s.height_of(s.hunks[1])), ("b.py", 2, 0)),
    ("hunk", lambda s: s.move_hunks(1), ("a.py", 0, 0)),
    ("hunk, not beyond the end", lambda s: s.move_hunks(9), ("b.py", 2, 0)),
    ("file", lambda s: s.move_files(1), ("b.py", 2, 0)),
]


@pytest.mark.parametrize(("name", "move", "there"), MOVES, ids=[name for name, _, _ in MOVES])
def test_movement(desk: Desk, name: str, move: Callable[[Stream], object], there: tuple[str, int, int]) -> None:
    stream = stream_of(desk)
    move(stream)
    assert where(stream) == there


def test_backwards(desk: Desk) -> None:
    stream = stream_of(desk)
    stream.go_to_end()
    seen = [where(stream)]
    for _ in range(2):
        stream.move_files(-1)
        seen.append(where(stream))
    stream.move_hunks(1)
    stream.move_files(-1)
    seen.append(where(stream))
    stream.go_to_end()
    stream.go_to_line(0)
    assert [*seen, where(stream)] == [("b.py", 2, 2), ("a.py", 1, 0), ("a.py", 1, 0), ("a.py", 1, 0), ("a.py", 1, 0)]


def test_a_decided_hunk_folds_and_the_next_open_one_is_found_round_the_end(desk: Desk) -> None:
    stream = stream_of(desk)
    item = desk.items[0]
    stream.sections[0].state = item.act(Accept((2,)))
    stream.reheight(stream.hunks)
    assert [block.folded for block in stream.hunks] == [False, False, True]
    stream.go(stream.hunks[1])
    assert stream.next_open()
    assert where(stream) == ("a.py", 1, 0)
    stream.sections[0].state = item.act(Reject((0, 1)))
    assert not stream.next_open()


def test_folding_all_keeps_the_cursor_in_its_hunk(desk: Desk) -> None:
    stream = stream_of(desk)
    stream.go(stream.hunks[1], 3)
    stream.fold_all(unfold=False)
    assert where(stream) == ("a.py", 0, 0)
    assert [stream.height_of(block) for block in stream.hunks] == [1, 1, 1]


def test_the_cursor_stays_on_its_hunk_when_others_come_and_goes_on_when_its_own_leaves(desk: Desk) -> None:
    stream = stream_of(desk)
    stream.go(stream.hunks[2])
    first = stream.sections[0]
    stream.show([build_section(desk.items[1], OPTIONS), build_section(desk.items[0], OPTIONS)])
    assert where(stream) == ("b.py", 2, 0)
    stream.show([section for section in stream.sections if section.item is not first.item])
    assert stream.cursor is None


def test_what_comes_behind_changes_nothing_above(desk: Desk) -> None:
    stream = stream_of(desk)
    stream.go(stream.hunks[1], 2)
    cursor, height, blocks = stream.cursor, stream.height, len(stream.blocks)
    assert stream.show([*stream.sections, build_section(desk.items[0], OPTIONS)]) == blocks
    assert stream.cursor is cursor
    assert [block.place for block in stream.blocks] == list(range(len(stream.blocks)))
    assert [section.number for section in stream.sections] == [0, 1, 2]
    assert stream.show(stream.sections[:-1]) == blocks
    assert (stream.height, len(stream.blocks), len(stream.hunks)) == (height, blocks, 3)


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_any_change_of_sections_gives_the_same_lines_as_a_new_stream(
    desk: Desk, order: tuple[int, ...], kept: int
) -> None:
    sections = [build_section(item, OPTIONS) for item in (*desk.items, desk.items[0])]
    stream = Stream(OPTIONS)
    stream.show(sections)
    stream.show([sections[number] for number in order[:kept]])
    fresh = Stream(OPTIONS)
    fresh.show([build_section(sections[number].item, OPTIONS) for number in order[:kept]])
    assert [where_it_stands(stream, block) for block in stream.blocks] == [
        where_it_stands(fresh, block) for block in fresh.blocks
    ]
    assert [block.place for block in stream.hunks] == [block.place for block in fresh.hunks]


def where_it_stands(stream: Stream, block: Block) -> tuple[type[Block], int, int, int]:
    return type(block), block.place, stream.top_of(block), stream.height_of(block)


def test_search_goes_round(desk: Desk) -> None:
    stream = stream_of(desk)
    hits = [found for found in stream.find(lambda line: "4" in line) if found]
    assert [(hit.block.file.path, hit.offset) for hit in hits] == [("b.py", 1), ("b.py", 2)]


def test_counts_and_marks(desk: Desk) -> None:
    item = desk.items[0]
    item.act(Accept((0,)))
    item.act(Reject((2,), "no"))
    stream = stream_of(desk)
    section = stream.sections[0]
    assert tally(section) == Tally(3, 1, 1, 1)
    listed = QueueRows(stream.sections, section, 30)
    rows = [listed[line] for line in range(len(listed))]
    assert [listed.line_of(row.file or row.section) for row in rows] == [0, 1, 2, 3]
    assert [row_words(row, 30)[1] for row in rows] == ["2/3", "?✓", "✗", "error"]
    assert file_marks(section.files[0]) == "?✓"


def test_comments_and_reasons_are_notes(desk: Desk) -> None:
    item = desk.items[0]
    item.act(Comment(0, "why not 34?"))
    section = build_section(item, OPTIONS)
    notes = section.hunks[0].notes(OPTIONS)
    assert [(note.voice, note.text) for note in notes] == [(Voice.REVIEWER, "why not 34?")]


def test_agents_cannot_push_the_diff_away(planned: Planner) -> None:
    from tui.view_model.notes import note_rows
    from tui.view_model.rows import Note

    rows = note_rows([Note(Voice.AGENT, "SAFE ✔\n" * 50_000)], 80)
    assert len(rows) == 6
    assert rows[-1].text.startswith("… +")


def block_of(section: Section, index: int = 0) -> HunkBlock:
    return section.hunks[index]


def test_standings(desk: Desk) -> None:
    item = desk.items[0]
    block = block_of(build_section(item, OPTIONS))
    seen = [block.standing]
    for intent in (Accept((0,)), Reject((0,))):
        block.section.state = item.act(intent)
        seen.append(block.standing)
    assert seen == [Standing.OPEN, Standing.ACCEPTED, Standing.REJECTED]


# ---------------------------------------------------------------- selected lines


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        ({(Mark.ADDED, 0)}, "a\nb\nB\nc\n"),
        ({(Mark.REMOVED, 1), (Mark.ADDED, 1)}, "a\nB2\nc\n"),
        (set(), "a\nb\nc\n"),
    ],
)
def test_some_lines_of_a_hunk(planned: Planner, chosen: set[tuple[Mark, int]], text: str) -> None:
    plan = planned({"a.txt": "a\nb\nc\n"}, ("a.txt", TextEdit("a\nb\nc\n", "a\nB\nB2\nc\n")))
    lines = lines_of(plan.files[0], plan.hunks[0])
    assert text_with(plan.files[0], plan.hunks[0], lines, frozenset(chosen)) == text
    assert text_with(plan.files[0], plan.hunks[0], lines, changed_lines(lines)) == "a\nB\nB2\nc\n"


def test_a_binary_patch_is_no_new_file(workspace: Workspace) -> None:
    patch = "diff --git a/pic.bin b/pic.bin\nindex 1111..2222 100644\nBinary files a/pic.bin and b/pic.bin differ\n"
    Path(workspace.root, "pic.bin").write_bytes(bytes(range(256)))
    with desk_of(workspace, [("p", patch.encode())]) as desk:
        desk.plan(desk.items[0])
        assert [file.action for file in build_section(desk.items[0], ViewOptions()).files] == ["M"]


def test_what_is_said_about_a_sender_gives_way_word_by_word() -> None:
    said = Whence("claude", " · just now · waits until 18:20")
    assert [said.fitting(width).facts for width in (40, 32, 28)] == [
        " · just now · waits until 18:20",
        " · just now · until 18:20",
        " · now · until 18:20",
    ]
    assert said.fitting(20).agent == "claude"
