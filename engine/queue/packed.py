"""Bytes that are seldom needed, held small: a proposal of ten megabytes waits for the first decision about it."""

from __future__ import annotations

import zlib

SMALLEST = 1 << 20
"""Less is not worth the time."""


class Packed:
    """Compressed bytes."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = zlib.compress(data, 1)

    def unpack(self) -> bytes:
        return zlib.decompress(self._data)
