"""Interleaved timing: two things measured in the same run, so that only their ratio is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping


def best_of(rounds: int, actions: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The best time of each action in seconds, taking turns so that a busy moment hits all of them."""
    best = dict.fromkeys(actions, float("inf"))
    for _ in range(rounds):
        for name, action in actions.items():
            started = time.perf_counter()
            action()
            best[name] = min(best[name], time.perf_counter() - started)
    return best
