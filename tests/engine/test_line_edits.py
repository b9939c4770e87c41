from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.line_edits import resolve
from engine.matching.answer import Located, Place, Refused
from engine.model import Code, LineCommand, LineEdit
from engine.text import FileText, Splice, splice, split_lines

REPLACE, INSERT, DELETE = LineCommand.REPLACE, LineCommand.INSERT, LineCommand.DELETE

OUT_OF_RANGE = (
    "lines 40-52 are out of range: the file has 31 lines (valid: 1-31; insert: 0-31);"
    " see its lines with `hunkdeck show src/a.py`"
)


def edited(text: str, edit: LineEdit, path: str = "a.txt") -> str:
    answer = resolve(FileText(text), edit, path)
    assert isinstance(answer, Located), answer
    return splice(text, answer.places[0].splices)


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        ("a\nb\nc\n", LineEdit(REPLACE, 2, 2, "x"), "a\nx\nc\n"),
        ("a\nb\nc\n", LineEdit(REPLACE, 2, 3, "x\ny\nz\n"), "a\nx\ny\nz\n"),
        ("a\nb\nc\n", LineEdit(REPLACE, 1, 3, "x"), "x\n"),
        ("a\nb\nc\n", LineEdit(REPLACE, 2, 2, ""), "a\nc\n"),
        ("a\nb\nc\n", LineEdit(REPLACE, 2, 2, "\n"), "a\n\nc\n"),
        ("a\nb", LineEdit(REPLACE, 2, 2, "x\ny\n"), "a\nx\ny"),
        ("a\nb", LineEdit(REPLACE, 2, 2, "b\nc"), "a\nb\nc"),
        ("a", LineEdit(REPLACE, 1, 1, "x"), "x"),
        ("a\r\nb\r\n", LineEdit(REPLACE, 1, 1, "x\ny"), "x\r\ny\r\nb\r\n"),
        ("a\rb\r", LineEdit(INSERT, 1, 1, "x"), "a\rx\rb\r"),
        ("a\nb\n", LineEdit(INSERT, 0, 0, "x"), "x\na\nb\n"),
        ("a\nb\n", LineEdit(INSERT, 2, 2, "x"), "a\nb\nx\n"),
        ("a\nb", LineEdit(INSERT, 2, 2, "x\n"), "a\nb\nx"),
        ("a\nb", LineEdit(INSERT, 0, 0, "x"), "x\na\nb"),
        ("", LineEdit(INSERT, 0, 0, "x"), "x\n"),
        ("", LineEdit(REPLACE, 1, 1, "x"), "x\n"),
        ("a\nb\n", LineEdit(DELETE, 1, 1), "b\n"),
        ("a\nb", LineEdit(DELETE, 2, 2), "a"),
        ("a\r\nb\r\nc", LineEdit(DELETE, 2, 3), "a"),
        ("a\nb", LineEdit(DELETE, 1, 2), ""),
        ("a\n", LineEdit(DELETE, 1, 1), ""),
        ("a\x0cb\u2028c\nd\n", LineEdit(DELETE, 2, 2), "a\x0cb\u2028c\n"),
    ],
)
def test_edited(text: str, edit: LineEdit, expected: str) -> None:
    assert edited(text, edit) == expected


def test_an_answer_names_its_lines_and_splices_only_what_changes() -> None:
    answer = resolve(FileText("a\nb\nc\n"), LineEdit(REPLACE, 1, 3, "a\nx\nc"), "f")
    assert answer == Located("line_numbers", 1.0, (Place(1, 3, (Splice(2, 4, "x\n"),)),))


@pytest.mark.parametrize(
    ("text", "edit", "code", "words"),
    [
        ("a\n" * 31, LineEdit(REPLACE, 40, 52, "x"), Code.NOT_FOUND, OUT_OF_RANGE),
        ("a\n", LineEdit(DELETE, 2, 2), Code.NOT_FOUND, "line 2 is out of range: the file has 1 line"),
        ("a\n", LineEdit(DELETE, 0, 1), Code.NOT_FOUND, "lines 0-1 are out of range"),
        ("a\nb\n", LineEdit(DELETE, 2, 1), Code.NOT_FOUND, "lines 2-1 are out of range"),
        ("a\nb\n", LineEdit(INSERT, 3, 3, "x"), Code.NOT_FOUND, "insertion behind line 3 is out of range"),
        ("", LineEdit(DELETE, 3, 3), Code.NOT_FOUND, "the file is empty (valid: insert at 0)"),
        ("a\nb\n", LineEdit(INSERT, -1, -1, "x"), Code.NOT_FOUND, "out of range"),
        ("a\nb\n", LineEdit(DELETE, 1, 1, expected="x"), Code.STALE, "line 1 no longer read as expected"),
        ("a\nb\n", LineEdit(INSERT, 1, 1, "x", expected="b"), Code.STALE, "hunkdeck show src/a.py"),
        ("a\nb\n", LineEdit(REPLACE, 1, 1, "a"), Code.NO_CHANGE, "line 1 would not change"),
        ("a\nb\n", LineEdit(INSERT, 1, 1, ""), Code.NO_CHANGE, "would not change"),
    ],
)  # fmt: skip
def test_refused(text: str, edit: LineEdit, code: Code, words: str) -> None:
    answer = resolve(FileText(text), edit, "src/a.py")
    assert isinstance(answer, Refused)
    assert answer.code is code
    assert words in answer.reason


@pytest.mark.parametrize("expected", ["b\nc", "b\nc\n", "b\r\nc"])
def test_the_expected_text_may_be_spelt_with_other_line_ends(expected: str) -> None:
    assert edited("a\nb\nc\nd\n", LineEdit(DELETE, 2, 3, expected=expected)) == "a\nd\n"


LINES = st.lists(st.sampled_from(["a", "b", "", "  c"]), max_size=6)


@settings(max_examples=300)
@given(LINES, st.booleans(), st.data())
def test_the_rest_of_the_file_stays_as_it_is(lines: list[str], final: bool, data: st.DataObject) -> None:
    text = "\n".join(lines) + ("\n" if final and lines else "")
    count = len(split_lines(text)[0])
    first = data.draw(st.integers(1, max(count, 1)))
    last = data.draw(st.integers(first, max(count, 1)))
    answer = resolve(FileText(text), LineEdit(REPLACE, first, last, "x\ny"), "a.txt")
    assert isinstance(answer, Located)
    result = FileText(splice(text, answer.places[0].splices))
    old = split_lines(text)[0]
    assert [*result.lines[: first - 1], *result.lines[first + 1 :]] == old[: first - 1] + old[last:]
    assert [line.strip() for line in result.lines[first - 1 : first + 1]] == ["x", "y"]
    assert result.ends_with_newline == (text.endswith("\n") or not count)
