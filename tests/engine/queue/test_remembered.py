"""A result that was read from its own JSON says the same again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.queue.rebase import LineMap
from engine.queue.remembered import from_dict

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


@pytest.mark.parametrize("file", sorted(SCENARIOS.glob("*/result.json")), ids=lambda file: file.parent.name)
def test_every_result_of_the_scenarios(file: Path) -> None:
    told = json.loads(file.read_text())
    told.setdefault("digest", "sha256:00")
    assert from_dict(told, failures_open=not told["final"]).to_dict() == told


DIFF = """--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,4 @@
 one
-two
+2
+2b
 three
@@ -10,2 +11 @@
--- ten
 eleven
@@ -20,0 +21,2 @@
+x
++++ y
"""


@pytest.mark.parametrize(
    ("old", "new"), [(0, 0), (1, 1), (2, 2), (3, 4), (9, 10), (11, 11), (20, 20), (21, 23), (99, 101)]
)
def test_lines_are_followed_through_a_diff(old: int, new: int) -> None:
    assert LineMap(DIFF).now(old) == new
