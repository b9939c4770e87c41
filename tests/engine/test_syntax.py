from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.syntax import MAX_SIZE, SyntaxProblem, newly_broken, problem


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "x = 1\n"),
        ("a.py", ""),
        ("a.py", 'pattern = "\\d"\nassert (1, "always true")\n'),
        ("a.py", '# -*- coding: latin-1 -*-\nname = "\udce9"\n'),
        ("a.py", "if a:\r\n    b()\r\n"),
        ("a.pyi", "def f() -> int: ...\n"),
        ("a.json", '{"a": [1, 2.5, null]}'),
        ("a.toml", 'a = "b"\n[c]\nd = 1\n'),
        ("a.jsonc", "// free\n"),
        ("tsconfig.base.json", "// free\n{}"),
        ("sub/.vscode/settings.json", "// free\n{}"),
        ("a.js", "((("),
        ("py", "((("),
        ("a.py", "(" * (MAX_SIZE + 1)),
    ],
)
def test_nothing_wrong(path: str, text: str) -> None:
    assert problem(path, text) is None


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", "if a:\nb()\n", (2, 1, "expected an indented block after 'if' statement on line 1", "b()")),
        ("A.PY", "x = )\n", (1, 5, "unmatched ')'", "x = )")),
        ("a.json", '{\n  "a": 1,\n}', (3, 1, "Expecting property name enclosed in double quotes", "}")),
        ("a.ipynb", "", (1, 1, "Expecting value", "")),
        ("a.toml", "a = 1\nb = \n", (2, 5, "Invalid value", "b = ")),
        ("a.toml", 'a = 1\nb = "c', (2, 7, "Unterminated string", 'b = "c')),
    ],
)
def test_the_first_problem_is_placed(path: str, text: str, expected: tuple[int, int, str, str]) -> None:
    assert problem(path, text) == SyntaxProblem(*expected)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "-" * 100_000 + "1"),
        ("a.py", "x = '\ud800'"),
        ("a.py", "a\0b"),
        ("a.json", "[" * 100_000),
        ("a.json", "1" * 5000),
        ("a.toml", "a = " + "[" * 100_000),
    ],
)
def test_hostile_text_is_a_problem_like_any_other(path: str, text: str) -> None:
    assert problem(path, text) is not None


@settings(max_examples=200)
@given(st.sampled_from(["a.py", "a.json", "a.toml"]), st.text(st.characters(codec=None), max_size=40))
def test_never_raises(path: str, text: str) -> None:
    found = problem(path, text)
    assert found is None or found.render().startswith(f"Line {found.line}: ")


def test_only_what_used_to_parse_can_be_broken() -> None:
    assert newly_broken("a.py", "x = 1\n", "x =\n") == SyntaxProblem(1, 4, "invalid syntax", "x =")
    assert newly_broken("a.py", None, "x =\n") is not None
    assert newly_broken("a.py", "y = (\n", "x =\n") is None
    assert newly_broken("a.py", "x =\n", "x = 1\n") is None


def test_the_caret_stands_below_its_column() -> None:
    assert SyntaxProblem(3, 4, "invalid syntax", "\tx =  ").render() == "Line 3: invalid syntax\n  \tx =\n  \t  ^"
    long = SyntaxProblem(1, 5000, "bad", "x" * 4999 + "!" + "x" * 5000).render().split("\n")
    assert len(long[1]) == 162
    assert long[1][long[2].index("^")] == "!"
