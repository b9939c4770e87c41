"""What planning finds out: for each hunk where it goes, or why it cannot, before anybody has decided anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

from engine.matching.answer import Candidate, Located
from engine.model import Code, Hunk, Proposal
from engine.pieces import Anchored
from engine.shelf import Shelved
from engine.text import FileText


class Fit(Enum):
    FITS = "fits"
    FAILS = "fails"
    SKIPPED = "skipped"
    """There is nothing to do: a duplicate, already in the file, or no change at all."""


@dataclass(frozen=True, slots=True)
class Match:
    """How the place was found."""

    strategy: str
    score: float
    first: int
    last: int
    approximate: bool = False
    runner_up: Candidate | None = None
    differs: tuple[str, ...] = ()

    @classmethod
    def of(cls, located: Located) -> Match:
        place = located.places[0]
        return cls(
            located.strategy,
            located.score,
            place.first,
            place.last,
            located.approximate,
            located.runner_up,
            located.differs,
        )


@dataclass(frozen=True, slots=True)
class PlannedHunk:
    """One hunk, located. `index` is its number in the proposal."""

    index: int
    hunk: Hunk
    path: str
    """Canonical; as sent where the path itself is the problem."""
    fit: Fit = Fit.FITS
    code: Code | None = None
    error: str | None = None
    match: Match | None = None
    cuts: tuple[Anchored, ...] = ()
    """What changes in the file's text. For a whole-file write, one cut is one part."""
    replacements: int = 0
    needs: tuple[int, ...] = ()
    """Hunks that must be accepted with it: it edits their output, or takes the name that they free."""
    conflicts: tuple[int, ...] = ()
    """Earlier hunks that change the same text: accepting both is impossible, and the earlier one wins."""
    risks: tuple[str, ...] = ()
    """Why it needs a confirmation of its own; never taken by a bulk accept."""
    warnings: tuple[str, ...] = ()
    """What to look at twice in its text, as `badge: explanation`; it stands in nobody's way."""
    candidates: tuple[Candidate, ...] = ()
    notes: tuple[str, ...] = ()
    overwrites: str | None = None
    """For a move: the SHA-256 of the file whose name it takes."""
    has_parts: bool = False
    """Its cuts can be decided one by one without asking (a whole-file write of an existing file)."""

    @property
    def approximate(self) -> bool:
        return self.match is not None and self.match.approximate


class Before(NamedTuple):
    """What a file was when it was read. Its bytes are those of its text, and held as such once, if at all."""

    sha256: str
    size: int
    mode: int
    """Permission bits."""
    nlink: int
    binary: bytes | None
    """The bytes of a file that is no text."""


@dataclass(frozen=True)
class FilePlan:
    """One file that the proposal touches, as it was when it was read, and the hunks on it."""

    path: str
    before: Before | None
    """None: there is no such file (or it may not be looked at)."""
    held: FileText | Shelved
    """Its text, or where that waits when the files of a proposal are too large to be held together."""
    hunks: tuple[PlannedHunk, ...]

    @property
    def text(self) -> FileText:
        """The text of the file as it was read."""
        return self.held.text if isinstance(self.held, Shelved) else self.held

    @property
    def content(self) -> bytes | None:
        """The bytes of the file as it was read."""
        if self.before is None:
            return None
        if isinstance(self.held, Shelved):
            return self.held.data
        return self.text.encode() if self.before.binary is None else self.before.binary


@dataclass(frozen=True)
class ReviewPlan:
    """A proposal planned against a workspace: all that a person needs to decide."""

    proposal: Proposal
    files: tuple[FilePlan, ...]
    """In the order in which the proposal first names them."""
    final_newline: bool = field(default=False, kw_only=True)
    """Codex compatibility: an updated file always ends in a newline."""

    composed: dict[Any, Any] = field(default_factory=dict, kw_only=True, repr=False, compare=False)
    """What `settle` has composed already, by file and chosen hunks."""

    @cached_property
    def hunks(self) -> tuple[PlannedHunk, ...]:
        """In the order in which the agent sent them."""
        return tuple(sorted((hunk for file in self.files for hunk in file.hunks), key=lambda hunk: hunk.index))

    @cached_property
    def file_of(self) -> dict[int, FilePlan]:
        """The file that a hunk index belongs to."""
        return {hunk.index: file for file in self.files for hunk in file.hunks}
