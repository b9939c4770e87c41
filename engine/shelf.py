"""Where the files of a very large proposal wait, so that a plan holds about one of them at a time.

A plan needs the bytes that it was made against until the end: what is shown, composed and written must not depend on
what the file has become meanwhile. Up to `HELD_IN_MEMORY` they are simply kept. Beyond that they go to a file without
a name, which nobody else can open and which is gone with its last user.
"""

from __future__ import annotations

import os
import tempfile
import weakref

from engine.errors import NotText
from engine.text import FileText, decode

HELD_IN_MEMORY = 4 * 1024 * 1024
_LARGE_TEMPORARY_FILES = "/var/tmp"  # noqa: S108 (what is put there has no name)
"""Often on a disk where /tmp is in memory."""


class Shelf:
    """A file without a name, filled from front to back. The text taken last is at hand; others as long as used."""

    def __init__(self) -> None:
        directory = _LARGE_TEMPORARY_FILES if os.path.isdir(_LARGE_TEMPORARY_FILES) else None
        with tempfile.TemporaryFile(dir=directory) as file:
            self._fd = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._fd)
        self._end = 0
        self._taken: weakref.WeakValueDictionary[int, FileText] = weakref.WeakValueDictionary()
        self._last: FileText | None = None

    def put(self, data: bytes) -> Shelved:
        start, view = self._end, memoryview(data)
        while view:
            written = os.pwrite(self._fd, view, self._end)
            view, self._end = view[written:], self._end + written
        return Shelved(self, start, len(data))

    def take(self, start: int, size: int) -> bytes:
        chunks: list[bytes] = []
        while size and (chunk := os.pread(self._fd, size, start)):
            chunks.append(chunk)
            start, size = start + len(chunk), size - len(chunk)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def text(self, start: int, size: int) -> FileText:
        found = self._taken.get(start)
        if found is None:
            found = self._taken[start] = _text(self.take(start, size))
        self._last = found
        return found


class Shelved:
    """One file's bytes on a shelf."""

    __slots__ = ("_shelf", "_size", "_start")

    def __init__(self, shelf: Shelf, start: int, size: int) -> None:
        self._shelf, self._start, self._size = shelf, start, size

    @property
    def data(self) -> bytes:
        return self._shelf.take(self._start, self._size)

    @property
    def text(self) -> FileText:
        """Without a character where the bytes are no text."""
        return self._shelf.text(self._start, self._size)


def _text(data: bytes) -> FileText:
    try:
        return decode(data)
    except NotText:
        return FileText("")
