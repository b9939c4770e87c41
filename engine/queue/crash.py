"""A verdict that was being applied when the process died: did it happen, and what has to be answered?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from engine.disk import Disk, PrivateDirectory, open_state
from engine.model import Code
from engine.queue.decisions import Decided, Entry, Sending
from engine.queue.remembered import from_dict
from engine.result import HunkResult, Result
from engine.settle import Status
from engine.workspace import Workspace


def last_transaction(workspace: Workspace) -> int:
    """The number of the last transaction on record, 0 where there is none; opens no record."""
    from engine.transaction.state import HISTORY

    disk = Disk()
    state = open_state(workspace, disk=disk, create=False)
    if state is None:
        return 0
    with state, suppress(FileNotFoundError), PrivateDirectory.open(state.fd, HISTORY, disk=disk, create=False) as kept:
        numbers = [name.removesuffix(".json") for name in kept.names() if name.endswith(".json")]
        return max((int(number) for number in numbers if number.isdecimal()), default=0)
    return 0


def cut_off(entries: Sequence[Entry], workspace: Workspace) -> Result | None:
    """The verdict that was applied but not recorded any more; None where there is none."""
    sending = next((entry for entry in reversed(entries) if not isinstance(entry, Decided)), None)
    if not isinstance(sending, Sending):
        return None
    from engine.transaction import history

    planned = from_dict(sending.result, failures_open=True)
    for done in history(workspace):
        if int(done.id) > sending.transaction and done.proposal == planned.proposal and done.undoes is None:
            written = {file.path: file.after for file in done.files}
            hunks = tuple(_as_written(hunk, planned, written) for hunk in planned.hunks)
            return replace(planned, hunks=hunks, transaction=done.id)
    return None


def _as_written(hunk: HunkResult, planned: Result, written: dict[str, str | None]) -> HunkResult:
    """Applied only if the file became exactly what the verdict was going to make of it."""
    if hunk.status is not Status.APPLIED:
        return hunk
    file = next(file for file in planned.files if file.path == hunk.file_path)
    if not file.changed or written.get(file.new_path or file.path, "") == file.sha256:
        return hunk
    return replace(
        hunk, status=Status.PENDING, code=Code.NOT_ATTEMPTED, error="not attempted: the disk refused", replacements=0
    )
