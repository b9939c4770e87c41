from __future__ import annotations

import pytest

from engine.line_edits import resolve
from engine.matching.answer import Located
from engine.model import LineCommand, LineEdit
from engine.text import FileText

REPLACE, INSERT = LineCommand.REPLACE, LineCommand.INSERT

CLASS = """\
class Shop:
    def open(self):
        self.door = 1
        if self.late:
            return None

    def close(self):
        self.door = 0


def main():
    shop = Shop()
"""
TABS = "if (a) {\n\tb();\n}\n"
TWO = "a:\n  b:\n    c: 1\n  d: 2\n"


def new_lines(text: str, edit: LineEdit, path: str = "a.py") -> tuple[str, tuple[str, ...]]:
    answer = resolve(FileText(text), edit, path)
    assert isinstance(answer, Located), answer
    return answer.places[0].splices[0].new, answer.notes


@pytest.mark.parametrize(
    ("text", "path", "edit", "expected"),
    [
        (CLASS, "a.py", LineEdit(REPLACE, 3, 3, "self.door = 2"), "        self.door = 2\n"),
        (CLASS, "a.py", LineEdit(REPLACE, 3, 3, "if a:\n    b\n\nc"), "        if a:\n            b\n\n        c\n"),
        (CLASS, "a.py", LineEdit(REPLACE, 4, 5, "if soon:\nreturn 1"), "        if soon:\n            return 1\n"),
        (CLASS, "a.py", LineEdit(INSERT, 4, 4, "log()"), "            log()\n"),
        (CLASS, "a.py", LineEdit(INSERT, 2, 2, "log()"), "        log()\n"),
        (CLASS, "a.py", LineEdit(INSERT, 5, 5, "log()"), "        log()\n"),
        (CLASS, "a.py", LineEdit(INSERT, 8, 8, "\ndef lock(self):\n    pass"), "\n    def lock(self):\n        pass\n"),
        (CLASS, "a.py", LineEdit(INSERT, 12, 12, "shop.open()"), "    shop.open()\n"),
        (CLASS, "a.py", LineEdit(INSERT, 3, 3, "\tlog()"), "        log()\n"),
        (TABS, "a.js", LineEdit(REPLACE, 2, 2, "if (c) {\n    d();\n}"), "\tif (c) {\n\t\td();\n\t}\n"),
        (TABS, "a.js", LineEdit(INSERT, 1, 1, "d();"), "\td();\n"),
        (TWO, "a.yml", LineEdit(INSERT, 2, 2, "e: 3"), "    e: 3\n"),
        (TWO, "a.yml", LineEdit(REPLACE, 4, 4, "e:\n  f: 3"), "  e:\n    f: 3\n"),
        ("f(\n  a,\n)\n", "a.ts", LineEdit(INSERT, 2, 2, "b,"), "  b,\n"),
        ("f(\n)\n", "a.ts", LineEdit(INSERT, 1, 1, "b,"), "    b,\n"),
    ],
)  # fmt: skip
def test_adapted_to_the_context(text: str, path: str, edit: LineEdit, expected: str) -> None:
    assert new_lines(text, edit, path) == (expected, ("indentation adapted to its context",))


@pytest.mark.parametrize(
    "edit",
    [
        LineEdit(REPLACE, 3, 3, "        self.door = 2\n"),
        LineEdit(REPLACE, 5, 5, "            return 1\n        log()\n"),
        LineEdit(INSERT, 5, 5, "            log()\n"),
        LineEdit(INSERT, 5, 5, "        log()\n"),
        LineEdit(INSERT, 8, 8, "\n    def lock(self):\n        pass\n"),
        LineEdit(INSERT, 9, 9, "\ndef other():\n    pass\n\n"),
        LineEdit(INSERT, 9, 9, "DOOR = 1\n"),
        LineEdit(INSERT, 12, 12, "\n\ndef other():\n    pass\n"),
        LineEdit(INSERT, 0, 0, "import os\n"),
    ],
)
def test_what_fits_is_used_as_sent(edit: LineEdit) -> None:
    assert new_lines(CLASS, edit) == (edit.new_content, ())


def test_an_edit_that_only_changes_the_indentation_is_taken_at_its_word() -> None:
    broken = "def f(self):\n    x = 1\n      return x\n"
    assert new_lines(broken, LineEdit(REPLACE, 3, 3, "    return x")) == ("    return x\n", ())


def test_used_as_sent_where_only_that_parses() -> None:
    sent = "    x = 2\nelse:\n    y()\n"
    note = "used as sent: indented like its context it would not parse"
    assert new_lines("if a:\n        x = 1\n", LineEdit(REPLACE, 2, 2, sent)) == (sent, (note,))


@pytest.mark.parametrize(
    ("text", "path", "level", "expected"),
    [
        (CLASS, "a.py", 12, "            if a:\n                b()\n"),
        (CLASS, "a.py", 0, "if a:\n    b()\n"),
        (TABS, "a.js", 8, "\t\tif a:\n\t\t\tb()\n"),
    ],
)
def test_an_explicit_level_overrides(text: str, path: str, level: int, expected: str) -> None:
    edit = LineEdit(INSERT, 2, 2, "  if a:\n      b()", indent_level=level)
    assert new_lines(text, edit, path)[0] == expected
