"""The plain case: found exactly once, written literally; the search would say the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.matching import Located, Refused
from engine.matching.many import LineTable
from engine.matching.plain import found_once, is_plain, plain_answer
from engine.matching.siblings import search_all
from engine.model import TextEdit
from engine.text import FileText
from tests.engine.matching.helpers import applied, locate

LINES = st.sampled_from(["alpha", "beta(1)", "if delta:", "}", "", "    omega()", "\tzeta", "x ", "one two three"])
TEXTS = st.lists(LINES, min_size=1, max_size=9).map("\n".join)
quick = settings(max_examples=400, deadline=None)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, TextEdit]:
    """A text, and an edit of some of its lines or of a part of it."""
    text = draw(TEXTS) + draw(st.sampled_from(["", "\n"]))
    start = draw(st.integers(0, len(text) - 1)) if text else 0
    if draw(st.booleans()):
        start = text.rfind("\n", 0, start) + 1
    old = text[start : draw(st.integers(start, len(text)))]
    new = draw(TEXTS) + ("\n" if old.endswith("\n") else "")
    return text, TextEdit(old, draw(st.sampled_from([new, old + new, new + old])), whole_lines=draw(st.booleans()))


@quick
@given(edits())
def test_a_plain_answer_is_the_literal_one(case: tuple[str, TextEdit]) -> None:
    text, edit = case
    at = found_once(text, edit.old) if is_plain(edit) else -1
    answer = plain_answer(text, edit, at, text.count("\n", 0, at)) if at >= 0 else None
    if answer is None:
        return
    assert applied(text, answer) == text[:at] + edit.new + text[at + len(edit.old) :]
    searched = search_all(FileText(text), [edit], [None])[0]
    assert isinstance(searched, Refused) or applied(text, searched) == applied(text, answer)


@quick
@given(edits())
def test_one_pass_over_the_file_finds_what_a_scan_finds(case: tuple[str, TextEdit]) -> None:
    text, edit = case
    found = LineTable(FileText(text), [edit]).found_once(edit) if edit.old else None
    if found is not None and not edit.whole_lines:
        assert found == (found_once(text, edit.old), text.count("\n", 0, found[0]))


def test_only_what_changes_is_written() -> None:
    text = "".join(f"line {n}\n" for n in range(9))
    old = "".join(f"line {n}\n" for n in range(2, 7))
    answer = locate(text, old, old.replace("line 4", "line four"))
    assert isinstance(answer, Located)
    (cut,) = answer.places[0].splices
    assert (text[cut.start : cut.end], cut.new) == ("line 4\n", "line four\n")
    assert (answer.places[0].first, answer.places[0].last) == (3, 7)


def test_lines_that_stay_between_two_changes_are_not_written() -> None:
    text = "a1\nb1\nc1\nd1\ne1\n"
    answer = locate(text, "b1\nc1\nd1\n", "b2\nc1\nd2\n")
    assert isinstance(answer, Located)
    assert [cut.new for cut in answer.places[0].splices] == ["b2\n", "d2\n"]
