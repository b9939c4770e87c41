"""The intent journal: what a transaction is about to do, written and synced before it does any of it.

    hunkdeck journal 1 <sha256 of the rest>
    {"number": 7, "steps": [{"path": …, "before": …, "after": …, "token": …}, …], …}

Its NAME in the state directory is the phase (see `Phase`), so that going on to the next phase is one rename. When all
is done it moves to the history, where undo finds it. A journal that does not check out is never acted on, whichever
part of it is wrong; its paths obey the same rules as those of proposals.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.disk import Seen
from engine.errors import HunkdeckError, PathBlocked
from engine.paths import is_reserved
from engine.workspace import check_path

VERSION = 1
_TITLE = b"hunkdeck journal"
_HEX = frozenset("0123456789abcdef")


class Phase(StrEnum):
    """How far a transaction got; the journal's file name."""

    STAGING = "journal-staging"
    """No target was touched, or all are restored: only temporary files and directories are to be removed."""
    SWAPPING = "journal-swapping"
    """All is staged, whole and durable; targets change one by one, and are to be restored."""
    APPLIED = "journal-applied"
    """Past the commit point: only clean-up is left."""


class Action(StrEnum):
    CREATE = "create"
    MODIFY = "modify"
    DELETE = "delete"


def staged_name(token: str) -> str:
    return f".hunkdeck-{token}.new"


def displaced_name(token: str) -> str:
    return f".hunkdeck-{token}.old"


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a transaction."""

    path: str
    before: str | None
    """sha256 of the content that was shown; None: nothing was there."""
    after: str | None
    """sha256 of the new content; None: the file goes."""
    token: str
    """Random; names the temporary files before they exist."""
    mode_before: int | None = None
    mode_after: int | None = None

    @property
    def action(self) -> Action:
        if self.before is None:
            return Action.CREATE
        return Action.DELETE if self.after is None else Action.MODIFY

    @property
    def parent(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def new(self) -> str:
        """Where the new content is staged, beside the target. After an exchange the old content stands there."""
        return staged_name(self.token)

    @property
    def old(self) -> str:
        """Where a file that was taken away stands until it is certain what becomes of it."""
        return displaced_name(self.token)

    def is_old(self, seen: Seen | None) -> bool:
        return self._is(seen, self.before, self.mode_before)

    def is_new(self, seen: Seen | None) -> bool:
        return self._is(seen, self.after, self.mode_after)

    def _is(self, seen: Seen | None, digest: str | None, mode: int | None) -> bool:
        """The content decides; the mode only where it is all that changes."""
        if seen is None or digest is None:
            return seen is None and digest is None
        return seen.sha256 == digest and (self.before != self.after or seen.mode == mode)


@dataclass(frozen=True, slots=True)
class Journal:
    """One transaction."""

    number: int
    """Counts transactions: their order does not depend on a clock."""
    workspace: str
    """The identity in the state directory that this journal belongs to."""
    proposal: str
    time: str
    steps: tuple[Step, ...]
    made: tuple[str, ...] = ()
    """Directories that are made for it, outermost first."""
    emptied: tuple[str, ...] = ()
    """Directories that the transaction it undoes had made, outermost first."""
    undoes: str | None = None

    @property
    def id(self) -> str:
        return f"{self.number:06}"

    def in_order(self) -> list[Step]:
        """Deletions first: a rename that changes only the case of a name frees it before it is taken again."""
        rank = [Action.DELETE, Action.MODIFY, Action.CREATE]
        return sorted(self.steps, key=lambda step: rank.index(step.action))

    def directories(self) -> list[str]:
        """Every directory whose names the transaction changes."""
        parents = {step.parent for step in self.steps}
        return sorted(parents | {path.rpartition("/")[0] for path in (*self.made, *self.emptied)})


class DamagedJournalError(HunkdeckError):
    """A journal that must not be acted on."""


def refuse_reserved(path: str) -> None:
    """Paths that no transaction touches: outside the workspace, git's own, ours."""
    check_path(path)
    if any(is_reserved(part) for part in path.split("/")):
        raise PathBlocked(path, "belongs to git or to hunkdeck itself")


def encode(journal: Journal) -> bytes:
    from dataclasses import asdict

    body = json.dumps(asdict(journal), separators=(",", ":")).encode() + b"\n"
    return b"%s %d %s\n%s" % (_TITLE, VERSION, _checksum(body), body)


def decode(data: bytes, *, workspace: str) -> Journal:
    """DamagedJournalError unless every byte and every path is as it must be."""
    head, _, body = data.partition(b"\n")
    if head != b"%s %d %s" % (_TITLE, VERSION, _checksum(body)):
        other = head.startswith(_TITLE) and head.split()[2:3] not in ([], [b"%d" % VERSION])
        raise DamagedJournalError("written by another version of hunkdeck" if other else "the checksum does not match")
    try:
        journal = _journal(json.loads(body))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedJournalError("not a journal") from error
    except PathBlocked as blocked:
        raise DamagedJournalError(f"it names a path that may not be touched ({blocked.reason})") from blocked
    if journal.workspace != workspace:
        raise DamagedJournalError("it belongs to another workspace")
    return journal


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _journal(fields: dict[str, Any]) -> Journal:
    steps = tuple(Step(**step) for step in fields.pop("steps"))
    made, emptied = tuple(fields.pop("made")), tuple(fields.pop("emptied"))
    journal = Journal(**fields, steps=steps, made=made, emptied=emptied)
    for path in (*(step.path for step in steps), *made, *emptied):
        refuse_reserved(path)
    if not all(_sound(step) for step in steps) or not isinstance(journal.number, int) or journal.number < 1:
        raise ValueError
    return journal


def _sound(step: Step) -> bool:
    digests = [digest for digest in (step.before, step.after) if digest is not None]
    hexadecimal = all(_HEX.issuperset(text) for text in (step.token, *digests))
    return bool(digests) and hexadecimal and len(step.token) == 16 and all(len(digest) == 64 for digest in digests)
