"""The person's policies, from `[[policy]]` tables of their own configuration file.

    [[policy]]
    decide = "accept"            # or "reject"
    paths = ["docs/**/*.md"]     # a pattern without / is a file's name in any directory
    match = ["exact", "close"]   # also: "approximate", "none" (does not fit at all)
    max_lines = 20               # removed and added together; min_lines is the other end
    reason = "…"                 # what the agent is told about what is rejected

A table with anything in it that is not understood is not used at all: half a rule would decide too much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.policy import Policy, Quality
from engine.review import Verdict

_NEVER_ACCEPTED = {Quality.APPROXIMATE, Quality.NONE}


def policies_from(tables: Any, complaints: list[str]) -> tuple[Policy, ...]:
    """The rules that can be used; why the others cannot is added to `complaints`."""
    rules = []
    for number, table in enumerate(tables if isinstance(tables, list) else [tables], 1):
        try:
            rules.append(_policy(table))
        except ValueError as problem:
            complaints.append(f"config.toml: policy {number} is not used: {problem}")
    return tuple(rules)


def _policy(table: Any) -> Policy:
    if not isinstance(table, Mapping):
        raise ValueError("write it as a table, [[policy]]")
    for name, value in table.items():
        if name not in _CHECKS or not _CHECKS[name](value):
            raise ValueError(f"{name} = {value!r} is not understood")
    if "decide" not in table:
        raise ValueError('it does not say decide = "accept" or "reject"')
    if not table.keys() & {"paths", "match", "max_lines", "min_lines"}:
        raise ValueError("it has no condition, so it would decide about everything")
    rule = Policy(
        Verdict(table["decide"]),
        tuple(_listed(table.get("paths", "**"))),
        frozenset(map(Quality, _listed(table.get("match", list(Quality))))),
        table.get("max_lines"),
        table.get("min_lines"),
        table.get("reason"),
    )
    if rule.verdict is Verdict.ACCEPT and "match" in table and rule.match <= _NEVER_ACCEPTED:
        raise ValueError("a policy never accepts what is found only approximately, or not at all")
    return rule


def _listed(value: Any) -> list[str]:
    return list(value) if isinstance(value, list) else [value]


def _are_patterns(value: Any) -> bool:
    found = _listed(value)
    return bool(found) and all(isinstance(one, str) and one and not one.startswith("/") for one in found)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "decide": lambda value: value in list(Verdict),
    "paths": _are_patterns,
    "match": lambda value: bool(_listed(value)) and all(one in list(Quality) for one in _listed(value)),
    "max_lines": _is_size,
    "min_lines": _is_size,
    "reason": lambda value: isinstance(value, str) and bool(value),
}
