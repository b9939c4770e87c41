"""Which words differ between a removed and an added line: spans of the shown texts, or none where little is alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)
_LONGEST = 1_000
_MOST_PAIRS = 10_000
"""Words of both lines that are compared with each other: a millisecond. Beyond it, all in the middle has changed."""
_ALIKE = 0.4

Spans = tuple[tuple[int, int], ...]


def changed_words(old: str, new: str) -> tuple[Spans, Spans]:
    """Spans of characters that were removed and added."""
    if old == new or len(old) > _LONGEST or len(new) > _LONGEST:
        return (), ()
    a, b = _WORD.findall(old), _WORD.findall(new)
    same = _same_words(a, b)
    kept = sum(len(a[i].strip()) for i, _ in same)
    if kept < _ALIKE * max(len(old.strip()), len(new.strip())):
        return (), ()
    return _others(a, {i for i, _ in same}), _others(b, {j for _, j in same})


def _same_words(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """The longest common run of words, not necessarily together, as pairs of places."""
    shorter = min(len(a), len(b))
    head = next((n for n in range(shorter) if a[n] != b[n]), shorter)
    tail = next((n for n in range(shorter - head) if a[-1 - n] != b[-1 - n]), shorter - head)
    middle = _common(a[head : len(a) - tail], b[head : len(b) - tail])
    return [
        *((n, n) for n in range(head)),
        *((head + i, head + j) for i, j in middle),
        *((len(a) - n, len(b) - n) for n in range(tail, 0, -1)),
    ]


def _common(a: list[str], b: list[str]) -> Iterator[tuple[int, int]]:
    if len(a) * len(b) > _MOST_PAIRS:
        return
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            same = a[i] == b[j]
            longest[i][j] = longest[i + 1][j + 1] + 1 if same else max(longest[i + 1][j], longest[i][j + 1])
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1


def _others(words: list[str], same: set[int]) -> Spans:
    """Where the words that are not the same stand, in characters."""
    spans: list[tuple[int, int]] = []
    at = 0
    for number, word in enumerate(words):
        end = at + len(word)
        if number not in same:
            touches = bool(spans) and spans[-1][1] == at
            spans[-1:] = [(spans[-1][0], end)] if touches else [*spans[-1:], (at, end)]
        at = end
    return tuple(spans)
