"""One set of changes, a disk that fails or dies at its k-th operation, and what must hold afterwards."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.errors import HunkdeckError
from engine.transaction import Change, commit, recover, undo
from engine.workspace import Workspace

Tree = dict[str, tuple[bytes, int]]
"""Path → content and mode; a directory ends in `/`."""

OLD: Tree = {
    "edited.py": (b"the old text of it\n" * 30, 0o640),
    "deleted.py": (b"going away soon\n" * 30, 0o644),
    "moved.sh": (b"#!/bin/sh\n" + b"echo moved\n" * 50, 0o755),
    "kept/other.py": (b"nobody touches this\n" * 30, 0o600),
}
NEW: Tree = {
    "edited.py": (b"the new and longer text of it\n" * 30, 0o640),
    "created.py": (b"never seen before\n" * 30, 0o644),
    "made/on/the way.py": (b"in a new directory\n" * 30, 0o644),
    "kept/renamed.sh": (b"#!/bin/sh\n" + b"echo moved\n" * 50, 0o755),
    "kept/other.py": (b"nobody touches this\n" * 30, 0o600),
}
NEEDS_SPACE = {"create", "write", "mkdir", "adopt"}
READS_ONLY = {"look", "read", "metadata"}


class Killed(BaseException):
    """The process is gone: nobody may catch this to tidy up."""


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


CHANGES = [
    Change("edited.py", digest(OLD["edited.py"][0]), NEW["edited.py"][0]),
    Change("created.py", None, NEW["created.py"][0]),
    Change("made/on/the way.py", None, NEW["made/on/the way.py"][0]),
    Change("deleted.py", digest(OLD["deleted.py"][0]), None),
    Change("moved.sh", digest(OLD["moved.sh"][0]), None),
    Change("kept/renamed.sh", None, NEW["kept/renamed.sh"][0], like="moved.sh"),
]


@dataclass(frozen=True, slots=True)
class Features:
    """What the file system can do."""

    exchange: bool = True
    links: bool = True


class QuietDisk(Disk):
    """Counts operations, writes in small pieces, and does not wait for the medium."""

    sequential = True
    chunk = 500

    def __init__(self, features: Features = Features()) -> None:
        super().__init__(exchange=features.exchange, links=features.links)
        self.count = 0

    def before(self, operation: str, name: str) -> None:
        self.count += 1

    def flush(self, fd: int) -> None:
        pass


class KillingDisk(QuietDisk):
    """Dies before the k-th change. What only reads or syncs is not counted: dying there leaves the same disk."""

    def __init__(self, features: Features, at: int) -> None:
        super().__init__(features)
        self.at = at

    def before(self, operation: str, name: str) -> None:
        if operation in READS_ONLY or operation == "fsync":
            return
        super().before(operation, name)
        if self.count == self.at:
            raise Killed


@contextmanager
def dying_disk(monkeypatch: pytest.MonkeyPatch, at: int) -> Iterator[Callable[[], int]]:
    """Every disk dies before its operation number `at`; gives the count so far."""
    count = 0

    def before(disk: Disk, operation: str, name: str) -> None:
        nonlocal count
        if operation in READS_ONLY or operation == "fsync":  # dying there leaves the same disk
            return
        count += 1
        if count >= at:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "before", before)
        patch.setattr(Disk, "sequential", True)
        patch.setattr(Disk, "chunk", 2_000)
        yield lambda: count


class FailingDisk(QuietDisk):
    def __init__(self, features: Features, at: int, code: int, *, persistent: bool) -> None:
        super().__init__(features)
        self.at, self.code, self.persistent = at, code, persistent

    def before(self, operation: str, name: str) -> None:
        super().before(operation, name)
        if (self.count == self.at or (self.persistent and self.count > self.at)) and self._concerns(operation, name):
            raise OSError(self.code, os.strerror(self.code), name)

    def _concerns(self, operation: str, name: str) -> bool:
        if self.code == errno.ENOSPC and self.persistent:
            return operation in NEEDS_SPACE or (operation == "fsync" and name != "")
        return self.code != errno.EROFS or operation not in READS_ONLY


def tree(root: Path) -> Tree:
    """Everything but our state, temporary files included."""
    found: Tree = {}
    for directory, names, files in os.walk(root):
        if ".hunkdeck" in names:
            names.remove(".hunkdeck")
        for name in files:
            path = Path(directory, name)
            found[str(path.relative_to(root))] = (path.read_bytes(), stat.S_IMODE(path.lstat().st_mode))
        for name in names:
            found[str(Path(directory, name).relative_to(root)) + "/"] = (b"", 0)
    return found


def with_directories(files: Tree) -> Tree:
    directories = {parent.as_posix() + "/": (b"", 0) for path in files for parent in Path(path).parents[:-1]}
    return {**files, **directories}


ALL_OLD, ALL_NEW = with_directories(OLD), with_directories(NEW)


@contextmanager
def workspace_at(root: Path) -> Iterator[Workspace]:
    """A fresh workspace with the old files."""
    for path, (content, mode) in OLD.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
        (root / path).chmod(mode)
    try:
        with Workspace(root) as workspace:
            yield workspace
    finally:
        shutil.rmtree(root)


def apply(workspace: Workspace, disk: Disk) -> None:
    commit(workspace, CHANGES, proposal="five files", disk=disk)


def take_back(workspace: Workspace, disk: Disk) -> None:
    undo(workspace, disk=disk)


Work = Callable[[Workspace, Disk], object]


def repair(workspace: Workspace, disk: Disk) -> None:
    recover(workspace, disk=disk)


def outcome(work: Work, workspace: Workspace, disk: Disk) -> HunkdeckError | None:
    """Ordinary failures as values; `Killed` goes through."""
    try:
        work(workspace, disk)
    except HunkdeckError as error:
        return error
    return None


def assert_nothing_torn(root: Path) -> None:
    """Whatever happened: each file is entirely old or entirely new, and everything else is a temporary of ours."""
    for path, content in tree(root).items():
        allowed = [ALL_OLD.get(path), ALL_NEW.get(path)]
        assert content in allowed or Path(path).name.startswith(".hunkdeck-"), (path, content)


def assert_whole(root: Path) -> Tree:
    """All old or all new, and nothing of ours left lying about."""
    found = tree(root)
    assert found in (ALL_OLD, ALL_NEW), found
    state = root / ".hunkdeck"
    if state.exists():
        assert set(os.listdir(state)) <= {".gitignore", "id", "lock", "history"}
    return found


def repaired(workspace: Workspace, features: Features) -> Tree:
    """After the next start."""
    recover(workspace, disk=QuietDisk(features))
    found = assert_whole(Path(workspace.root))
    assert recover(workspace, disk=QuietDisk(features)) == ()
    return found
