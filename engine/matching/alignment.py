"""Laying rows against lines with the fewest lines wrong: a dynamic programme within a narrow band."""

from __future__ import annotations

from collections.abc import Sequence

_FAR = 10**9
_WORDED_DIFFERENTLY, _NOT_THERE, _NOT_SENT = 101, 102, 60
"""Lines that were added to the file are likelier than lines that the agent made up."""


def align(
    rows: Sequence[str], lines: Sequence[str], core: frozenset[int], band: tuple[int, int]
) -> list[int | None] | None:
    """Where each row is, with the fewest lines wrong; free before and behind. Core rows only match equal lines.

    `band`: on which line the first row is expected, and how far any row may be from where that puts it.
    """
    steps: list[list[str]] = []
    above = [0] * (len(lines) + 1)
    for number, row in enumerate(rows):
        near = range(max(0, number + band[0] - band[1]), min(len(lines), number + band[0] + band[1]) + 1)
        here, how = _next_row(row, lines, above, near, hard=number in core)
        steps.append(how)
        above = here
    end = min(range(len(above)), key=lambda at: (above[at], at))
    return None if above[end] >= _FAR else _trace(steps, end)


def _next_row(
    row: str, lines: Sequence[str], above: list[int], near: range, *, hard: bool
) -> tuple[list[int], list[str]]:
    here, how = [_FAR] * len(above), [""] * len(above)
    for at in near:
        best, step = (_FAR, "") if hard else (above[at] + _NOT_THERE, "row")
        if at:
            fits = row == lines[at - 1]
            both = _FAR if hard and not fits else above[at - 1] + (0 if fits else _WORDED_DIFFERENTLY)
            if both <= best:
                best, step = both, "both"
            if here[at - 1] + _NOT_SENT < best:
                best, step = here[at - 1] + _NOT_SENT, "line"
        here[at], how[at] = best, step
    return here, how


def _trace(steps: list[list[str]], at: int) -> list[int | None]:
    mapping: list[int | None] = [None] * len(steps)
    row = len(steps) - 1
    while row >= 0:
        step = steps[row][at]
        if step == "line":
            at -= 1
            continue
        if step == "both":
            at -= 1
            mapping[row] = at
        row -= 1
    return mapping
