"""Did a crash leave a transaction unfinished? Asked at every start, so what would repair it is not loaded for that."""

from __future__ import annotations

from engine.disk import Disk, open_state
from engine.workspace import Workspace

JOURNAL = "journal-"
DAMAGED = "damaged-"


def is_leftover(name: str) -> bool:
    """Whether a name in the state directory stands for a transaction that was cut off."""
    return name.startswith((JOURNAL, DAMAGED))


def any_leftovers(workspace: Workspace, *, disk: Disk | None = None) -> bool:
    """Whether there is something to repair; one directory is listed, no more."""
    state = open_state(workspace, disk=disk or Disk(), create=False)
    if state is None:
        return False
    with state:
        return any(is_leftover(name) for name in state.names())
