"""SEARCH/REPLACE blocks: where the path is found, how blocks are divided, and what is refused."""

from __future__ import annotations

import pytest

from engine.formats.search_replace import find_path
from engine.model import Hunk, TextEdit
from tests.engine.formats.support import hunks, refusal

OLD, MID, NEW = "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"
BLOCK = f"{OLD}\na\n{MID}\nb\n{NEW}\n"
AB = TextEdit("a\n", "b\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"f.py\n{BLOCK}", [Hunk("f.py", AB)]),
        (f"Sure!\n\n```python\nf.py\n{BLOCK}```\n\nDone.", [Hunk("f.py", AB)]),
        (f"f.py\n```python\n{BLOCK}```", [Hunk("f.py", AB)]),
        (f"```python f.py\n{BLOCK}```", [Hunk("python f.py", AB)]),
        (f"```src/f.py\n{BLOCK}```", [Hunk("src/f.py", AB)]),
        (f"f.py\n{BLOCK}\n...\n\n{BLOCK}g.py\n{BLOCK}", [Hunk("f.py", AB), Hunk("f.py", AB), Hunk("g.py", AB)]),
        (f"f\n{OLD}\n{MID}\nnew\n{NEW}", [Hunk("f", TextEdit("", "new\n"))]),
        (f"f\n{OLD}\nold\n{MID}\n{NEW}", [Hunk("f", TextEdit("old\n", ""))]),
        ("f\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n", [Hunk("f", AB)]),
        ("f\n----- SEARCH\na\n=====\nb\n+++++ REPLACE\n", [Hunk("f", AB)]),
        (f"f\n<<<<<<< SEARCH>\na\n{MID}\nb\n{NEW}", [Hunk("f", AB)]),
        (f"f\r\n{OLD}\r\na\r\n{MID}\r\nb\r\n{NEW}\r\n", [Hunk("f", AB)]),
        (f"f\n{OLD}\n:start_line:12\n-------\na\n{MID}\nb\n{NEW}", [Hunk("f", TextEdit("a\n", "b\n", start_line=12))]),
        (
            f"f\n{OLD}\n:start_line: 2\n:end_line:3\n-------\na\n{MID}\nb\n{NEW}",
            [Hunk("f", TextEdit("a\n", "b\n", start_line=2, end_line=3))],
        ),
        (f"f\n{OLD}\n-------\na\n{MID}\nb\n{NEW}", [Hunk("f", TextEdit("-------\na\n", "b\n"))]),
        (
            f"f\n{OLD}\n\\<<<<<<< HEAD\n\\=======\n\\>>>>>>> x\n{MID}\n\\n\n{NEW}",
            [Hunk("f", TextEdit("<<<<<<< HEAD\n=======\n>>>>>>> x\n", "\\n\n"))],
        ),
        (
            f"f\n{OLD}\nTitle\n=====\n{MID}\nOther\n=====\n{NEW}",
            [Hunk("f", TextEdit("Title\n=====\n", "Other\n=====\n"))],
        ),
        (
            f"f\n{OLD}\na\n{MID}\nb\n{MID}\n{NEW}",
            [Hunk("f", AB, notes=("a second '=======' above '>>>>>>> REPLACE' was left out",))],
        ),
        (f"Title\n=======\n\nf\n{BLOCK}", [Hunk("f", AB)]),
    ],
)
def test_read(text: str, expected: list[Hunk]) -> None:
    assert hunks(text) == expected


def test_a_call_may_name_the_file_of_all_blocks() -> None:
    assert hunks({"path": "p", "diff": BLOCK + f"other.py\n{BLOCK}"}) == [Hunk("p", AB), Hunk("other.py", AB)]


@pytest.mark.parametrize(
    ("above", "path"),
    [
        (["f.py"], "f.py"),
        (["**f.py**"], "f.py"),
        (["# f.py"], "f.py"),
        (["### `src/f.py`:"], "src/f.py"),
        (["`Makefile`"], "Makefile"),
        (["f.py", "```"], "f.py"),
        (["```", "f.py", "```python"], "f.py"),
        (["f.py", "```", "```python"], "f.py"),
        (["f.py", ""], None),
        (["Now change this:"], None),
        (["Then this one."], None),
        (["my dir/a file.py"], "my dir/a file.py"),
        (["```python"], None),
        (["..."], None),
        ([], None),
        (["<source>python"], None),
        (["f.py", "<source>"], "f.py"),
    ],
)
def test_find_path(above: list[str], path: str | None) -> None:
    assert find_path(above) == path


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        (BLOCK, "line 1", "this block has no file: write the path alone on the line above it"),
        (f"```python\n{BLOCK}", "line 2", "this block has no file: write the path alone on the line above it"),
        (f"f\n{OLD}\na\n{MID}\nb", "line 2", "this block is not closed by '>>>>>>> REPLACE'"),
        (f"f\n{OLD}\na\n{NEW}", "line 2", "this block has no '=======' line"),
        (
            f"f\n{OLD}\na\n{OLD}\n{MID}\n{NEW}",
            "line 4",
            "a block begins before the one of line 2 is closed by '>>>>>>> REPLACE'",
        ),
        (f"f\n<<<<<<< SEARCH>>\na\n{MID}\nb\n{NEW}", "line 6", "'REPLACE' without a '<<<<<<< SEARCH' line above it"),
        (f"f\n-- SEARCH\na\n{MID}\nb\n+++++++ REPLACE", "line 6", "'REPLACE' without a '<<<<<<< SEARCH' line above it"),
        (
            f"f\n{OLD}\na\n{MID}\nb\n{MID}\nc\n{NEW}",
            "line 6",
            "a second '=======' in this block; write it as '\\=======' where it is content",
        ),
    ],
)
def test_refused(text: str, where: str, message: str) -> None:
    assert refusal(text) == ("search_replace", where, message)


def test_a_text_without_blocks_is_refused_when_blocks_were_asked_for() -> None:
    assert refusal("hello", "search_replace") == ("search_replace", None, "no '<<<<<<< SEARCH' block found")
