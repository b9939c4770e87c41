"""Group D: what is in the files. Everything that a proposal does not name keeps its bytes."""

from __future__ import annotations

import json
import random
import resource
import time

import pytest

from engine.bulk import bulk_choice
from engine.model import Code, Create, Delete, TextEdit, Write
from engine.planning.data import Fit
from engine.review import Accept, AcceptAll, ReviewState
from engine.settle import Status
from tests.battery.bench import Bench
from tests.battery.command import run
from tests.battery.machine import in_child


def edited(bench: Bench, before: bytes, old: str, new: str) -> bytes:
    """What an exact edit makes of a file."""
    bench.put("a.txt", before)
    bench.assert_ok(("a.txt", TextEdit(old, new)))
    return bench.read("a.txt")


def test_D01_binary(bench: Bench) -> None:
    bench.put("a.bin", b"old\0old\n\xff")
    bench.assert_blocks(("a.bin", TextEdit("old", "new")), "binary")
    bench.assert_blocks(("a.bin", Write("text\n")), "is not supported: delete it first")


def test_D02_invalid_utf8_elsewhere(bench: Bench) -> None:
    before = b"\xff latin \xe9\nold\n\x80\x81\xf8\n"
    assert edited(bench, before, "old", "new é") == before.replace(b"old", "new é".encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_D03_utf16_and_utf32(bench: Bench, encoding: str) -> None:
    bom = b"\xfe\xff" if encoding == "utf-16-be" else b""
    data = bom + "one\nold\nthree\n".encode(encoding)
    bench.put("a.txt", data)
    hunk = bench.one("a.txt", TextEdit("old", "new"))
    if hunk.fit is Fit.FAILS:
        bench.assert_blocks(("a.txt", TextEdit("old", "new")), "")
    else:
        bench.assert_ok(("a.txt", TextEdit("old", "new")))
        assert bench.read("a.txt") == bom + "one\nnew\nthree\n".encode(encoding)


def test_D03_utf16_without_a_mark(bench: Bench) -> None:
    bench.put("a.txt", "one\nold\n".encode("utf-16-le"))
    bench.assert_blocks(("a.txt", TextEdit("old", "new")), "")


def test_D04_utf8_bom_is_kept(bench: Bench) -> None:
    assert edited(bench, b"\xef\xbb\xbfold\ntwo\n", "old\n", "new\n") == b"\xef\xbb\xbfnew\ntwo\n"
    bench.assert_ok(("a.txt", Write("three\n")))
    assert bench.read("a.txt") == b"\xef\xbb\xbfthree\n"


def test_D05_crlf_file_lf_hunk(bench: Bench) -> None:
    before = b"one\r\nold\r\nthree\r\n"
    assert edited(bench, before, "one\nold\n", "one\nnew\nmore\n") == b"one\r\nnew\r\nmore\r\nthree\r\n"


def test_D06_mixed_endings(bench: Bench) -> None:
    before = b"a\r\nb\nold\r\nc\n\rd\r\n"
    assert edited(bench, before, "old\n", "new\nmore\n") == b"a\r\nb\nnew\r\nmore\r\nc\n\rd\r\n"


def test_D06_a_tie_is_settled_by_the_first(bench: Bench) -> None:
    assert edited(bench, b"a\nb\r\n", "a\n", "a\nx\n") == b"a\nx\nb\r\n"


def test_D07_cr_only(bench: Bench) -> None:
    assert edited(bench, b"one\rold\rthree\r", "old\n", "new\nmore\n") == b"one\rnew\rmore\rthree\r"


@pytest.mark.parametrize("char", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_D08_not_a_line_break(bench: Bench, char: str) -> None:
    before = f"one{char}two\nold{char}\nthree\n".encode()
    assert edited(bench, before, f"old{char}\n", f"new{char}x\n") == f"one{char}two\nnew{char}x\nthree\n".encode()
    assert bench.one("a.txt", TextEdit("three", "3")).match is not None
    planned = bench.one("a.txt", TextEdit("three", "3"))
    assert planned.match
    assert planned.match.first == 3


def test_D09_no_final_newline(bench: Bench) -> None:
    assert edited(bench, b"one\nold", "old", "new") == b"one\nnew"
    assert edited(bench, b"one\nold\n", "old\n", "new\n") == b"one\nnew\n"
    bench.put("a.txt", b"one\nold")
    diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-old\n\\ No newline at end of file\n+new\n"
    bench.apply(bench.load(diff))
    assert bench.read("a.txt") == b"one\nnew\n"


def test_D10_empty_files(bench: Bench) -> None:
    bench.put("empty.txt", b"")
    bench.put("full.txt", b"text\n")
    bench.assert_ok(("empty.txt", Write("now\n")), ("full.txt", Write("")), ("made.txt", Create("")))
    contents = {path: content for path, (_, _, content) in bench.files().items()}
    assert contents == {"empty.txt": b"now\n", "full.txt": b"", "made.txt": b""}
    bench.assert_ok(("full.txt", Delete()))
    assert sorted(bench.files()) == ["empty.txt", "made.txt"]


def test_D11_a_million_lines(bench: Bench) -> None:
    before = b"".join(b"line %d\n" % n for n in range(1_000_000)) + b"old\n"
    bench.put("a.txt", before)
    started = time.perf_counter()
    planned = bench.plan(("a.txt", TextEdit("line 999999\nold\n", "line 999999\nnew\n")))
    assert time.perf_counter() - started < 2
    bench.apply(planned)
    assert bench.read("a.txt") == before[:-4] + b"new\n"


def test_D11_memory_for_a_million_lines(bench: Bench) -> None:
    before = b"".join(b"line %d of many that are long enough\n" % n for n in range(600_000)) + b"old\n"
    bench.put("a.txt", before)

    def work() -> None:
        start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        planned = bench.plan(("a.txt", TextEdit("old", "new")))
        assert planned.hunks[0].fit is Fit.FITS
        used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) * 1024
        assert used < 10 * len(before), f"{used / len(before):.1f} times the file"

    assert in_child(work) == 0


def test_D12_one_very_long_line(bench: Bench) -> None:
    before = b"x" * 10_000_000 + b" old"
    after = edited(bench, before, " old", " new")
    assert after == before[:-3] + b"new"


def test_D13_white_space_only_changes_show(bench: Bench) -> None:
    bench.put("a.txt", b"x = 1\n\ty\n")
    tabs = json.dumps({"file_path": "a.txt", "old_string": "\ty", "new_string": "        y"}).encode()
    ran = run(bench.root, "check", "-", "--diff", stdin=tabs)
    assert "-␉y\n" in ran.out
    assert "+        y\n" in ran.out


def test_D13_trailing_spaces_show(bench: Bench) -> None:
    bench.put("a.txt", b"x = 1\n")
    spaces = json.dumps({"file_path": "a.txt", "old_string": "x = 1\n", "new_string": f"x = 1{' ' * 10_000}\n"})
    ran = run(bench.root, "check", "-", "--diff", stdin=spaces.encode())
    rows = [row[1:] for row in ran.out.split("\n") if row.startswith(("-x = 1", "+x = 1"))]
    assert len(set(rows)) == 2


@pytest.mark.parametrize("text", ["\\ud800", "a\\udfffb", "\\udc80"])
def test_D14_lone_surrogates(bench: Bench, text: str) -> None:
    bench.assert_refuses(f'{{"file_path": "a.py", "content": "{text}"}}', "lone surrogate")


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n",
        "*** End Patch\n*** Begin Patch\n",
        "<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n",
        ".hunkdeck-0000000000000000.new\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n",
        "\\ No newline at end of file\n",
    ],
)
def test_D15_markers_in_the_text_are_text(bench: Bench, text: str) -> None:
    assert edited(bench, b"old\n", "old\n", text) == text.encode()
    planned = bench.load(json.dumps({"file_path": "b.txt", "content": text}))
    bench.apply(planned)
    assert bench.read("b.txt") == text.encode()


