"""Codex patches: the grammar, the ways they are wrapped, and what is refused."""

from __future__ import annotations

import pytest

from engine.errors import UnreadableProposal
from engine.model import Create, Delete, Hunk, Move, Proposal, TextEdit
from tests.engine.formats.support import CONFORMANCE, hunks, read, refusal


def patch(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


def chunk(old: str, new: str, *scopes: str, at_end: bool = False, start: int | None = None) -> TextEdit:
    return TextEdit(old, new, scopes=scopes, at_end=at_end, start_line=start, whole_lines=True)


ADD = ["*** Add File: foo", "+hi"]
ADDED = [Hunk("foo", Create("hi\n"))]

READ: list[tuple[str, list[Hunk]]] = [
    (patch("*** Add File: a/b.py", "+one", "+", "+*** End Patch"), [Hunk("a/b.py", Create("one\n\n*** End Patch\n"))]),
    (patch("*** Add File: empty"), [Hunk("empty", Create(""))]),
    (patch("*** Delete File: gone"), [Hunk("gone", Delete())]),
    (patch("*** Update File: f", "@@", "-a", "+b"), [Hunk("f", chunk("a\n", "b\n"))]),
    (patch("*** Update File: f", " a", "+b"), [Hunk("f", chunk("a\n", "a\nb\n"))]),
    (
        patch("*** Update File: f", "@@ class A", "@@   def f(self):", "-a", "+b"),
        [Hunk("f", chunk("a\n", "b\n", "class A", "  def f(self):"))],
    ),
    (patch("*** Update File: f", "@@", "@@ def g", "+b"), [Hunk("f", chunk("", "b\n", "def g"))]),
    (
        patch("*** Update File: f", "@@", " a", "", "-b", "@@ x", "+c", "*** End of File"),
        [Hunk("f", chunk("a\n\nb\n", "a\n\n")), Hunk("f", chunk("", "c\n", "x", at_end=True))],
    ),
    (
        patch("*** Update File: f", "@@ -12,3 +12,4 @@ def f():", " a", "+b"),
        [Hunk("f", chunk("a\n", "a\nb\n", start=12))],
    ),
    (
        patch("*** Update File: f", "*** Move to: g", "@@", "-a", "+b"),
        [Hunk("f", Move("g")), Hunk("f", chunk("a\n", "b\n"))],
    ),
    (patch("*** Update File: f", "*** Move to: g"), [Hunk("f", Move("g"))]),
    (
        patch("*** Update File: f", "@@", " a\r", "-b\r", "+c\r").replace("\n", "\r\n"),
        [Hunk("f", chunk("a\nb\n", "a\nc\n"))],
    ),
    (patch("*** Environment ID: env-1", *ADD), ADDED),
    (patch("", "  *** Add File: foo  ", "+hi", "", "*** Delete File: x", ""), [*ADDED, Hunk("x", Delete())]),
    (
        patch("*** Update File: f", "@@", "-a", "+b", "", "*** Delete File: x"),
        [Hunk("f", chunk("a\n", "b\n")), Hunk("x", Delete())],
    ),
    (
        patch("*** Update File: f", "@@", " *** Update File: x", "+b"),
        [Hunk("f", chunk("*** Update File: x\n", "*** Update File: x\nb\n"))],
    ),
    ("\n \t*** Begin Patch \n*** Add File: foo\n+hi\n *** End Patch\n\n", ADDED),
    ("```diff\n" + patch(*ADD) + "\n```\n", ADDED),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_read(text: str, expected: list[Hunk]) -> None:
    assert hunks(text, "codex") == hunks({"input": text}) == expected


def test_a_range_in_a_chunk_header_is_noted() -> None:
    text = patch("*** Update File: f", "@@ -1,2 +1,2 @@", "-a", "+b")
    expected = Proposal(
        "codex", (Hunk("f", chunk("a\n", "b\n", start=1)),), notes=("line 3: read the line range as a hint",)
    )
    assert read(text) == expected


INNER = patch(*ADD)


@pytest.mark.parametrize(
    "wrapped",
    [
        f"<<EOF\n{INNER}\nEOF\n",
        f"<<'EOF'\n{INNER}\nEOF",
        f'<<"EOF"\n{INNER}\nEOF',
        f"apply_patch <<'PATCH'\n{INNER}\nPATCH\n",
        f"applypatch <<X\n{INNER}\nX",
        ["bash", "-lc", f"apply_patch <<'PATCH'\n{INNER}\nPATCH\n"],
        ["/bin/sh", "-c", f"apply_patch <<PATCH\n{INNER}\nPATCH"],
        ["apply_patch", INNER],
        {"command": ["apply_patch", INNER]},
        {"command": INNER},
        {"patchText": INNER},
        {"patch_text_is_elsewhere": 1, "input": INNER},
        {"tool_name": "shell", "tool_input": {"command": ["bash", "-lc", f"apply_patch <<'X'\n{INNER}\nX"]}},
    ],
)
def test_wrappers(wrapped: object) -> None:
    assert hunks(wrapped) == ADDED


@pytest.mark.parametrize("directory", ["foo", "'foo bar'", '"foo bar"', "a/b/"])
def test_a_script_that_changes_directory(directory: str) -> None:
    inner = patch("*** Update File: x", "*** Move to: y", "*** Delete File: /abs")
    base = directory.strip("'\"").rstrip("/")
    expected = [Hunk(f"{base}/x", Move(f"{base}/y")), Hunk("/abs", Delete())]
    assert hunks(f"cd {directory} && apply_patch <<'PATCH'\n{inner}\nPATCH") == expected


FILES = "expected '*** Add File: ', '*** Delete File: ' or '*** Update File: '"
ROW = "expected a line starting with ' ', '+' or '-', got "


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("bad", "line 1", "the first line of a patch must be '*** Begin Patch'"),
        ("prose\n" + INNER, "line 1", "the first line of a patch must be '*** Begin Patch'"),
        (
            "*** Begin Patch\nbad",
            "line 2",
            "the last line of a patch must be '*** End Patch'; it may have been cut off",
        ),
        ("*** Begin Patch", "line 1", "the last line of a patch must be '*** End Patch'; it may have been cut off"),
        (INNER + "\nextra", "line 5", "the last line of a patch must be '*** End Patch'; it may have been cut off"),
        (patch(), "line 2", f"the patch is empty: {FILES}"),
        (patch("*** Frobnicate: a"), "line 2", f"{FILES}, got '*** Frobnicate: a'"),
        (patch("*** Add File: "), "line 2", "'*** Add File:' lacks a path"),
        (patch("*** Environment ID:  ", *ADD), "line 2", "the environment id is empty"),
        (
            patch("*** Environment ID: a", "*** Environment ID: b", *ADD),
            "line 3",
            f"{FILES}, got '*** Environment ID: b'",
        ),
        (patch("*** Add File: a", "bad"), "line 3", "every line of an added file must start with '+', got 'bad'"),
        (
            patch("*** Add File: a", "+x", "", "+y"),
            "line 5",
            "every line of an added file must start with '+', got '+y'",
        ),
        (patch("*** Delete File: a", "bad"), "line 3", f"{FILES}, got 'bad'"),
        (patch("*** Update File: a"), "line 2", "the update of a is empty: expected '@@' or '*** Move to: '"),
        (patch("*** Update File: a", "*** Move to: "), "line 3", "'*** Move to:' lacks a path"),
        (patch("*** Update File: a", "@@"), "line 4", f"{ROW}the end of the patch"),
        (patch("*** Update File: a", "@@", "*** End of File"), "line 4", f"{ROW}'*** End of File'"),
        (patch("*** Update File: a", "@@", "-x", "bad"), "line 5", f"{ROW}'bad'"),
        (
            patch("*** Delete File: ./a", *ADD, "*** Delete File: a"),
            "line 5",
            "a was already changed by the section in line 2; put both in one section",
        ),
        (f"<<EOF\n{INNER}", "line 1", "the heredoc is not closed by a line 'EOF'"),
        (
            f"apply_patch <<EOF\n{INNER}\nEOF\nrm -rf x",
            "line 7",
            "there is another command behind the patch; send the patch alone",
        ),
        (f"<<EOF\n{patch('bad')}\nEOF", "line 3", f"{FILES}, got 'bad'"),
    ],
)
def test_refused(text: str, where: str, message: str) -> None:
    assert refusal(text, "codex") == ("codex", where, message)


