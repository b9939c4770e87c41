from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.safe_text import elide_each, elide_middle, is_safe, safe_block, safe_text

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
INVISIBLE = (
    "\u200b\u200c\u200d\u2060\ufeff\u202e\u2066\u061c\U000e0041\ufe0f\u3164\u115f\u1160\u2800\uffa0\xa0\x80\t\r\n"
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [/red] :smile: ~{}", "plain [/red] :smile: ~{}"),
        ("naïve 漢字 Ελλάδα 👍", "naïve 漢字 Ελλάδα 👍"),
        ("e\u0301", "e\u0301"),
        ("\x1b[2J", "␛[2J"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("evil\rgood\n", "evil␍good␊"),
        ("a\0b\x7f", "a␀b␡"),
        ("\t", "␉"),
        ("\x9b31m", "<U+009B>31m"),
        ("\u202egpj.sh", "<U+202E>gpj.sh"),
        ("app\u200b.py", "app<U+200B>.py"),
        ("\ufeff", "<U+FEFF>"),
        ("\U000e0041", "<U+E0041>"),
        ("❤\ufe0f", "❤<U+FE0F>"),
        ("\u3164\u115f\u1160\u2800\uffa0\xa0", "<U+3164><U+115F><U+1160><U+2800><U+FFA0><U+00A0>"),
        ("a\u2028b\u2029", "a<U+2028>b<U+2029>"),
        ("\udcff.py", "\\xff.py"),
        ("\ud800", "<U+D800>"),
        ("\u0301a", "<U+0301>a"),
        ("a" + "\u0301" * 6, "a" + "\u0301" * 4 + "<U+0301>" * 2),
    ],
)
def test_shown(text: str, shown: str) -> None:
    assert safe_text(text) == shown
    assert is_safe(text) == (text == shown)


def test_tabs_and_line_breaks_stay_where_asked() -> None:
    assert safe_text("\ta\x1b", tabs=True) == "\ta␛"
    assert safe_block("a\r\n\tb\x07") == "a␍\n␉b␇"
    assert safe_block("a\n\tb\n", tabs=True) == "a\n\tb\n"


def test_no_code_point_gets_through_that_could_steer_a_terminal() -> None:
    forbidden = {"Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co"}
    every = "a".join(map(chr, range(sys.maxunicode + 1)))
    shown = safe_text(every)
    assert shown.isprintable()
    assert not forbidden & {unicodedata.category(char) for char in set(shown)}
    assert not set(INVISIBLE) & set(shown)


@settings(max_examples=300)
@given(ANY_TEXT)
def test_shown_text_is_printable_and_final(text: str) -> None:
    shown = safe_text(text)
    assert shown.isprintable()
    assert safe_text(shown) == shown
    assert shown.encode().decode() == shown


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*INVISIBLE, "a", "b", "\udcff"])), st.lists(st.sampled_from([*INVISIBLE, "a", "b"])))
def test_what_differs_invisibly_differs_visibly(left: list[str], right: list[str]) -> None:
    assert (safe_text("".join(left)) == safe_text("".join(right))) == (left == right)


def test_many_marks_are_linear() -> None:
    assert len(safe_text("a" + "\u0301\u0316" * 50_000)) < 1_000_000


@pytest.mark.parametrize(
    ("text", "width", "elided"),
    [
        ("src/a.py", 8, "src/a.py"),
        ("src/engine/matching/cascade.py", 20, "src/engi…/cascade.py"),
        ("src/engine/matching/cascade.py", 12, "…/cascade.py"),
        ("src/engine/matching/cascade.py", 8, "src…e.py"),
        ("n" * 1000 + ".tar.gz", 21, "n" * 10 + "…nnn.tar.gz"),
        ("abc.py", 1, "…"),
        ("abc.py", 0, ""),
    ],
)
def test_elided_in_the_middle(text: str, width: int, elided: str) -> None:
    assert elide_middle(text, width) == elided


def test_rows_stay_distinguishable() -> None:
    first, second = "a" * 30 + "1" + "b" * 30, "a" * 30 + "2" + "b" * 30
    rows = elide_each([first, second, "x.py", first], 21)
    assert rows == ["a" * 9 + "…1…" + "b" * 9, "a" * 9 + "…2…" + "b" * 9, "x.py", "a" * 9 + "…1…" + "b" * 9]


@settings(max_examples=200)
@given(st.text("ab/.漢"), st.integers(0, 30))
def test_elided_text_fits(text: str, width: int) -> None:
    def cells(part: str) -> int:
        return sum(2 if char == "漢" else 1 for char in part)

    assert cells(elide_middle(text, width, measure=cells)) <= width
