"""Structural rewrites are expanded once: the numbers that a person and the agent know must not change afterwards.

In the journal an expanded proposal is a list: a number stands for a hunk as it was sent, an object for what a rewrite
became.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from engine.model import Code, Hunk, Op, Proposal, TextEdit, Unsupported


def expansion(sent: Proposal, expanded: Proposal) -> tuple[int | dict[str, Any], ...]:
    """What tells `expanded` from `sent`; nothing where there was nothing to expand."""
    if sent.hunks == expanded.hunks:
        return ()
    numbers = {id(hunk): number for number, hunk in enumerate(sent.hunks)}
    return tuple(numbers[id(hunk)] if id(hunk) in numbers else asdict(hunk) for hunk in expanded.hunks)


def expanded_again(sent: Proposal, told: tuple[int | dict[str, Any], ...]) -> Proposal:
    """The proposal with the hunks that were shown."""
    return replace(sent, hunks=tuple(sent.hunks[one] if isinstance(one, int) else _hunk(one) for one in told))


def _hunk(told: dict[str, Any]) -> Hunk:
    return Hunk(**{**told, "op": _op(told["op"]), "notes": tuple(told["notes"])})


def _op(told: dict[str, Any]) -> Op:
    if "reason" in told:
        return Unsupported(told["reason"], Code(told["code"]))
    return TextEdit(**{**told, "scopes": tuple(told["scopes"])})
