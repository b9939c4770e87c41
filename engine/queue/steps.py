"""In which order things were decided, over all proposals: undo takes back the last step of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.queue.decisions import Decided, Entry
from engine.queue.item import Item
from engine.review import Redo, Undo


class Steps:
    """The proposals in the order in which something was decided about them, the last one last."""

    def __init__(self) -> None:
        self._made: list[Item] = []
        self._taken_back: list[Item] = []

    @classmethod
    def so_far(cls, journals: Iterable[tuple[Item, Iterable[Entry]]]) -> Steps:
        """As the journals tell it."""
        told = [(entry, item) for item, entries in journals for entry in entries if isinstance(entry, Decided)]
        steps = cls()
        for entry, item in sorted(told, key=lambda one: one[0].at):
            if isinstance(entry.intent, Undo | Redo):
                steps.took_back(entry.intent, item)
            else:
                steps.made(item)
        return steps

    def made(self, item: Item) -> None:
        self._made.append(item)
        self._taken_back.clear()

    def took_back(self, intent: Undo | Redo, item: Item) -> None:
        """The last step on this proposal was taken back, or made again."""
        source, other = self._sides(intent)
        for at in range(len(source) - 1, -1, -1):
            if source[at] is item:
                del source[at]
                break
        other.append(item)

    def to_take_back(self, intent: Undo | Redo, here: Item | None) -> Iterator[Item]:
        """The proposals to try, each once: the one of the last step first, at the end the one that is looked at."""
        source, _ = self._sides(intent)
        yield from dict.fromkeys([*reversed(source), *([here] if here else [])])

    def _sides(self, intent: Undo | Redo) -> tuple[list[Item], list[Item]]:
        return (self._made, self._taken_back) if isinstance(intent, Undo) else (self._taken_back, self._made)
