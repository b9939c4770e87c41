"""How much one payload may hold. Whoever reads proposals from files or sockets passes its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one payload may hold."""

    max_bytes: int = 20_000_000
    max_hunks: int = 100_000


DEFAULT_LIMITS = Limits()
