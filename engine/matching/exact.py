"""Exact places: the text as sent stands in the file, on whole lines or within them, on token boundaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from engine.matching.folding import fold_same_length, indent_of
from engine.matching.index import MOST_HITS, FileIndex
from engine.matching.merge import CannotMerge, merge, to_splices
from engine.matching.new_text import undo_damage
from engine.matching.option import Option, rank_of
from engine.matching.readings import Reading
from engine.matching.rows import Rows, diff
from engine.matching.strategies import simple, typography
from engine.model import TextEdit
from engine.text import Splice

_SIMPLE = rank_of(simple)
_TYPOGRAPHY = rank_of(typography)


def exact_options(index: FileIndex, edit: TextEdit, reading: Reading) -> list[Option]:
    """Every place where `old` stands exactly."""
    places = list(_places(index, edit))
    if _is_trimmed_line(index, edit, places):
        return []
    return [_option(index, edit, reading, start) for start in places]


def options_inside(index: FileIndex, edit: TextEdit, reading: Reading, lines: tuple[int, int]) -> list[Option]:
    """Every place of `old` on these lines (0-based), also inside a word: for a person who looks at it."""
    start, end = index.flat_lines(*lines)
    hits = islice(_hits(index.flat[start:end], edit.old), MOST_HITS)
    return [_option(index, edit, reading, start + at) for at in hits]


def typography_options(index: FileIndex, edit: TextEdit) -> list[Option]:
    """Every place within one line where `old` stands but for look-alike characters."""
    if edit.whole_lines or "\n" in edit.old or (edit.old.isascii() and index.flat.isascii()):
        return []
    text, old = fold_same_length(index.flat), fold_same_length(edit.old)
    options = []
    for start in _on_boundaries(text, old):
        end = start + len(old)
        table = _look_alikes(edit.old, index.flat[start:end])
        new = edit.new.translate(table)
        line = index.line_number(start)
        options.append(Option(_TYPOGRAPHY, line, line, _inline(index, start, end, new), differs=("typography",)))
    return options


def _look_alikes(sent: str, own: str) -> dict[int, str]:
    seen: dict[str, set[str]] = {}
    for mine, theirs in zip(sent, own, strict=True):
        if not mine.isascii():
            seen.setdefault(mine, set()).add(theirs)
    return {ord(mine): next(iter(theirs)) for mine, theirs in seen.items() if len(theirs) == 1}


def _places(index: FileIndex, edit: TextEdit) -> Iterator[int]:
    known = index.only_place(edit.old, whole_lines=edit.whole_lines)
    if known is not None:
        yield from known
        return
    for start in _hits(index.flat, edit.old) if edit.replace_all else _on_boundaries(index.flat, edit.old):
        if not edit.whole_lines or _is_whole(index.flat, start, start + len(edit.old)):
            yield start


def _hits(text: str, old: str) -> Iterator[int]:
    """Every hit; they may overlap each other."""
    start = text.find(old)
    while start >= 0:
        yield start
        start = text.find(old, start + 1)


def _on_boundaries(text: str, old: str) -> Iterator[int]:
    """Hits that do not begin or end inside a word (at most MOST_HITS)."""
    whole = (at for at in _hits(text, old) if not _cuts_word(text, at) and not _cuts_word(text, at + len(old)))
    return islice(whole, MOST_HITS)


def _cuts_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether whole lines stand at `start:end`, with or without the last newline."""
    return (start == 0 or text[start - 1] == "\n") and (end == len(text) or "\n" in text[end - 1 : end + 1])


def _is_trimmed_line(index: FileIndex, edit: TextEdit, places: list[int]) -> bool:
    """One line without its indentation becomes several, and written literally they would leave its block.

    Then this is a matter of indentation, not of exact text.
    """
    new = [line for line in edit.new.split("\n")[1:] if line.strip()]
    if "\n" in edit.old.rstrip("\n") or not new or not places or indent_of(edit.old):
        return False
    for start in places:
        head = index.flat[index.flat.rfind("\n", 0, start) + 1 : start]
        if not head or head.strip() or not _is_whole(index.flat, start - len(head), start + len(edit.old)):
            return False
        opens = edit.new.split("\n")[0].rstrip().endswith((":", "{", "(", "["))
        least = min(len(indent_of(line)) for line in new)
        if least > len(head) or (least == len(head) and not opens):
            return False
    return True


