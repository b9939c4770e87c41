"""Items of the battery whose tests need the review app or the watched queue: what they wait for."""

from __future__ import annotations

_QUEUE = "needs the watched queue"
_APP = "needs the review app"

LATER: dict[str, str] = {
    "E13": _QUEUE,
    "E14": _QUEUE,
    "E15": _QUEUE,
    "E16": _QUEUE,
    "E17": _QUEUE,
    "E20": _QUEUE,
    "E21": _QUEUE,
    "E22": _QUEUE,
    "F12": _APP,
    "F13": _APP,
    "F14": _APP,
    "F15": _APP,
    "F17": _APP,
    "F19": _APP,
    "F20": _APP,
    "H16": _APP,
    "H17": _APP,
    "I19": _APP,
    "I24": _APP,
    "J13": _QUEUE,
    "J14": _APP,
}

PARTLY: dict[str, str] = {
    "A17": "the command line; widgets need the review app",
    "A19": "the function that elides; the list needs the review app",
    "A20": "the function that elides; the list needs the review app",
    "D11": "planning and memory; the first paint needs the review app",
    "D12": "planning and applying; the cut display needs the review app",
    "E23": "the command line; the app has its own frame",
    "E24": "the command line; the app has its own view",
    **{f"F{number:02}": "the command line; widgets need the review app" for number in (*range(1, 12), 16, 18)},
    "H01": "the lock; the message needs the review app",
}
"""Items that have tests already, and more to come."""
