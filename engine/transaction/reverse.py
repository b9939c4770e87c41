"""What was applied, and taking it back: an undo is a transaction like any other, with the contents the other way round.

So an undo can be undone too (that is redo), and refuses a file that is no longer what was applied.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from engine.disk import Disk, PrivateDirectory, open_state
from engine.errors import Conflict, PathBlocked, UndoRefused
from engine.transaction.cleanup import backup_name
from engine.transaction.journal import Action, DamagedJournalError, Journal, Step, decode
from engine.transaction.perform import REAL_DISK, run
from engine.transaction.preflight import Staged, check_target, look_at, makes_way, new_token
from engine.transaction.recovery import repair_first
from engine.transaction.state import HISTORY, State, locked_state, naming, read_identity, refuse_moved
from engine.workspace import Workspace


@dataclass(frozen=True, slots=True)
class FileRecord:
    path: str
    action: Action
    before: str | None
    """sha256; None: did not exist."""
    after: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One transaction that was applied."""

    id: str
    proposal: str
    time: str
    """ISO 8601, UTC. Only for people: the order of the list is the order of the transactions."""
    undone: bool
    undoes: str | None
    """The transaction that this one took back."""
    files: tuple[FileRecord, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    id: str
    """The transaction that was taken back."""
    proposal: str
    paths: tuple[str, ...]
    by: str
    """The transaction that did it; undoing that one is redo."""
    notes: tuple[str, ...] = ()


def history(workspace: Workspace, *, disk: Disk = REAL_DISK) -> list[Entry]:
    """All transactions in order. Reads only; a record that is damaged is left out."""
    state = open_state(workspace, disk=disk, create=False)
    if state is None:
        return []
    with state:
        try:
            kept = PrivateDirectory.open(state.fd, HISTORY, disk=disk, create=False)
        except FileNotFoundError:
            return []
        with kept, naming("the history"):
            journals = _journals(kept, read_identity(state))
    undone = _undone(journals)
    return [_entry(journal, undone=journal.id in undone) for journal in journals]


def undo(workspace: Workspace, id: str | None = None, *, disk: Disk = REAL_DISK) -> Undone:
    """Take back a transaction, by default the last one that is not taken back. UndoRefused names what is in the way."""
    with locked_state(workspace, disk) as state:
        refuse_moved(workspace)
        notes = repair_first(state)
        with naming("the history"):
            journals = _journals(state.history, state.identity)
        journal = _choose(journals, id)
        try:
            staged = _reversed_steps(state, journal, journals)
            applied = run(state, staged, proposal=journal.proposal, undoes=journal.id, emptied=journal.made)
        except Conflict as conflict:
            raise UndoRefused(f"{conflict.path}: {conflict.reason}; nothing was undone") from conflict
    paths = tuple(step.path for step in journal.steps)
    return Undone(journal.id, journal.proposal, paths, applied.id, (*notes, *applied.notes))


def _journals(kept: PrivateDirectory, identity: str) -> list[Journal]:
    found = []
    for name in kept.names():
        if name.endswith(".json"):
            try:
                found.append(decode(kept.read(name) or b"", workspace=identity))
            except DamagedJournalError:
                continue
    return sorted(found, key=lambda journal: journal.number)


def _undone(journals: list[Journal]) -> set[str]:
    """The latest word counts: an undo that was itself undone undid nothing."""
    undone: set[str] = set()
    for journal in reversed(journals):
        if journal.undoes is not None and journal.id not in undone:
            undone.add(journal.undoes)
    return undone


def _entry(journal: Journal, *, undone: bool) -> Entry:
    files = tuple(FileRecord(step.path, step.action, step.before, step.after) for step in journal.steps)
    return Entry(journal.id, journal.proposal, journal.time, undone, journal.undoes, files)


def _choose(journals: list[Journal], id: str | None) -> Journal:
    undone = _undone(journals)
    if id is None:
        open_ones = [journal for journal in journals if journal.undoes is None and journal.id not in undone]
        if not open_ones:
            raise UndoRefused("there is nothing to undo")
        return open_ones[-1]
    for journal in journals:
        if journal.id == id.zfill(6):
            if journal.id in undone:
                raise UndoRefused(f"{journal.id} is undone already")
            return journal
    raise UndoRefused(f"{id}: there is no such transaction, or its record is damaged")


def _reversed_steps(state: State, journal: Journal, journals: list[Journal]) -> list[Staged]:
    """Every reason against it is collected, so that a person need not find them one by one."""
    staged, refusals = [], []
    for index, step in enumerate(journal.steps):
        with naming(step.path):
            reason = _changed_since(state, journal, step, journals) or _backup_unusable(state, journal, index)
            if reason is not None:
                refusals.append(f"{step.path}: {reason}")
            else:
                staged.append(_reversed_step(state, step, backup_name(journal.id, index)))
    if refusals:
        raise UndoRefused("; ".join([*refusals, "nothing was undone"]))
    return staged


def _changed_since(state: State, journal: Journal, step: Step, journals: list[Journal]) -> str | None:
    try:
        seen = look_at(state.workspace, step.path, state.disk)
    except PathBlocked as blocked:
        return blocked.reason
    if (seen.sha256 if seen else None) == step.after:
        return None
    if step.after is None and seen is not None and makes_way(state.workspace, seen, _created(journal), state.disk):
        return None
    later = [one.id for one in journals if one.number > journal.number and step.path in {s.path for s in one.steps}]
    return f"was changed since, by transaction {later[-1]}" if later else "was changed since"


def _created(journal: Journal) -> list[str]:
    return [step.path for step in journal.steps if step.before is None]


def _backup_unusable(state: State, journal: Journal, index: int) -> str | None:
    step = journal.steps[index]
    if step.before is None:
        return None
    seen = state.disk.look(state.history.fd, backup_name(journal.id, index))
    if seen is None:
        return "its old content is missing"
    return None if seen.sha256 == step.before else "its old content was altered"


def _reversed_step(state: State, step: Step, backup: str) -> Staged:
    """Content, mode, owner and attributes come from the backup, which is the very file that was displaced."""
    seen = check_target(state.workspace, step.path, step.after, state.disk)
    mode_now = seen.mode if seen else None
    token = new_token(state.workspace, step.path)
    if step.before is None:
        return Staged(Step(step.path, step.after, None, token, mode_now), lambda: b"", None)
    like = state.disk.metadata(state.history.fd, backup)
    reverse = Step(step.path, step.after, step.before, token, mode_now, like.mode)
    size = os.stat(backup, dir_fd=state.history.fd, follow_symlinks=False).st_size
    return Staged(reverse, lambda: state.history.read(backup) or b"", like, size=size)