def test_D16_no_change(bench: Bench) -> None:
    bench.put("a.py")
    result = bench.apply(bench.plan(("a.py", TextEdit("old", "old")), ("a.py", Write("old\n"))))
    assert [(hunk.status, hunk.code) for hunk in result.hunks] == [(Status.SKIPPED, Code.NO_CHANGE)] * 2
    assert (result.transaction, result.summary["total_replacements"]) == (None, 0)


def test_D17_empty_old_text(bench: Bench) -> None:
    bench.put("a.py")
    bench.assert_blocks(("a.py", TextEdit("", "new")), "", code=bench.one("a.py", TextEdit("", "x")).code or Code.IO)
    assert bench.one("a.py", TextEdit("", "new")).fit is Fit.FAILS


def test_D18_ambiguous(bench: Bench) -> None:
    bench.put("a.txt", b"same\nx\nsame\n")
    bench.assert_blocks(("a.txt", TextEdit("same", "new")), "2", code=Code.AMBIGUOUS)
    hunk = bench.one("a.txt", TextEdit("same", "new"))
    assert [candidate.first for candidate in hunk.candidates] == [1, 3]


APPROXIMATE = (
    b"def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n",
    "def total(items):\n    result = 0\n    for item in items:\n        result += item.cost\n    return result\n",
)


