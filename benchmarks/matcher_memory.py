"""How much memory the matcher takes for one edit, at its peak, as a multiple of the file's bytes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable
from itertools import islice

from benchmarks.corpus import Case
from engine.matching import locate_all
from engine.model import TextEdit
from engine.text import FileText, normalise_newlines

_SMALLEST_FILE = 10_000
"""In smaller ones a few constants count more than the file."""


def measure(cases: Iterable[Case], sample: int) -> list[float]:
    """The peak of each single edit, divided by the size of its file."""
    fit = (case for case in cases if case["kind"] == "replace" and len(case["content"]) >= _SMALLEST_FILE)
    multiples = []
    tracemalloc.start()
    for case in islice(fit, sample):
        edit = TextEdit(normalise_newlines(case["old"]), normalise_newlines(case["new"]), start_line=case["start_line"])
        peak = min(_peak(case["content"], edit) for _ in range(2))  # the first time, modules may be loaded
        multiples.append(peak / len(case["content"].encode()))
    tracemalloc.stop()
    return multiples


def _peak(text: str, edit: TextEdit) -> int:
    file = FileText(text)
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    locate_all(file, [edit])
    return tracemalloc.get_traced_memory()[1] - before
