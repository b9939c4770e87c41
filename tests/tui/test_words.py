"""Which words of two lines differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.view_model.words import Spans, changed_words

words = st.lists(st.sampled_from(["a", "b", "total", " ", "(", "=="]), max_size=14).map("".join)


def without(text: str, spans: Spans) -> str:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def test_only_what_changed_is_marked() -> None:
    old, new = "value = 9 * count", "value = 10 * count + 1"
    removed, added = changed_words(old, new)
    assert [old[a:b] for a, b in removed] == ["9"]
    assert [new[a:b] for a, b in added] == ["10", " + 1"]


def test_lines_with_little_in_common_are_not_marked() -> None:
    assert changed_words("return sum(items)", "class Cart:") == ((), ())
    assert changed_words("same", "same") == ((), ())


def test_where_too_much_differs_to_compare_the_ends_still_count() -> None:
    old, new = ("x" * 300 + "; ").join(["", "a b " * 60, ""]), ("x" * 300 + "; ").join(["", "c d " * 60, ""])
    removed, added = changed_words(old, new)
    assert (without(old, removed), without(new, added)) == ("x" * 300 + ";  " + "x" * 300 + "; ",) * 2


@given(words, words)
def test_what_is_not_marked_is_the_same_in_both(old: str, new: str) -> None:
    removed, added = changed_words(old, new)
    assert (removed, added) == ((), ()) or without(old, removed) == without(new, added)
