"""Policies on the desk: they decide once, when a proposal (or a revision of it) is planned, and are journalled."""

from __future__ import annotations

from collections.abc import Sequence

from engine.policy import Policy, only_policy_decided, policy_intents
from engine.queue.decisions import Decided
from engine.queue.item import Item


def decide_by_policy(item: Item, policies: Sequence[Policy]) -> bool:
    """Decide what the policies decide; True where that is everything, so that nobody has to see it.

    Once anything was decided, by a person or by policy, the rest is the person's: what they open again stays open.
    """
    if item.plan is None or item.finished or any(isinstance(entry, Decided) for entry in item.journal.current):
        return False
    for intent in policy_intents(item.plan, item.state, policies):
        item.act(intent)
    return only_policy_decided(item.plan, item.state)
