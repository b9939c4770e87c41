"""Everything that can be known to fail is found here, before the first write: `Change`s become `Staged` steps."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from engine.disk import Disk, Metadata, Seen
from engine.errors import Conflict, PathBlocked, WriteFailed
from engine.transaction.journal import Step, displaced_name, refuse_reserved, staged_name
from engine.transaction.state import naming
from engine.workspace import Workspace

_SPECIAL_BITS = stat.S_ISUID | stat.S_ISGID


@dataclass(frozen=True, slots=True)
class Change:
    """What one file is to become."""

    path: str
    before: str | None
    """sha256 of the content that was shown; None: the file must not exist."""
    after: bytes | Callable[[], bytes] | None
    """None: delete. What would be too much to hold for all files is made when it is asked for, always the same."""
    executable: bool | None = None
    """None: as it is (a new file: not executable, or as `like` is)."""
    like: str | None = None
    """Take mode, owner and extended attributes from the file at this path (a move)."""

    def content(self) -> bytes:
        """What is to be written; nothing for a file that goes."""
        return self.after() if callable(self.after) else self.after or b""


@dataclass(frozen=True, slots=True)
class Staged:
    """A step, and what its new file is made of."""

    step: Step
    content: Callable[[], bytes]
    """Loaded when it is written, so that an undo need not hold every file in memory."""
    like: Metadata | None
    mode: int = 0o666
    size: int = 0
    """Of the content, in bytes."""


def check_changes(workspace: Workspace, changes: Sequence[Change], disk: Disk) -> list[Staged]:
    """Conflict or WriteFailed for the first file that could not be written; no-ops are left out."""
    refuse_twice(change.path for change in changes)
    gone = [change.path for change in changes if change.after is None]
    staged = []
    for change in changes:
        with naming(change.path):
            staged.append(_check(workspace, change, disk, gone))
    return [one for one in staged if (one.step.before, one.step.mode_before) != (one.step.after, one.step.mode_after)]


def check_target(workspace: Workspace, path: str, before: str | None, disk: Disk) -> Seen | None:
    """What stands at `path`, if it is what was shown and may be replaced."""
    try:
        refuse_reserved(path)
        seen = look_at(workspace, path, disk)
    except PathBlocked as blocked:
        raise Conflict(path, blocked.reason) from blocked
    if before is None and seen is not None:
        return seen
    _refuse_other_content(path, before, seen)
    if seen is not None and seen.mode & _SPECIAL_BITS:
        raise WriteFailed(path, "has the setuid or setgid bit", restored=True)
    reason = workspace.writable(path)
    if reason is not None:
        raise WriteFailed(path, reason, restored=True)
    return seen


def look_at(workspace: Workspace, path: str, disk: Disk) -> Seen | None:
    with naming(path), suppress(FileNotFoundError), workspace.parent(path) as fd:
        return disk.look(fd, path.rpartition("/")[2])
    return None


def metadata_of(workspace: Workspace, path: str, disk: Disk) -> Metadata:
    with naming(path):
        try:
            with workspace.parent(path) as fd:
                return disk.metadata(fd, path.rpartition("/")[2])
        except (FileNotFoundError, PathBlocked) as error:
            raise Conflict(path, "its mode and owner cannot be read") from error


def missing_directories(workspace: Workspace, staged: Sequence[Staged]) -> tuple[str, ...]:
    """All directories that have to be made, each before those inside it."""
    missing: dict[str, None] = {}
    for one in staged:
        if one.step.after is not None:
            missing.update(dict.fromkeys(workspace.missing_directories(one.step.path)))
    return tuple(missing)


def new_token(workspace: Workspace, path: str) -> str:
    """Names the temporary files beside `path`. Nobody can guess it; what stands there all the same is not ours."""
    with suppress(FileNotFoundError), workspace.parent(path) as fd:
        while _is_taken(fd, token := os.urandom(8).hex()):
            continue
        return token
    return os.urandom(8).hex()


def _is_taken(directory: int, token: str) -> bool:
    for name in (staged_name(token), displaced_name(token)):
        with suppress(FileNotFoundError):
            os.stat(name, dir_fd=directory, follow_symlinks=False)
            return True
    return False


def makes_way(workspace: Workspace, seen: Seen, gone: Sequence[str], disk: Disk) -> bool:
    """Where case is ignored, `A.py` finds `a.py` until that is deleted: a rename that changes only the case."""
    found = (look_at(workspace, path, disk) for path in gone)
    return any(one is not None and one.inode == seen.inode for one in found)


def refuse_twice(paths: Iterable[str]) -> None:
    met: set[str] = set()
    for path in paths:
        if path in met:
            raise Conflict(path, "is changed twice by one set of changes")
        met.add(path)


def _check(workspace: Workspace, change: Change, disk: Disk, gone: Sequence[str]) -> Staged:
    seen = check_target(workspace, change.path, change.before, disk)
    if change.before is None and seen is not None and not makes_way(workspace, seen, gone, disk):
        raise Conflict(change.path, "exists already")
    like = _metadata(workspace, change, disk)
    content = change.content()
    deleted = change.after is None
    step = Step(
        change.path,
        change.before,
        None if deleted else hashlib.sha256(content).hexdigest(),
        new_token(workspace, change.path),
        mode_before=None if change.before is None or seen is None else seen.mode,
        mode_after=None if like is None or deleted else like.mode,
    )
    return Staged(step, change.content, like, 0o777 if change.executable else 0o666, len(content))


def _refuse_other_content(path: str, before: str | None, seen: Seen | None) -> None:
    if before is None:
        return
    if seen is None:
        raise Conflict(path, "does not exist any more")
    if not seen.sha256:
        raise Conflict(path, "is not a regular file any more")
    if seen.sha256 != before:
        raise Conflict(path, "was changed since it was shown")


def _metadata(workspace: Workspace, change: Change, disk: Disk) -> Metadata | None:
    """What the new file keeps; None: it is new, and gets what new files get."""
    source = change.like or (change.path if change.before is not None else None)
    if source is None or change.after is None:
        return None
    like = metadata_of(workspace, source, disk)
    if like.mode & _SPECIAL_BITS:
        raise WriteFailed(source, "has the setuid or setgid bit", restored=True)
    if change.executable is None or change.executable == bool(like.mode & 0o111):
        return like
    return replace(like, mode=like.mode | (like.mode & 0o444) >> 2 if change.executable else like.mode & ~0o111)
