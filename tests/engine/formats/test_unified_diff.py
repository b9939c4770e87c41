"""Unified diffs: what git writes, what models write, and what can only be refused."""

from __future__ import annotations

import pytest

from engine.errors import UnreadableProposal
from engine.formats.diff_names import Name, git_names, header_name, strip_git, strip_plain, unquote
from engine.model import Copy, Create, Delete, Hunk, Move, Proposal, SetMode, TextEdit, Unsupported
from tests.engine.formats.support import hunks, read, refusal


def edit(old: str, new: str, start: int | None = 1) -> TextEdit:
    return TextEdit(old, new, start_line=start, whole_lines=True)


NAMES = "--- a/f\n+++ b/f\n"
ONE = "@@ -1 +1 @@\n-a\n+b\n"
AB = Hunk("f", edit("a\n", "b\n"))
GIT = "diff --git a/f b/f\n"
NOEOL = "\\ No newline at end of file\n"
MISCOUNTED = "the line counts of the hunk header were wrong"
BARE = "the hunk header had no line numbers"
SPACE = "an empty context line had lost its space"

READ: list[tuple[str, list[Hunk]]] = [
    (NAMES + ONE, [AB]),
    (GIT + "index 1..2 100644\n" + NAMES + ONE, [AB]),
    ("Sure:\n\n```diff\n" + NAMES + ONE + "```\n\n- a bullet\n-x\n", [AB]),
    ("From 1 Mon\nSubject: x\n---\n f | 2 +-\n\n" + GIT + NAMES + ONE + "-- \n2.43.0\n\n", [AB]),
    ((NAMES + ONE).replace("\n", "\r\n"), [AB]),
    (NAMES + "@@ -1 +1 @@\n-a\r\n+b\r\n", [AB]),
    (NAMES + ONE + "@@ -9,0 +9,2 @@ def f():\n+c\n+d\n", [AB, Hunk("f", edit("", "c\nd\n", 9))]),
    (NAMES + ONE + "--- a/g\n+++ b/g\n" + ONE + NAMES + ONE, [AB, Hunk("g", edit("a\n", "b\n")), AB]),
    (NAMES + "@@ -3,2 +3,2 @@\n--- x\n+++ y\n c\n", [Hunk("f", edit("-- x\nc\n", "++ y\nc\n", 3))]),
    (
        NAMES + "@@ -1 +1 @@\n--- x\n+++ y\n@@ -5 +5 @@\n-a\n+b\n",
        [Hunk("f", edit("-- x\n", "++ y\n")), Hunk("f", edit("a\n", "b\n", 5))],
    ),
    # no newline at the end
    (NAMES + f"@@ -1 +1 @@\n-a\n{NOEOL}+b\n", [Hunk("f", edit("a", "b\n"))]),
    (NAMES + f"@@ -1 +1 @@\n-a\n+b\n{NOEOL}", [Hunk("f", edit("a\n", "b"))]),
    (NAMES + f"@@ -1,2 +1,2 @@\n-a\n+b\n c\n{NOEOL}", [Hunk("f", edit("a\nc", "b\nc"))]),
    # creation and deletion
    ("--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+x\r\n+y\n", [Hunk("n", Create("x\r\ny\n"))]),
    (
        GIT + "new file mode 100755\nindex 000..111\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n" + NOEOL,
        [Hunk("f", Create("x", executable=True))],
    ),
    (GIT + "new file mode 100644\nindex 0000000..e69de29\n", [Hunk("f", Create(""))]),
    (
        GIT + "deleted file mode 100644\nindex 1..0\n--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n",
        [Hunk("f", Delete("x\ny\n"))],
    ),
    (GIT + "deleted file mode 100644\nindex e69de29..0000000\n", [Hunk("f", Delete())]),
    (
        "--- n\t1970-01-01 09:00:00.000000000 +0900\n+++ n\t2020-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+x\n",
        [Hunk("n", Create("x\n"))],
    ),
    (
        "--- n\t2020-01-01 00:00:00 +0000\n+++ n\t1969-12-31 16:00:00 -08:00\n@@ -1 +0,0 @@\n-x\n",
        [Hunk("n", Delete("x\n"))],
    ),
    ("--- /dev/null\n+++ b/n\n@@ -0,0 +1,3 @@\n+x\n\n+y\n", [Hunk("n", Create("x\n\ny\n"), notes=(SPACE, MISCOUNTED))]),
    ("--- /dev/null\n+++ n\n@@ ... @@\n-a\n+b\n", [Hunk("n", edit("a\n", "b\n", None), notes=(BARE,))]),
    # names and modes
    (
        "diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\nindex 1..2 100644\n--- a/o\n+++ b/n\n"
        + ONE,
        [Hunk("o", Move("n")), Hunk("o", edit("a\n", "b\n"))],
    ),
    ("diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n", [Hunk("o", Move("n"))]),
    (
        "diff --git a/o b/n\ncopy from o\ncopy to n\n--- a/o\n+++ b/n\n" + ONE,
        [Hunk("n", Copy("o")), Hunk("n", edit("a\n", "b\n"))],
    ),
    (GIT + "old mode 100644\nnew mode 100755\n", [Hunk("f", SetMode(executable=True))]),
    (GIT + "old mode 100755\nnew mode 100644\nindex 1..2\n" + NAMES + ONE, [Hunk("f", SetMode(executable=False)), AB]),
    (
        "diff --git a/o b/n\nold mode 100644\nnew mode 100755\nrename from o\nrename to n\n",
        [Hunk("o", Move("n")), Hunk("o", SetMode(executable=True))],
    ),
    # what can only be shown
    (
        GIT
        + "index 1..2\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n"
        + GIT
        + NAMES
        + ONE,
        [Hunk("f", Unsupported("a binary patch can be shown, not applied")), AB],
    ),
    (
        "diff --git a/x b/x\nBinary files a/x and b/x differ\n",
        [Hunk("x", Unsupported("a binary patch can be shown, not applied"))],
    ),
    ("Binary files a/x and b/x differ\n", [Hunk("x", Unsupported("a binary patch can be shown, not applied"))]),
    (
        GIT + "new file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+/etc\n" + NOEOL,
        [Hunk("f", Unsupported("a symbolic link cannot be changed by a proposal"))],
    ),
    (
        GIT + "index 1..2 160000\n" + NAMES + ONE,
        [Hunk("f", Unsupported("a submodule cannot be changed by a proposal"))],
    ),
    (
        GIT + "old mode 100755\nnew mode 104755\n",
        [Hunk("f", Unsupported("a file of mode 104755 cannot be changed by a proposal"))],
    ),
    (GIT + "new file mode 000000\n", [Hunk("f", Unsupported("a file of mode 000000 cannot be changed by a proposal"))]),
    (
        GIT + "new file mode 100644\nindex 0000000..ae00000\n",
        [Hunk("f", Unsupported("the content of the new file is missing from the patch"))],
    ),
    # prefixes and quoting
    ("--- f\n+++ f\n" + ONE, [AB]),
    ("--- a/f\n+++ a/f\n" + ONE, [Hunk("a/f", AB.op)]),
    ("--- f.orig\t2020-01-01\n+++ f\t2020-01-02\n" + ONE, [AB]),
    ("--- old-1.0/d/f\n+++ new-1.1/d/f\n" + ONE, [Hunk("d/f", AB.op)]),
    ("diff --git i/d/f w/d/f\n--- i/d/f\n+++ w/d/f\n" + ONE, [Hunk("d/f", AB.op)]),
    ("diff --git a/f a/f\n--- a/f\n+++ a/f\n" + ONE, [Hunk("a/f", AB.op)]),
    (
        'diff --git "a/\\303\\251 x" "b/\\303\\251 x"\n--- "a/\\303\\251 x"\n+++ "b/\\303\\251 x"\n' + ONE,
        [Hunk("é x", AB.op)],
    ),
    ("diff --git a/p q b/p q\n--- a/p q\t\n+++ b/p q\t\n" + ONE, [Hunk("p q", AB.op)]),
    ("---a/f\n+++b/f\n" + ONE, [AB]),
    ("Index: f\n=====\n--- f\t(revision 1)\n+++ f\t(working copy)\n" + ONE, [AB]),
    (
        "=== modified file 'f'\n--- f\t2013-10-13 23:53:13 +0000\n+++ f\t2013-10-13 23:53:26 +0000\n"
        + ONE
        + "\n=== x\n",
        [AB],
    ),
    # repairs
    (NAMES + "@@ -1,9 +1,1 @@\n-a\n+b\n", [Hunk("f", AB.op, notes=(MISCOUNTED,))]),
    (NAMES + "@@ -1 +1 @@\n-a\n+b\n c\n", [Hunk("f", edit("a\nc\n", "b\nc\n"), notes=(MISCOUNTED,))]),
    (NAMES + "@@ -1,3 +1,3 @@\n-a\n+b\n\n c\n", [Hunk("f", edit("a\n\nc\n", "b\n\nc\n"), notes=(SPACE,))]),
    (
        NAMES + "@@\n-a\n+b\n@@ ... @@\n-c\n+d\n",
        [Hunk("f", edit("a\n", "b\n", None), notes=(BARE,)), Hunk("f", edit("c\n", "d\n", None), notes=(BARE,))],
    ),
    (NAMES + "@@ def f():\n-a\n+b\n\nHope this helps!\n", [Hunk("f", edit("a\n", "b\n", None), notes=(BARE,))]),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_read(text: str, expected: list[Hunk]) -> None:
    assert hunks(text) == hunks({"diff": text}) == expected


def test_repairs_are_noted_on_the_proposal_too() -> None:
    text = (NAMES + "@@ -1,9 +1 @@\n-a\n+b\n").replace("\n", "\r\n")
    notes = ("the diff's own CRLF line ends were read as LF", f"line 3: {MISCOUNTED}")
    assert read(text) == Proposal("unified_diff", (Hunk("f", AB.op, notes=(MISCOUNTED,)),), notes=notes)
    many = read(NAMES + "@@\n-a\n+b\n" * 30).notes
    assert (len(many), many[-1]) == (21, "10 more repairs")


def test_hunks_without_a_header_need_a_path() -> None:
    assert hunks({"path": "f", "diff": ONE}) == [AB]
    where, message = "line 1", "a hunk without a file header: expected '--- old' and '+++ new' above it"
    assert refusal(ONE) == ("unified_diff", where, message)


ROW = "expected a line starting with ' ', '+' or '-', got "


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        (
            NAMES + "@@ -1,-3 +1 @@\n-a\n",
            "line 3",
            "malformed hunk header '@@ -1,-3 +1 @@': expected '@@ -1,2 +1,2 @@'",
        ),
        (
            NAMES + "@@ --1,3 +1 @@\n-a\n",
            "line 3",
            "malformed hunk header '@@ --1,3 +1 @@': expected '@@ -1,2 +1,2 @@'",
        ),
        (
            NAMES + "@@ -99999999999999999999 +1 @@\n-a\n+b\n",
            "line 3",
            "the line numbers of the hunk header are too large",
        ),
        (NAMES + "@@ -0,0 +0,0 @@\n", "line 3", "the hunk is empty"),
        (NAMES + "@@ -1,0 +1,0 @@\n--- a/g\n+++ b/g\n@@ -1,0 +1,0 @@\n", "line 3", "the hunk is empty"),
        (
            NAMES + "@@ -0,1 +1 @@\n-a\n+b\n",
            "line 3",
            "the hunk begins at line 0 but has old lines; lines are counted from 1",
        ),
        ("--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", "line 1", "/dev/null on both sides"),
        ("--- a/f\n@@ -1 +1 @@\n-a\n+b\n", "line 1", "this file header lacks its '+++' line"),
        ("+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "line 1", "this file header lacks its '---' line"),
        (GIT + "index 1..2\n--- a/f\n@@ -1 +1 @@\n-a\n", "line 3", "this file header lacks its '+++' line"),
        (GIT + "index 1..2\n+++ b/f\n@@ -1 +1 @@\n-a\n", "line 3", "this file header lacks its '---' line"),
        (GIT + ONE, "line 2", "a hunk without '--- old' and '+++ new' above it"),
        (GIT + "index 1..2 100644\n", "line 1", "nothing is changed in f: expected hunks, a new name or a new mode"),
        (NAMES + "invalid\n-a\n", "line 3", "expected a hunk header '@@ -1,2 +1,2 @@', got 'invalid'"),
        (NAMES + "@@ -1,3 +1,3 @@\n-a\n+b\nlost its space\n", "line 6", f"{ROW}'lost its space'"),
        (NAMES + "@@\n-a\n+b\nlost its space\n", "line 6", f"{ROW}'lost its space'"),
        (NAMES + ONE + "\n+more\n", "line 7", "this line looks like a part of the hunk above, but is cut off from it"),
        (
            NAMES + "@@\n-a\n+b\n\nlost\n-c\n",
            "line 8",
            "this line looks like a part of the hunk above, but is cut off from it",
        ),
        (NAMES + f"@@ -1 +1 @@\n-a\n{NOEOL}{NOEOL}+b\n", "line 6", "'No newline at end of file' in the wrong place"),
        (NAMES + f"@@ -1 +1 @@\n{NOEOL}-a\n+b\n", "line 4", "'No newline at end of file' in the wrong place"),
        (NAMES + f"@@ -1,2 +1,2 @@\n-a\n{NOEOL}+b\n c\n", "line 7", "a line behind 'No newline at end of file'"),
        (
            NAMES + ONE + "*** f.c\n--- f.c\n***************\n*** 1,2 ****\n",
            "line 8",
            "a context diff; send a unified one (diff -u)",
        ),
        (
            NAMES + ONE + "```\n5c5\n< a\n---\n> b\n",
            "line 7",
            "an ed script or a diff without context; send a unified one (diff -u)",
        ),
        (
            "Index: f\n====\nCannot display: binary\n" + "Index: g\n" + NAMES + ONE,
            "line 1",
            "'Index:' without a unified diff behind it",
        ),
        (NAMES + ONE + "Index: f\nPrereq: 1.0\n", "line 6", "'Index:' without a unified diff behind it"),
        ("diff --cc f\n@@@ -1,1 -1,1 +1,1 @@@\n", "line 1", "a combined diff of a merge; send an ordinary one"),
        (NAMES + "@@@ -1,1 -1,1 +1,1 @@@\n", "line 3", "a combined diff of a merge; send an ordinary one"),
        (
            GIT + "new file mode 100644\ncopy from f\ncopy to g\n",
            "line 1",
            "'new file mode' and 'copy from' exclude each other",
        ),
        (
            GIT + "deleted file mode 100644\n--- b/other\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n",
            "line 1",
            "the header names different files: f, other",
        ),
        (
            "diff --git a/f b/g\n" + NAMES.replace("b/f", "b/g") + ONE,
            "line 1",
            "the header names different files: f, g",
        ),
        ("diff --git a/o b/n\nrename from o\n", "line 1", "expected both 'rename from' and 'rename to'"),
        ("diff --git a/x y b/z\nold mode 100644\nnew mode 100755\n", "line 1", "'diff --git' does not name one file"),
        ('--- "a/\\9"\n+++ b/f\n' + ONE, "line 1", "the quoted file name is malformed"),
        ("--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n@@ -0,0 +1 @@\n+b\n", "line 5", "a new file must be one hunk"),
    ],
)
def test_refused(text: str, where: str, message: str) -> None:
    assert refusal(text) == ("unified_diff", where, message)


