"""Group G: unified diffs and patches. Repairs are noted, nothing is dropped, nothing is half applied."""

from __future__ import annotations

import json

import pytest

from engine.errors import UnreadableProposal
from engine.model import Code, Create, Delete, Move, Unsupported, Write
from engine.planning.data import Fit
from engine.review import Accept, Confirm
from engine.session import load
from engine.settle import Status
from tests.battery.bench import NEW, OLD, Bench

LINES = b"".join(b"line %d\n" % n for n in range(1, 31))


def edit(header: str = "@@ -3,3 +3,3 @@", path: str = "a.txt") -> str:
    return f"--- a/{path}\n+++ b/{path}\n{header}\n line 3\n-line 4\n+LINE 4\n line 5\n"


@pytest.mark.parametrize(
    "header", ["@@ -3,9 +3,9 @@", "@@ -3,1 +3,1 @@", "@@ -3 +3 @@", "@@", "@@ @@", "@@ ... @@", "@@ -7,3 +9,3 @@"]
)
def test_G01_wrong_counts(bench: Bench, header: str) -> None:
    bench.put("a.txt", LINES)
    planned = bench.load(edit(header))
    assert len(planned.hunks) == 1
    if header != "@@ -7,3 +9,3 @@":
        assert planned.hunks[0].notes
    bench.apply(planned)
    assert bench.read("a.txt") == LINES.replace(b"line 4\n", b"LINE 4\n")


def test_G01_two_hunks_with_wrong_counts(bench: Bench) -> None:
    bench.put("a.txt", LINES)
    second = "@@ -20,1 +20,1 @@\n line 20\n-line 21\n+LINE 21\n line 22\n"
    planned = bench.load(edit("@@ -3,7 +3,7 @@") + second)
    bench.apply(planned)
    assert bench.read("a.txt") == LINES.replace(b"line 4\n", b"LINE 4\n").replace(b"line 21\n", b"LINE 21\n")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("@@ --3,3 +3,3 @@", "malformed hunk header"),
        ("@@ -99999999999999999999,3 +3,3 @@", "too large"),
        ("@@ -3,99999999999999999999 +3,3 @@", "too large"),
        ("@@ -0,0 +0,0 @@", "lines are counted from 1"),
    ],
)
def test_G02_impossible_ranges(bench: Bench, header: str, reason: str) -> None:
    bench.assert_refuses(edit(header), reason)


def test_G03_beyond_the_end_and_out_of_order(bench: Bench) -> None:
    bench.put("a.txt", LINES)
    far = "@@ -9000,3 +9000,3 @@\n line 20\n-line 21\n+LINE 21\n line 22\n"
    bench.apply(bench.load(edit("@@ -800,3 +800,3 @@").replace("@@ -800", far + "@@ -800", 1)))
    assert bench.read("a.txt") == LINES.replace(b"line 4\n", b"LINE 4\n").replace(b"line 21\n", b"LINE 21\n")
    missing = "--- a/a.txt\n+++ b/a.txt\n@@ -99,1 +99,1 @@\n-nowhere to be seen\n+x\n"
    assert bench.load(missing).hunks[0].fit is Fit.FAILS


def test_G03_overlapping_hunks(bench: Bench) -> None:
    bench.put("a.txt", LINES)
    again = "@@ -3,3 +3,3 @@\n line 3\n-line 4\n+another\n line 5\n"
    result = bench.apply(bench.load(edit() + again))
    assert [hunk.code for hunk in result.hunks] == [Code.NOT_ATTEMPTED, Code.OVERLAP]


def test_G04_one_file_in_two_sections(bench: Bench) -> None:
    bench.put("a.txt", LINES)
    second = "--- a/a.txt\n+++ b/a.txt\n@@ -20,3 +20,3 @@\n line 20\n-line 21\n+LINE 21\n line 22\n"
    bench.apply(bench.load(edit() + second))
    assert bench.read("a.txt") == LINES.replace(b"line 4\n", b"LINE 4\n").replace(b"line 21\n", b"LINE 21\n")


def test_G04_one_file_twice_in_a_codex_patch(bench: Bench) -> None:
    twice = "*** Update File: a.txt\n@@\n-old\n+{}\n"
    patch = f"*** Begin Patch\n{twice.format('one')}{twice.format('two')}*** End Patch\n"
    bench.assert_refuses(patch, "a.txt was already changed by the section in line 2")


CREATES = [
    "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+new\n",
    "*** Begin Patch\n*** Add File: a.txt\n+new\n*** End Patch\n",
    json.dumps({"changes": [{"change_type": "new_file", "path": "a.txt", "content": "new\n"}]}),
]


