"""The fixture of every item of the battery."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.battery.bench import Bench
from tests.battery.rules import switch_off_as_asked

switch_off_as_asked()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    try:
        yield bench
        bench.check_invariants()
    finally:
        bench.workspace.close()
