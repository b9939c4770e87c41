"""The file sections of a Codex patch: `codex.py` has the grammar and finds the two outer markers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.formats.cursor import Cursor
from engine.model import Create, Delete, Move, Op, TextEdit
from engine.text import normalise_newlines

_ENVIRONMENT = "*** Environment ID:"
_ADD, _DELETE, _UPDATE = "*** Add File: ", "*** Delete File: ", "*** Update File: "
_MOVE = "*** Move to: "
_END_OF_FILE = "*** End of File"
_RANGE = re.compile(r"-(\d{1,9})(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@")


@dataclass(slots=True)
class Section:
    """What one file header of the patch asks for."""

    path: str
    line: int
    ops: list[Op] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_sections(body: list[str], first_line: int, format: str) -> list[Section]:
    """All sections, or an error: nothing is half read."""
    lines = Cursor(body, format, first_line)
    lines.skip_blank()
    if not lines.done and lines.peek().strip().startswith(_ENVIRONMENT):
        if not lines.peek().strip()[len(_ENVIRONMENT) :].strip():
            raise lines.bad("the environment id is empty")
        lines.at += 1
    sections = []
    lines.skip_blank()
    while not lines.done:
        sections.append(_section(lines))
        lines.skip_blank()
    if not sections:
        raise lines.bad("the patch is empty: expected '*** Add File: ', '*** Delete File: ' or '*** Update File: '")
    return sections


def _section(lines: Cursor) -> Section:
    header = lines.peek().strip() + " "
    for marker, read in ((_ADD, _read_add), (_DELETE, _read_delete), (_UPDATE, _read_update)):
        if header.startswith(marker):
            path = header[len(marker) :].strip()
            if not path:
                raise lines.bad(f"{marker.strip()!r} lacks a path")
            section = Section(path, lines.number)
            lines.at += 1
            read(lines, section)
            return section
    raise lines.bad(f"expected '*** Add File: ', '*** Delete File: ' or '*** Update File: ', got {lines.peek()[:60]!r}")


def _read_add(lines: Cursor, section: Section) -> None:
    rows = []
    while not lines.done and lines.peek().startswith("+"):
        rows.append(lines.peek()[1:] + "\n")
        lines.at += 1
    lines.skip_blank()
    if not lines.done and not lines.peek().lstrip().startswith("*** "):
        raise lines.bad(f"every line of an added file must start with '+', got {lines.peek()[:60]!r}")
    section.ops.append(Create("".join(rows)))


def _read_delete(lines: Cursor, section: Section) -> None:
    section.ops.append(Delete())


def _read_update(lines: Cursor, section: Section) -> None:
    if not lines.done and (lines.peek().strip() + " ").startswith(_MOVE):
        target = lines.peek().strip()[len(_MOVE) :].strip()
        if not target:
            raise lines.bad(f"{_MOVE.strip()!r} lacks a path")
        section.ops.append(Move(target))
        lines.at += 1
    lines.skip_blank()
    while not lines.done and not _is_header(lines.peek()):
        section.ops.append(_chunk(lines, section))
        lines.skip_blank()
    if not section.ops:
        raise lines.bad(f"the update of {section.path} is empty: expected '@@' or '*** Move to: '", section.line)


def _is_header(line: str) -> bool:
    """Inside an update, a header may only be padded where no row can stand: between chunks."""
    return line.strip().startswith((_ADD.strip(), _DELETE.strip(), _UPDATE.strip()))


def _chunk(lines: Cursor, section: Section) -> TextEdit:
    scopes, start_line = _scopes(lines, section)
    old, new, kinds = _rows(lines)
    if not kinds:
        got = "the end of the patch" if lines.done else repr(lines.peek()[:60])
        raise lines.bad(f"expected a line starting with ' ', '+' or '-', got {got}")
    at_end = not lines.done and lines.peek().strip() == _END_OF_FILE
    if at_end:
        lines.at += 1
    return TextEdit(
        old=normalise_newlines("".join(old)),
        new=normalise_newlines("".join(new)),
        start_line=start_line,
        scopes=scopes,
        at_end=at_end,
        whole_lines=True,
    )


def _scopes(lines: Cursor, section: Section) -> tuple[tuple[str, ...], int | None]:
    """The `@@` lines above a chunk. A unified diff's range there is a hint, not text to look for."""
    scopes: list[str] = []
    start_line = None
    while not lines.done and lines.peek().startswith("@@"):
        context = lines.peek()[2:].strip("\r")
        ranged = _RANGE.match(context.strip())
        if ranged:
            start_line = int(ranged[1])
            section.notes.append(f"line {lines.number}: read the line range as a hint")
        elif context.strip():
            scopes.append(context.removeprefix(" ").rstrip())
        lines.at += 1
    return tuple(scopes), start_line


def _rows(lines: Cursor) -> tuple[list[str], list[str], list[str]]:
    """The old lines, the new lines and the kinds of the rows up to the next marker."""
    old: list[str] = []
    new: list[str] = []
    kinds: list[str] = []
    while not lines.done and not lines.peek().startswith(("@@", "***")):
        row = lines.peek() or " "
        if row[0] not in " +-":
            raise lines.bad(f"expected a line starting with ' ', '+' or '-', got {row[:60]!r}")
        if row[0] != "+":
            old.append(row[1:] + "\n")
        if row[0] != "-":
            new.append(row[1:] + "\n")
        kinds.append(row[0] if lines.peek() else "")
        lines.at += 1
    if lines.done or lines.peek().strip() != _END_OF_FILE:
        _drop_separators(old, new, kinds)
    return old, new, kinds


def _drop_separators(old: list[str], new: list[str], kinds: list[str]) -> None:
    """Blank lines in front of the next section separate; as context they would only make the place harder to find."""
    while kinds and kinds[-1] == "":
        for side in (old, new, kinds):
            side.pop()