@pytest.mark.parametrize("payload", CREATES, ids=["diff", "codex", "hunkdeck"])
def test_G05_create_over_an_existing_file(bench: Bench, payload: str) -> None:
    bench.put("a.txt")
    planned = bench.load(payload)
    assert isinstance(planned.hunks[0].hunk.op, Create)
    assert bench.apply(planned).hunks[0].code is Code.NEEDS_CONFIRMATION
    result = bench.apply(planned, Confirm("a.txt"), Accept((0,)))
    assert "-old\n+new\n" in result.files[0].diff
    assert bench.read("a.txt") == NEW


def test_G06_delete(bench: Bench) -> None:
    bench.assert_blocks(("missing.txt", Delete()), "no such file", code=Code.NOT_FOUND)
    bench.put("a.txt", b"something else\n")
    stale = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
    assert bench.load(stale).hunks[0].code is Code.STALE
    bench.put("a.txt")
    planned = bench.load(stale)
    bench.assert_conflicts(planned, lambda: bench.put("a.txt", b"edited\n"), "changed since")


def renames(*pairs: tuple[str, str]) -> str:
    return "".join(
        f"diff --git a/{old} b/{new}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n" for old, new in pairs
    )


@pytest.mark.parametrize("names", ["ab", "abc", "abcd"])
def test_G07_files_change_places(bench: Bench, names: str) -> None:
    for name in names:
        bench.put(name, name.encode())
        for other in names:
            bench.knows(other, name.encode())
    pairs = list(zip(names, names[1:] + names[0], strict=True))
    bench.assert_ok(*((old, Move(new)) for old, new in pairs))
    assert {new: bench.read(new) for _, new in pairs} == {new: old.encode() for old, new in pairs}


def test_G07_two_to_one(bench: Bench) -> None:
    bench.put("a", b"a")
    bench.put("c", b"c")
    before = bench.files()
    result = bench.apply(bench.load(renames(("a", "b"), ("c", "b"))))
    assert (result.hunks[1].status, result.hunks[1].code) == (Status.FAILED, Code.OVERLAP)
    assert bench.files() == before


def test_G08_rename_onto_an_existing_file(bench: Bench) -> None:
    bench.put("a", b"a")
    bench.put("b", b"b")
    planned = bench.load(renames(("a", "b")))
    assert planned.hunks[0].risks == ("overwrites b, which exists",)
    assert bench.apply(planned).hunks[0].code is Code.NEEDS_CONFIRMATION
    bench.knows("b", b"a")
    bench.apply(planned, Confirm("a"), Accept((0,)))
    assert {path: entry[2] for path, entry in bench.files().items()} == {"b": b"a"}


def test_G09_directories(bench: Bench) -> None:
    bench.put("dir/file.py")
    bench.assert_blocks(("dir", Delete()), "is a directory")
    bench.assert_blocks(("dir", Move("other")), "is a directory")
    bench.assert_blocks(("dir/", Delete()), "names a directory")


def test_G10_a_file_becomes_a_directory(bench: Bench) -> None:
    bench.put("f")
    before = bench.files()
    result = bench.apply(bench.plan(("f", Delete()), ("f/x", Create("new\n"))))
    assert [hunk.status for hunk in result.hunks] == [Status.PENDING, Status.FAILED]
    assert bench.files() == before
    planned = bench.plan(("d", Create("x")), ("d/x", Create("x")))
    assert [hunk.fit for hunk in planned.hunks] == [Fit.FITS, Fit.FAILS]
    planned = bench.plan(("e/x", Create("x")), ("e", Create("x")))
    assert [hunk.fit for hunk in planned.hunks] == [Fit.FITS, Fit.FAILS]


@pytest.mark.parametrize("mode", ["120000", "160000", "104755", "000000", "040000", "102755"])
def test_G11_special_modes(bench: Bench, mode: str) -> None:
    bench.put("a.txt")
    new = f"diff --git a/n b/n\nnew file mode {mode}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+target\n"
    changed = f"diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode {mode}\n"
    before = bench.files()
    for payload in (new, changed):
        (hunk,) = bench.load(payload).hunks
        assert isinstance(hunk.hunk.op, Unsupported)
        result = bench.apply(bench.load(payload), Confirm(hunk.path), Accept((0,)))
        assert (result.hunks[0].status, result.hunks[0].code) == (Status.FAILED, Code.BLOCKED_PATH)
        assert bench.files() == before


def test_G11_executable(bench: Bench) -> None:
    new = "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
    assert bench.load(new).hunks[0].risks == ("makes the file executable",)


