"""Which words differ between a removed and an added line: spans of the shown texts, or none where little is alike."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)
_LONGEST = 1_000
_ALIKE = 0.4

Spans = tuple[tuple[int, int], ...]


def changed_words(old: str, new: str) -> tuple[Spans, Spans]:
    """Spans of characters that were removed and added."""
    if old == new or len(old) > _LONGEST or len(new) > _LONGEST:
        return (), ()
    from rapidfuzz.distance import LCSseq

    a, b = _WORD.findall(old), _WORD.findall(new)
    ops = LCSseq.opcodes(a, b)
    kept = sum(len("".join(a[op.src_start : op.src_end]).strip()) for op in ops if op.tag == "equal")
    if kept < _ALIKE * max(len(old.strip()), len(new.strip())):
        return (), ()
    removed = [(op.src_start, op.src_end) for op in ops if op.tag != "equal"]
    added = [(op.dest_start, op.dest_end) for op in ops if op.tag != "equal"]
    return _characters(a, removed), _characters(b, added)


def _characters(words: list[str], ranges: list[tuple[int, int]]) -> Spans:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    spans: list[tuple[int, int]] = []
    for first, end in ranges:
        if end > first:
            if spans and spans[-1][1] == starts[first]:
                spans[-1] = (spans[-1][0], starts[end])
            else:
                spans.append((starts[first], starts[end]))
    return tuple(spans)
