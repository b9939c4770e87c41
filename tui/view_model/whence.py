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
_WAITS_UNTIL = "waits until"
_JUST_NOW = "just now"
_FEWER_WORDS = {_WAITS_UNTIL: "until", _JUST_NOW: "now"}


class Whence(NamedTuple):
    """In words that may be shown: the agent's name for itself, and our own words about it."""

    agent: str
    facts: str

    def fitting(self, width: int) -> Whence:
        """Some words give way first, then the name; what they say stays, as far as it can."""
        facts = self.facts
        for words, fewer in _FEWER_WORDS.items():
            if cell_width(self.agent + facts) > width:
                facts = facts.replace(words, fewer)
        room = max(width - cell_width(facts), _SHORTEST_NAME)
        return Whence(cut(self.agent, room), facts)


def whence(item: Item, now: float | None = None) -> Whence:
    """For the sidebar and the header of a proposal that came through a queue."""
    now = time.time() if now is None else now
    words = [age(now - item.arrived)] if item.arrived else []
    if item.waits_until is not None and item.waits_until > now:
        patient = item.waits_until - now > _DAY  # whoever waits without an end is shown without one
        words.append("waits" if patient else f"{_WAITS_UNTIL} {clock(item.waits_until, now)}")
    agent = safe_text(item.agent or "somebody")[:_LONGEST_NAME]
    return Whence(agent, "".join(f" · {word}" for word in words))


def age(seconds: float) -> str:
    """How long ago, in the largest unit that says something."""
    if seconds < _MINUTE:
        return _JUST_NOW
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    return f"{int(seconds // _HOUR)} h" if seconds < _DAY else f"{int(seconds // _DAY)} d"


def clock(then: float, now: float) -> str:
    """The time of day; with the day where that is another one."""
    there, here = time.localtime(then), time.localtime(now)
    same_day = there[:3] == here[:3]
    return time.strftime("%H:%M" if same_day else "%Y-%m-%d %H:%M", there)