def test_a_malformed_section_in_the_middle_refuses_all() -> None:
    good = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-a\n+b\n"
    assert len(hunks(good.format("1") + good.format("2") + good.format("3"))) == 3
    broken = good.format("2").replace("-a\n", "?a\n")
    assert refusal(good.format("1") + broken + good.format("3"))[1] == "line 9"


def test_text_without_a_diff_is_refused_when_a_diff_was_asked_for() -> None:
    expected = ("unified_diff", None, "no file header found: expected '--- old' and '+++ new'")
    assert refusal("I am not a patch", "unified_diff") == expected


def test_names() -> None:
    assert unquote('"a\\tb\\"\\\\\\101"') == 'a\tb"\\A'
    assert unquote('"\\xff"') is None
    assert unquote('"\\377"') == "\udcff"
    assert header_name(' "a/x') is None
    assert header_name(' "a/"b\t2020') == Name("a/b")
    assert git_names("a/x b/x") == ("a/x", "b/x")
    assert git_names('a/x "b/\\303\\251"') == ("a/x", "b/é")
    assert git_names("a/x y z b/q") is None
    assert strip_git("a/x", "/dev/null") == ("x", "/dev/null")
    assert strip_plain("/dev/null", "b/x") == ("/dev/null", "x")
    assert strip_plain("/p/x", "/q/x") == ("/p/x", "/q/x")


