"""What a person should look at twice in the text that a hunk brings in: badges, not obstacles.

Each is `word: explanation`; headers show the word. What the old text holds too is not the hunk's doing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.model import Delete, LineEdit, NotebookEdit, Op, TextEdit
from engine.planning.data import PlannedHunk
from engine.scripts import mixed_words, strangers

_REORDERS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MOST_NAMED = 4
_STEERS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")


def with_warnings(hunk: PlannedHunk) -> PlannedHunk:
    old, new = _texts(hunk.hunk.op)
    found = tuple(_warnings(old, new))
    return replace(hunk, warnings=found) if found else hunk


def _texts(op: Op) -> tuple[str, str]:
    match op:
        case TextEdit(old, new):
            return old, new
        case LineEdit():
            return op.expected or "", op.new_content
        case NotebookEdit():
            return "", op.new_source
        case Delete():
            return "", ""
    return "", getattr(op, "content", "")


def _warnings(old: str, new: str) -> Iterator[str]:
    if not new.isascii():
        if moved := _added(_REORDERS, old, new):
            yield f"reordered text: {moved} can make it read differently from what it does"
        known = set(mixed_words(old))
        for word in mixed_words(new):
            if word not in known:
                yield f"mixed scripts: {word} is not all Latin ({strangers(word)})"
    if steering := _added(_STEERS, old, new):
        yield f"control characters: {steering}"


def _added(kind: re.Pattern[str], old: str, new: str) -> str:
    """Which characters of a kind the new text brings in, by number."""
    if not kind.search(new):
        return ""
    brought = sorted(set(kind.findall(new)) - set(kind.findall(old)))
    named = ", ".join(f"U+{ord(char):04X}" for char in brought[:_MOST_NAMED])
    return f"{named} and {len(brought) - _MOST_NAMED} more" if len(brought) > _MOST_NAMED else named
