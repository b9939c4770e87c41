"""The person's files, READ only. Nothing here writes, and nothing here follows a symbolic link.

The root is resolved and opened once; from then on every path is walked from that descriptor, one component at a time,
with `O_DIRECTORY | O_NOFOLLOW`. Comparing real paths would not be containment: a directory can be swapped for a link
between the comparison and the use. Paths are canonical and relative (`a/b.py`); bytes that are not UTF-8 travel as
surrogate escapes.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType

from engine.errors import PathBlocked, WorkspaceError

STATE_DIRECTORY = ".hunkdeck"
"""Our own directory in the workspace."""
DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
LONGEST_PATH = 4096
LONGEST_NAME = 255
_CHUNK = 1 << 20
_KINDS = {
    stat.S_IFLNK: "is a symbolic link",
    stat.S_IFDIR: "is a directory",
    stat.S_IFIFO: "is a named pipe (FIFO)",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}
_LABELS_EVERY_FILE_HAS = {"security.selinux"}


@dataclass(frozen=True, slots=True)
class Stat:
    """What a regular file is, without its content."""

    path: str
    size: int
    mode: int
    """Permission bits."""
    nlink: int
    uid: int
    gid: int
    xattrs: bool


@dataclass(frozen=True, slots=True)
class Found:
    """One regular file, read once."""

    path: str
    data: bytes
    sha256: str
    mode: int
    """Permission bits."""
    nlink: int
    uid: int
    gid: int
    xattrs: bool


class Workspace:
    """A directory tree below one open descriptor."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = os.path.realpath(root)
        """The real path, resolved once: for people to read. Files are reached through `fd`."""
        _refuse_broad_root(self.root)
        try:
            self.fd = os.open(self.root, DIRECTORY_FLAGS)
        except OSError as error:
            raise WorkspaceError(f"{self.root}: not a directory that can be opened ({error.strerror})") from error

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def read(self, path: str, *, max_bytes: int | None = None) -> Found | None:
        """The file's bytes and what they hash to; None where nothing is there."""
        with self._file(path) as fd:
            if fd is None:
                return None
            status = os.fstat(fd)
            _refuse_size(path, status.st_size, max_bytes)
            data = read_all(fd, status.st_size, max_bytes)
            _refuse_size(path, len(data), max_bytes)
            digest = hashlib.sha256(data).hexdigest()
            mode = stat.S_IMODE(status.st_mode)
            return Found(path, data, digest, mode, status.st_nlink, status.st_uid, status.st_gid, has_xattrs(fd))

    def stat(self, path: str) -> Stat | None:
        """Size and permissions without reading a byte; None where nothing is there."""
        with self._file(path) as fd:
            if fd is None:
                return None
            status = os.fstat(fd)
            mode = stat.S_IMODE(status.st_mode)
            return Stat(path, status.st_size, mode, status.st_nlink, status.st_uid, status.st_gid, has_xattrs(fd))

    def writable(self, path: str) -> str | None:
        """Why no file can be created or replaced at `path`, None if it can; its directories may not exist yet."""
        try:
            check_path(path)
            if any(len(os.fsencode(part)) > LONGEST_NAME for part in path.split("/")):
                return "the name is too long"
            with self._deepest_directory(path) as (fd, existing):
                return _why_not_writable(fd, existing)
        except PathBlocked as blocked:
            return blocked.reason

    def entries(self, directory: str) -> list[str]:
        """The names in a directory (`""`: the root), in order; none where it does not exist."""
        try:
            with self.directory(directory) as fd:
                return sorted(os.listdir(fd))
        except FileNotFoundError:
            return []

    def missing_directories(self, path: str) -> list[str]:
        """The directories that have to be made before a file can stand at `path`, outermost first."""
        check_path(path)
        with self._deepest_directory(path) as (_, existing):
            parts = path.split("/")[:-1]
            return ["/".join(parts[: count + 1]) for count in range(existing, len(parts))]

    @contextmanager
    def directory(self, path: str, *, wanted: str | None = None) -> Iterator[int]:
        """An open descriptor of a directory (`""`: the root). FileNotFoundError where it is missing.

        `wanted` is the path that an error should name.
        """
        if path:
            check_path(path)
        fd = os.dup(self.fd)
        try:
            for part in path.split("/") if path else []:
                fd = _step_down(fd, part, wanted or path)
            yield fd
        finally:
            os.close(fd)

    def parent(self, path: str) -> AbstractContextManager[int]:
        """An open descriptor of the directory that `path` is in."""
        return self.directory(path.rpartition("/")[0], wanted=path)

    def still_there(self) -> bool:
        """The path that people know still leads to the directory that was opened."""
        try:
            return os.path.samestat(os.stat(self.root), os.fstat(self.fd))
        except OSError:
            return False

    @contextmanager
    def _deepest_directory(self, path: str) -> Iterator[tuple[int, int]]:
        """The innermost directory of `path` that exists, and how many components lead to it."""
        fd, existing = os.dup(self.fd), 0
        try:
            for part in path.split("/")[:-1]:
                try:
                    fd = _step_down(fd, part, path)
                except FileNotFoundError:
                    break
                existing += 1
            yield fd, existing
        finally:
            os.close(fd)

    @contextmanager
    def _file(self, path: str) -> Iterator[int | None]:
        """An open descriptor of a regular file, None where nothing is there."""
        check_path(path)
        fd: int | None = None
        try:
            with suppress(FileNotFoundError), self.parent(path) as directory:
                fd = open_regular(directory, path.rpartition("/")[2], path)
            yield fd
        finally:
            if fd is not None:
                os.close(fd)