@pytest.mark.parametrize("header", ["@@ -7", "@@ -7,3", "@@ -7,3 +7", "@@ -7 @@", "@@ -7,2 +7,2"])
def test_a_header_that_was_cut_off_is_repaired(header: str) -> None:
    proposal = read(f"--- a/f\n+++ b/f\n{header}\n x\n-y\n+z\n", "unified_diff")
    assert proposal.notes == ("line 3: the hunk header was cut off",)
    assert [hunk.op for hunk in proposal.hunks] == [TextEdit("x\ny\n", "x\nz\n", start_line=7, whole_lines=True)]


def test_names_mean_what_the_sections_above_made_of_them() -> None:
    rename = "diff --git a/a b/b\nrename from a\nrename to b\n"
    edit = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-x\n+y\n"
    proposal = read(rename + "diff --git a/b b/b\n" + edit.format("b"), "unified_diff")
    assert [hunk.path for hunk in proposal.hunks] == ["a", "a"]
    with pytest.raises(UnreadableProposal, match="a was renamed or deleted by an earlier section"):
        read(rename + "diff --git a/a b/a\n" + edit.format("a"), "unified_diff")


def test_the_call_says_which_file_whatever_the_diff_calls_it() -> None:
    call = {"path": "src/real.py", "diff": "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x\n+y\n"}
    assert [hunk.path for hunk in read(call, "unified_diff").hunks] == ["src/real.py"]
