"""J12 in numbers: many large files with the limit raised take no more memory than a few."""

from __future__ import annotations

import json
import resource
from pathlib import Path

from engine.model import Hunk, Proposal, TextEdit
from engine.planning import Limits, plan
from engine.planning.data import Fit
from engine.review import Accept
from engine.session import apply, decide
from engine.transaction import undo
from engine.workspace import Workspace
from tests.battery.machine import in_child
from tests.battery.slow import SLOW

pytestmark = SLOW
FILES, SIZE = 100, 10_000_000
OLD = b"0123456789abcde\n" * (SIZE // 16) + b"old\n"
MOST = 6
"""Times one file: its bytes, its text, and both once more while it is composed and told."""


def review_and_take_back(root: Path) -> None:
    """Plan all files, accept all hunks, apply, tell, undo."""
    hunks = tuple(Hunk(f"{number}.txt", TextEdit("old", "new")) for number in range(FILES))
    with Workspace(root) as workspace:
        planned = plan(Proposal("test", hunks, name="large"), workspace, limits=Limits(max_bytes=10**12))
        assert all(hunk.fit is Fit.FITS for hunk in planned.hunks)
        result = apply(planned, decide(planned, Accept(tuple(range(FILES)))), workspace)
        assert len(json.dumps(result.to_dict())) < 200_000
        assert result.transaction
        assert (root / "7.txt").read_bytes() == OLD.replace(b"old", b"new")
        undo(workspace)


def test_J12_memory_of_many_large_files(tmp_path: Path) -> None:
    """The whole way, over 1 GB."""
    for number in range(FILES):
        (tmp_path / f"{number}.txt").write_bytes(OLD)

    def work() -> None:
        start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        review_and_take_back(tmp_path)
        used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) * 1024 / SIZE
        print(f"{FILES} files of {SIZE // 1_000_000} MB: {used:.1f} times one file")
        assert used < MOST, f"{used:.0f} times one file"

    assert in_child(work) == 0
    assert all((tmp_path / f"{number}.txt").read_bytes() == OLD for number in range(0, FILES, 10))
