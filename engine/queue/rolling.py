"""Finish what a record says: bytes into their place, an answer beside its proposal, a finished proposal to `done/`.

Every step may be repeated, so a crash anywhere is finished by whoever looks next. Only while the store is locked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from engine.disk import PrivateDirectory
from engine.queue.directory import RESULT, ProposalDirectory
from engine.queue.records import ANSWER, DATA, Record, Records, key_of
from engine.reading import digest

DONE = "done"
_BEING_WRITTEN = ".hunkdeck-being-written"
_MOVING = ".hunkdeck-moving-"
"""In the proposal directory itself, because only there a name can be given back without replacing anything."""


def roll_forward(directory: ProposalDirectory, records: Records, record: Record) -> None:
    """Everything that the record speaks of is in its place when this returns."""
    shelf, key = records.shelf, key_of(record.id)
    _place_data(directory, shelf, record, key)
    answer = shelf.read(key + ANSWER)
    if answer is None:
        return
    if digest(answer) != record.result:  # written, but its record never was
        shelf.discard(key + ANSWER)
        return
    if record.closed:
        _move_to_done(directory, record, answer)
    shelf.rename(key + ANSWER, record.id + RESULT, to=directory.opened)
    directory.opened.sync()
    shelf.sync()


def _place_data(directory: ProposalDirectory, shelf: PrivateDirectory, record: Record, key: str) -> None:
    data = shelf.read(key + DATA)
    if data is None:
        return
    if digest(data) != record.digest or record.closed:
        shelf.discard(key + DATA)
        return
    shelf.rename(key + DATA, record.file, to=directory.opened)
    directory.opened.sync()
    shelf.sync()


def _move_to_done(directory: ProposalDirectory, record: Record, answer: bytes) -> None:
    """Exactly the bytes that were answered; newer ones under that name are a proposal of their own."""
    file, copy = record.done
    moving, opened = _MOVING + key_of(record.id), directory.opened
    done = opened.subdirectory(DONE)
    try:
        done.write(copy, answer, temporary=_BEING_WRITTEN)
        if not exists(done, file) and not exists(opened, moving) and exists(opened, record.file):
            opened.rename(record.file, moving)
        taken = opened.read(moving)
        if taken is None:
            return
        if digest(taken) == record.digest:
            opened.rename(moving, file, to=done)
            done.sync()
        else:
            _put_back(opened, moving, record.file)
        opened.sync()
    finally:
        done.close()


def _put_back(opened: PrivateDirectory, moving: str, file: str) -> None:
    try:
        opened.disk.place(opened.fd, moving, file)
    except FileExistsError:  # replaced once more since: only the newest counts
        opened.discard(moving)


def exists(directory: PrivateDirectory, name: str) -> bool:
    try:
        os.stat(name, dir_fd=directory.fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def free_names(directory: ProposalDirectory, record: Record) -> tuple[str, str]:
    """For a proposal and its answer in `done/`: NAME, or NAME.2 and so on where NAME was answered before."""
    done = directory.opened.subdirectory(DONE)
    try:
        taken = set(done.names())
    finally:
        done.close()
    stem, _, ending = record.file.rpartition(".")
    for suffix in _suffixes():
        file, copy = f"{stem}{suffix}.{ending}", record.id + suffix + RESULT
        if file not in taken and copy not in taken:
            return file, copy
    raise AssertionError("there is always another number")


def _suffixes() -> Iterator[str]:
    yield ""
    number = 2
    while True:
        yield f".{number}"
        number += 1
