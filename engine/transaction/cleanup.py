"""After the commit point: what was displaced becomes the backup for undo, and the journal becomes history.

Can be cut off anywhere and run again: as long as the displaced file stands beside its target, its backup is made anew.
"""

from __future__ import annotations

import errno
from contextlib import suppress

from engine.disk import Seen
from engine.errors import PathBlocked
from engine.transaction.journal import Journal, Phase, Step
from engine.transaction.state import State, sync_directories


def clean_up(state: State, journal: Journal) -> tuple[str, ...]:
    """Messages for people, normally none."""
    messages: list[str] = []
    for index, step in enumerate(journal.steps):
        with suppress(FileNotFoundError), state.workspace.parent(step.path) as fd:
            messages += _keep_backup(state, fd, step, backup_name(journal.id, index))
    for path in reversed(journal.emptied):
        remove_if_empty(state, path)
    sync_directories(state, journal.directories())
    state.history.sync()
    # Needs no sync: should a power cut take this rename back, all of the above is simply found done.
    state.disk.rename(state.private.fd, Phase.APPLIED, f"{journal.id}.json", to=state.history.fd)
    return tuple(messages)


def backup_name(id: str, index: int) -> str:
    return f"{id}-{index}"


def move_to_history(state: State, directory: int, name: str, kept: str, seen: Seen) -> None:
    """Out of the workspace. A file that has another name is copied, lest an edit made there alters the backup."""
    if seen.nlink == 1 or not seen.sha256:
        try:
            state.disk.rename(directory, name, kept, to=state.history.fd)
            return
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
    state.history.discard(kept)
    state.disk.copy(directory, name, state.history.fd, kept)
    state.history.sync()
    state.disk.remove(directory, name)


def remove_if_empty(state: State, path: str) -> None:
    """A directory that somebody uses or has replaced meanwhile stays."""
    try:
        with suppress(PathBlocked), state.workspace.parent(path) as fd:
            state.disk.remove_directory(fd, path.rpartition("/")[2])
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT, errno.ENOTDIR):
            raise


def _keep_backup(state: State, directory: int, step: Step, kept: str) -> list[str]:
    """The displaced file is looked at once more: somebody may have had it open and written to it."""
    displaced = {name: seen for name in (step.old, step.new) if (seen := state.disk.look(directory, name))}
    messages = []
    for name, seen in displaced.items():
        if step.before is None or step.is_new(seen):
            state.disk.remove(directory, name)
            continue
        if not step.is_old(seen):
            messages.append(
                f"{step.path}: somebody wrote to the old file while it was replaced; "
                f"what was written is kept as .hunkdeck/history/{kept}"
            )
        move_to_history(state, directory, name, kept, seen)
    return messages
