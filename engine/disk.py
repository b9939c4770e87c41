"""THE ONLY writer. Doors: `Disk` for files of the workspace, `PrivateDirectory` (and `SharedDirectory`) for our own.

Every operation is relative to an open directory descriptor and a single name, never follows a symbolic link, and calls
`Disk.before` first: that is the seam where tests make the k-th operation fail, or die there. Reading back during a
commit goes through it too. What a platform or file system lacks is found out by trying: `exchange` and `place` fall
back as their docstrings say, and `UnsupportedError` tells the caller when nothing is left to fall back to.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

from engine.errors import WorkspaceError
from engine.rename import Flag, rename_with
from engine.workspace import DIRECTORY_FLAGS, FILE_FLAGS, STATE_DIRECTORY, Workspace, read_all, xattr_names

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NOT_FOLLOWING = {"follow_symlinks": False} if os.link in os.supports_follow_symlinks else {}
_NO_HARD_LINKS = {errno.EPERM, errno.EMLINK, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class UnsupportedError(OSError):
    """The file system, or the platform, cannot do this at all."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a replaced file keeps besides its content."""

    mode: int
    uid: int
    gid: int
    xattrs: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands at a name right now."""

    sha256: str
    """Empty where it is not a regular file: equal to no content."""
    mode: int
    inode: tuple[int, int]
    nlink: int


class Disk:
    """Operations on files of the workspace. `directory` is a descriptor, a name is one path component."""

    sequential = False
    """Stage one file at a time, so that the k-th operation is the same one in every run."""
    chunk = 1 << 20
    """How much one write hands over."""

    def __init__(self, *, exchange: bool = True, links: bool = True) -> None:
        self._can_exchange = exchange
        self._can_link = links

    def before(self, operation: str, name: str) -> None:
        """Called before each operation; a test may raise here."""

    def flush(self, fd: int) -> None:
        """Onto the medium itself: macOS needs more than fsync for that."""
        if sys.platform == "darwin":
            with suppress(OSError):
                fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
                return
        os.fsync(fd)

    # ------------------------------------------------------------ reading back

    def look(self, directory: int, name: str) -> Seen | None:
        """What stands there, None for nothing. Read in chunks: a large file costs no memory."""
        self.before("look", name)
        try:
            status = os.stat(name, dir_fd=directory, follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                return Seen("", 0, (status.st_dev, status.st_ino), status.st_nlink)
            fd = os.open(name, FILE_FLAGS, dir_fd=directory)
        except FileNotFoundError:
            return None
        try:
            return _seen(fd)
        finally:
            os.close(fd)

    def metadata(self, directory: int, name: str) -> Metadata:
        self.before("metadata", name)
        fd = os.open(name, FILE_FLAGS, dir_fd=directory)
        try:
            status = os.fstat(fd)
            xattrs = tuple((key, os.getxattr(fd, key)) for key in xattr_names(fd))
            return Metadata(stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, xattrs)
        finally:
            os.close(fd)

    # ------------------------------------------------------------ writing

    def create(self, directory: int, name: str, content: bytes, *, like: Metadata | None, mode: int = 0o666) -> None:
        """A new file, complete and durable, or an error; `like` wins over `mode`, which the umask narrows."""
        self.before("create", name)
        fd = os.open(name, _NEW_FILE, mode if like is None else 0o600, dir_fd=directory)
        try:
            self._write(fd, name, content)
            if like is not None:
                self._adopt(fd, name, like)
            self.before("fsync", name)
            self.flush(fd)
        finally:
            os.close(fd)

    def fill(self, fd: int, name: str, content: bytes) -> None:
        """Write to an open file of our own, durably."""
        self._write(fd, name, content)
        self.before("fsync", name)
        self.flush(fd)

    def copy(self, source: int, name: str, directory: int, copy_name: str) -> None:
        """A second file with the same content and metadata."""
        like = self.metadata(source, name)
        self.before("read", name)
        self.create(directory, copy_name, _read(source, name) or b"", like=like)

    def rename(self, directory: int, old: str, new: str, *, to: int | None = None) -> None:
        """Move to a name of our own; whatever stood there goes."""
        self.before("rename", old)
        os.rename(old, new, src_dir_fd=directory, dst_dir_fd=directory if to is None else to)

    def exchange(self, directory: int, one: str, other: str) -> None:
        """Swap two names in one instant. UnsupportedError where the file system cannot."""
        self.before("exchange", other)
        if not self._can_exchange or not rename_with(Flag.EXCHANGE, directory, one, other):
            raise UnsupportedError(errno.ENOTSUP, "names cannot be exchanged here", other)

    def link(self, directory: int, name: str, second: str) -> None:
        """A second name for the same file. UnsupportedError where there are no hard links."""
        self.before("link", name)
        if not self._can_link:
            raise UnsupportedError(errno.EPERM, "no hard links here", name)
        try:
            os.link(name, second, src_dir_fd=directory, dst_dir_fd=directory, **_NOT_FOLLOWING)
        except OSError as error:
            if error.errno in _NO_HARD_LINKS:
                raise UnsupportedError(error.errno, "no hard links here", name) from error
            raise

    def place(self, directory: int, old: str, new: str) -> None:
        """Move to a name that must be free: FileExistsError otherwise.

        Without a rename that refuses, a hard link does; without links the name is looked at first, which leaves a
        tiny window.
        """
        self.before("place", new)
        if self._can_exchange and rename_with(Flag.NO_REPLACE, directory, old, new):
            return
        try:
            self.link(directory, old, new)
        except UnsupportedError:
            if _exists(directory, new):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new) from None
            self.rename(directory, old, new)
        else:
            self.remove(directory, old)

    def remove(self, directory: int, name: str) -> None:
        self.before("remove", name)
        os.unlink(name, dir_fd=directory)

    def make_directory(self, directory: int, name: str, *, mode: int = 0o777) -> None:
        self.before("mkdir", name)
        os.mkdir(name, mode, dir_fd=directory)

    def remove_directory(self, directory: int, name: str) -> None:
        self.before("rmdir", name)
        os.rmdir(name, dir_fd=directory)

    def sync_directory(self, directory: int) -> None:
        """Make the names in a directory durable."""
        self.before("fsync", "")
        self.flush(directory)

    def _write(self, fd: int, name: str, content: bytes) -> None:
        view = memoryview(content)
        while view:
            self.before("write", name)
            view = view[os.write(fd, view[: self.chunk]) :]

    def _adopt(self, fd: int, name: str, like: Metadata) -> None:
        """Owner first, because a change of owner clears mode bits; an attribute that cannot be kept is an error."""
        self.before("adopt", name)
        status = os.fstat(fd)
        if (status.st_uid, status.st_gid) != (like.uid, like.gid):
            _keep_owner(fd, like)
        for key, value in like.xattrs:
            _keep_xattr(fd, key, value)
        _drop_inherited(fd, {key for key, _ in like.xattrs})
        os.fchmod(fd, like.mode)


class PrivateDirectory:
    """A directory of our own (0700): whole files (0600), replaced in one instant and durable when a call returns."""

    file_mode = 0o600

    def __init__(self, fd: int, disk: Disk) -> None:
        self.fd = fd
        self.disk = disk

    @classmethod
    def open(cls, parent: int, name: str, *, disk: Disk, create: bool) -> PrivateDirectory:
        """The directory `name` below `parent`. WorkspaceError where it is a link or somebody else's."""
        try:
            fd = os.open(name, DIRECTORY_FLAGS, dir_fd=parent)
        except FileNotFoundError:
            if not create:
                raise
            with suppress(FileExistsError):  # somebody else starts here too
                disk.make_directory(parent, name, mode=0o700)
            disk.sync_directory(parent)
            fd = os.open(name, DIRECTORY_FLAGS, dir_fd=parent)
        except OSError as error:
            raise WorkspaceError(f"{name}: not a directory of hunkdeck's own ({error.strerror})") from error
        opened = cls(fd, disk)
        try:
            opened._refuse_foreign(name)
        except BaseException:
            opened.close()
            raise
        return opened

    def __enter__(self) -> PrivateDirectory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def names(self) -> list[str]:
        return sorted(os.listdir(self.fd))

    def read(self, name: str) -> bytes | None:
        """The whole file; None where nothing, or nothing regular, is there."""
        self.disk.before("read", name)
        try:
            return _read(self.fd, name)
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes, *, temporary: str | None = None) -> None:
        """Create or replace. `temporary` names the file it is written to first, for callers that hold a lock."""
        interim = temporary or f".{os.urandom(8).hex()}.tmp"
        if temporary is not None:
            self.discard(temporary)
        try:
            self.disk.create(self.fd, interim, content, like=None, mode=self.file_mode)
            self.disk.rename(self.fd, interim, name)
        except OSError:
            with suppress(OSError):
                self.discard(interim)
            raise
        self.disk.sync_directory(self.fd)

    def append(self, name: str, content: bytes) -> None:
        """Add to the end of a file that exists; durable when the call returns."""
        self.disk.before("append", name)
        fd = os.open(name, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self.fd)
        try:
            self.disk.fill(fd, name, content)
        finally:
            os.close(fd)

    def rename(self, old: str, new: str, *, to: PrivateDirectory | None = None) -> None:
        """In one instant; durable after `sync`."""
        self.disk.rename(self.fd, old, new, to=to.fd if to else None)

    def discard(self, name: str) -> None:
        """Remove a file; nothing there is fine."""
        with suppress(FileNotFoundError):
            self.disk.remove(self.fd, name)

    def sync(self) -> None:
        self.disk.sync_directory(self.fd)

    def subdirectory(self, name: str) -> PrivateDirectory:
        return PrivateDirectory.open(self.fd, name, disk=self.disk, create=True)

    def lock_file(self, name: str) -> int:
        """A descriptor to lock, of a file that stays there for good."""
        self.disk.before("open", name)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        fd = os.open(name, flags, 0o600, dir_fd=self.fd)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            raise WorkspaceError(f"{name}: not a file of hunkdeck's own")
        return fd

    def sign(self, fd: int, content: bytes) -> None:
        """Say in a lock file who holds it."""
        self.disk.before("sign", "")
        os.ftruncate(fd, 0)
        os.pwrite(fd, content, 0)

    def _refuse_foreign(self, name: str) -> None:
        """Agents may have made the directory with a wider mode: narrowed. Another owner: not ours to trust."""
        status = os.fstat(self.fd)
        if status.st_uid != os.geteuid():
            raise WorkspaceError(f"{name}: belongs to another user (uid {status.st_uid}), so it is not used")
        if stat.S_IMODE(status.st_mode) & 0o077:
            with suppress(OSError):
                self.disk.before("chmod", name)
                os.fchmod(self.fd, 0o700)


