"""The proposal directory: agents put proposals in, verdicts appear beside them, finished ones move to `done/`.

NAME.json, NAME.patch, …    a proposal; read once, no link followed, nothing but a regular file
NAME.result.json            the answer, whole or not there at all
done/NAME.json, done/NAME.result.json

Where two proposals differ only in their ending, each is called by its whole file name, unless it had a name before.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

from engine.disk import Disk, PrivateDirectory, SharedDirectory, open_state
from engine.errors import PathBlocked, UnreadableProposal, WorkspaceError
from engine.formats.limits import Limits
from engine.queue.records import Records, stamp_of
from engine.workspace import STATE_DIRECTORY, Workspace, open_regular, read_all, why_not_regular

DEFAULT_QUEUE = "queue"
RESULT = ".result.json"
ENDINGS = (".json", ".patch", ".diff", ".md", ".txt")


@dataclass(frozen=True, slots=True)
class Waiting:
    """One proposal in the directory, not read yet."""

    file: str
    name: str
    """NAME: what people and the answer call it."""
    modified: float = 0.0
    version: str = ""
    """Differs whenever the bytes may differ."""


class ProposalDirectory:
    """One directory of proposals."""

    def __init__(self, path: str, opened: PrivateDirectory) -> None:
        self.path = path
        """For people, and to know a proposal again."""
        self.opened = opened
        self.records = Records(opened)

    def close(self) -> None:
        self.records.close()
        self.opened.close()

    def is_there(self) -> bool:
        """The path still leads to the directory that was opened."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self.opened.fd))
        except OSError:
            return False

    def waiting(self) -> list[Waiting]:
        """What lies there, the oldest first."""
        with os.scandir(self.opened.fd) as entries:
            found = sorted(_modified(entry) for entry in entries if _is_proposal(entry.name))
        found = [(when, name, version) for when, name, version in found if version]
        many = Counter(os.path.splitext(name)[0] for _, name, _ in found)
        return [Waiting(name, self._called(name, many), when / 1e9, version) for when, name, version in found]

    def ignored(self) -> list[str]:
        """What is called like a proposal and is none, with the reason: nothing but regular files is ever opened."""
        notes = []
        with os.scandir(self.opened.fd) as entries:
            for entry in entries:
                if _is_proposal(entry.name) and not entry.is_file(follow_symlinks=False):
                    with suppress(FileNotFoundError):
                        notes.append(f"{entry.name}: {why_not_regular(entry.stat(follow_symlinks=False).st_mode)}")
        return sorted(notes)

    def _called(self, file: str, many: Counter[str]) -> str:
        """NAME, or the whole file name where there are several; what it was called first it is called for good."""
        stem = os.path.splitext(file)[0]
        if self._owns(file, file):
            return file
        return stem if many[stem] == 1 or self._owns(stem, file) else file

    def _owns(self, name: str, file: str) -> bool:
        record = self.records.glance(name)
        return record is not None and not record.closed and record.file == file

    def read(self, file: str) -> bytes:
        """The bytes of a proposal. UnreadableProposal where it cannot be opened or is too large."""
        limit = Limits().max_bytes
        try:
            fd = open_regular(self.opened.fd, file, file)
        except (PathBlocked, OSError) as error:
            reason = error.reason if isinstance(error, PathBlocked) else error.strerror
            raise UnreadableProposal(f"cannot be opened: {reason}") from error
        try:
            size = os.fstat(fd).st_size
            if size > limit:
                raise UnreadableProposal(f"larger than {limit} bytes, the most that a proposal may have")
            return read_all(fd, size, limit)
        finally:
            os.close(fd)

    def origin(self, file: str) -> str:
        return os.path.join(self.path, file)

    def forget_answer(self, name: str) -> None:
        """A proposal that comes again under an answered name is a new one: the old answer must not be taken for its."""
        self.opened.discard(name + RESULT)

    def file_called(self, name: str) -> str | None:
        """The file of a proposal, found without listing everything where that is possible."""
        found = [name + ending for ending in ENDINGS if self.modified(name + ending) is not None]
        if len(found) == 1 and not self._owns(found[0], found[0]):
            return found[0]
        if _is_proposal(name) and self.modified(name) is not None:
            return name
        return next((waiting.file for waiting in self.waiting() if waiting.name == name), None)

    def modified(self, file: str) -> float | None:
        """When a regular file was written; None where there is none."""
        try:
            status = os.stat(file, dir_fd=self.opened.fd, follow_symlinks=False)
        except OSError:
            return None
        return status.st_mtime if stat.S_ISREG(status.st_mode) else None


def open_directory(workspace: Workspace, path: str | None, *, create: bool) -> ProposalDirectory:
    """The directory that a person named, or the workspace's own. WorkspaceError where there is none."""
    disk = Disk()
    if path is None:
        return _open_default(workspace, disk, create=create)
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise WorkspaceError(f"{path}: not a directory that can be opened ({error.strerror})") from error
    return ProposalDirectory(os.path.realpath(path), SharedDirectory(fd, disk))


def _open_default(workspace: Workspace, disk: Disk, *, create: bool) -> ProposalDirectory:
    shown = os.path.join(workspace.root, STATE_DIRECTORY, DEFAULT_QUEUE)
    state = open_state(workspace, disk=disk, create=create)
    if state is None:
        raise WorkspaceError(f"{shown}: there is no queue yet")
    with state:
        try:
            if create and ".gitignore" not in state.names():  # an agent may be here before any reviewer
                state.write(".gitignore", b"*\n")
            return ProposalDirectory(shown, PrivateDirectory.open(state.fd, DEFAULT_QUEUE, disk=disk, create=create))
        except FileNotFoundError:
            raise WorkspaceError(f"{shown}: there is no queue yet") from None
        except OSError as error:
            raise WorkspaceError(f"{shown}: cannot be made ({error.strerror})") from error


# ---------------------------------------------------------------- details


def _is_proposal(name: str) -> bool:
    if name.startswith(".") or name.endswith((RESULT, ".tmp", "~")):
        return False
    return name.casefold().endswith(ENDINGS)


def _modified(entry: os.DirEntry[str]) -> tuple[int, str, str]:
    """When, name, version; no version for what is no regular file, or gone since."""
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return 0, entry.name, ""
    if not stat.S_ISREG(status.st_mode):
        return 0, entry.name, ""
    return status.st_mtime_ns, entry.name, "-".join(map(str, stamp_of(status)))
