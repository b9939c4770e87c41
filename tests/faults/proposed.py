"""A proposal in plain data, and what a verdict on it has to make of the files.

A file is a few rows and each hunk changes one row, from one value to another: so what fits, what fails and what comes
out can be told without the engine.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, field

from engine.planning.data import ReviewPlan

ROWS = 3
Rows = tuple[int, ...]
Files = dict[str, Rows]
"""Path → the value of each row."""


def line(path: str, row: int, value: int) -> str:
    """One row as text: like no other row, whatever its value, so that nothing is matched approximately."""
    return hashlib.sha1(f"{path} {row} {value}".encode()).hexdigest()


def content(path: str, rows: Rows) -> bytes:
    return "".join(f"{line(path, row, value)}\n" for row, value in enumerate(rows)).encode()


@dataclass(frozen=True)
class Asked:
    """One hunk."""

    path: str
    row: int
    old: int
    new: int

    def fits(self, files: Files) -> bool:
        return self.path in files and files[self.path][self.row] == self.old

    def is_done(self, files: Files) -> bool:
        return self.path in files and files[self.path][self.row] == self.new


@dataclass
class Proposed:
    """A proposal under review."""

    name: str
    hunks: list[Asked]
    atomic: bool
    said: dict[int, list[tuple[Rows | None, str | None]]] = field(default_factory=lambda: defaultdict(list))
    """What the person saw in the file of each hunk, and what they said then; None: it is open again."""
    decided: dict[int, str] = field(default_factory=dict)
    """What of it holds, as it was seen after the last planning."""
    applied: set[int] = field(default_factory=set)
    plan: ReviewPlan | None = None
    seen: Files = field(default_factory=dict)
    """The files as they were when it was planned."""

    def payload(self) -> bytes:
        edits = [
            {
                "file_path": hunk.path,
                "old_string": line(hunk.path, hunk.row, hunk.old),
                "new_string": line(hunk.path, hunk.row, hunk.new),
            }
            for hunk in self.hunks
        ]
        return json.dumps({"description": self.name, "atomic": self.atomic, "edits": edits}).encode()

    def can_be_decided(self) -> list[int]:
        return [n for n, hunk in enumerate(self.hunks) if n not in self.applied and not hunk.is_done(self.seen)]

    def say(self, n: int, word: str | None) -> None:
        self.said[n].append((self.seen.get(self.hunks[n].path), word))
        if word is None:
            self.decided.pop(n, None)
        else:
            self.decided[n] = word

    def words(self, n: int, files: Files) -> list[str | None]:
        """What may hold now: the last word, where it was about what is shown now; else what was once said."""
        rows, word = self.said[n][-1]
        return [word] if rows == files.get(self.hunks[n].path) else [word for _, word in self.said[n] if word]

    def verdict(self, files: Files) -> Expected:
        """What sending it now does: a file that is not the one that was shown is a conflict."""
        accepted = {n for n in self.can_be_decided() if self.decided.get(n) == "accept"}
        failing = {n for n in accepted if not self._applies(self.hunks[n], files)}
        applied = set() if self.atomic and failing else accepted - failing
        after = {path: list(rows) for path, rows in files.items()}
        for hunk in (self.hunks[n] for n in applied):
            after[hunk.path][hunk.row] = hunk.new
        return Expected(self, applied, failing, {path: tuple(rows) for path, rows in after.items()})

    def _applies(self, hunk: Asked, files: Files) -> bool:
        return hunk.fits(self.seen) and files.get(hunk.path) == self.seen[hunk.path]


@dataclass(frozen=True)
class Expected:
    """One verdict."""

    proposed: Proposed
    applied: set[int]
    failing: set[int]
    files: Files

    @property
    def paths(self) -> set[str]:
        return {self.proposed.hunks[n].path for n in self.applied}

    def allows(self, failed: set[int]) -> bool:
        """Whether these may be named as failed: all that do, or, where one is enough to give up, some."""
        if self.proposed.atomic:
            return failed <= self.failing and bool(failed) == bool(self.failing)
        return failed == self.failing
