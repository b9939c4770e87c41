"""Who sent a proposal, how long ago, and until when somebody waits for the answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from engine.safe_text import safe_text
from tui.view_model.cells import cell_width, cut

if TYPE_CHECKING:
    from engine.queue.item import Item

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_LONGEST_NAME = 40
_SHORTEST_NAME = 6


class Whence(NamedTuple):
    """In words that may be shown: the agent's name for itself, and our own words about it."""

    agent: str
    facts: str

    def fitting(self, width: int) -> Whence:
        """The name gives way; what we say stays, as far as it can."""
        room = max(width - cell_width(self.facts), _SHORTEST_NAME)
        return Whence(cut(self.agent, room), self.facts)


def whence(item: Item, now: float | None = None) -> Whence:
    """For the sidebar and the header of a proposal that came through a queue."""
    now = time.time() if now is None else now
    words = [age(now - item.arrived)] if item.arrived else []
    if item.waits_until is not None and item.waits_until > now:
        words.append(f"waits until {clock(item.waits_until, now)}")
    agent = safe_text(item.agent or "somebody")[:_LONGEST_NAME]
    return Whence(agent, "".join(f" · {word}" for word in words))


def age(seconds: float) -> str:
    """How long ago, in the largest unit that says something."""
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    return f"{int(seconds // _HOUR)} h" if seconds < _DAY else f"{int(seconds // _DAY)} d"


def clock(then: float, now: float) -> str:
    """The time of day; with the day where that is another one."""
    there, here = time.localtime(then), time.localtime(now)
    same_day = there[:3] == here[:3]
    return time.strftime("%H:%M" if same_day else "%Y-%m-%d %H:%M", there)
