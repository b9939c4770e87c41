"""Fail or die at every operation of an apply and of an undo, and again at every operation of the repair."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from engine.errors import WriteFailed
from engine.workspace import Workspace
from tests.faults.harness import (
    ALL_NEW,
    ALL_OLD,
    FailingDisk,
    Features,
    Killed,
    KillingDisk,
    QuietDisk,
    Tree,
    Work,
    apply,
    assert_nothing_torn,
    assert_whole,
    outcome,
    repair,
    repaired,
    take_back,
    tree,
    workspace_at,
)

FEATURES = pytest.mark.parametrize(
    "features",
    [Features(), Features(exchange=False), Features(exchange=False, links=False)],
    ids=["exchange", "links", "copies"],
)
WORK = pytest.mark.parametrize("work", [apply, take_back])
FAULTS = pytest.mark.parametrize(
    ("code", "persistent"),
    [
        (errno.EIO, False),
        (errno.ENOSPC, False),
        (errno.EACCES, False),
        (errno.ENOSPC, True),
        (errno.EROFS, True),
        (errno.EIO, True),
    ],
)


@contextmanager
def started(root: Path, work: Work, features: Features) -> Iterator[Workspace]:
    """A workspace just before `work`: an undo needs something to undo."""
    with workspace_at(root) as workspace:
        if work is take_back:
            apply(workspace, QuietDisk(features))
        yield workspace


def killed(work: Work, workspace: Workspace, features: Features, at: int) -> bool:
    try:
        work(workspace, KillingDisk(features, at))
    except Killed:
        return True
    return False


@FEATURES
@WORK
def test_killed_at_every_operation_and_at_every_operation_of_the_repair(
    tmp_path: Path, work: Work, features: Features
) -> None:
    def dies_twice(first: int, second: int) -> tuple[bool, bool]:
        with started(tmp_path / "w", work, features) as workspace:
            once = killed(work, workspace, features, first)
            assert_nothing_torn(tmp_path / "w")
            twice = once and killed(repair, workspace, features, second)
            assert_nothing_torn(tmp_path / "w")
            repaired(workspace, features)
            return once, twice

    runs = 0
    once = True
    for first in count(1):
        twice = once
        for second in count(1):
            once, twice = dies_twice(first, second)
            runs += 1
            if not twice:
                break
        if not once:
            break
    print(f"{runs} runs")
    assert runs > 300


@FAULTS
@FEATURES
@WORK
def test_an_error_at_every_operation(
    tmp_path: Path, work: Work, features: Features, code: int, persistent: bool
) -> None:
    old, new = (ALL_NEW, ALL_OLD) if work is take_back else (ALL_OLD, ALL_NEW)
    for at in count(1):
        with started(tmp_path / "w", work, features) as workspace:
            disk = FailingDisk(features, at, code, persistent=persistent)
            error = outcome(work, workspace, disk)
            assert_nothing_torn(tmp_path / "w")
            gave_up = isinstance(error, WriteFailed) and not error.restored
            if not gave_up:
                assert files(tree(tmp_path / "w")) == files(old if error else new)
            if code == errno.ENOSPC or not persistent:
                assert not gave_up, error
            assert repaired(workspace, features) in ((old, new) if gave_up else (old,) if error else (new,))
        if disk.count < at:
            break
    print(f"{at} runs")
    assert at > 80


def files(found: Tree) -> Tree:
    return {path: content for path, content in found.items() if not path.endswith("/") and ".hunkdeck-" not in path}


@pytest.mark.parametrize("at", range(2, 60, 7))
def test_a_process_that_really_dies(tmp_path: Path, at: int) -> None:
    class ExitingDisk(KillingDisk):
        def before(self, operation: str, name: str) -> None:
            try:
                super().before(operation, name)
            except Killed:
                os._exit(0)

    with workspace_at(tmp_path / "w") as workspace:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            apply(workspace, ExitingDisk(Features(), at))
            os._exit(0)
        os.waitpid(child, 0)
        assert_nothing_torn(tmp_path / "w")
        repaired(workspace, Features())


def test_a_failed_sync_at_the_commit_point_is_not_called_applied(tmp_path: Path) -> None:
    class LyingMedium(QuietDisk):
        renamed = failed = False

        def before(self, operation: str, name: str) -> None:
            self.renamed = (operation, name) == ("rename", "journal-swapping") or (
                self.renamed and operation == "fsync"
            )

        def flush(self, fd: int) -> None:
            if self.renamed and not self.failed:
                self.failed = True
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    with workspace_at(tmp_path / "w") as workspace:
        error = outcome(apply, workspace, LyingMedium())
        assert isinstance(error, WriteFailed)
        assert (error.path, error.restored) == ("the journal", True)
        assert assert_whole(tmp_path / "w") == ALL_OLD
