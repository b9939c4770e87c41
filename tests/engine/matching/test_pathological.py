"""Bad input ends in bounded time with an answer: generators that make naive matchers quadratic or worse."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable

import pytest

from engine.matching import Located, Refused, locate_all
from engine.model import TextEdit
from engine.text import FileText, split_lines

Case = tuple[str, list[TextEdit]]


def equal_lines(size: int) -> Case:
    return "    pass\n" * size, [TextEdit("    pass\n" * (size // 25) + "    pasS", "x")]


def braces(size: int) -> Case:
    return "{\n}\n" * size, [TextEdit("{\n}\n" * (size // 100) + "{\n{", "x")]


def one_line(size: int) -> Case:
    return "a" * size, [TextEdit("a" * (size // 2) + "b", "x")]


def no_anchor(size: int) -> Case:
    lines = [f"value_{n} = compute({n * 7919 % 100003}, name_{n * 31 % 997})" for n in range(size)]
    old = [line[:5] + "X" + line[6:] for line in lines[size // 2 : size // 2 + 200]]
    return "\n".join(lines), [TextEdit("\n".join(old), "x")]


def repeated_blocks(size: int) -> Case:
    lines = ["", "}", "{", ""] * size
    return "\n".join(lines), [TextEdit("\n".join(lines), "\n".join(["x", *lines[2 * size :], *lines[: 2 * size]]))]


def spaces(size: int) -> Case:
    return " " * size + "x\n", [TextEdit(" " * size + "y", "z")]


def many_edits(size: int) -> Case:
    edits = [TextEdit(f"line {n} of it", f"changed {n}") for n in range(0, size, 10)]
    return "".join(f"line {n} of it\n" for n in range(size)), edits


def many_matches(size: int) -> Case:
    return "x\n}\n" * size, [TextEdit("}", "z")]


def unrelated(size: int) -> Case:
    return "q" * size + "\n" + "r\n" * 10, [TextEdit("w" * size + "\nfoo\nbar\nbaz", "z")]


def combining_marks(size: int) -> Case:
    return "a" + "\u0301\u0316" * size + "\nb\n", [TextEdit("a" + "\u0301\u0316" * size + "\u0316\nb", "z")]


def like_a_regex(size: int) -> Case:
    return "\n" * size, [TextEdit(r"(?:\s*\n\s*)" * 12 + "END", "z")]


def near_misses(size: int) -> Case:
    content = "".join(f"def f{n}(self):\n    a = {n}\n    b = 2\n    c = 3\n    return a\n\n" for n in range(size // 6))
    return content, [TextEdit("def g(self):\n    a = 1\n    b = 2\n    c = 3\n    return a\n", "x")]


def many_misses(size: int) -> Case:
    edits = [TextEdit(f"line {n} of that\n  line {n + 1} of that", "x") for n in range(0, size, 10)]
    return "".join(f"line {n} of it\n" for n in range(size)), edits


GENERATORS: list[tuple[Callable[[int], Case], int]] = [
    (equal_lines, 50_000),
    (braces, 100_000),
    (one_line, 10_000_000),
    (no_anchor, 20_000),
    (repeated_blocks, 2_500),
    (spaces, 100_000),
    (many_edits, 200_000),
    (many_matches, 500_000),
    (unrelated, 100_000),
    (combining_marks, 50_000),
    (like_a_regex, 40),
    (near_misses, 50_000),
    (many_misses, 20_000),
]

_ALWAYS_FINE: dict[Callable[[int], Case], float] = {many_misses: 2.0}
"""Seconds. What is asked two thousand times may take longer than what is asked once."""


def seconds(action: Callable[[], object]) -> float:
    """Processor time, the best of three: a busy machine is nobody's fault, nor is what other tests left to collect."""
    taken = []
    gc.disable()
    try:
        for _ in range(3):
            started = time.process_time()
            action()
            taken.append(time.process_time() - started)
    finally:
        gc.enable()
    return min(taken)


def matching(case: Case) -> float:
    return seconds(lambda: locate_all(FileText(case[0]), case[1]))


@pytest.mark.parametrize(("generate", "size"), GENERATORS)
def test_time_is_bounded_and_grows_with_the_size(generate: Callable[[int], Case], size: int) -> None:
    """At most 60 times as long as reading and splitting the file, and not with the square of its size."""
    half, full = generate(size // 2), generate(size)
    data = full[0].encode()
    reading = seconds(lambda: split_lines(data.decode()))
    taken = matching(full)
    assert taken < max(60 * reading, _ALWAYS_FINE.get(generate, 0.2))
    assert taken < max(3.5 * matching(half), 0.1)


def test_many_edits_all_land() -> None:
    content, edits = many_edits(2_000)
    answers = locate_all(FileText(content), edits)
    assert [one.places[0].first for one in answers if isinstance(one, Located)] == list(range(1, 2_000, 10))


@pytest.mark.parametrize("row", [3, 8])
def test_memory_is_a_small_multiple_of_the_file(row: int) -> None:
    lines = [f"    value_{n} = compute({n * 7919 % 100003}, name_{n * 31 % 997})" for n in range(20_000)]
    old = [*lines[5_000:5_010]]
    old[row] = "misremembered(line)"
    edit = TextEdit("\n".join(old), "\n".join([*old[:8], "changed()", *old[9:]]))
    text = "\n".join(lines)
    locate_all(FileText("\n".join(lines[5_000:5_020])), [edit])  # imports are not counted
    tracemalloc.start()
    locate_all(FileText(text), [edit])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10.5 * len(text)


def test_a_text_too_large_to_compare_says_so() -> None:
    content, edits = one_line(2_000_000)
    answer = locate_all(FileText(content), edits)[0]
    assert isinstance(answer, Refused)
    assert "too costly" in answer.reason


def test_the_exact_path_imports_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from engine.matching import locate_all; from engine.model import TextEdit; "
        "from engine.text import FileText; locate_all(FileText('a\\nb\\n'), [TextEdit('a', 'c')]); "
        "print(sorted({'rapidfuzz', 'difflib', 'unidiff'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