@pytest.mark.parametrize(
    "opening",
    [
        "cd foo; apply_patch",
        "cd bar || apply_patch",
        "cd bar | apply_patch",
        "echo foo && apply_patch",
        "apply_patch foo",
        "cd foo && cd bar && apply_patch",
        "cd foo bar && apply_patch",
        "echo foo; cd bar && apply_patch",
        "cd $(x) && apply_patch",
    ],
)
def test_other_commands_are_refused(opening: str) -> None:
    assert refusal(f"{opening} <<'PATCH'\n{INNER}\nPATCH")[0] == "codex"


@pytest.mark.parametrize("argv", [["apply_patch"], ["python", "-c", INNER], ["bash", "-lc", INNER, "x"], ["rm", "x"]])
def test_other_argument_lists_are_refused(argv: list[str]) -> None:
    assert refusal(argv) == ("codex", None, 'expected ["apply_patch", PATCH] or ["bash", "-lc", SCRIPT]')


UNREADABLE_SCENARIOS = {"005_rejects_empty_patch", "008_rejects_empty_update_hunk", "013_rejects_invalid_hunk_header"}


def test_codex_scenarios_are_readable_unless_their_grammar_is_wrong() -> None:
    folders = sorted((CONFORMANCE / "codex_scenarios").glob("*/patch.txt"))
    if not folders:
        pytest.skip("conformance data codex_scenarios is not here")
    for file in folders:
        if file.parent.name in UNREADABLE_SCENARIOS:
            refusal(file.read_bytes())
        else:
            assert read(file.read_bytes()).format == "codex"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("*** Update File: a\n@@\n-x\n+y\n z\n*** End Patch", ("'*** Begin Patch' was missing",)),
        ("*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n z", ("'*** End Patch' was missing",)),
        (
            "*** Update File: a\n@@\n-x\n+y\n z\n",
            ("'*** Begin Patch' was missing", "'*** End Patch' was missing"),
        ),
    ],
)
def test_missing_markers_are_noted(text: str, notes: tuple[str, ...]) -> None:
    proposal = read(text, "codex")
    assert proposal.notes == notes
    assert [hunk.op for hunk in proposal.hunks] == [TextEdit("x\nz\n", "y\nz\n", whole_lines=True)]


@pytest.mark.parametrize("text", ["*** Update File: a\n@@\n x\n-y\n+z", "*** Begin Patch\n*** Add File: a\n+ x"])
def test_a_patch_that_may_be_cut_off_amid_its_changes_is_refused(text: str) -> None:
    with pytest.raises(UnreadableProposal, match="it may have been cut off"):
        read(text, "codex")
