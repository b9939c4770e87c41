"""Where to go, by a few letters of its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from textual.widget import Widget
from textual.widgets import Input

from tui.screens.dialog import Choice, Dialog
from tui.screens.rows import Tone, row
from tui.screens.rows_view import RowsView
from tui.screens.safe_fields import SafeInput

MOST_SHOWN = 50
_LOWEST_SCORE = 40


def matches(query: str, names: Sequence[str], limit: int = MOST_SHOWN) -> list[int]:
    """Which of the (lower case) names fit: first those that hold the query as it is, then the similar ones."""
    query = query.strip().casefold()
    if not query:
        return list(range(min(limit, len(names))))
    holding = [at for at, name in enumerate(names) if query in name]
    holding.sort(key=lambda at: (query not in names[at].rpartition("/")[2], len(names[at])))
    if len(holding) >= limit:
        return holding[:limit]
    from rapidfuzz import fuzz, process

    similar = process.extract(query, names, scorer=fuzz.WRatio, score_cutoff=_LOWEST_SCORE, limit=limit)
    return list(dict.fromkeys([*holding, *(at for _, _, at in similar)]))[:limit]


class Jump(Dialog[str]):
    """`enter` goes to the marked target."""

    DEFAULT_CSS = """
    Jump RowsView { height: 50vh; margin-top: 1; }
    """

    def __init__(self, targets: Sequence[tuple[str, str]]) -> None:
        super().__init__("Jump to a file or proposal")
        self._targets = targets

    @cached_property
    def _names(self) -> list[str]:
        return [label.casefold() for label, _ in self._targets]

    def body(self) -> Iterable[Widget]:
        yield SafeInput(placeholder="a few letters of its name", compact=True)
        yield RowsView()

    def choices(self) -> Iterable[Choice]:
        yield Choice("enter", "Go there", "accept", primary=True)
        yield Choice("esc", "Back", "go_back")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def on_input_submitted(self) -> None:
        self.action_accept()

    def _search(self, query: str) -> None:
        found = matches(query, self._names)
        rows = [row((self._targets[at][0], Tone.PATH), target=at) for at in found]
        left = len(self._targets) - len(found)
        if not found:
            rows = [row(("nothing has a name like that", Tone.DIM))]
        elif len(found) == MOST_SHOWN and left:
            rows.append(row((f"… and {left:,} more: type to narrow it down", Tone.DIM)))
        self.query_one(RowsView).set_rows(rows)

    def on_rows_view_clicked(self) -> None:
        self.action_accept()

    def answer_on_enter(self) -> str | None:
        chosen = self.query_one(RowsView).cursor
        return None if chosen is None else self._targets[chosen][1]
