"""What a decision is bound to: the hunk, and the text that it was shown against.

A fingerprint does not name line numbers or the hunk's own number, so a decision survives when the place moves or other
hunks come and go. Hunks that look exactly alike are told apart by their order; if their number changes, nobody can say
which is which, and none of them keeps its fingerprint.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.pieces import Anchored
from engine.planning.data import FilePlan, Fit, PlannedHunk, ReviewPlan


@dataclass(frozen=True)
class Fingerprints:
    """Of all hunks of one plan."""

    of: tuple[str, ...]
    """By hunk number: `hunk:shown`, where many look alike with `:which/many`."""

    @classmethod
    def of_plan(cls, plan: ReviewPlan) -> Fingerprints:
        file_of = plan.file_of
        return cls(tuple(_told_apart([_print(file_of[hunk.index], hunk) for hunk in plan.hunks])))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {value: number for number, value in enumerate(self.of)}

    @cached_property
    def _alone(self) -> dict[str, int]:
        """The hunks that nobody else asks for, whatever text they are shown against."""
        hunks = [value.partition(":")[0] for value in self.of]
        many = Counter(hunks)
        return {one: number for number, one in enumerate(hunks) if many[one] == 1}

    def now(self, fingerprint: str) -> int | None:
        """The number of the hunk that was shown as this, if it still is."""
        return self._numbers.get(fingerprint)

    def same_hunk(self, fingerprint: str) -> int | None:
        """The number of the hunk that asks for the same, also where the file has changed."""
        number = self._numbers.get(fingerprint)
        return self._alone.get(fingerprint.partition(":")[0]) if number is None else number

    def asked(self, plan: ReviewPlan, path: str) -> set[str]:
        """What the hunks on one file ask for."""
        return {self.of[hunk.index].partition(":")[0] for hunk in plan.hunks if hunk.path == path}


def _print(file: FilePlan, hunk: PlannedHunk) -> str:
    return f"{_digest((hunk.hunk.path, hunk.hunk.op))}:{_digest(_shown(file, hunk))}"


def _told_apart(prints: list[str]) -> Iterator[str]:
    many = Counter(prints)
    seen: Counter[str] = Counter()
    for one in prints:
        seen[one] += 1
        yield one if many[one] == 1 else f"{one}:{seen[one]}/{many[one]}"


def _shown(file: FilePlan, hunk: PlannedHunk) -> list[Any]:
    """What a person sees of a hunk, without its position."""
    about: list[Any] = [hunk.fit.value, hunk.code, hunk.risks, hunk.approximate, hunk.overwrites]
    if hunk.fit is not Fit.FITS:
        return about
    if hunk.match is None:
        return [*about, file.before.sha256 if file.before else None]
    start = file.text.starts[hunk.match.first - 1]
    block = file.text.text[start : file.text.starts[hunk.match.last]]
    return [*about, block, *(_cut(file, cut, start) for cut in hunk.cuts)]


def _cut(file: FilePlan, cut: Anchored, start: int) -> tuple[Any, ...]:
    if not cut.on_original:
        return cut.start, cut.end, cut.new
    here, end = cut.start.offset, cut.end.offset
    return here - start, file.text.text[here:end], cut.new


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:32]
