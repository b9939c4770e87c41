"""Group J: time and memory. J01-J11 are the generators G1-G11 of the battery's second part."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial

import pytest

from engine.diffs import line_splices
from engine.matching import locate_all
from engine.model import Code, Create, TextEdit, Write
from engine.planning import Limits
from engine.planning.data import Fit
from engine.safe_text import safe_text
from engine.text import FileText
from tests.battery.bench import NEW, Bench
from tests.engine.matching import test_pathological as generators

Generator = Callable[[int], generators.Case]


def seconds(generate: Generator, size: int) -> float:
    content, edits = generate(size)
    started = time.process_time()
    locate_all(FileText(content), edits)
    return time.process_time() - started


def assert_bounded(generate: Generator, size: int, *, budget: float = 2.0) -> None:
    """Within a (generous) budget, and twice the input takes at most two and a half times as long; best of three."""
    for _ in range(3):
        half, full = seconds(generate, size // 2), seconds(generate, size)
        if full < budget and full < max(2.5 * half, 0.1):
            return
    pytest.fail(f"{half:.3f} s for half of it, {full:.3f} s for all of it")


def test_J01_equal_lines() -> None:
    assert_bounded(generators.equal_lines, 50_000)


def test_J02_braces() -> None:
    assert_bounded(generators.braces, 100_000)


def test_J03_one_long_line() -> None:
    assert_bounded(generators.one_line, 10_000_000)


def test_J04_no_anchor() -> None:
    assert_bounded(generators.no_anchor, 20_000)


def test_J05_repeated_blocks_in_a_diff() -> None:
    lines = ["", "}", "{", ""] * 2500
    old, new = "\n".join(lines), "\n".join(["x", *lines[5000:], *lines[:5000]])
    started = time.process_time()
    cuts = line_splices(old, new)
    assert time.process_time() - started < 2
    text, moved = old, 0
    for cut in cuts:
        text = text[: cut.start + moved] + cut.new + text[cut.end + moved :]
        moved += len(cut.new) - (cut.end - cut.start)
    assert text == new


def test_J06_spaces() -> None:
    assert_bounded(generators.spaces, 100_000)


def test_J07_many_hunks() -> None:
    assert_bounded(generators.many_edits, 200_000, budget=4)


def test_J08_many_matches() -> None:
    assert_bounded(generators.many_matches, 500_000)


def test_J09_unrelated() -> None:
    assert_bounded(generators.unrelated, 100_000)


def test_J10_combining_marks() -> None:
    assert_bounded(generators.combining_marks, 50_000)
    started = time.process_time()
    safe_text("a" + "\u0301\u0316" * 50_000)
    assert time.process_time() - started < 0.5


def test_J11_like_a_regex() -> None:
    assert_bounded(generators.like_a_regex, 40)
    assert_bounded(generators.like_a_regex, 100_000)


def test_J12_more_than_the_limit(bench: Bench) -> None:
    """The default refuses before it reads; `tests/battery/slow` measures memory with the limit raised."""
    for number in range(6):
        with open(bench.root / f"{number}.bin", "wb") as file:
            file.truncate(10 * 1024 * 1024)
    planned = bench.plan(*((f"{number}.bin", TextEdit("a", "b")) for number in range(6)))
    assert {(hunk.fit, hunk.code) for hunk in planned.hunks} == {(Fit.FAILS, Code.LIMIT)}
    planned = bench.plan(*((f"{number}.txt", Create("x")) for number in range(101)))
    assert {hunk.code for hunk in planned.hunks} == {Code.LIMIT}
    planned = bench.plan(*((f"{number}.txt", Create("x")) for number in range(3)), limits=Limits(max_files=2))
    assert {hunk.code for hunk in planned.hunks} == {Code.LIMIT}
    for number in range(6):
        (bench.root / f"{number}.bin").unlink()


def test_J15_no_walk_of_the_workspace(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is listed is what leads to the files named, however many others there are."""
    for directory in range(30):
        bench.put(f"d{directory}/sub/f.txt")
    listed: list[object] = []
    monkeypatch.setattr("engine.workspace.os.listdir", partial(_listing, listed, os.listdir))
    monkeypatch.setattr("engine.workspace.os.scandir", lambda *_: pytest.fail("the workspace is walked"))
    monkeypatch.setattr("os.walk", lambda *_, **__: pytest.fail("the workspace is walked"))
    bench.plan(("d3/sub/f.txt", TextEdit("old", "new")), ("d4/sub/new.txt", Create("x")))
    assert len(listed) < 20
    monkeypatch.undo()


def _listing(listed: list[object], real: Callable[[int], list[str]], fd: int) -> list[str]:
    listed.append(fd)
    return real(fd)


def test_J15_deep_tree(bench: Bench) -> None:
    path = "d/" * 200 + "f.txt"
    bench.assert_ok((path, Create("old\n")))
    bench.assert_ok((path, TextEdit("old", "new")))
    assert bench.read(path) == NEW


def test_J15_large_directory(bench: Bench) -> None:
    bench.seconds = 60  # making the files takes most of it; what is asked of us is measured below
    (bench.root / "many").mkdir()
    for number in range(20_000):
        os.close(os.open(bench.root / "many" / f"{number}", os.O_CREAT))
        bench.knows(f"many/{number}", b"")
    started = time.process_time()
    bench.assert_ok(*((f"many/new{number}", Write("x")) for number in range(50)))
    assert time.process_time() - started < 5
