"""Finish or take back what was cut off: one routine for errors during a commit and for the start after a crash.

Which of the two it is, the journal's name says (`Phase`). Restoring looks only at what stands at three names, the
target and the two temporary ones, so it can itself be cut off anywhere and run again. It needs no disk space: names
are exchanged or renamed. A file that is neither the old nor the new content is somebody's work: kept, and named.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from engine.disk import Disk
from engine.errors import NeedsRepair, PathBlocked, WorkspaceError
from engine.leftovers import DAMAGED, any_leftovers
from engine.transaction.cleanup import clean_up, remove_if_empty
from engine.transaction.journal import DamagedJournalError, Journal, Phase, decode
from engine.transaction.restore import restore
from engine.transaction.state import JOURNAL_BEING_WRITTEN, State, locked_state, sync_directories
from engine.workspace import STATE_DIRECTORY, Workspace

_REAL_DISK = Disk()


@dataclass(frozen=True, slots=True)
class Repair:
    """What was done, in words for people."""

    messages: tuple[str, ...]
    blocked: str | None = None
    """Why nothing may be written yet."""


def recover(workspace: Workspace, *, disk: Disk = _REAL_DISK) -> tuple[str, ...]:
    """Repair what a crash left; messages for people. Where nothing is left over, one directory is listed, no more."""
    if not any_leftovers(workspace, disk=disk):
        return ()
    try:
        with locked_state(workspace, disk) as locked:
            repaired = repair(locked)
    except WorkspaceError as error:
        return (f"what a crash left cannot be repaired yet: {error}",)
    return (*repaired.messages, *filter(None, [repaired.blocked]))


def repair_first(state: State) -> tuple[str, ...]:
    """Before anything is written: messages, or NeedsRepair."""
    repaired = repair(state)
    if repaired.blocked is not None:
        raise NeedsRepair(repaired.blocked)
    return repaired.messages


def repair(state: State) -> Repair:
    """Bring the workspace to all old or all new, as far as that can be done now."""
    try:
        return Repair(_repair_or_set_aside(state), _set_aside(state))
    except (OSError, PathBlocked) as error:
        return Repair((), f"the repair after a crash is not finished, the next start tries again: {error}")


def _repair_or_set_aside(state: State) -> tuple[str, ...]:
    names = state.private.names()
    if JOURNAL_BEING_WRITTEN in names:
        state.private.discard(JOURNAL_BEING_WRITTEN)
    hot = [phase for phase in Phase if phase in names]
    try:
        if len(hot) > 1:
            raise DamagedJournalError("there is more than one")
        return _finish(state, hot[0]) if hot else ()
    except DamagedJournalError as damage:
        for phase in hot:
            state.private.rename(phase, f"{DAMAGED}{phase}")
        state.private.sync()
        return (f"a journal was set aside, because it cannot be trusted: {damage}",)


def _set_aside(state: State) -> str | None:
    damaged = [name for name in state.private.names() if name.startswith(DAMAGED)]
    if not damaged:
        return None
    return (
        f"nothing is written while {STATE_DIRECTORY}/{damaged[0]} is there: look whether your files are as they should "
        f"be (files named .hunkdeck-* beside them may hold older contents), then delete it"
    )


def _finish(state: State, phase: Phase) -> tuple[str, ...]:
    journal = decode(state.private.read(phase) or b"", workspace=state.identity)
    return clean_up(state, journal) if phase is Phase.APPLIED else roll_back(state, journal, phase)


def roll_back(state: State, journal: Journal, phase: Phase) -> tuple[str, ...]:
    """All old again; messages for people. Works from the journal in hand, even if its file is gone."""
    messages: tuple[str, ...] = ()
    if phase is Phase.SWAPPING:
        with suppress(FileNotFoundError):
            state.private.rename(Phase.APPLIED, Phase.SWAPPING)
        messages = _restore_targets(state, journal)
    _remove_temporaries(state, journal)
    return messages


def _restore_targets(state: State, journal: Journal) -> tuple[str, ...]:
    """Every file that can be restored is, even if another one fails; then the journal says so."""
    messages: list[str] = []
    failures: list[OSError | PathBlocked] = []
    for step in reversed(journal.in_order()):
        try:
            messages += restore(state, step)
        except (OSError, PathBlocked) as error:
            failures.append(error)
    if failures:
        raise failures[0]
    sync_directories(state, journal.directories())
    with suppress(FileNotFoundError):
        state.private.rename(Phase.SWAPPING, Phase.STAGING)
    state.private.sync()
    return tuple(messages)


def _remove_temporaries(state: State, journal: Journal) -> None:
    for step in journal.steps:
        with suppress(FileNotFoundError), state.workspace.parent(step.path) as fd:
            for name in (step.new, step.old):
                with suppress(FileNotFoundError):
                    state.disk.remove(fd, name)
    for path in reversed(journal.made):
        remove_if_empty(state, path)
    sync_directories(state, journal.directories())
    state.private.discard(Phase.STAGING)
