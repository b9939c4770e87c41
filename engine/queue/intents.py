"""Intents as JSON. Bulk intents are written as what they decided: replayed later, they could choose other hunks."""

from __future__ import annotations

from typing import Any

from engine.bulk import bulk_choice, open_hunks
from engine.planning.data import ReviewPlan
from engine.review import (
    Accept,
    AcceptAll,
    AcceptParts,
    Comment,
    Confirm,
    DecidePart,
    Edit,
    Intent,
    Lines,
    Place,
    Redo,
    Reject,
    RejectAll,
    Reopen,
    ReviewState,
    Undo,
)

_KINDS: dict[str, type[Intent]] = {
    "accept": Accept,
    "accept_parts": AcceptParts,
    "decide_part": DecidePart,
    "reject": Reject,
    "edit": Edit,
    "comment": Comment,
    "confirm": Confirm,
    "place": Place,
    "reopen": Reopen,
    "undo": Undo,
    "redo": Redo,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def spelled_out(plan: ReviewPlan, state: ReviewState, intent: Intent) -> Intent:
    """The same step without bulk: the hunks that it decides, by number."""
    match intent:
        case AcceptAll(path, by, unfit_too):
            taken, _ = bulk_choice(plan, state, path, unfit_too=unfit_too)
            return Accept(tuple(taken), by)
        case RejectAll(path, comment):
            hunks = tuple(hunk.index for hunk in open_hunks(plan, state, path) if hunk.index not in state.parts)
            return Reject(hunks, comment)
    return intent


def hunks_of(intent: Intent) -> tuple[int, ...]:
    """The hunks that an intent names."""
    match intent:
        case Accept() | Reject() | Reopen():
            return intent.hunks
        case AcceptParts() | DecidePart() | Edit() | Place():
            return (intent.hunk,)
        case Comment(int(hunk), _):
            return (hunk,)
    return ()


def renumbered(intent: Intent, numbers: dict[int, int]) -> Intent | None:
    """The intent for hunks that have other numbers now; None where none of them is left."""
    left = tuple(numbers[hunk] for hunk in hunks_of(intent) if hunk in numbers)
    if not left and hunks_of(intent):
        return None
    match intent:
        case Accept() | Reject() | Reopen():
            return intent._replace(hunks=left)
        case AcceptParts() | DecidePart() | Edit() | Place():
            return intent._replace(hunk=left[0])
        case Comment(int(), _):
            return intent._replace(hunk=left[0])
    return intent


def to_dict(intent: Intent) -> dict[str, Any]:
    """What is written; bulk intents have to be spelled out before."""
    fields = intent._asdict()
    if isinstance(intent, AcceptParts | DecidePart):
        fields["parts"] = sorted(intent.parts)
    return {"kind": _NAMES[type(intent)], **fields}


def from_dict(told: dict[str, Any]) -> Intent:
    """The intent again. ValueError, KeyError or TypeError where it is none."""
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in told.items()}
    kind = _KINDS[fields.pop("kind")]
    if kind in (AcceptParts, DecidePart):
        fields["parts"] = frozenset(fields["parts"])
    if kind is Place:
        fields["lines"] = Lines(*fields["lines"])
    return kind(**fields)