class SharedDirectory(PrivateDirectory):
    """A directory that others use too (the umask says who): modes and owners are left as they are."""

    file_mode = 0o666

    def subdirectory(self, name: str) -> SharedDirectory:
        with suppress(FileExistsError):
            self.disk.make_directory(self.fd, name)
            self.sync()
        return SharedDirectory(os.open(name, DIRECTORY_FLAGS, dir_fd=self.fd), self.disk)


def open_state(workspace: Workspace, *, disk: Disk, create: bool) -> PrivateDirectory | None:
    """hunkdeck's own directory in the workspace; None where it does not exist and is not to be created."""
    try:
        return PrivateDirectory.open(workspace.fd, STATE_DIRECTORY, disk=disk, create=create)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WorkspaceError(f"{STATE_DIRECTORY}: cannot be made ({error.strerror})") from error


# ---------------------------------------------------------------- details


def _keep_owner(fd: int, like: Metadata) -> None:
    try:
        os.fchown(fd, like.uid, like.gid)
    except OSError as error:
        raise OSError(error.errno, f"its owner cannot be kept ({error.strerror})") from error


def _keep_xattr(fd: int, key: str, value: bytes) -> None:
    with suppress(OSError):
        if os.getxattr(fd, key) == value:
            return
    try:
        os.setxattr(fd, key, value)
    except OSError as error:
        message = f"the extended attribute {key} cannot be kept ({error.strerror})"
        raise OSError(error.errno, message) from error


def _drop_inherited(fd: int, kept: set[str]) -> None:
    """A default ACL of the directory must not open a file to others that was not open to them before."""
    for key in xattr_names(fd):
        if key not in kept and not key.startswith("security."):
            os.removexattr(fd, key)


def _seen(fd: int) -> Seen:
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        return Seen("", 0, (status.st_dev, status.st_ino), status.st_nlink)
    digest = hashlib.sha256()
    while chunk := os.read(fd, 1 << 20):
        digest.update(chunk)
    return Seen(digest.hexdigest(), stat.S_IMODE(status.st_mode), (status.st_dev, status.st_ino), status.st_nlink)


def _read(directory: int, name: str) -> bytes | None:
    fd = os.open(name, FILE_FLAGS, dir_fd=directory)
    try:
        status = os.fstat(fd)
        return read_all(fd, status.st_size) if stat.S_ISREG(status.st_mode) else None
    finally:
        os.close(fd)


def _exists(directory: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
