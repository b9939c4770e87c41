"""The proposal directory: agents put proposals in, verdicts appear beside them, finished ones move to `done/`.

NAME.json, NAME.patch, …    a proposal; read once, no link followed, nothing but a regular file
NAME.result.json            the answer, whole or not there at all
done/NAME.json, done/NAME.result.json

Where two proposals differ only in their ending, each is called by its whole file name.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.disk import Disk, PrivateDirectory, SharedDirectory, open_state
from engine.errors import PathBlocked, UnreadableProposal, WorkspaceError
from engine.formats.limits import Limits
from engine.result import Result
from engine.workspace import STATE_DIRECTORY, Workspace, open_regular, read_all

DEFAULT_QUEUE = "queue"
RESULT = ".result.json"
_DONE = "done"
_BEING_WRITTEN = ".hunkdeck-being-written"
"""One name is enough, because one reviewer writes; what a crash left is replaced by the next answer."""
_ENDINGS = (".json", ".patch", ".diff", ".md", ".txt")


@dataclass(frozen=True, slots=True)
class Waiting:
    """One proposal in the directory, not read yet."""

    file: str
    name: str
    """NAME: what people and the answer call it."""


class ProposalDirectory:
    """One directory of proposals. Whoever holds the reviewer's lock may answer and finish; others only read."""

    def __init__(self, path: str, opened: PrivateDirectory) -> None:
        self.path = path
        """For people, and to know a proposal again."""
        self._opened = opened

    def close(self) -> None:
        self._opened.close()

    def waiting(self) -> list[Waiting]:
        """What lies there, the oldest first."""
        with os.scandir(self._opened.fd) as entries:
            found = sorted((_modified(entry), entry.name) for entry in entries if _is_proposal(entry))
        many = Counter(os.path.splitext(name)[0] for _, name in found)
        return [Waiting(name, _called(name, many)) for _, name in found]

    def read(self, file: str) -> bytes:
        """The bytes of a proposal. UnreadableProposal where it cannot be opened or is too large."""
        limit = Limits().max_bytes
        try:
            fd = open_regular(self._opened.fd, file, file)
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

    def answer(self, name: str, result: Result) -> None:
        """Put the verdict beside the proposal, in one instant."""
        self._opened.write(name + RESULT, as_json(result), temporary=_BEING_WRITTEN)

    def forget_answer(self, name: str) -> None:
        """A proposal that comes again under an answered name is a new one: the old answer must not be taken for its."""
        self._opened.discard(name + RESULT)

    def finish(self, waiting: Waiting, result: Result) -> None:
        """Out of the way, together with a copy of the answer. May be repeated after a crash."""
        if waiting.file not in os.listdir(self._opened.fd):
            return  # moved already, or taken away by whoever sent it: the answer is there
        answer = as_json(result)
        done = self._opened.subdirectory(_DONE)
        try:
            file, copy = _free_names(done, waiting, answer)
            done.write(copy, answer, temporary=_BEING_WRITTEN)
            self._opened.rename(waiting.file, file, to=done)
            done.sync()
            self._opened.sync()
        finally:
            done.close()


def as_json(result: Result) -> bytes:
    return (json.dumps(result.to_dict(), indent=2) + "\n").encode()


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
            return ProposalDirectory(shown, PrivateDirectory.open(state.fd, DEFAULT_QUEUE, disk=disk, create=create))
        except FileNotFoundError:
            raise WorkspaceError(f"{shown}: there is no queue yet") from None
        except OSError as error:
            raise WorkspaceError(f"{shown}: cannot be made ({error.strerror})") from error


# ---------------------------------------------------------------- details


def _is_proposal(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    if name.startswith(".") or name.endswith((RESULT, ".tmp", "~")):
        return False
    return name.casefold().endswith(_ENDINGS) and entry.is_file(follow_symlinks=False)


def _modified(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:  # gone since: reading it says so
        return 0


def _called(file: str, many: Counter[str]) -> str:
    stem = os.path.splitext(file)[0]
    return stem if many[stem] == 1 else file


def _free_names(done: PrivateDirectory, waiting: Waiting, answer: bytes) -> tuple[str, str]:
    """Names for a proposal and its answer in `done/`: NAME, or NAME.2 and so on where NAME was answered before."""
    stem, ending = os.path.splitext(waiting.file)
    taken = set(done.names())
    for suffix in _suffixes():
        file, copy = stem + suffix + ending, waiting.name + suffix + RESULT
        written_before_a_crash = copy in taken and done.read(copy) == answer
        if file not in taken and (copy not in taken or written_before_a_crash):
            return file, copy
    raise AssertionError("there is always another number")


def _suffixes() -> Iterator[str]:
    yield ""
    number = 2
    while True:
        yield f".{number}"
        number += 1
