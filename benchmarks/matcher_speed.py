"""How long the matcher takes for one edit, beside the trivial engine that finds the text and splices it.

Processor time, so that a busy machine does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.corpus import Case
from engine.matching import locate_all
from engine.model import TextEdit
from engine.text import FileText, normalise_newlines

LONGEST_FILE = 5_000
_ROUNDS = 5
_UNDAMAGED = ("exact", "subline")


@dataclass(frozen=True)
class Speed:
    """Seconds: of undamaged edits by the trivial engine and by ours, and of all edits by ours."""

    trivial: list[float]
    exact: list[float]
    every: list[float]

    @property
    def ratio(self) -> float:
        """Of the medians for undamaged edits."""
        return percentile(self.exact, 50) / percentile(self.trivial, 50)


def percentile(values: Sequence[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)] if values else 0.0


def measure(cases: Iterable[Case]) -> Speed:
    """Single edits on files of up to 5,000 lines."""
    speed = Speed([], [], [])
    for case in cases:
        if case["kind"] != "replace" or case["content"].count("\n") > LONGEST_FILE:
            continue
        text, old, new = case["content"], case["old"], case["new"]
        edit = TextEdit(normalise_newlines(old), normalise_newlines(new), start_line=case["start_line"])
        ours = _best(lambda text=text, edit=edit: locate_all(FileText(text), [edit]))  # type: ignore[misc]
        speed.every.append(ours)
        if case["mutation"] in _UNDAMAGED:
            speed.exact.append(ours)
            speed.trivial.append(_best(lambda text=text, old=old, new=new: trivial(text, old, new)))  # type: ignore[misc]
    return speed


def trivial(text: str, old: str, new: str) -> str | None:
    """Exact text, found exactly once, or nothing."""
    at = text.find(old)
    if at < 0 or text.find(old, at + 1) >= 0:
        return None
    return text[:at] + new + text[at + len(old) :]


def _best(action: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(_ROUNDS):
        started = time.thread_time()
        action()
        best = min(best, time.thread_time() - started)
    return best
