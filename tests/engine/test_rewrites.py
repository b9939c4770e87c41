from __future__ import annotations

import sys

import pytest

from engine.errors import HunkdeckError
from engine.model import Hunk, Rewrite, TextEdit
from engine.rewrites import expand
from engine.text import FileText, Splice, splice

pytest.importorskip("ast_grep_py")

SHOP = '''\
async def old(a, b=1) -> int:
    """doc"""
    return foo(a,  b) + foo(
        c,  # why
        d)

class K:
    def old(self):
        return foo(1, 2) + foo(foo(3,4), 5)
'''


def hunk(pattern: str, rewrite: str, language: str | None = None) -> Hunk:
    return Hunk("src", Rewrite(pattern, rewrite, language), id="h", why="because", group="g")


def rewritten(text: str, pattern: str, rewrite: str, path: str = "a.py") -> str:
    """`text` with every hunk put where its line numbers say."""
    file = FileText(text)
    splices = []
    for found in expand(hunk(pattern, rewrite), [(path, text)]):
        edit = found.op
        assert isinstance(edit, TextEdit)
        assert edit.start_line
        assert edit.end_line
        start, end = file.starts[edit.start_line - 1], file.starts[edit.end_line]
        assert text[start:end] == edit.old
        splices.append(Splice(start, end, edit.new))
    return splice(text, splices)


def line_edit(line: int, old: str, new: str) -> TextEdit:
    return TextEdit(old, new, start_line=line, end_line=line, whole_lines=True)


def test_one_hunk_per_line_range() -> None:
    found = expand(hunk("def old($$$ARGS)", "def new($$$ARGS)"), [("a.py", SHOP), ("b.py", "def old(): ...\r\n")])
    edits = [
        ("a.py", line_edit(1, "async def old(a, b=1) -> int:\n", "async def new(a, b=1) -> int:\n")),
        ("a.py", line_edit(8, "    def old(self):\n", "    def new(self):\n")),
        ("b.py", line_edit(1, "def old(): ...\n", "def new(): ...\n")),
    ]
    assert found == tuple(Hunk(path, op, id="h", why="because", group="g") for path, op in edits)


@pytest.mark.parametrize(
    ("pattern", "rewrite", "before", "after"),
    [
        ("foo($A, $B)", "bar($A, $B)", "x = foo(1,  2) + foo(foo(3,4), 5)", "x = bar(1,  2) + bar(bar(3,4), 5)"),
        ("foo($A, $B)", "foo($B, $A)", "foo(1, bar(2,3))", "foo(bar(2,3), 1)"),
        ("foo($A, $B)", "foo($A)", "foo(1,\n    2)", "foo(1)"),
        ("foo($A)", "$A", "x = foo(y) + 1", "x = y + 1"),
        ("foo($A)", "await foo($A)", "x = foo(y)", "x = await foo(y)"),
        ("foo($$$ARGS)", "bar(x, $$$ARGS)", "foo(1,  2)", "bar(x, 1,  2)"),
        ("foo($$$ARGS)", "bar($$$ARGS)", "foo()\nfoo(a, b,)", "bar()\nbar(a, b,)"),
        ("foo($$$)", "bar($$$)", "foo(a, b)", "bar(a, b)"),
        ("$A == $A", "True", "y = f(1) == f(1)", "y = True"),
        ("foo('a b')", "foo('c d')", "foo('a b')", "foo('c d')"),
        ("assertEqual($A, $B)", "assert $A == $B", "assertEqual(x,\n  y)", "assert x == y"),
        ("class $K", "class New", "class Old(Base):\n    x = 1", "class New(Base):\n    x = 1"),
        (
            "def $F(): $$$B",
            "def $F():\n    log()\n    $$$B",
            "def f():\n  x\n  y",
            "def f():\n  log()\n  x\n  y",
        ),
        ("foo($A)", "bar($A)", "'é𝒳'; foo('\udcff')", "'é𝒳'; bar('\udcff')"),
        ("foo($A)", "foo($A)", "foo(1)", "foo(1)"),
        ("foo(1)", "", "foo(1)  # why", "  # why"),
        ("foo(1)", "foo(1, 2)", "foo( 1 )", "foo( 1, 2 )"),
    ],
)
def test_rewritten(pattern: str, rewrite: str, before: str, after: str) -> None:
    assert rewritten(before, pattern, rewrite) == after
    assert rewritten(before + "\n", pattern, rewrite) == after + "\n"


def test_a_function_keeps_its_body_in_other_languages() -> None:
    text = "export function f(a) {\n  return g(a)\n}\n"
    assert rewritten(text, "function $F($$$A)", "function h($$$A)", "a.js") == text.replace("f(a) {", "h(a) {")


def test_many_matches_on_one_line_are_one_hunk() -> None:
    text = "[" + "foo(1), " * 2000 + "]\n"
    (found,) = expand(hunk("foo($A)", "bar($A)"), [("a.py", text)])
    assert isinstance(found.op, TextEdit)
    assert found.op.new == text.replace("foo", "bar")


@pytest.mark.parametrize(
    ("asked", "path", "words"),
    [
        (hunk("foo($A)", "bar($B)"), "a.py", "uses $B, which the pattern does not bind"),
        (hunk("foo($A)", "bar($A)"), "a.unknown", "no language is known"),
        (hunk("foo($A)", "bar($A)", "klingon"), "a.py", "no language is known"),
        (hunk("", "bar"), "a.py", "not a single piece of python code"),
        (hunk("a; b", "c"), "a.py", "not a single piece of python code"),
        (hunk("a" * 6000, "c"), "a.py", "longer than 5000"),
    ],
)
def test_refused(asked: Hunk, path: str, words: str) -> None:
    with pytest.raises(HunkdeckError) as caught:
        expand(asked, [(path, "x = 1\n")])
    assert words in str(caught.value)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)
    with pytest.raises(HunkdeckError, match=r"pip install 'hunkdeck\[rewrite\]'"):
        expand(hunk("a", "b"), [("a.py", "a\n")])
