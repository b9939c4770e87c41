"""What all-or-nothing costs: applying 100 files, against a plain loop of write, fsync, rename over the same files.

The plain loop keeps each single file whole but gives no promise about the set, and no undo. Run:

    python -m benchmarks.transaction
"""

from __future__ import annotations

import hashlib
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from engine.disk import Disk
from engine.transaction import Change, commit
from engine.workspace import Workspace

FILES = 100
ROUNDS = 7
DELAY = 0.005


class SlowDisk(Disk):
    """A medium that takes 5 ms for every sync."""

    def flush(self, fd: int) -> None:
        time.sleep(DELAY)
        super().flush(fd)


def contents(generation: int) -> dict[str, bytes]:
    return {f"dir{n % 10}/file{n}.py": f"line {generation}\n".encode() * 200 for n in range(FILES)}


def plain_loop(root: Path, flush: Callable[[int], None]) -> None:
    for path, content in contents(1).items():
        temporary = root / f"{path}.tmp"
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            flush(file.fileno())
        os.rename(temporary, root / path)


def transaction(root: Path, disk: Disk) -> None:
    old = contents(0)
    changes = [Change(path, hashlib.sha256(old[path]).hexdigest(), new) for path, new in contents(1).items()]
    with Workspace(root) as workspace:
        commit(workspace, changes, proposal="benchmark", disk=disk)


def measured(work: Callable[[Path], None], parent: Path) -> float:
    root = parent / "workspace"
    for path, content in contents(0).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    os.sync()
    start = time.perf_counter()
    work(root)
    elapsed = time.perf_counter() - start
    shutil.rmtree(root)
    return elapsed


def compare(title: str, disk: Disk, parent: Path) -> float:
    plain, whole = [], []
    for _ in range(ROUNDS):
        plain.append(measured(lambda root: plain_loop(root, disk.flush), parent))
        whole.append(measured(lambda root: transaction(root, disk), parent))
    ratio = statistics.median(whole) / statistics.median(plain)
    times = f"{statistics.median(plain) * 1000:6.1f} ms plain, {statistics.median(whole) * 1000:6.1f} ms transaction"
    print(f"{title:24} {times}, ratio {ratio:.2f}")
    return ratio


def main() -> int:
    with tempfile.TemporaryDirectory() as directory:
        as_is = compare("real fsync", Disk(), Path(directory))
        delayed = compare("fsync delayed by 5 ms", SlowDisk(), Path(directory))
    return 0 if as_is <= 2 and delayed <= 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
