"""Rows of dialogs: safe, wrapped without losing anything, an agent's words always behind their bar."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.safe_text import is_safe, safe_text
from tui.screens.rows import Row, Tone, block, lines_of, row
from tui.view_model.cells import cell_width

WORDS = st.text(alphabet=st.sampled_from("ab c\x1b\u202e漢é\u0301👍[]"), max_size=60)


def texts(one: Row, width: int) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines_of(one, width)]


def test_long_rows_break_at_spaces_and_hang() -> None:
    said = row(("✗ ", Tone.BAD), ("a.py", Tone.PATH), " old text not found", indent=2, hang=2)
    assert texts(said, 18) == ["  ✗ a.py old text ", "    not found"]
    assert texts(row("abcdefgh"), 3) == ["abc", "def", "gh"]
    assert texts(row(), 10) == [""]


def test_every_line_of_an_agent_is_behind_its_bar() -> None:
    lines = [line for one in block("✓ accepted\n\nby the reviewer himself", Tone.AGENT) for line in lines_of(one, 14)]
    assert [(lead, "".join(text for text, _ in rest)) for (lead, _), *rest in lines] == [
        ("▎ ", "✓ accepted"),
        ("▎ ", ""),
        ("▎ ", "by the "),
        ("▎ ", "reviewer "),
        ("▎ ", "himself"),
    ]


def test_tabs_are_expanded_and_a_far_end_is_cut_off_visibly() -> None:
    assert texts(row(("a\tb", Tone.CODE)), 20) == ["a   b"]
    assert texts(row("x" * 5_000), 10_000)[0].endswith("… +1.0 kB")


@settings(max_examples=150)
@given(st.lists(WORDS, max_size=4), st.integers(2, 30), st.integers(0, 3))
def test_wrapping_loses_nothing_and_fits(parts: list[str], width: int, indent: int) -> None:
    one = row(*((part, Tone.PLAIN) for part in parts), indent=indent)
    found = texts(one, width + indent)
    assert "".join(line[indent:] for line in found) == "".join(map(safe_text, parts))
    assert all(is_safe(line) for line in found)
    assert all(cell_width(line) <= width + indent for line in found)
