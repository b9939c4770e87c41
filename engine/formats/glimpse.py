"""The first hunks of a large proposal, long before all of it is read: for looking at, never for deciding.

Its beginning is cut where it is still well-formed, closed, and read like a whole proposal. What stands behind the cut
could make another proposal of it (a second key of the same name, another mode), so only the whole one counts.
"""

from __future__ import annotations

from engine.errors import UnreadableProposal
from engine.formats import parse
from engine.formats.payload import is_json
from engine.formats.strict_json import tokens
from engine.model import Proposal

BEGINNING = 1 << 16
"""Bytes that are read: a screen full of hunks, in a few milliseconds."""
_CLOSERS = {"{": "}", "[": "]"}


def glimpse(data: bytes, *, format: str | None = None) -> Proposal | None:
    """What the beginning of `data` proposes; None where that cannot be said."""
    text = data[:BEGINNING].decode("utf-8", "ignore")
    whole = len(data) <= BEGINNING
    beginning = text if whole else _closed(text) if is_json(text) else text[: text.rfind("\n") + 1]
    try:
        return parse(beginning.encode(), format=format)
    except UnreadableProposal:
        return None


def _closed(text: str) -> str:
    """The beginning of a JSON document up to the last list or object that ends in it, with what is open closed."""
    waiting: list[str] = []
    end, missing = 0, ""
    for token in tokens(text):
        closer = _CLOSERS.get(token.group())
        if closer:
            waiting.append(closer)
        elif token.group() in ("}", "]") and waiting:
            waiting.pop()
            end, missing = token.end(), "".join(reversed(waiting))
    return text[:end] + missing