def test_D19_approximate(bench: Bench) -> None:
    here, sent = APPROXIMATE
    bench.put("a.py", here)
    planned = bench.plan(("a.py", TextEdit(sent, sent.replace("return result", "return round(result)"))))
    (hunk,) = planned.hunks
    assert hunk.match
    assert hunk.match.approximate
    assert hunk.match.score < 1
    assert bulk_choice(planned, ReviewState())[0] == []
    result = bench.apply(planned, AcceptAll())
    assert result.hunks[0].status is Status.PENDING
    shown = bench.apply(planned, Accept((0,)), dry_run=True).files[0].diff
    assert all(row[1:].encode() in here for row in shown.split("\n") if row.startswith("-") and row[:3] != "---")


def test_D20_two_hunks_on_one_line(bench: Bench) -> None:
    bench.put("a.txt", b"one two\nnext\nlast\n")
    sent = [("a.txt", TextEdit("one two", "1 two")), ("a.txt", TextEdit("one two", "one 2"))]
    texts = set()
    for order in ((0, 1), (1, 0)):
        planned = bench.plan(*sent)
        result = bench.apply(planned, *(Accept((index,)) for index in order))
        assert [hunk.code for hunk in result.hunks] == [Code.NOT_ATTEMPTED, Code.OVERLAP]
        texts.add(bench.read("a.txt"))
    assert texts == {b"one two\nnext\nlast\n"}
    touching = [
        ("a.txt", TextEdit("one two\nnext\n", "ONE\nnext\n")),
        ("a.txt", TextEdit("next\nlast\n", "next\nLAST\n")),
    ]
    bench.assert_ok(*touching)
    assert bench.read("a.txt") == b"ONE\nnext\nLAST\n"


def test_D21_needs_another_hunk(bench: Bench) -> None:
    bench.put("a.txt", b"old\n")
    sent = [("a.txt", TextEdit("old", "middle")), ("a.txt", TextEdit("middle", "new"))]
    result = bench.apply(bench.plan(*sent), Accept((1,)))
    assert result.hunks[1].code is Code.NEEDS_HUNK
    assert "needs hunk 0" in (result.hunks[1].error or "")
    assert bench.read("a.txt") == b"old\n"
    bench.assert_ok(*sent)
    assert bench.read("a.txt") == b"new\n"


def test_D22_every_subset_equals_the_model(bench: Bench) -> None:
    lines = [f"line {n}" for n in range(300)]
    before = "".join(f"{line}\n" for line in lines)
    bench.put("a.txt", before.encode())
    changed = range(0, 300, 3)
    planned = bench.plan(*(("a.txt", TextEdit(f"line {n}\n", f"changed {n}\nmore {n}\n")) for n in changed))
    chance = random.Random(1)
    for _ in range(200):
        chosen = chance.sample(range(100), chance.randrange(101))
        result = bench.apply(planned, *(Accept((index,)) for index in chosen), dry_run=True)
        wanted = {3 * index for index in chosen}
        model = "".join(f"changed {n}\nmore {n}\n" if n in wanted else f"line {n}\n" for n in range(300))
        assert (result.files[0].outcome.after or b"").decode() == model
