"""The list of items and the tests belong together: none is missing, none is named after an item that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.battery.report import SPECIFICATION, items
from tests.battery.rules import RULES, points

NAMED = re.compile(r"^def test_([A-J]\d\d)_", re.MULTILINE)


def test_every_item_has_a_test_or_a_reason() -> None:
    wanted = items()
    if wanted is None:
        pytest.skip(f"{SPECIFICATION.name} is not here")
    assert len(wanted) == len(set(wanted)) == 203
    files = Path(__file__).parent.rglob("test_*.py")
    tested = {item for file in files for item in NAMED.findall(file.read_text(encoding="utf-8"))}
    assert sorted(set(wanted) - tested) == []
    assert sorted(tested - set(wanted)) == []


def test_rules_name_items_that_are_tested() -> None:
    files = Path(__file__).parent.rglob("test_*.py")
    tested = {item for file in files for item in NAMED.findall(file.read_text(encoding="utf-8"))}
    assert {item for rule in RULES.values() for item in rule.items.split()} <= tested


@pytest.mark.parametrize("name", RULES)
def test_rules_are_where_they_are_said_to_be(name: str) -> None:
    assert all(hasattr(owner, attribute) for owner, attribute in points(RULES[name]))