def _option(index: FileIndex, edit: TextEdit, reading: Reading, start: int) -> Option:
    text, end = index.flat, start + len(edit.old)
    first, last = index.line_number(start), index.line_number(max(start, end - 1))
    distance = None if edit.start_line is None else abs(first - (edit.start_line - 1))
    try:
        if "\n" not in edit.old and "\n" not in edit.new and not _is_whole(text, start, end):
            splices = _inline(index, start, end, edit.new)
        else:
            splices = _lines(index, reading, (start, end), (first, last))
    except CannotMerge as obstacle:
        return Option(_SIMPLE, first, last, obstacle=str(obstacle), distance=distance)
    return Option(_SIMPLE, first, last, splices, distance=distance)


def _inline(index: FileIndex, start: int, end: int, new: str) -> tuple[Splice, ...]:
    return (Splice(index.offset(start), index.offset(end), index.file.with_ending(new) if "\n" in new else new),)


def _lines(index: FileIndex, reading: Reading, span: tuple[int, int], lines: tuple[int, int]) -> tuple[Splice, ...]:
    """The change as whole lines: what stands before and behind the text on its lines is added to both sides."""
    text, (start, end), (first, last) = index.flat, span, lines
    reading = undo_damage(index, reading, first)
    new = list(reading.new)
    if not _is_whole(text, start, end):
        return _merged(index, index.file.rows[first : last + 1], _completed(text, span, new), first)
    old, at_end = list(reading.old), end + 1 >= len(text)
    if reading.loses_newline and text[end : end + 1] == "\n":
        old.append("")
    elif reading.gains_newline and not at_end:
        new.append("")
    if index.has_only_newlines and not at_end:
        return _quick(start, old, new)
    final = True if reading.gains_newline else False if reading.loses_newline else None
    return _merged(index, old, new, first, final_newline=final if last == index.file.line_count - 1 else None)


def _completed(text: str, span: tuple[int, int], new: list[str]) -> list[str]:
    """The new lines with what stands before and behind the old text on its lines."""
    start, end = span
    closed = text[end - 1] == "\n"
    tail = "" if closed else text[end : _line_end(text, end)]
    body = text[text.rfind("\n", 0, start) + 1 : start] + "\n".join(new) + tail
    return body.split("\n") if new or body.strip() or not closed else []


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _quick(start: int, old: list[str], new: list[str]) -> tuple[Splice, ...]:
    """For lines that all end in `\\n`, without splitting the file."""
    offsets = [start]
    for line in old:
        offsets.append(offsets[-1] + len(line) + 1)
    return tuple(
        Splice(offsets[old_first], offsets[old_last], "".join(line + "\n" for line in new[new_first:new_last]))
        for old_first, old_last, new_first, new_last in diff(old, new)
    )


def _merged(
    index: FileIndex, old: list[str], new: list[str], first: int, *, final_newline: bool | None = None
) -> tuple[Splice, ...]:
    changed = merge(index.file, old, new, tuple(range(first, first + len(old))))
    return to_splices(index.file, changed, final_newline=final_newline)


def stands_inside(index: FileIndex, edit: TextEdit, option: Option) -> bool:
    """Whether `new` already stands around this place of `old`: an addition that was made before."""
    old, lines = Rows.of(edit.old).lines, Rows.of(edit.new).lines
    if edit.old not in edit.new or lines == old:
        return False
    # Blank lines that both begin or end with may be just the end of another line, and say nothing about the addition.
    head, tail = old[0] == lines[0] == "", len(old) > 1 and old[-1] == lines[-1] == ""
    first, last = option.first + head, option.last - tail
    lines = lines[head : len(lines) - tail]
    new, start = "\n".join(lines), max(0, first - len(lines))
    text = "\n".join(index.file.rows[start : last + len(lines) + 1])
    at = text.find(new)
    while at >= 0:
        above = text.count("\n", 0, at) + start
        covers = above <= first and last <= above + len(lines) - 1
        if covers and _has_its_blank_edges(text, lines, at, at + len(new)):
            return True
        at = text.find(new, at + 1)
    return False


def _has_its_blank_edges(text: str, lines: Sequence[str], start: int, end: int) -> bool:
    """Whether a blank line at either end of these lines is one in the text too, not just the end of another line."""
    above = bool(lines[0]) or start == 0 or text[start - 1] == "\n"
    return above and (bool(lines[-1]) or end == len(text) or text[end] == "\n")