@pytest.mark.parametrize(
    "body",
    [
        "GIT binary patch\nliteral 3\nKcmZQzU|;|M00aO5\n\nliteral 0\nHcmV?d00001\n",
        "Binary files a/a.bin and b/a.bin differ\n",
    ],
)
def test_G12_binary_patch(bench: Bench, body: str) -> None:
    bench.put("a.bin", b"\0")
    planned = bench.load(f"diff --git a/a.bin b/a.bin\nindex 1111111..2222222 100644\n{body}")
    assert planned.hunks[0].error == "a binary patch can be shown, not applied"
    assert bench.apply(planned).hunks[0].status is Status.FAILED


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "/dev/null on both sides"),
        ("--- a/a.txt\n@@ -1 +1 @@\n-old\n+new\n", "lacks its '+++' line"),
        ("--- a/a.txt\n", "no diff header"),
        ("+++ b/a.txt\n", "no diff header"),
    ],
)
def test_G13_incomplete_headers(bench: Bench, payload: str, reason: str) -> None:
    bench.assert_refuses(payload, reason)


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ('--- "a/\\303\\251.txt"\n+++ "b/\\303\\251.txt"\n', "é.txt"),
        ('--- "a/tab\\there.txt"\n+++ "b/tab\\there.txt"\n', "tab\there.txt"),
        ("--- a.txt\n+++ a.txt\n", "a.txt"),
        ("--- a/a.txt\t2024-01-01 00:00:00\n+++ b/a.txt\t2024-01-01 00:00:00\n", "a.txt"),
        ("--- a/with space.txt\t\n+++ b/with space.txt\t\n", "with space.txt"),
    ],
)
def test_G14_quoted_paths_prefixes_and_timestamps(bench: Bench, header: str, path: str) -> None:
    bench.put(path)
    planned = bench.load(header + "@@ -1 +1 @@\n-old\n+new\n")
    assert [file.path for file in planned.files] == [path]
    bench.apply(planned)
    assert bench.read(path) == NEW


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("1c1\n< old\n---\n> new\n", "no diff header"),
        ("1,1d0\n!touch /pwned\nw\nq\n", "no diff header"),
        (
            "*** a.txt 2024\n--- a.txt 2024\n***************\n*** 1 ****\n! old\n--- 1 ----\n! new\n",
            "a context diff; send a unified one",
        ),
        ("Prereq: old\nIndex: a.txt\n", "without a unified diff behind it"),
        ("Index: a.txt\n1d\n.\nw\n", "an ed script"),
    ],
)
def test_G15_other_kinds_of_diff(bench: Bench, payload: str, reason: str) -> None:
    bench.assert_refuses(payload, reason)


def test_G15_index_lines_of_a_unified_diff_name_nothing(bench: Bench) -> None:
    bench.put("a.txt", LINES)
    bench.apply(bench.load("Index: ../evil\nPrereq: 1\n" + edit()))
    assert list(bench.files()) == ["a.txt"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("\\ No newline at end of file\n-old\n+new\n", "in the wrong place"),
        ("-old\n\\ No newline at end of file\n\\ No newline at end of file\n+new\n", "in the wrong place"),
        (" first\n\\ No newline at end of file\n-old\n+new\n", "a line behind"),
    ],
)
def test_G16_misplaced_no_newline_marker(bench: Bench, rows: str, reason: str) -> None:
    bench.assert_refuses(f"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n{rows}", reason)


def test_G17_crlf_patch_on_an_lf_file(bench: Bench) -> None:
    bench.put("a.txt", LINES)
    bench.apply(bench.load(edit().replace("\n", "\r\n")))
    assert bench.read("a.txt") == LINES.replace(b"line 4\n", b"LINE 4\n")


def test_G18_too_large(bench: Bench) -> None:
    bench.assert_refuses(edit().encode() + b" x\n" * 7_000_000, "at most 20000000 are read")


def test_G19_one_malformed_section(bench: Bench) -> None:
    bad = "--- a/two.txt\n+++ b/two.txt\n@@ -1,2 +1,2 @@\nnot a row of a diff\nneither is this\n"
    payload = edit(path="one.txt") + bad + edit(path="three.txt")
    bench.assert_refuses(payload, "line 11: expected a line starting with")


def test_G05_write_is_shown_as_the_diff_it_is(bench: Bench) -> None:
    bench.put("a.txt", LINES)
    after = LINES.replace(b"line 4\n", b"LINE 4\n").decode()
    result = bench.apply(bench.plan(("a.txt", Write(after))))
    assert (bench.read("a.txt") != OLD, result.files[0].diff.count("\n-")) == (True, 1)


def test_G12_load_never_raises_anything_else() -> None:
    for cut in range(len(edit())):
        try:
            load(edit()[:cut].encode(), format="unified_diff")
        except UnreadableProposal:
            continue
