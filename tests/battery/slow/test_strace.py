"""I01 and I03 below the seam: strace kills the process, or makes a call fail, at the k-th call of each kind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.transaction import recover
from tests.battery.command import PROJECT
from tests.battery.slow import SLOW
from tests.faults.harness import ALL_NEW, ALL_OLD, assert_nothing_torn, assert_whole, tree, workspace_at
from tests.faults.test_every_operation import files

pytestmark = SLOW
CALLS = ["openat", "write", "fsync", "renameat", "renameat2", "unlinkat", "mkdirat", "fchmod"]
COMMIT = """
import sys
from engine.disk import Disk
from engine.errors import HunkdeckError
from engine.workspace import Workspace
from tests.faults.harness import apply
disk = Disk()
disk.sequential = True
with Workspace(sys.argv[1]) as workspace:
    print("started", flush=True)
    try:
        apply(workspace, disk)
        print("applied")
    except HunkdeckError as error:
        print("failed", error)
"""


def injected(root: Path, call: str, fault: str, at: int, *, log: Path = Path(os.devnull)) -> str:
    """What the process said; empty where it did not even begin."""
    inject = f"inject={call}:{fault}:when={at}"
    command = ["strace", "-f", "-o", str(log), "-e", f"trace={call}", "-e", inject]
    done = subprocess.run(
        [*command, sys.executable, "-c", COMMIT, root], cwd=PROJECT, capture_output=True, timeout=60, check=False
    )
    return done.stdout.decode()


def first_of_interest(directory: Path, call: str) -> range:
    """The calls behind the interpreter's start: found by halving, since a kill before it says nothing."""
    low, high = 1, 4096
    while low < high:
        middle = (low + high) // 2
        with workspace_at(directory / "w"):
            said = injected(directory / "w", call, "signal=KILL", middle)
        if said:
            high = middle
        else:
            low = middle + 1
    return range(low, low + 60)


def sweep(directory: Path, call: str, fault: str) -> Iterator[str]:
    for at in first_of_interest(directory, call):
        with workspace_at(directory / "w") as workspace:
            said = injected(directory / "w", call, fault, at)
            assert_nothing_torn(directory / "w")
            if "failed" in said:
                assert files(tree(directory / "w")) == files(ALL_OLD)
            recover(workspace)
            found = assert_whole(directory / "w")
            if "applied" in said:
                assert found == ALL_NEW
        yield said
        if said.endswith("applied\n") and fault.startswith("signal"):
            return


@pytest.mark.parametrize("call", CALLS)
def test_I01_killed_by_strace(tmp_path: Path, call: str) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not here")
    assert list(sweep(tmp_path, call, "signal=KILL"))


@pytest.mark.parametrize("call", ["write", "fsync", "renameat2", "unlinkat"])
def test_I03_error_by_strace(tmp_path: Path, call: str) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not here")
    assert list(sweep(tmp_path, call, "error=EIO"))
