"""Where proposals wait and verdicts are left: the small interface between agents and reviewers. No I/O here.

The meaning of each operation is exact, whoever implements it (`tests/engine/queue/test_store_contract.py`):

- A proposal has an id, a *revision* that grows with every other content, and a *token* that grows with every claim,
  revision and withdrawal. An answer counts only with the current token, so there is exactly one final result.
- Every operation may be repeated after a lost reply or a crash, and is durable when it returns.
- Clocks only decide when others may claim. Safety rests on the token alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from enum import Enum
from typing import NamedTuple, Protocol

from engine.errors import UnusableId

LEASE = 60.0
"""Seconds that a claim holds unless it is renewed."""
_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


class Outcome(Enum):
    """What became of a `put`."""

    NEW = "new"
    SAME = "same"
    REVISED = "revised"
    CLOSED = "closed"


class State(Enum):
    """How far a proposal is."""

    OPEN = "open"
    CLAIMED = "claimed"
    ANSWERED = "answered"
    """Open, with an answer that is not the last one."""
    FINAL = "final"
    WITHDRAWN = "withdrawn"

    @property
    def closed(self) -> bool:
        return self in (State.FINAL, State.WITHDRAWN)


class Answered(Enum):
    """What became of an `answer`."""

    OK = "ok"
    STALE = "stale"
    """The token is not the current one: another claim or revision came in between."""
    CLOSED = "closed"
    """Another final result is out, or the proposal was withdrawn."""


class Put(NamedTuple):
    outcome: Outcome
    rev: int


class Listed(NamedTuple):
    """One proposal, without its bytes."""

    id: str
    rev: int
    agent: str
    """Who put it; empty where nobody said."""
    arrived: float
    """Seconds since the epoch, by the store's clock: for people."""
    waits_until: float | None
    """Somebody waits for the answer until then."""
    state: State
    version: str
    """Differs whenever the bytes may differ: to know without reading them."""


class Stored(NamedTuple):
    """The bytes of a proposal. Whoever reads them hashes them: a digest is never taken on trust."""

    id: str
    rev: int
    digest: str
    data: bytes


class Claim(NamedTuple):
    """Leave to answer one revision."""

    id: str
    rev: int
    token: int
    digest: str


class Hint(NamedTuple):
    """A reason to look; it may come twice, and says nothing for certain."""

    kind: str
    """`proposal`, `answer` or `waiting`."""
    id: str


class Store(Protocol):
    """One queue of proposals. StoreDown where it cannot be reached."""

    def put(self, id: str, data: bytes, agent: str) -> Put:
        """Hand in a proposal, or another revision of it; the same bytes again change nothing.

        After a final result or a withdrawal: `closed`. UnusableId where the id is none, UnreadableProposal where there
        are too many bytes.
        """

    def list(self, *, claimed_too: bool = False) -> Sequence[Listed]:
        """What is open and unclaimed (or its lease ran out), in the order of arrival."""

    def read(self, id: str) -> Stored | None:
        """The bytes as they are now; None where there is no such open proposal. UnreadableProposal: see there."""

    def watch(self, stop: Stop) -> Iterator[set[Hint]]:
        """Reasons to look, as they come, until `stop` is set.

        The first set is empty and comes once everything later will be noticed: list then, and after each set. An empty
        set says that hints may have been missed.
        """

    def claim(self, id: str | None, lease: float = LEASE) -> Claim | None:
        """Take one proposal (None: the next) for `lease` seconds; None where there is none, or somebody has it."""

    def renew(self, id: str, token: int) -> bool:
        """Hold a claim for another lease; False where the token is no longer the current one."""

    def answer(self, id: str, token: int, result: bytes, *, final: bool) -> Answered:
        """Leave a result, the last one (`final`) or not. The same token and bytes again are `ok` again."""

    def withdraw(self, id: str) -> bool:
        """Take an open proposal back, for good; False once it has a final result, or where there is none."""

    def wait(self, id: str, timeout: float | None, stop: Stop | None = None) -> bytes | None:
        """The final result, as soon as it is there; None when `timeout` seconds have passed, or `stop` is set."""

    def status(self, id: str) -> Listed | None:
        """How far this proposal is; None where nobody knows it."""

    def result(self, id: str) -> bytes | None:
        """The newest answer, final or not."""

    def waiting(self, id: str, until: float) -> AbstractContextManager[None]:
        """Inside, reviewers see that somebody waits until then. Dying ends it too."""

    def close(self) -> None:
        """Nothing is held any more. Closing twice is fine."""


class Stop(Protocol):
    """A `threading.Event`, or anything like it."""

    def is_set(self) -> bool: ...


def check_id(id: str) -> None:
    """UnusableId where a proposal cannot be called so."""
    if not _ID.fullmatch(id):
        raise UnusableId(id)
    if id.startswith(".") or id.endswith(".result"):
        raise UnusableId(id, "it must not begin with a dot or end in .result")
