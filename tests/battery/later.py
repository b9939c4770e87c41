"""Items of the battery whose tests need the watched queue."""

from __future__ import annotations

_QUEUE = "needs the watched queue"

LATER: dict[str, str] = {
    "E13": _QUEUE,
    "E14": _QUEUE,
    "E15": _QUEUE,
    "E16": _QUEUE,
    "E17": _QUEUE,
    "E20": _QUEUE,
    "E21": _QUEUE,
    "E22": _QUEUE,
    "J13": _QUEUE,
}
