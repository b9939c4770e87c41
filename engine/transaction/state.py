"""What lies in the state directory for transactions, and the frame every one of them runs in.

.hunkdeck/
  .gitignore         `*`
  id                 which workspace the journals belong to
  lock               held while files change
  journal-…          a transaction that is under way, or was cut off
  damaged-…          a journal that was set aside; nothing is written until a person has removed it
  history/000007.json, 000007-0    an applied transaction, and what its first file was before
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

from engine.disk import Disk, PrivateDirectory, open_state
from engine.errors import WorkspaceError, WriteFailed
from engine.leftovers import JOURNAL
from engine.locks import transaction_lock
from engine.workspace import STATE_DIRECTORY, Workspace

JOURNAL_BEING_WRITTEN = f"{JOURNAL}new"
HISTORY = "history"
_IDENTITY = "id"
_MOVED = "{}: the directory was moved, deleted or replaced meanwhile; start again"
_WORKERS = 8
_STAGED_AT_ONCE = 16 * 1024 * 1024
"""Bytes: workers hold one content each, and large ones are few at a time."""
_DEFERRED = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class State:
    """Everything that a transaction works with; the lock is held."""

    workspace: Workspace
    private: PrivateDirectory
    history: PrivateDirectory
    identity: str
    disk: Disk


@contextmanager
def locked_state(workspace: Workspace, disk: Disk) -> Iterator[State]:
    """The state directory, made if need be, with the lock held and signals put off until the end.

    SIGINT, SIGTERM and SIGHUP wait until the transaction is finished or rolled back; then they do what they always do.
    Waiting for the lock can still be interrupted. In a thread beside the main one, an exception that a signal raises in
    the main thread does not reach this one either; should the process be ended all the same, the next start recovers.
    """
    with ExitStack() as stack:
        try:
            state = _enter(stack, workspace, disk)
        except OSError as error:
            raise WorkspaceError(f"{STATE_DIRECTORY}: cannot be used ({error.strerror})") from error
        yield state


def _enter(stack: ExitStack, workspace: Workspace, disk: Disk) -> State:
    private = open_state(workspace, disk=disk, create=True)
    if private is None:
        raise WorkspaceError(_MOVED.format(workspace.root))
    stack.enter_context(private)
    stack.enter_context(transaction_lock(private))
    stack.enter_context(_signals_deferred())
    _furnish(private)
    history = stack.enter_context(private.subdirectory(HISTORY))
    return State(workspace, private, history, read_identity(private), disk)


def read_identity(private: PrivateDirectory) -> str:
    return (private.read(_IDENTITY) or b"").decode("ascii", "replace")


def refuse_moved(workspace: Workspace) -> None:
    if not workspace.still_there():
        raise WorkspaceError(_MOVED.format(workspace.root))


def for_each(disk: Disk, work: Callable[[_Item], None], items: Iterable[_Item], *, largest: int = 1) -> Iterator[_Item]:
    """Do independent work on all items, in parallel unless the seam counts operations; yields in their order.

    `largest` is how many bytes one of them may hold.
    """
    todo = list(items)
    workers = min(_WORKERS, len(todo), _STAGED_AT_ONCE // max(largest, 1))
    if disk.sequential or workers < 2:
        for item in todo:
            work(item)
            yield item
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers, thread_name_prefix="hunkdeck-stage") as pool:
        for item, _ in zip(todo, pool.map(work, todo), strict=True):
            yield item


def sync_directories(state: State, paths: Iterable[str]) -> None:
    """Make the names in these directories durable; one that is gone needs nothing."""

    def sync(path: str) -> None:
        with suppress(FileNotFoundError), state.workspace.directory(path) as fd:
            state.disk.sync_directory(fd)

    todo = list(paths)
    try:
        for _ in for_each(state.disk, sync, todo):
            pass
    except RuntimeError:  # no room for another thread; to sync twice does no harm
        for path in todo:
            sync(path)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Say which file an error of the file system is about."""
    try:
        yield
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error), restored=True) from error


def _furnish(private: PrivateDirectory) -> None:
    names = private.names()
    for name, content in ((".gitignore", b"*\n"), (_IDENTITY, os.urandom(16).hex().encode())):
        if name not in names:
            private.write(name, content, temporary=JOURNAL_BEING_WRITTEN)


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Threads started inside inherit the mask, so that none of them takes the signal instead."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _DEFERRED)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
