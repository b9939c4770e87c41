"""How much of the past is kept for undo: the newest transactions, so that the history does not grow without end.

A record goes before its backups: cut off in between, the transaction is no longer offered, and what is left of it
goes with the next one. Files that were rescued (`kept-…`) are somebody's work, and stay.
"""

from __future__ import annotations

from engine.transaction.state import State

MOST_KEPT = 200


def prune(state: State) -> None:
    """Remove what belongs to transactions older than the newest `MOST_KEPT`."""
    names = state.history.names()
    numbers = sorted({number for name in names if (number := _number(name)) is not None})
    if len(numbers) <= MOST_KEPT:
        return
    oldest = numbers[-MOST_KEPT]
    gone = [name for name in names if (number := _number(name)) is not None and number < oldest]
    for name in sorted(gone, key=lambda name: not name.endswith(".json")):
        state.history.discard(name)


def _number(name: str) -> int | None:
    """Of the transaction that a record (`000007.json`) or a backup (`000007-0`) belongs to."""
    number = name.removesuffix(".json").partition("-")[0]
    return int(number) if number.isdecimal() else None
