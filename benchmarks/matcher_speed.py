"""How long the matcher takes for one edit, beside the trivial engine that finds the text and splices it.

The best of a few rounds in which both take turns, so that a busy machine counts little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.corpus import Case
from engine.matching import Answer, Located, locate_all
from engine.model import TextEdit
from engine.text import FileText, normalise_newlines, splice

LONGEST_FILE = 5_000
_ROUNDS = 5
_UNDAMAGED = ("exact", "subline")


@dataclass(frozen=True)
class Speed:
    """Seconds: of undamaged edits by the trivial engine and by ours, and of all edits by ours."""

    trivial: list[float]
    found: list[float]
    explained: list[float]
    every: list[float]

    @property
    def ratio(self) -> float:
        """Of the medians for undamaged edits."""
        return percentile(self.found, 50) / percentile(self.trivial, 50)

    @property
    def explained_ratio(self) -> float:
        return percentile(self.explained, 50) / percentile(self.trivial, 50)


def percentile(values: Sequence[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)] if values else 0.0


def measure(cases: Iterable[Case]) -> Speed:
    """Single edits on files of up to 5,000 lines. Both engines get the decoded file."""
    speed = Speed([], [], [], [])
    for case in cases:
        if case["kind"] != "replace" or case["content"].count("\n") > LONGEST_FILE:
            continue
        text, old, new = case["content"], case["old"], case["new"]
        edit = TextEdit(normalise_newlines(old), normalise_newlines(new), start_line=case["start_line"])
        rounds = [
            (
                _timed(trivial, text, old, new),
                _timed(found, FileText(text), edit),
                _timed(explained, FileText(text), edit),
            )
            for _ in range(_ROUNDS)
        ]
        times = [min(one) for one in zip(*rounds, strict=True)]
        speed.every.append(times[2])
        if case["mutation"] in _UNDAMAGED:
            for one, values in zip(times, (speed.trivial, speed.found, speed.explained), strict=True):
                values.append(one)
    return speed


def trivial(text: str, old: str, new: str) -> str | None:
    """Exact text, found exactly once, or nothing."""
    at = text.find(old)
    if at < 0 or text.find(old, at + 1) >= 0:
        return None
    return text[:at] + new + text[at + len(old) :]


def found(file: FileText, edit: TextEdit) -> Answer:
    """The place of the edit, by all rules."""
    return locate_all(file, [edit])[0]


def explained(file: FileText, edit: TextEdit) -> str | None:
    """The same with its line numbers and the smallest cuts, and the new text."""
    answer = found(file, edit)
    if not isinstance(answer, Located):
        return None
    place = answer.places[0]
    assert place.first <= place.last
    return splice(file.text, place.splices)


def _timed(action: Callable[..., object], *arguments: object) -> float:
    started = time.perf_counter()
    action(*arguments)
    return time.perf_counter() - started
