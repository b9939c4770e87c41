"""What can be promised on this file system: found out by trying, in our own directory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.disk import Disk, UnsupportedError
from engine.transaction.state import State, locked_state, naming
from engine.workspace import Workspace

_REAL_DISK = Disk()
_ONE, _OTHER = "probe-one", "probe-other"


@dataclass(frozen=True, slots=True)
class Promise:
    exchange: bool
    """Nobody's save is lost. Without: one that falls between a look and a rename, microseconds apart, is."""
    links: bool
    """Without exchange, old files are kept by a second name. Without links too: as copies, which takes space."""


def promise(workspace: Workspace, *, disk: Disk = _REAL_DISK) -> Promise:
    """WorkspaceError or WriteFailed where nothing can be written at all."""
    with locked_state(workspace, disk) as state, naming("the state directory"):
        _clear(state)
        try:
            disk.create(state.history.fd, _ONE, b"", like=None)
            links = _works(lambda: disk.link(state.history.fd, _ONE, _OTHER))
            state.history.discard(_OTHER)
            disk.create(state.history.fd, _OTHER, b"", like=None)
            exchange = _works(lambda: disk.exchange(state.history.fd, _ONE, _OTHER))
        finally:
            _clear(state)
        return Promise(exchange, links)


def _works(attempt: Callable[[], None]) -> bool:
    try:
        attempt()
    except UnsupportedError:
        return False
    return True


def _clear(state: State) -> None:
    for name in (_ONE, _OTHER):
        state.history.discard(name)
