"""Stage, swap, commit point, clean up. `run` is the one routine behind `commit` and `undo`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from engine.disk import Disk, UnsupportedError
from engine.errors import Conflict, PathBlocked, WriteFailed
from engine.transaction.cleanup import clean_up
from engine.transaction.journal import Action, Journal, Phase, Step, encode
from engine.transaction.preflight import Change, Staged, check_changes, missing_directories
from engine.transaction.recovery import repair_first, roll_back
from engine.transaction.retention import prune
from engine.transaction.state import (
    JOURNAL_BEING_WRITTEN,
    State,
    for_each,
    locked_state,
    naming,
    refuse_moved,
    sync_directories,
)
from engine.workspace import Workspace

REAL_DISK = Disk()
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Applied:
    """A transaction that is durable."""

    id: str
    """For `undo`; empty where there was nothing to write."""
    notes: tuple[str, ...] = ()
    """For people: what was repaired before, what is left to clean up."""


def commit(
    workspace: Workspace,
    changes: Sequence[Change],
    *,
    proposal: str,
    disk: Disk = REAL_DISK,
    progress: Progress | None = None,
) -> Applied:
    """Apply all changes or none. Conflict, WriteFailed or WorkspaceError says why none was."""
    with locked_state(workspace, disk) as state:
        refuse_moved(workspace)
        notes = repair_first(state)
        staged = check_changes(workspace, changes, disk)
        applied = run(state, staged, proposal=proposal, progress=progress)
        return Applied(applied.id, (*notes, *applied.notes))


def run(
    state: State,
    staged: Sequence[Staged],
    *,
    proposal: str,
    progress: Progress | None = None,
    undoes: str | None = None,
    emptied: tuple[str, ...] = (),
) -> Applied:
    """The transaction itself, on steps that passed the preflight. The lock is held, nothing is left to repair."""
    if not staged:
        return Applied("", ("nothing to write",))
    journal = Journal(
        number=_next_number(state),
        workspace=state.identity,
        proposal=proposal,
        time=_now(),
        steps=tuple(one.step for one in staged),
        made=missing_directories(state.workspace, staged),
        emptied=emptied,
        undoes=undoes,
    )
    try:
        _stage(state, journal, staged, progress)
    except Exception as error:
        raise _restored(state, journal, Phase.STAGING, error) from error
    try:
        _swap(state, journal)
        _pass_commit_point(state)
    except Exception as error:
        raise _restored(state, journal, Phase.SWAPPING, error) from error
    return Applied(journal.id, _clean_up_or_note(state, journal))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _next_number(state: State) -> int:
    numbers = (name.removesuffix(".json") for name in state.history.names() if name.endswith(".json"))
    return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)


# ---------------------------------------------------------------- stage


def _stage(state: State, journal: Journal, staged: Sequence[Staged], progress: Progress | None) -> None:
    """Nothing a person calls theirs is touched here; lack of space shows up here."""
    with naming("the journal"):
        state.private.write(Phase.STAGING, encode(journal), temporary=JOURNAL_BEING_WRITTEN)
    for path in journal.made:
        with naming(path):
            _make_directory(state, path)
    contents = [one for one in staged if one.step.after is not None]
    largest = max((one.size for one in contents), default=0)
    staging = for_each(state.disk, lambda one: _stage_one(state, one), contents, largest=largest)
    for done, _ in enumerate(staging, start=1):
        if progress is not None:
            progress(done, len(contents))


def _make_directory(state: State, path: str) -> None:
    with state.workspace.parent(path) as fd, suppress(FileExistsError):
        state.disk.make_directory(fd, path.rpartition("/")[2])


def _stage_one(state: State, one: Staged) -> None:
    with naming(one.step.path), state.workspace.parent(one.step.path) as fd:
        state.disk.create(fd, one.step.new, one.content(), like=one.like, mode=one.mode)


# ---------------------------------------------------------------- swap


def _swap(state: State, journal: Journal) -> None:
    """From here on an error means that targets have to be restored."""
    with naming("the journal"):
        state.private.rename(Phase.STAGING, Phase.SWAPPING)
        state.private.sync()
    swaps = {Action.CREATE: _create, Action.MODIFY: _modify, Action.DELETE: _delete}
    for step in journal.in_order():
        with naming(step.path), state.workspace.parent(step.path) as fd:
            try:
                swaps[step.action](state.disk, fd, step)
            except FileNotFoundError:
                raise Conflict(step.path, "was deleted by somebody else meanwhile") from None
    with naming("a directory"):
        sync_directories(state, journal.directories())


def _create(disk: Disk, directory: int, step: Step) -> None:
    try:
        disk.place(directory, step.new, step.name)
    except FileExistsError:
        raise Conflict(step.path, "was created by somebody else meanwhile") from None


def _modify(disk: Disk, directory: int, step: Step) -> None:
    _expect_old(disk, directory, step, step.name)
    try:
        disk.exchange(directory, step.new, step.name)
    except UnsupportedError:
        _modify_without_exchange(disk, directory, step)
    else:
        _expect_old(disk, directory, step, step.new)


def _modify_without_exchange(disk: Disk, directory: int, step: Step) -> None:
    """Keep the old file by a second name, or as a copy; a save between looking and renaming would be lost."""
    try:
        disk.link(directory, step.name, step.old)
    except UnsupportedError:
        disk.copy(directory, step.name, directory, step.old)
    _expect_old(disk, directory, step, step.old)
    disk.rename(directory, step.new, step.name)


def _delete(disk: Disk, directory: int, step: Step) -> None:
    _expect_old(disk, directory, step, step.name)
    disk.rename(directory, step.name, step.old)
    _expect_old(disk, directory, step, step.old)


def _expect_old(disk: Disk, directory: int, step: Step, name: str) -> None:
    """Not what was shown: a conflict. Rolling back puts a file that was displaced where it belongs."""
    if not step.is_old(disk.look(directory, name)):
        raise Conflict(step.path, "was changed by somebody else meanwhile")


# ---------------------------------------------------------------- commit point and after


def _pass_commit_point(state: State) -> None:
    with naming("the journal"):
        state.private.rename(Phase.SWAPPING, Phase.APPLIED)
        state.private.sync()


def _clean_up_or_note(state: State, journal: Journal) -> tuple[str, ...]:
    try:
        messages = clean_up(state, journal)
        with suppress(OSError):  # the next transaction tries again
            prune(state)
        return messages
    except Exception as error:  # whatever it is, the set is applied
        return (f"applied, clean-up pending ({error})",)


def _restored(state: State, journal: Journal, phase: Phase, error: Exception) -> Exception:
    """Put everything back; the error to raise, which says whether that worked."""
    path, reason = getattr(error, "path", "the transaction"), getattr(error, "reason", str(error))
    try:
        messages = roll_back(state, journal, phase)
    except Exception as second:
        return WriteFailed(path, f"{reason}; not all is restored, the next start goes on ({second})", restored=False)
    if isinstance(error, PathBlocked):
        error = Conflict(path, reason)
    if isinstance(error, MemoryError) or "start new thread" in str(error):  # no room for a buffer, or for a thread
        error = WriteFailed(path, f"out of memory: {reason}" if reason else "out of memory", restored=True)
    if isinstance(error, Conflict | WriteFailed):
        error.rolled_back = phase is Phase.SWAPPING and path != next(iter(journal.in_order())).path
    for message in messages:
        error.add_note(message)
    return error
