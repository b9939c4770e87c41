"""What a dialog shows, as plain data: rows of spans, each with a tone that says whose words they are.

Rows are made safe for the terminal when they are broken into lines, so no dialog can forget it. A long row is wrapped;
its `lead` stands in front of every line, so that no part of an agent's text can sit where our own words sit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tui.view_model.cells import cell_width, fit, shown


class Tone(StrEnum):
    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    GOOD = "good"
    BAD = "bad"
    WARN = "warn"
    PATH = "path"
    KEY = "key"
    CODE = "code"
    """Text of a file."""
    AGENT = "agent"
    """The agent's words."""
    PERSON = "person"
    """What a reviewer wrote."""


Span = tuple[str, Tone]
Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row; it takes several lines where it is too long for the screen."""

    spans: tuple[Span, ...] = ()
    lead: Span = ("", Tone.PLAIN)
    """In front of each of its lines."""
    hang: int = 0
    """How much further its second and later lines are moved in."""
    target: int | None = None
    """What choosing this row means; None: it cannot be chosen."""


def row(*spans: str | Span, indent: int = 0, hang: int = 0, target: int | None = None) -> Row:
    """A row of our own words (plain strings) and toned spans."""
    toned = tuple((span, Tone.PLAIN) if isinstance(span, str) else span for span in spans)
    return Row(toned, (" " * indent, Tone.PLAIN), hang, target)


def block(text: str, tone: Tone, *, indent: int = 0, target: int | None = None) -> list[Row]:
    """A text of several lines; those of an agent or a person stand behind a bar of their own."""
    bar = "▎ " if tone in (Tone.AGENT, Tone.PERSON) else ""
    lead = (" " * indent + bar, tone)
    return [Row(((line, tone),), lead, target=target) for line in text.rstrip("\n").split("\n")]


# ---------------------------------------------------------------- rows → lines


def lines_of(one: Row, width: int) -> list[Line]:
    """The row as lines of at most `width` cells (one character each at the least)."""
    spans = [(shown_text(text), tone) for text, tone in one.spans]
    lead = one.lead[0]
    room = max(width - cell_width(lead), 1)
    if sum(cell_width(text) for text, _ in spans) <= room:
        return [(one.lead, *spans) if lead else tuple(spans)]
    spans = [span for span in spans if span[0]]
    hang = one.hang if one.hang < room // 2 else 0
    ends = _line_ends("".join(text for text, _ in spans), room, room - hang)
    later = (lead + " " * hang, one.lead[1])
    return [(later if number else one.lead, *line) for number, line in enumerate(_sliced(spans, ends))]


def shown_text(text: str) -> str:
    """What the terminal may show of one line: safe, its tabs expanded, its far end cut off visibly."""
    line = shown(text)
    return line.text + line.rest


def _line_ends(text: str, width: int, later_width: int) -> Iterator[int]:
    """Where the lines end: behind the last space that fits, else wherever the line is full."""
    at = 0
    while at < len(text):
        end = at + max(fit(text[at : at + width + 1], width), 1)
        if end < len(text) and (space := text.rfind(" ", at, end)) > at:
            end = space + 1
        while end < len(text) and cell_width(text[end]) == 0:  # marks stay with the character that they sit on
            end += 1
        yield end
        at, width = end, later_width


def _sliced(spans: list[Span], ends: Iterable[int]) -> Iterator[Line]:
    """The spans cut at `ends`, offsets into their texts put together."""
    waiting = list(reversed(spans))
    at = 0
    for end in ends:
        line: list[Span] = []
        while waiting and at < end:
            text, tone = waiting.pop()
            if len(text) > end - at:
                waiting.append((text[end - at :], tone))
                text = text[: end - at]
            line.append((text, tone))
            at += len(text)
        yield tuple(line)
