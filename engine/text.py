"""Bytes ⇄ text ⇄ lines, without losing a byte.

`decode(data).encode() == data` for whatever it accepts: bytes that are not UTF-8 travel as lone surrogates, a BOM is
kept aside, every line keeps its own ending. Lines end at `\\n`, `\\r\\n` or `\\r` only (`str.splitlines` would also
break at form feeds and U+2028).

A million lines are split piece by piece: one long call would keep every other thread from running.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import add
from sys import intern
from typing import NamedTuple, overload

from engine.errors import NotText

_ENDING = re.compile(r"\r\n|\n|\r")
_PIECE = 1 << 18
SMALL_PIECE = 1 << 12
"""Lines that are not kept are split in pieces of this size, so that they take little room."""
_LONG_LINE = 1 << 16
_UTF8_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


class Splice(NamedTuple):
    """Put `new` where `text[start:end]` stands. Offsets count characters of the original text."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class FileText:
    """The text of one file, with everything that is needed to write it back byte for byte."""

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    @cached_property
    def _split(self) -> tuple[list[str], list[str]]:
        return split_lines(self.text)

    @property
    def lines(self) -> list[str]:
        """The lines without their endings; a final newline ends the last line, it does not start another."""
        return self._split[0]

    @property
    def endings(self) -> list[str]:
        """The ending of each line; only the last may be empty."""
        return self._split[1]

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset of each line's first character, and behind them the length of the text."""
        return _starts(self.text)

    @property
    def line_count(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def rows(self) -> LineView:
        """The lines again, for whoever needs few of them: they are not kept."""
        return LineView(self.text, self.starts)

    def forget_lines(self) -> None:
        """Give back the memory of `lines` and `endings`; they are split again when they are needed."""
        self.__dict__.pop("_split", None)

    @cached_property
    def ending(self) -> str:
        """What a new line ends in: the file's most common ending (a tie: the first seen)."""
        if "\r" not in self.text:
            return "\n"
        pairs = self.text.count("\r\n")
        counts = {"\r\n": pairs, "\n": self.text.count("\n") - pairs, "\r": self.text.count("\r") - pairs}
        most = max(counts.values())
        return next(found.group() for found in _ENDING.finditer(self.text) if counts[found.group()] == most)

    @property
    def ends_with_newline(self) -> bool:
        return self.text.endswith(("\n", "\r"))

    def line_at(self, offset: int) -> int:
        """The 0-based number of the line that holds the character at `offset`."""
        return min(bisect_right(self.starts, offset) - 1, max(self.line_count - 1, 0))

    def with_ending(self, new: str) -> str:
        """`new` with this file's line endings."""
        return _ENDING.sub(lambda _: self.ending, new)

    def encode(self, text: str | None = None) -> bytes:
        """The bytes of `text` (default: its own) as this file would hold them."""
        body = self.text if text is None else text
        errors = "surrogateescape" if self.encoding == "utf-8" else "strict"
        return self.bom + body.encode(self.encoding, errors)


class LineView(Sequence[str]):
    """The lines of a text without their endings, each cut out when it is asked for; very long ones are kept."""

    __slots__ = ("_long", "_starts", "_text")

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._long: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return self._cut(range(*at.indices(len(self))))
        start, end = self._span(at)
        if end - start < _LONG_LINE:
            return self._text[start:end]
        if start not in self._long:
            self._long[start] = self._text[start:end]
        return self._long[start]

    def __iter__(self) -> Iterator[str]:
        for piece in pieces(self._text, SMALL_PIECE):
            yield from _split_piece(piece)[0]

    def _cut(self, numbers: range) -> list[str]:
        if not numbers or numbers.step != 1:
            return [self[number] for number in numbers]
        start, end = self._starts[numbers.start], self._starts[numbers.stop]
        if end - start >= _LONG_LINE:
            return [self[number] for number in numbers]
        return _split_piece(self._text[start:end])[0]

    def ending(self, at: int) -> str:
        """What a line ends in; nothing where the text ends first."""
        _, end = self._span(at)
        return self._text[end : min(end + 2, self._starts[at + 1 if at >= 0 else len(self) + at + 1])]

    def _span(self, at: int) -> tuple[int, int]:
        at = at if at >= 0 else at + len(self)
        if not 0 <= at < len(self):
            raise IndexError(at)
        start, end = self._starts[at], self._starts[at + 1]
        tail = self._text[max(end - 2, start) : end]
        ending = 2 if tail == "\r\n" else 1 if tail.endswith(("\n", "\r")) else 0
        return start, end - ending


class WholeLines(Sequence[str]):
    """The lines of a text with their endings, each cut out when it is asked for."""

    __slots__ = ("_text", "starts")

    def __init__(self, text: str) -> None:
        self._text = text
        self.starts: Sequence[int] = _starts(text)
        """The offset of each line, and behind them the length of the text."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        numbers = range(len(self))[at]
        if isinstance(numbers, range):
            return [self._text[self.starts[n] : self.starts[n + 1]] for n in numbers]
        return self._text[self.starts[numbers] : self.starts[numbers + 1]]


def pieces(text: str, size: int = _PIECE) -> Iterator[str]:
    """The text in pieces of many whole lines."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + size) + 1 or len(text)
        yield text[at:end] if at or end < len(text) else text
        at = end


def _starts(text: str) -> array[int]:
    starts = array("I" if len(text) < 1 << 32 else "Q", [0])
    for piece in pieces(text, SMALL_PIECE):
        lines, endings = _split_piece(piece)
        starts.extend(accumulate(map(add, map(len, lines), map(len, endings)), initial=starts.pop()))
    return starts


def split_lines(text: str) -> tuple[list[str], list[str]]:
    """Lines and their endings, same length; `"a\\nb"` gives `["a", "b"], ["\\n", ""]`."""
    if len(text) <= _PIECE:
        return _split_piece(text)
    lines: list[str] = []
    endings: list[str] = []
    for piece in pieces(text):
        more, their_endings = _split_piece(piece)
        lines += more
        endings += their_endings
    return lines, endings


def _split_piece(text: str) -> tuple[list[str], list[str]]:
    if "\r" not in text:
        lines = text.split("\n")
        endings = ["\n"] * (len(lines) - 1) + [""]
    else:
        lines, endings, at = [], [], 0
        for match in _ENDING.finditer(text):
            lines.append(text[at : match.start()])
            endings.append(intern(match.group()))
            at = match.end()
        lines.append(text[at:])
        endings.append("")
    if lines[-1] == "":
        lines.pop()
        endings.pop()
    return lines, endings


def normalise_newlines(text: str) -> str:
    """Every line ending as `\\n`: how texts from proposals are held."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def decode(data: bytes) -> FileText:
    """The text of a file's bytes. Raises NotText where editing them as text could mangle them."""
    for mark, encoding in _WIDE_BOMS:
        if data.startswith(mark):
            return _decode_wide(data, mark, encoding)
    bom = _UTF8_BOM if data.startswith(_UTF8_BOM) else b""
    body = data[len(bom) :]
    if b"\0" in body:
        raise NotText("binary file (it has NUL bytes)")
    return FileText(body.decode("utf-8", "surrogateescape"), "utf-8", bom)


def _decode_wide(data: bytes, mark: bytes, encoding: str) -> FileText:
    try:
        file = FileText(data[len(mark) :].decode(encoding), encoding, mark)
        exact = file.encode() == data
    except UnicodeError:
        exact = False
    if not exact:
        raise NotText(f"begins like {encoding} text but does not decode cleanly")
    return file


def splice(text: str, splices: Sequence[Splice]) -> str:
    """All splices at once; they must not overlap. Insertions at one point keep their order."""
    if len(splices) == 1:
        start, end, new = splices[0]
        return text[:start] + new + text[end:]
    parts, at = [], 0
    for cut in sorted(splices, key=lambda cut: (cut.start, cut.end)):
        parts += [text[at : cut.start], cut.new]
        at = cut.end
    parts.append(text[at:])
    return "".join(parts)