def check_path(path: str) -> None:
    """Refuse what is not the canonical spelling of a path below the root; looks at the string only."""
    if "\0" in path:
        raise PathBlocked(path, "the path contains a NUL character")
    try:
        length = len(os.fsencode(path))
    except UnicodeEncodeError:
        raise PathBlocked(path, "the path cannot be encoded as a file name") from None
    if length > LONGEST_PATH:
        raise PathBlocked(path, "the path is too long")
    if any(part in ("", ".", "..") for part in path.split("/")):
        raise PathBlocked(path, "not a path inside the workspace")


def open_regular(directory: int, name: str, path: str) -> int:
    """A descriptor of the regular file `name`; PathBlocked for anything else (`path` is for the message).

    The kind is looked at before opening, because opening a device can have effects, and again afterwards, because
    the name may have changed hands in between.
    """
    try:
        _refuse_kind(path, os.stat(name, dir_fd=directory, follow_symlinks=False))
        fd = os.open(name, FILE_FLAGS, dir_fd=directory)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise PathBlocked(path, _why(error)) from error
    try:
        _refuse_kind(path, os.fstat(fd))
    except BaseException:
        os.close(fd)
        raise
    return fd


def has_xattrs(fd: int) -> bool:
    """The file carries extended attributes of its own (an ACL, for instance)."""
    return any(name not in _LABELS_EVERY_FILE_HAS for name in xattr_names(fd))


def xattr_names(fd: int) -> list[str]:
    if not hasattr(os, "listxattr"):
        return []
    try:
        return os.listxattr(fd)
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS):
            return []
        raise


def _step_down(fd: int, part: str, path: str) -> int:
    """Open `part` below `fd` and close `fd`, which stays open if that fails."""
    try:
        inner = os.open(part, DIRECTORY_FLAGS, dir_fd=fd)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise PathBlocked(path, _why_no_directory(fd, part, error)) from error
    os.close(fd)
    return inner


def _why_no_directory(fd: int, part: str, error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        with suppress(OSError):
            if stat.S_ISLNK(os.stat(part, dir_fd=fd, follow_symlinks=False).st_mode):
                return "lies beyond a symbolic link"
        return "a parent of it is a file, not a directory"
    return _why(error)


def _why(error: OSError) -> str:
    known = {errno.ELOOP: _KINDS[stat.S_IFLNK], errno.ENAMETOOLONG: "the name is too long"}
    return known.get(error.errno or 0) or (error.strerror or "cannot be opened").lower()


def _why_not_writable(directory: int, existing: int) -> str | None:
    what = "its directory" if existing else "the workspace directory"
    if os.fstatvfs(directory).f_flag & os.ST_RDONLY:
        return f"{what} is on a read-only file system"
    effective = os.access in os.supports_effective_ids
    if not os.access(".", os.W_OK | os.X_OK, dir_fd=directory, effective_ids=effective):
        return f"{what} is not writable"
    return None


def why_not_regular(mode: int) -> str | None:
    """`is a symbolic link` and the like; None for a regular file."""
    kind = stat.S_IFMT(mode)
    return None if kind == stat.S_IFREG else _KINDS.get(kind, "is not a regular file")


def _refuse_kind(path: str, status: os.stat_result) -> None:
    reason = why_not_regular(status.st_mode)
    if reason:
        raise PathBlocked(path, reason)


def _refuse_size(path: str, size: int, max_bytes: int | None) -> None:
    if max_bytes is not None and size > max_bytes:
        raise PathBlocked(path, f"too large: {size:,} bytes, the limit is {max_bytes:,}")


def read_all(fd: int, size: int, max_bytes: int | None = None) -> bytes:
    """To the end of the file, but never much beyond the limit, however the file grows meanwhile."""
    chunks: list[bytes] = []
    total = 0
    while chunk := os.read(fd, max(_CHUNK, size + 1 - total)):
        chunks.append(chunk)
        total += len(chunk)
        if max_bytes is not None and total > max_bytes:
            break
    return b"".join(chunks)


def _refuse_broad_root(root: str) -> None:
    if root == os.path.realpath("/"):
        raise WorkspaceError("/: the whole file system is not a workspace; choose the directory of one project")
    if root == os.path.realpath(os.path.expanduser("~")):
        raise WorkspaceError(f"{root}: the home directory is not a workspace; choose the directory of one project")
    if STATE_DIRECTORY in root.split("/"):
        raise WorkspaceError(f"{root}: this is hunkdeck's own state, not a workspace")
