"""Rows of patches: whole lines, scopes, the end of the file, insertions, siblings, and places that a person chose."""

from __future__ import annotations

from typing import Any

import pytest

from engine.matching import Located, Refused, locate_all, place_at
from engine.model import Code, TextEdit
from engine.text import FileText, splice
from tests.engine.matching.helpers import applied, edited, locate, refused

CLASSES = "class A:\n    def f(self):\n        x\nclass B:\n    def f(self):\n        x\n        x\n"


def patched(content: str, old: str, new: str, **options: Any) -> str:
    return edited(content, old, new, whole_lines=True, **options)


@pytest.mark.parametrize(
    ("scopes", "line"),
    [
        (("class A:",), 3),
        (("class B:",), 6),
        (("class B:", "def f(self):"), 6),
        (("class A",), 3),
        (("class A:  ",), 3),
    ],
)
def test_a_scope_means_the_first_place_behind_it(scopes: tuple[str, ...], line: int) -> None:
    answer = locate(CLASSES, "        x\n", "        y\n", whole_lines=True, scopes=scopes)
    assert isinstance(answer, Located), answer
    assert answer.places[0].first == line


@pytest.mark.parametrize("scopes", [("class C:",), ("class B:", "class A:"), ("class",)])
def test_a_scope_that_is_missing_or_not_enough_refuses(scopes: tuple[str, ...]) -> None:
    assert isinstance(locate(CLASSES, "        x\n", "        y\n", whole_lines=True, scopes=scopes), Refused)


def test_the_scope_may_be_the_first_line_of_old() -> None:
    assert patched("a1\nb1\n", "a1\nb1\n", "a1\nb2\n", scopes=("a1",)) == "a1\nb2\n"


def test_whole_lines_never_match_inside_a_line() -> None:
    assert refused("xfoo\n", "foo\n", "bar\n", whole_lines=True).code is Code.NOT_FOUND


@pytest.mark.parametrize(
    ("content", "old", "new", "options", "after"),
    [
        ("a\nb\n", "", "c\n", {}, "a\nb\nc\n"),
        ("a\nb", "", "c\n", {"at_end": True}, "a\nb\nc"),
        ("a\r\nb\r\n", "", "c\n", {}, "a\r\nb\r\nc\r\n"),
        ("", "", "c\n", {"start_line": 0}, "c\n"),
        ("a\nb\n", "", "c\n", {"start_line": 2}, "a\nb\nc\n"),
        ("class A:\n    pass\n", "", "    x = 1\n", {"scopes": ("class A:",)}, "class A:\n    x = 1\n    pass\n"),
        ("x\ny\nx\n\n", "x\n", "z\n", {"at_end": True}, "x\ny\nz\n\n"),
        ("a\nb\n", "a\nb\n", "a\nb", {}, "a\nb"),
        ("a\nb", "a\nb", "a\nb\n", {}, "a\nb\n"),
        ("a\nb", "b", "c\n", {}, "a\nc\n"),
        ("a\nb", "b\n", "c\n", {}, "a\nc"),
        ("a\nb", "b\n", "", {}, "a"),
        ("a\nb\nc\n", "a\nb\nc\n", "a\nb", {}, "a\nb"),
    ],
)
def test_insertions_and_the_end_of_the_file(
    content: str, old: str, new: str, options: dict[str, Any], after: str
) -> None:
    assert patched(content, old, new, **options) == after


@pytest.mark.parametrize(("old", "new"), [("c\n\n\n", "c\n\n\nd\n\n"), ("b\nc\n\n\n", "b\n")])
def test_blank_rows_of_a_patch_must_be_there_where_it_changes_them(old: str, new: str) -> None:
    assert refused("a\n\nb\nc\n", old, new, whole_lines=True).code is Code.NOT_FOUND


def test_a_line_number_alone_is_no_place() -> None:
    assert refused("a\nb\n", "", "c\n", whole_lines=True, start_line=1).code is Code.NOT_FOUND


@pytest.mark.parametrize("options", [{}, {"scopes": ("a",)}])
def test_an_append_sent_twice_is_already_there(options: dict[str, Any]) -> None:
    content = patched("a\n", "", "b\nc\n", **options)
    assert refused(content, "", "b\nc\n", whole_lines=True, **options).code is Code.ALREADY_APPLIED


def test_hunks_of_a_patch_settle_each_other_by_their_order() -> None:
    content = "top\ngo()\nmiddle\ngo()\nend\n"
    edits = [
        TextEdit(old + "\n", new + "\n", whole_lines=True)
        for old, new in (("middle", "m"), ("go()", "x"), ("end", "e"))
    ]
    answers = locate_all(FileText(content), edits)
    assert [one.places[0].first for one in answers if isinstance(one, Located)] == [3, 4, 5]
    shuffled = locate_all(FileText(content), [edits[2], edits[1], edits[0]])
    assert isinstance(shuffled[1], Refused)


def test_first_match_takes_the_first_behind_the_previous_edit() -> None:
    edits = [TextEdit("go()\n", f"x{n}\n", whole_lines=True) for n in range(2)]
    edits.insert(1, TextEdit("middle\n", "m\n", whole_lines=True))
    answers = locate_all(FileText("go()\nmiddle\ngo()\n"), edits, first_match=True)
    assert [one.places[0].first for one in answers if isinstance(one, Located)] == [1, 2, 3]
    assert isinstance(answers[0], Located)
    assert answers[0].notes


@pytest.mark.parametrize(
    ("content", "old", "new", "after"),
    [
        ("foo bar foo", "foo", "qux", "qux bar qux"),
        (
            "\tif x:\n\t\ty\n    if x:\n        y\n",
            "if x:\n    y",
            "if z:\n    y",
            "\tif z:\n\t\ty\n    if z:\n        y\n",
        ),
        ("x" + "\nfoo" * 1500, "foo", "bar", "x" + "\nbar" * 1500),
    ],
)
def test_replace_all_takes_every_place(content: str, old: str, new: str, after: str) -> None:
    assert edited(content, old, new, replace_all=True) == after


def test_replace_all_refuses_places_that_overlap() -> None:
    assert refused("aaaaa", "aaaa", "b", replace_all=True).code is Code.AMBIGUOUS


CHOSEN = FileText("def f():\n    a = 1\n    b = 2\n    return a\n\ndef g():\n    a = 1\n")


@pytest.mark.parametrize(
    ("old", "new", "first", "last", "after"),
    [
        ("a = 1", "a = 3", 7, 7, "def f():\n    a = 1\n    b = 2\n    return a\n\ndef g():\n    a = 3\n"),
        ("c = 2", "c = 4", 3, 3, "def f():\n    a = 1\n    c = 4\n    return a\n\ndef g():\n    a = 1\n"),
    ],
)
def test_a_person_chooses_the_place(old: str, new: str, first: int, last: int, after: str) -> None:
    answer = place_at(CHOSEN, TextEdit(old, new), first, last)
    assert applied(CHOSEN.text, answer) == after


def test_a_chosen_place_that_does_not_exist_refuses() -> None:
    assert isinstance(place_at(CHOSEN, TextEdit("a = 1", "a = 2"), 7, 9), Refused)


def test_the_byte_order_mark_is_no_part_of_the_text() -> None:
    file = FileText("first\n", bom=b"\xef\xbb\xbf")
    answer = locate_all(file, [TextEdit("first", "second")])[0]
    assert isinstance(answer, Located)
    assert file.encode(splice(file.text, answer.places[0].splices)) == b"\xef\xbb\xbfsecond\n"
