"""What agents get wrong, by name: what they sent, what the file should read, and what had to be forgiven."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine.matching import Located
from tests.engine.matching.helpers import applied, edited, locate, refused

PYTHON = """\
import os
import sys


class Store:
    def __init__(self, path):
        self.path = path
        self.items = {}

    def load(self):
        # read everything
        with open(self.path) as source:
            for line in source:
                self.add(line)
        return len(self.items)

    def add(self, line):
        key, value = line.split("=")
        self.items[key] = value
"""
TABS = "func main() {\n\tif ready {\n\t\tstart()\n\t}\n}\n"
PROSE = "It’s the user’s choice.\nUse “quotes” – or not.\nDone.\n"


class Mistake(NamedTuple):
    strategy: str
    content: str
    old: str
    new: str
    becomes: tuple[str, str]
    """What stands in the file, and what stands there afterwards."""


LOAD = "        return len(self.items)\n"
LOADED = "        return self.items\n"
ADD = '        key, value = line.split("=")\n'
MISTAKES = {
    "nothing": Mistake("simple", PYTHON, LOAD, LOADED, (LOAD, LOADED)),
    "part of a line": Mistake("simple", PYTHON, "len(self.items)", "self.items", (LOAD, LOADED)),
    "spaces at line ends": Mistake(
        "trailing_space",
        PYTHON,
        "    def add(self, line):  \n" + ADD,
        "    def add(self, line):  \n        key = line\n",
        (ADD, "        key = line\n"),
    ),
    "spaces on a blank line": Mistake(
        "trailing_space",
        PYTHON,
        LOAD + "        \n    def add(self, line):",
        LOADED + "        \n    def add(self, line):",
        (LOAD, LOADED),
    ),
    "curly quotes": Mistake(
        "typography",
        PYTHON,
        "        key, value = line.split(“=”)\n        self.items[key] = value",
        "        key, value = line.split(“:”)\n        self.items[key] = value",
        (ADD, '        key, value = line.split(":")\n'),
    ),
    "curly quotes inside a line": Mistake(
        "typography", PYTHON, "line.split(“=”)", 'line.split(":")', ('split("=")', 'split(":")')
    ),
    "plain quotes where the file has curly ones": Mistake(
        "typography",
        PROSE,
        "It's the user's choice.\nUse \"quotes\" - or not.\nDone.",
        "It's the user's choice.\nEnd.",
        ("Use “quotes” – or not.\nDone.", "End."),
    ),
    "a block without its indentation": Mistake(
        "indentation_flexible",
        PYTHON,
        "for line in source:\n    self.add(line)",
        "for line in source:\n    self.add(line)\n    self.count += 1",
        ("                self.add(line)\n", "                self.add(line)\n                self.count += 1\n"),
    ),
    "one column too many, left by a reader's line numbers": Mistake(
        "indentation_flexible",
        PYTHON,
        "     def add(self, line):\n" + " " + ADD,
        "     def add(self, line):\n         pass\n",
        (ADD, "        pass\n"),
    ),
    "only the first line trimmed": Mistake(
        "indentation_flexible",
        PYTHON,
        'def add(self, line): \n        key, value = line.split("=")',
        "def add(self, line): \n        key = line",
        (ADD, "        key = line\n"),
    ),
    "spaces for tabs": Mistake(
        "indentation_flexible",
        TABS,
        "    if ready {\n        start()\n    }",
        "    if ready {\n        log()\n        start()\n    }",
        ("\t\tstart()\n", "\t\tlog()\n\t\tstart()\n"),
    ),
    "two spaces for four": Mistake(
        "indentation_flexible",
        PYTHON,
        "  def load(self):\n    # read everything\n    with open(self.path) as source:",
        "  def load(self):\n    # read it\n    with open(self.path) as source:",
        ("# read everything", "# read it"),
    ),
    "no indentation anywhere": Mistake(
        "line_trimmed",
        PYTHON,
        "for line in source:\nself.add(line)\nreturn len(self.items)",
        "for line in source:\nself.put(line)\nreturn len(self.items)",
        ("self.add(line)", "self.put(line)"),
    ),
    "other spaces inside a line": Mistake(
        "whitespace_normalized",
        PYTHON,
        "self.items[ key ]  = value",
        "self.items[key] = value.strip()",
        ("self.items[key] = value", "self.items[key] = value.strip()"),
    ),
    "a blank line dropped": Mistake(
        "whitespace_normalized",
        PYTHON,
        "import sys\nclass Store:\n    def __init__(self, path):\n        self.path = path",
        "import sys\nclass Store:\n    def __init__(self, path):\n        self.path = str(path)",
        ("self.path = path", "self.path = str(path)"),
    ),
    "escaped quotes": Mistake(
        "escape_normalized",
        PYTHON,
        ADD.replace('"', '\\"'),
        ADD.replace('"=', '\\":').replace('")', '\\")'),
        ('"="', '":"'),
    ),
    "a text escaped like JSON": Mistake(
        "escape_normalized",
        PYTHON,
        "        return len(self.items)\\n\\n    def add(self, line):",
        '        return \\"none\\"\\n\\n    def add(self, line):',
        (LOAD, '        return "none"\n'),
    ),
    "HTML entities": Mistake(
        "escape_normalized",
        "if a < b && c:\n    go()\n",
        "if a &lt; b &amp;&amp; c:",
        "if a &lt;= b &amp;&amp; c:",
        ("a < b", "a <= b"),
    ),
    "a Markdown fence": Mistake(
        "trimmed_boundary", PYTHON, "```python\n" + LOAD + "```", "```python\n" + LOADED + "```", (LOAD, LOADED)
    ),
    "line numbers": Mistake(
        "trimmed_boundary",
        PYTHON,
        "15| " + LOAD + "16| \n17|     def add(self, line):",
        "15| " + LOADED + "16| \n17|     def add(self, line):",
        (LOAD, LOADED),
    ),
    "line numbers in old only": Mistake("trimmed_boundary", PYTHON, "    15\t" + LOAD, LOADED, (LOAD, LOADED)),
    "diff marks": Mistake(
        "trimmed_boundary",
        PYTHON,
        "-" + LOAD + " \n     def add(self, line):",
        "+" + LOADED + " \n     def add(self, line):",
        (LOAD, LOADED),
    ),
    "blank lines around it": Mistake("trimmed_boundary", PYTHON, "\n\n" + LOAD, LOADED, (LOAD, LOADED)),
    "an ellipsis": Mistake(
        "elision",
        PYTHON,
        "    def load(self):\n        # read everything\n        ...\n                self.add(line)\n" + LOAD,
        "    def load(self):\n        # read all\n        ...\n                self.add(line)\n" + LOAD,
        ("# read everything", "# read all"),
    ),
    "a comment dropped from the context": Mistake(
        "block_anchor",
        PYTHON,
        "    def load(self):\n        with open(self.path) as source:\n            for line in source:\n"
        "                self.add(line)\n" + LOAD,
        "    def load(self):\n        with open(self.path) as source:\n            for line in source:\n"
        "                self.add(line)\n" + LOADED,
        (LOAD, LOADED),
    ),
    "a word of the context misremembered": Mistake(
        "context_aware",
        PYTHON,
        "        with open(self.file) as source:\n            for line in source:\n"
        "                self.add(line)\n" + LOAD + "\n    def add(self, line):\n",
        "        with open(self.file) as source:\n            for line in source:\n"
        "                self.add(line)\n" + LOADED + "\n    def add(self, line):\n",
        (LOAD, LOADED),
    ),
}
DOUBTFUL = "a blank line dropped"
"""Only white space differs, but the twin of a block often differs in just that: a person should look at it."""


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_forgiven(name: str) -> None:
    case = MISTAKES[name]
    answer = locate(case.content, case.old, case.new)
    assert isinstance(answer, Located), answer
    found, becomes = case.becomes
    expected = case.content.replace(found, becomes)
    assert (answer.strategy, applied(case.content, answer)) == (case.strategy, expected)
    assert answer.approximate == (case.strategy in ("elision", "block_anchor", "context_aware") or name == DOUBTFUL)


REFUSED = {
    "two places": (PYTHON, "self.items", "self.rows", "ambiguous"),
    "two places, damaged": (
        "if a:\n    go()\n\nif a:\n    go()\n",
        "if a:  \n    go()",
        "if a:  \n    stop()",
        "ambiguous",
    ),
    "another word in the line to change": (PYTHON, LOAD.replace("items", "rows"), LOADED, "not_found"),
    "another operator in the line to change": (
        "a\nif x < 1:\nb\nc\n",
        "a\nif x <= 1:\nb\nc",
        "a\ny\nb\nc",
        "not_found",
    ),
    "only the first and last line right": (
        PYTHON,
        "    def load(self):\n        self.clear()\n        self.fetch()\n" + LOAD,
        "    def load(self):\n        self.fetch()\n" + LOAD,
        "not_found",
    ),
    "part of a word": (PYTHON, "self.item", "self.thing", "not_found"),
    "nothing to find": (PYTHON, "", "x", "not_found"),
    "no change": (PYTHON, LOAD, LOAD, "no_change"),
    "sent twice": (PYTHON.replace(LOAD, LOADED), LOAD, LOADED, "already_applied"),
    "an addition sent twice": (PYTHON, "import os\n", "import os\nimport sys\n", "already_applied"),
    "an ellipsis in new only": (PYTHON, LOAD, LOAD + "        # ... rest of the class ...\n", "not_found"),
    "lines off by different indents": (
        PYTHON,
        "def load(self):\n# read everything",
        "def put(self):\n# add",
        "not_found",
    ),
    "an ellipsis that could end in two places": (
        "a1\nxx\nb1\nc1\nyy\nb1\nc1\n",
        "a1\n...\nb1\nc1",
        "a2\n...\nb1\nc1",
        "not_found",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_mistake_is_refused(name: str) -> None:
    content, old, new, code = REFUSED[name]
    assert refused(content, old, new).code == code


HAZARDS = {
    "a fence around new only": (
        LOAD,
        "```python\n" + LOADED + "        # done\n" + LOAD + "```",
        LOADED + "        # done\n" + LOAD,
    ),
    "line numbers in new only": (LOAD, "  15| " + LOADED + "  16|         # done\n", LOADED + "        # done\n"),
    "the last newline lost": (LOAD, LOADED.rstrip("\n") + "\n        # done", LOADED + "        # done\n"),
}


@pytest.mark.parametrize(
    ("name", "behind"),
    [*((name, "") for name in HAZARDS), ("line numbers in new only", "\n")],
)
def test_damage_in_new_alone_is_undone(name: str, behind: str) -> None:
    old, new, meant = HAZARDS[name]
    content = PYTHON.replace("\n    def add", behind + "    def add")
    assert edited(content, old, new) == content.replace(old, meant)


def test_a_fence_that_hides_what_happens_to_a_blank_line_is_refused() -> None:
    old, new, _ = HAZARDS["a fence around new only"]
    assert "fence" in refused(PYTHON, old, new).reason


def test_an_ellipsis_in_new_stands_for_lines_of_old() -> None:
    old = PYTHON[PYTHON.index("    def load") :]
    lines = old.split("\n")
    new = "\n".join([*lines[:2], "        # ... existing code ...", *lines[4:5], "        return 0", *lines[6:]])
    assert edited(PYTHON, old, new) == PYTHON.replace("        return len(self.items)", "        return 0")


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        ("first()\n", "first()\n\n", "begin()\nfirst()\n\nlast()\n"),
        ("first()\n", "\nfirst()\n", "begin()\n\nfirst()\nlast()\n"),
        ("begin()\nfirst()\n", "begin()\n\nfirst()\n", "begin()\n\nfirst()\nlast()\n"),
        ("first()\n", "first()\n\n\n", "begin()\nfirst()\n\n\nlast()\n"),
    ],
)
def test_a_blank_line_can_be_added_once(old: str, new: str, after: str) -> None:
    assert edited("begin()\nfirst()\nlast()\n", old, new) == after
    assert not isinstance(locate(after, old, new), Located)
