"""One hunk of a unified diff, read with the mistakes that models make repaired, and noted.

    hunk  : "@@ -1,2 +1,3 @@ …" row*      until its counts are met and something else than a row follows
    row   : (" " | "+" | "-") text | "" | "\\ No newline at end of file"

Repaired: counts that are wrong, headers without numbers (`@@`, `@@ … @@`), the lost space on empty context lines. Not
repaired: a row without its first character, for then nobody can say where the hunk ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.formats.cursor import Cursor

FENCES = ("```", "~~~")
MISCOUNTED = "the line counts of the hunk header were wrong"
CUT_OFF = "the hunk header was cut off"
NO_NUMBERS = "the hunk header had no line numbers"
LOST_SPACE = "an empty context line had lost its space"

_RANGE = re.compile(r"@@ +-(\d{1,30})(?:,(\d{1,30}))? +\+(\d{1,30})(?:,(\d{1,30}))? +@@")
_CUT_OFF = re.compile(r"@@ +-(\d{1,9})(?:,\d{1,9})?(?: +\+\d{1,9}(?:,\d{1,9})?)?(?: +@@.*)?[ \t\r]*\Z")
_DIGITS_MEANT = re.compile(r"@@[ \t]*+[-+]*+[ \t]*+-?\d")
_MAX_LINE = 999_999_999
_BLANK = ("", "\r")
_SIGNATURE = ("--", "-- ")
"""What mail programs put between a patch and its sender's name."""
_BOUNDARIES = (*FENCES, "@@", "diff ", "Index: ", "--- ", "Binary files ")
_SIDES = {" ": {"old", "new"}, "-": {"old"}, "+": {"new"}}

Counts = tuple[int, int]


@dataclass(slots=True)
class DiffHunk:
    """One hunk as it was found, before unidiff sees it."""

    line: int
    """Where it begins in the payload."""
    start: int | None
    """The first old line, where the header really says it."""
    rows: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, kinds: str) -> int:
        return sum(row[0] in kinds for row in self.rows)

    @property
    def counts(self) -> Counts:
        return self.count(" -"), self.count(" +")


def at_names(lines: Cursor) -> bool:
    """Are these the two lines that name a file?"""
    old, new = lines.peek(), lines.peek(1)
    return old.startswith("---") and new.startswith("+++") and old != "---"


def read_hunk(lines: Cursor) -> DiffHunk:
    hunk, announced = _header(lines)
    lines.at += 1
    blanks = _read_rows(lines, hunk, announced)
    if hunk.counts != announced:
        _check_end(lines, after_blank=announced is None and len(hunk.rows) - 1 in blanks)
        # Blank lines at the end that no count asks for separate the hunk from what follows.
        while len(hunk.rows) - 1 in blanks:
            blanks.remove(len(hunk.rows) - 1)
            hunk.rows.pop()
    if blanks:
        hunk.notes.append(LOST_SPACE)
    if announced is not None and hunk.counts != announced:
        hunk.notes.append(MISCOUNTED)
    _check_rows(lines, hunk)
    return hunk


def _header(lines: Cursor) -> tuple[DiffHunk, Counts | None]:
    """The hunk, still without rows, and what its header says about their number."""
    line = lines.peek()
    match = _RANGE.match(line)
    if not match:
        if cut_off := _CUT_OFF.match(line):
            return DiffHunk(lines.number, int(cut_off[1]), notes=[CUT_OFF]), None
        if line.startswith("@@@"):
            raise lines.bad("a combined diff of a merge; send an ordinary one")
        if _DIGITS_MEANT.match(line):
            raise lines.bad(f"malformed hunk header {line[:60]!r}: expected '@@ -1,2 +1,2 @@'")
        return DiffHunk(lines.number, None, notes=[NO_NUMBERS]), None
    old_start, old_count, new_start, new_count = (1 if part is None else int(part) for part in match.groups())
    if max(old_start, old_count, new_start, new_count) > _MAX_LINE:
        raise lines.bad("the line numbers of the hunk header are too large")
    return DiffHunk(lines.number, old_start), (old_count, new_count)


def _read_rows(lines: Cursor, hunk: DiffHunk, announced: Counts | None) -> set[int]:
    """Collect the rows; which of them are blank lines that had lost their space."""
    old_left, new_left = announced or (_MAX_LINE, _MAX_LINE)
    blanks = set()
    while not lines.done and _is_row(lines, old_left, new_left):
        row = lines.peek()
        if row in _BLANK:
            blanks.add(len(hunk.rows))
            row = " " + row
        hunk.rows.append(row)
        old_left -= row[0] in " -"
        new_left -= row[0] in " +"
        lines.at += 1
    return blanks


def _is_row(lines: Cursor, old_left: int, new_left: int) -> bool:
    line = lines.peek()
    met = old_left <= 0 and new_left <= 0
    if line in _BLANK:
        return not met
    if met and line in _SIGNATURE:
        return False
    # A removed "-- x" above an added "++ x" reads like the header of the next file.
    if at_names(lines) and lines.peek(2).startswith("@@") and (old_left, new_left) != (1, 1):
        return False
    return line[0] in " +-\\"


def _check_end(lines: Cursor, *, after_blank: bool) -> None:
    """What ended a hunk that no count closes must not be a row that lost its first character."""
    if not (lines.done or lines.peek().startswith(_BOUNDARIES) or after_blank):
        raise lines.bad(f"expected a line starting with ' ', '+' or '-', got {lines.peek()[:60]!r}")


def _check_rows(lines: Cursor, hunk: DiffHunk) -> None:
    if not hunk.count(" +-"):
        raise lines.bad("the hunk is empty", hunk.line)
    if hunk.start == 0 and any(row[0] == "-" or (row[0] == " " and row.strip()) for row in hunk.rows):
        raise lines.bad("the hunk begins at line 0 but has old lines; lines are counted from 1", hunk.line)
    ended: set[str] = set()
    before = "\\"
    for number, row in enumerate(hunk.rows, hunk.line + 1):
        if row[0] == "\\":
            if before == "\\":
                raise lines.bad("'No newline at end of file' in the wrong place", number)
            ended |= _SIDES[before]
        elif ended & _SIDES[row[0]]:
            raise lines.bad("a line behind 'No newline at end of file'", number)
        before = row[0]
