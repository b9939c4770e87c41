"""Edits by line number: where they go, and their new lines with the indentation of their context.

Numbers count the lines of the file as it is (1-based, inclusive; an insertion goes behind its line, 0 is the top), so
several edits of one file do not shift each other. New lines take the file's ending; a file without a final newline
stays without one.
"""

from __future__ import annotations

from engine.matching.answer import Located, Place, Refused
from engine.model import Code, LineCommand, LineEdit
from engine.reindent import Gap, indented
from engine.text import FileText, Splice, normalise_newlines, split_lines

STRATEGY = "line_numbers"


def resolve(file: FileText, edit: LineEdit, path: str) -> Located | Refused:
    """What this edit changes, or why it cannot: a range that the file does not have, or other text in it."""
    count = len(file.lines)
    insert = edit.command is LineCommand.INSERT
    first = edit.start_line if insert else edit.start_line - 1
    last = edit.start_line if insert else edit.end_line
    if count == 0 and (first, last) == (0, 1):
        last = 0  # readers show an empty file as one empty line
    if not 0 <= first <= last <= count or (first == last and not insert and count):
        return Refused(Code.NOT_FOUND, _out_of_range(edit, count, path))
    if not _as_expected(file, edit):
        return Refused(Code.STALE, f"{_span(edit)} no longer read as expected; look again with `hunkdeck show {path}`")
    lines, notes = _new_lines(file, edit, Gap(file.lines, first, last), path)
    cut = _splice(file, first, last, lines)
    if file.text[cut.start : cut.end] == cut.new:
        return Refused(Code.NO_CHANGE, f"{_span(edit)} would not change")
    shown = Place(max(first if insert else first + 1, 1), max(last, 1), (cut,))
    return Located(STRATEGY, 1.0, (shown,), notes=notes)


def _new_lines(file: FileText, edit: LineEdit, gap: Gap, path: str) -> tuple[list[str], tuple[str, ...]]:
    if edit.command is LineCommand.DELETE:
        return [], ()
    content = split_lines(normalise_newlines(edit.new_content))[0]
    return indented(content, gap, file, path, edit.indent_level)


# ---------------------------------------------------------------- refusals


def _span(edit: LineEdit) -> str:
    if edit.command is LineCommand.INSERT:
        return f"insertion behind line {edit.start_line}"
    if edit.start_line == edit.end_line:
        return f"line {edit.start_line}"
    return f"lines {edit.start_line}-{edit.end_line}"


def _out_of_range(edit: LineEdit, count: int, path: str) -> str:
    verb = "are" if edit.start_line != edit.end_line else "is"
    size = "the file has 1 line" if count == 1 else f"the file has {count} lines" if count else "the file is empty"
    valid = f"valid: 1-{count}; insert: 0-{count}" if count else "valid: insert at 0"
    return f"{_span(edit)} {verb} out of range: {size} ({valid}); see its lines with `hunkdeck show {path}`"


def _as_expected(file: FileText, edit: LineEdit) -> bool:
    if edit.expected is None:
        return True
    actual = file.lines[max(edit.start_line - 1, 0) : edit.end_line]
    return "\n".join(actual) == normalise_newlines(edit.expected).removesuffix("\n")


# ---------------------------------------------------------------- splices


def _splice(file: FileText, first: int, last: int, lines: list[str]) -> Splice:
    """`lines` in place of the file's lines `first` to `last` (0-based, exclusive), leaving equal edges alone."""
    old = file.lines[first:last]
    same_before = _common(old, lines)
    same_after = _common(old[same_before:][::-1], lines[same_before:][::-1])
    first, last = first + same_before, last - same_after
    lines = lines[same_before : len(lines) - same_after]
    start, end = file.starts[first], file.starts[last]
    if last < len(file.lines) or not file.lines or file.ends_with_newline:
        return Splice(start, end, "".join(line + file.ending for line in lines))
    # The last line has no ending, and whatever becomes the last line must have none either.
    text = file.ending.join(lines)
    if lines and first == last:
        return Splice(start, end, file.ending + text)
    if not lines and first:
        start -= len(file.endings[first - 1])
    return Splice(start, end, text)


def _common(left: list[str], right: list[str]) -> int:
    """How many lines the two have in common at their start."""
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count
