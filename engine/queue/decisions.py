"""The decision journal: one file of JSON lines for each proposal under review, kept with the workspace.

.hunkdeck/reviews/KEY.jsonl       what happened, oldest first; every line is durable before anybody hears of it
.hunkdeck/reviews/KEY.proposal    the bytes of the proposal, as they were shown

A line starts with its own line break, so a line that was torn by a crash spoils nothing that is written behind it.
What cannot be read is left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from engine.disk import PrivateDirectory
from engine.errors import WorkspaceError
from engine.queue import intents
from engine.review import Intent

_SCHEMA = 1
_JOURNAL = ".jsonl"
_CAPTURED = ".proposal"
_BEING_WRITTEN = "being-written"


# ---------------------------------------------------------------- what a line says


class Opened(NamedTuple):
    """Which proposal the following lines are about; a second one is a revision."""

    name: str
    origin: str
    digest: str
    schema: int = _SCHEMA


class Expanded(NamedTuple):
    """What rewrites became when they were first shown (`expansion`)."""

    hunks: tuple[int | dict[str, Any], ...]


class Decided(NamedTuple):
    """One intent, and what it was bound to."""

    intent: Intent
    seen: dict[int, str]
    """The fingerprint of each hunk that it names."""
    asked: tuple[str, ...] = ()
    """For a confirmation: what the hunks on that file ask for."""
    risks: tuple[str, ...] = ()
    """For a confirmation: the risks that were named."""
    at: float = 0.0
    """Seconds since the epoch: in which order the steps of several proposals were made."""


class Sending(NamedTuple):
    """A verdict is about to be applied."""

    transaction: int
    """The number of the last transaction before it."""
    result: dict[str, Any]
    """What will be said if nothing gets in the way."""


class Sent(NamedTuple):
    """A verdict, exactly as it was answered."""

    result: dict[str, Any]
    failures_open: bool


Entry = Opened | Expanded | Decided | Sending | Sent
_KINDS: dict[str, type[Entry]] = {
    "opened": Opened,
    "expanded": Expanded,
    "decided": Decided,
    "sending": Sending,
    "sent": Sent,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def encode(entry: Entry) -> bytes:
    """One line, without its line break."""
    fields = entry._asdict()
    if isinstance(entry, Decided):
        fields["intent"] = intents.to_dict(entry.intent)
    return json.dumps({"what": _NAMES[type(entry)], **fields}).encode()


def decode(data: bytes) -> Iterator[Entry]:
    """All lines that can be read."""
    for line in data.split(b"\n"):
        try:
            told = json.loads(line)
            yield _entry(told.pop("what"), told)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue


def _entry(what: str, fields: dict[str, Any]) -> Entry:
    if what == "decided":
        fields["intent"] = intents.from_dict(fields["intent"])
        fields["seen"] = {int(hunk): str(value) for hunk, value in fields["seen"].items()}
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    return _KINDS[what](**values)


# ---------------------------------------------------------------- the files


def journal_key(opened: Opened) -> str:
    """Proposals from a file are known by its path, so that a revision finds its decisions; others by name and bytes."""
    known_by = opened.origin or f"{opened.name}\0{opened.digest}"
    return hashlib.sha256(known_by.encode("utf-8", "surrogateescape")).hexdigest()[:32]


class DecisionJournal:
    """The lines about one proposal. Without a directory (somebody who only looks) nothing is written."""

    def __init__(self, reviews: PrivateDirectory | None, opened: Opened) -> None:
        self.entries: list[Entry] = []
        self._reviews = reviews
        self._opened = opened
        self.key = journal_key(opened)
        data = reviews.read(self.key + _JOURNAL) if reviews else None
        if data is not None:
            self.entries = list(decode(data))
        self._begun = bool(self.entries) and self.digest == opened.digest
        self._kept = False
        """The proposal's bytes are written down already."""

    @property
    def current(self) -> list[Entry]:
        """The entries about exactly this proposal, not an earlier revision of it."""
        start = max((n for n, entry in enumerate(self.entries) if isinstance(entry, Opened)), default=0)
        return self.entries[start:] if self._begun else []

    @property
    def digest(self) -> str | None:
        """Of the proposal that the last lines are about."""
        return next((entry.digest for entry in reversed(self.entries) if isinstance(entry, Opened)), None)

    def append(self, entry: Entry, captured: Callable[[], bytes]) -> None:
        """Durable when this returns; with the first line the proposal itself is kept too."""
        reviews = self._reviews
        if reviews is None:
            raise WorkspaceError("nothing can be decided here: the journal of decisions cannot be written")
        self.begin(captured)
        try:
            reviews.append(self.key + _JOURNAL, b"\n" + encode(entry))
        except OSError as error:
            raise WorkspaceError(f"the decision could not be recorded ({error.strerror})") from error
        self.entries.append(entry)

    def keep(self, captured: bytes) -> None:
        """Write the proposal down before anybody decides: a large one would hold up the first decision."""
        if self._reviews is not None and not self.entries and not self._kept:
            with suppress(OSError):  # the first decision will try again, and say so
                self._keep(self._reviews, captured)

    def _keep(self, reviews: PrivateDirectory, captured: bytes) -> None:
        reviews.write(self.key + _CAPTURED, captured, temporary=_BEING_WRITTEN)
        self._kept = True

    def begin(self, captured: Callable[[], bytes]) -> None:
        """From here on the lines are about exactly this proposal."""
        if self._begun or self._reviews is None:
            return
        try:
            self._begin(self._reviews, captured)
        except OSError as error:
            raise WorkspaceError(f"the decision could not be recorded ({error.strerror})") from error

    def _begin(self, reviews: PrivateDirectory, captured: Callable[[], bytes]) -> None:
        if not self._kept:
            self._keep(reviews, captured())
        if self.entries:
            reviews.append(self.key + _JOURNAL, b"\n" + encode(self._opened))
        else:
            reviews.write(self.key + _JOURNAL, encode(self._opened), temporary=_BEING_WRITTEN)
        self.entries.append(self._opened)
        self._begun = True

    def discard(self) -> None:
        """Everything is answered: there is nothing left to go on with."""
        if self._reviews is not None and (self.entries or self._kept):
            self._reviews.discard(self.key + _JOURNAL)
            self._reviews.discard(self.key + _CAPTURED)


def sweep(reviews: PrivateDirectory) -> None:
    """Remove what a crash left of a journal that was just begun, or just done with. For whoever holds the lock."""
    names = set(reviews.names())
    for name in names:
        if name.endswith(_CAPTURED) and name.removesuffix(_CAPTURED) + _JOURNAL not in names:
            reviews.discard(name)


def captured_proposals(reviews: PrivateDirectory) -> Iterator[tuple[Opened, bytes]]:
    """The proposals that somebody began to decide about, with their bytes as they were shown."""
    for name in reviews.names():
        if name.endswith(_JOURNAL):
            entries = list(decode(reviews.read(name) or b""))
            opened = next((entry for entry in reversed(entries) if isinstance(entry, Opened)), None)
            data = reviews.read(name.removesuffix(_JOURNAL) + _CAPTURED)
            if opened and data is not None:
                yield opened, data
