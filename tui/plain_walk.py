"""Where a plain review is: the stops of all proposals as one round, in the order of the queue.

Proposals are planned when they are reached, so a long queue costs nothing before it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.bulk import nothing_to_decide
from engine.planning.data import Fit
from engine.queue.desk import Desk, Item

Stop = tuple[Item, int | None]
"""A hunk of a proposal; None for a proposal that cannot be read."""


class Walk:
    """The place in the round."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.here: Stop | None = None

    def waiting(self) -> list[Item]:
        """The proposals without a final verdict."""
        return [item for item in self._desk.items if not item.finished]

    def stops(self, item: Item) -> list[Stop]:
        if item.plan is None:
            self._desk.plan(item)
            if item.finished:  # by policy: nobody wanted to see it
                return []
        if item.plan is None:
            return [(item, None)]
        return [(item, hunk.index) for file in item.plan.files for hunk in file.hunks]

    def any_open(self, item: Item) -> bool:
        return any(is_open(stop) for stop in self.stops(item))

    def next(self, wanted: Callable[[Stop], bool], *, back: bool = False) -> Stop | None:
        """The first stop from here on, round the end, that is wanted."""
        return next((stop for stop in self._round(-1 if back else 1) if wanted(stop)), None)

    def _round(self, step: int) -> Iterator[Stop]:
        items = self.waiting()[::step]
        item = self.here[0] if self.here else None
        if item not in items:
            for other in items:
                yield from self.stops(other)[::step]
            return
        stops = self.stops(item)[::step]
        at, number = items.index(item), stops.index(self.here) if self.here in stops else -1
        yield from stops[number + 1 :]
        for other in items[at + 1 :] + items[:at]:
            yield from self.stops(other)[::step]
        yield from stops[: number + 1]


def is_open(stop: Stop) -> bool:
    """There is still something to decide, or to answer."""
    item, index = stop
    if index is None or item.plan is None or nothing_to_decide(item.plan):
        return not item.finished
    return index not in item.state.decisions and item.plan.hunks[index].fit is not Fit.SKIPPED
