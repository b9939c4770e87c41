"""Small things that the screen stands on: cells, words, keys, settings."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.policy import Policy, Quality
from engine.review import Verdict
from engine.safe_text import is_safe
from tui.keymap import KEYS, remapped
from tui.settings import Settings, load_settings, settings_from
from tui.view_model.cells import MOST_SHOWN, cell_width, cut, pad, shown, slices, wrap
from tui.view_model.words import changed_words

# ---------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("line", "text", "tabs"),
    [
        ("a\tb", "a   b", (1,)),
        ("\tx", "    x", (0,)),
        ("中\tb", "中  b", (1,)),
        ("e\u0301\tb", "e\u0301   b", (2,)),
        ("\x1b[2J", "␛[2J", ()),
        ("a\u202eb", "a<U+202E>b", ()),
    ],
)
def test_lines_are_safe_and_tabs_stop_by_cells(line: str, text: str, tabs: tuple[int, ...]) -> None:
    assert shown(line)[:2] == (text, tabs)


def test_a_line_of_ten_megabytes_says_what_is_cut() -> None:
    line = shown("x" * 10_000_000)
    assert (len(line.text), line.rest) == (MOST_SHOWN, " … +10.0 MB")


@given(st.text(max_size=60), st.integers(2, 20))
def test_nothing_is_wider_than_its_place(text: str, width: int) -> None:
    safe = shown(text.replace("\n", "")).text
    assert is_safe(safe)
    assert cell_width(cut(safe, width)) <= width
    assert cell_width(pad(safe, width)) == width
    assert "".join(wrap(safe, width)) == safe
    assert "".join(safe[a:b] for a, b in slices(safe, width)) == safe
    assert all(cell_width(safe[a:b]) <= width for a, b in slices(safe, width))


def test_words_that_differ() -> None:
    removed, added = changed_words("return sum(items)", "return sum(i.price for i in items)")
    assert (removed, added) == ((), ((11, 28),))
    assert changed_words("alpha beta", "nothing alike here") == ((), ())


# ---------------------------------------------------------------- keys and settings


def test_every_key_is_given_once_and_a_means_nothing() -> None:
    keys = [key for entry in KEYS for key in entry.keys]
    assert len(keys) == len(set(keys))
    assert "a" not in keys


def test_a_remapped_key_leaves_its_old_action() -> None:
    table = {entry.action: entry.keys for entry in remapped({"accept": ("enter",)})}
    assert (table["accept"], table["fold"]) == (("enter",), ("z",))


def test_settings_take_what_is_right_and_name_what_is_not(tmp_path: Path) -> None:
    assert settings_from({"theme": "light", "context": 5, "keys": {"accept": "enter"}}) == Settings(
        theme="light", context=5, keys={"accept": ("enter",)}
    )
    wrong = settings_from({"theme": "pink", "mouse": 1, "keys": {"fly": "f"}})
    assert (wrong.theme, wrong.mouse, len(wrong.complaints)) == ("dark", True, 3)
    assert load_settings(str(tmp_path / "none.toml")) == Settings()
    broken = tmp_path / "config.toml"
    broken.write_text("theme = ")
    assert len(load_settings(str(broken)).complaints) == 1


# ---------------------------------------------------------------- policies


def policies(text: str) -> tuple[tuple[Policy, ...], tuple[str, ...]]:
    read = settings_from(tomllib.loads(text))
    return read.policies, read.complaints


def test_there_are_no_policies_until_somebody_writes_one() -> None:
    assert policies("") == ((), ())


def test_policies_are_read_from_their_tables() -> None:
    text = """
    [[policy]]
    decide = "accept"
    paths = "docs/**"
    match = "exact"
    max_lines = 20
    [[policy]]
    decide = "reject"
    match = ["none", "approximate"]
    min_lines = 3
    reason = "read the file again"
    """
    first = Policy(Verdict.ACCEPT, ("docs/**",), frozenset({Quality.EXACT}), 20)
    worst = frozenset({Quality.NONE, Quality.APPROXIMATE})
    assert policies(text) == ((first, Policy(Verdict.REJECT, ("**",), worst, None, 3, "read the file again")), ())


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('paths = "a"', "it does not say decide"),
        ('decide = "accept"', "it has no condition"),
        ('decide = "perhaps"\npaths = "a"', "decide = 'perhaps' is not understood"),
        ('decide = "accept"\npaths = "a"\nmax_line = 3', "max_line = 3 is not understood"),
        ('decide = "accept"\npaths = []', "paths = [] is not understood"),
        ('decide = "accept"\npaths = "/etc/*"', "paths = '/etc/*' is not understood"),
        ('decide = "accept"\nmax_lines = true', "max_lines = True is not understood"),
        ('decide = "accept"\nmatch = "good"', "match = 'good' is not understood"),
        ('decide = "accept"\nmatch = ["none"]', "a policy never accepts what is found only approximately"),
    ],
)
def test_a_policy_that_is_not_understood_is_not_used_at_all(table: str, problem: str) -> None:
    found, complaints = policies(f'[[policy]]\n{table}\n[[policy]]\ndecide = "reject"\npaths = "b"')
    assert found == (Policy(Verdict.REJECT, ("b",)),)
    assert [problem in complaint for complaint in complaints] == [True]


def test_a_policy_that_is_no_table_is_not_used() -> None:
    assert policies('policy = "accept everything"') == (
        (),
        ("config.toml: policy 1 is not used: write it as a table, [[policy]]",),
    )
