"""Every directory of tests/scenarios, played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import scenario


@pytest.mark.parametrize("name", scenario.names())
def test_scenario(name: str, tmp_path: Path) -> None:
    result = scenario.run(name, tmp_path)
    expected = scenario.HOME / name
    assert scenario.tree(tmp_path) == scenario.tree(expected / "after")
    assert result == json.loads((expected / "result.json").read_text())


def test_every_scenario_directory_is_complete() -> None:
    assert scenario.names() == sorted(path.name for path in scenario.HOME.iterdir() if path.is_dir())
