"""Line diffs: right, minimal enough, and bounded."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.diffs import changes_from_kept, line_changes, line_splices, unified_diff
from engine.pieces import compose, on_original
from engine.text import Splice, WholeLines, splice

texts = st.text(alphabet="ab\n\r", max_size=40)


@given(texts, texts)
def test_splices_turn_the_old_text_into_the_new_one(old: str, new: str) -> None:
    assert splice(old, line_splices(old, new)) == new


@given(texts, st.data())
def test_kept_ranges_give_the_changes_without_searching(old: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(old)))
    cut = Splice(start, data.draw(st.integers(start, len(old))), data.draw(texts))
    composed = compose(old, [(0, on_original([cut]))])
    a, b = WholeLines(old), WholeLines(composed.text)
    rebuilt, at = [], 0
    for change in changes_from_kept(a, b, composed.kept()):
        rebuilt += a[at : change.a1] + b[change.b1 : change.b2]
        at = change.a2
    assert rebuilt + a[at:] == list(b)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12), st.booleans())
def test_git_applies_our_unified_diffs(
    tmp_path_factory: pytest.TempPathFactory, a: list[str], b: list[str], newline: bool
) -> None:
    old, new = "\n".join(a) + "\n" * newline, "\n".join(b) + "\n" * newline
    if old == new or not old:
        return
    root: Path = tmp_path_factory.mktemp("git")
    (root / "f").write_text(old)
    cuts = line_splices(old, new)
    composed = compose(old, [(0, on_original(cuts))])
    a_lines, b_lines = WholeLines(old), WholeLines(new)
    changes = changes_from_kept(a_lines, b_lines, composed.kept())
    diff = unified_diff(a_lines, b_lines, changes, "a/f", "b/f")
    done = subprocess.run(
        ["git", "apply", "--unidiff-zero", "-"], cwd=root, input=diff, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, (done.stderr, diff)
    assert (root / "f").read_text() == new


def test_repeated_lines_take_no_time() -> None:
    a = ["", "}", "{", ""] * 2500
    b = ["x", *a[5001:], "y", *a[:5000]]
    started = time.monotonic()
    changes = line_changes(a, b)
    assert changes
    assert time.monotonic() - started < 2


def test_too_large_for_an_exact_answer_is_one_coarse_change() -> None:
    a = [f"a{n}" for n in range(30_000)]
    b = [f"b{n}" for n in range(30_000)]
    assert line_changes(["same", *a], ["same", *b]) == [(1, 30_001, 1, 30_001)]
