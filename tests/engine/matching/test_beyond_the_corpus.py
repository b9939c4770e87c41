"""What the public corpus does not have: hints on damaged text, damage among several edits, odd files, replace_all."""

from __future__ import annotations

from typing import Any

import pytest

from engine.matching import Answer, Located, Refused, locate_all
from engine.model import Code, TextEdit
from engine.text import FileText, decode, splice
from tests.engine.matching.helpers import applied, edited, locate, refused, spelled_out

METHOD = "    def {0}(self):\n        self.check()\n        return self.{0}\n"
TWINS = "class A:\n" + METHOD.format("one") + "\n" + METHOD.format("one") + "\nclass B:\n    pass\n"


# ---------------------------------------------------------------- a line hint


DAMAGED = {
    "spaces at a line's end": "        self.check()  \n        return self.one",
    "no indentation": "self.check()\nreturn self.one",
    "no-break spaces": "        self.check()\n        return\u00a0self.one",
    "other spaces": "        self.check( )\n        return  self.one",
    "line numbers": "3| " + "        self.check()\n4|         return self.one",
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize(("hint", "line"), [(3, 3), (2, 3), (7, 7), (8, 7), (5, None)])
def test_a_hint_settles_a_tie_of_damaged_text_if_it_is_clearly_nearer(name: str, hint: int, line: int | None) -> None:
    answer = locate(TWINS, DAMAGED[name], DAMAGED[name].replace("self.one", "self.two"), start_line=hint)
    assert (answer.places[0].first if isinstance(answer, Located) else None) == line


@pytest.mark.parametrize(
    "old",
    [
        "        self.verify()\n        return self.one",
        "        self.check()\n        return self.three",
        "    def three(self):\n        self.check()\n        return self.one()",
    ],
)
@pytest.mark.parametrize("hint", [1, 2, 3, 4, 7])
def test_a_hint_never_makes_a_wrong_place_right(old: str, hint: int) -> None:
    assert refused(TWINS, old, old.replace("self", "this"), start_line=hint).code is Code.NOT_FOUND


@pytest.mark.parametrize("hint", [1, 3, 7, 99])
def test_a_hint_never_revives_what_is_already_there(hint: int) -> None:
    content = "import os\nimport sys\n\nrun()\n"
    assert refused(content, "import os\n", "import os\nimport sys\n", start_line=hint).code is Code.ALREADY_APPLIED


# ---------------------------------------------------------------- several edits of one file


def kinds(answers: tuple[Answer, ...]) -> list[str]:
    return [answer.strategy if isinstance(answer, Located) else answer.code.value for answer in answers]


def test_damaged_and_refused_edits_do_not_disturb_their_siblings() -> None:
    content = "class A:\n" + METHOD.format("one") + "\n" + METHOD.format("two") + "\n" + METHOD.format("three")
    edits = [
        TextEdit("class A:", "class B:"),
        TextEdit("def two(self):\n    self.check()", "def two(self):\n    self.test()"),
        TextEdit("        return self.four\n", "        return 4\n"),
        TextEdit("        self.check()\n", "        pass\n"),
        TextEdit("```\n        return self.three\n```", "```\n        return 3\n```"),
    ]
    answers = locate_all(FileText(content), edits)
    assert kinds(answers) == ["simple", "indentation_flexible", "not_found", "ambiguous", "trimmed_boundary"]
    alone = [locate_all(FileText(content), [edit])[0] for edit in edits]
    assert list(answers) == alone
    cuts = [
        cut for answer in answers if isinstance(answer, Located) for place in answer.places for cut in place.splices
    ]
    expected = content.replace("class A", "class B").replace("return self.three", "return 3")
    two = expected.index("self.check()", expected.index("two"))
    assert splice(content, cuts) == expected[:two] + "self.test()" + expected[two + len("self.check()") :]


def test_many_edits_are_answered_like_one() -> None:
    content = "".join(f"    step_{n}(value, {n})\n" for n in range(200))
    olds = [f"    step_{n}(value, {n})\n" for n in range(0, 200, 2)]
    damaged = [old.strip() + "  \n" if n % 7 == 0 else old for n, old in enumerate(olds)]
    edits = [TextEdit(old, old.replace("step", "jump")) for old in damaged]
    edits.append(TextEdit("    step_1(value, 2)\n", "x\n"))
    file = FileText(content)
    one_by_one = [spelled_out(locate_all(file, [edit])[0]) for edit in edits]
    assert list(map(spelled_out, locate_all(file, edits))) == one_by_one


# ---------------------------------------------------------------- odd files


@pytest.mark.parametrize(
    "old", ["first = 1\nsecond = 2\n", "first = 1", "  first = 1\n  second = 2\n", "first = 1\nsecond = 2  \n"]
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_stays_and_hides_nothing(old: str, encoding: str) -> None:
    data = "first = 1\nsecond = 2\nthird = 3\n".encode(encoding)
    file = decode(data)
    answer = locate_all(file, [TextEdit(old, old.replace("1", "10"))])[0]
    assert file.encode(applied(file.text, answer)) == data.decode(encoding).replace("1", "10").encode(encoding)


ENDINGS = [("\r", "\r"), ("\r\n", "\r\n"), ("\n", "\n")]


@pytest.mark.parametrize(("ending", "own"), ENDINGS)
@pytest.mark.parametrize(
    ("old", "new", "becomes"),
    [
        ("b1", "b2", "a1|b2|c1|d1|"),
        ("a1\nb1\n", "a1\nx1\nb1\n", "a1|x1|b1|c1|d1|"),
        ("  b1\n  c1\n", "  b2\n  c1\n", "a1|b2|c1|d1|"),
        ("c1\nd1", "c1", "a1|b1|c1|"),
        ("b1  \nc1", "b1  \nc2\nc3", "a1|b1|c2|c3|d1|"),
    ],
)
def test_every_line_end_is_a_line_end(ending: str, own: str, old: str, new: str, becomes: str) -> None:
    content = ending.join(["a1", "b1", "c1", "d1", ""])
    assert edited(content, old, new) == becomes.replace("|", own)


@pytest.mark.parametrize("odd", ["\x0c", "\x0b", "\u2028", "\u2029", "\x85", "\x1c"])
def test_other_separators_are_characters_like_any(odd: str) -> None:
    content = f"one\n{odd}two {odd} three\nfour\n"
    answer = locate(content, f"{odd}two {odd} three  \nfour", f"{odd}two {odd} 3  \nfour")
    assert isinstance(answer, Located)
    assert (answer.places[0].first, answer.places[0].last) == (2, 3)
    assert applied(content, answer).startswith(f"one\n{odd}two {odd} 3")


@pytest.mark.parametrize("content", ["", "\n", "\n\n\n", "\ufeff", "   ", "\r", "x"])
def test_files_with_next_to_nothing_refuse(content: str) -> None:
    for options in ({}, {"whole_lines": True}, {"replace_all": True}, {"start_line": 1}):
        assert isinstance(locate(content, "alpha\nbeta\n", "gamma\n", **options), Refused)


# ---------------------------------------------------------------- replace_all


ALL: dict[str, tuple[str, str, str, str]] = {
    "parts of lines": ("a(x); a(x)\nb(x)\n", "a(x)", "c(x)", "c(x); c(x)\nb(x)\n"),
    "inside words, which is what was asked for": ("foobar foo\n", "foo", "qux", "quxbar qux\n"),
    "whole lines at different depths": (
        "go(1)\n  go(1)\n    go(1)\n",
        "go(1)\n",
        "go(2)\n",
        "go(2)\n  go(2)\n    go(2)\n",
    ),
    "damaged alike": (
        "  go(1)\n  stop()\n\n\tgo(1)\n\tstop()\n",
        "go(1)\nstop()",
        "go(2)\nstop()",
        "  go(2)\n  stop()\n\n\tgo(2)\n\tstop()\n",
    ),
    "curly quotes": ("say('a')\nrun()\nsay('a')\n", "say(‘a’)", "say(‘b’)", "say('b')\nrun()\nsay('b')\n"),
    "carriage returns": ("x\r\ny\r\nx\r\n", "x\n", "z\nw\n", "z\r\nw\r\ny\r\nz\r\nw\r\n"),
    "one place only": ("one two\n", "two", "three", "one three\n"),
    "a deletion": ("x = 1\ndebug()\ny = 2\ndebug()\n", "debug()\n", "", "x = 1\ny = 2\n"),
}


@pytest.mark.parametrize("name", ALL)
def test_replace_all_takes_every_place(name: str) -> None:
    content, old, new, after = ALL[name]
    assert edited(content, old, new, replace_all=True) == after


NOT_ALL: dict[str, tuple[str, str, dict[str, Any]]] = {
    "another word": ("go(1)\ngo(2)\n", "go(3)", {}),
    "a part of the block elsewhere": ("go(1)\nstop()\n\ngo(1)\nhalt()\n", "go(1)\nwait()", {}),
    "drift is for one place": ("".join(METHOD.format(n) for n in ("a1", "b2")), METHOD.format("c3"), {}),
}


@pytest.mark.parametrize("name", NOT_ALL)
def test_replace_all_forgives_no_more_than_one_edit_would(name: str) -> None:
    content, old, options = NOT_ALL[name]
    assert refused(content, old, "x", replace_all=True, **options).code is Code.NOT_FOUND
