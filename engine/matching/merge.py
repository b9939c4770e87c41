"""The three-way merge: base is `old`, ours is the file's block, theirs is `new`.

Only lines that the agent really changed are written; everything else stays as the file has it. Removed lines must map
to consecutive lines of the file, and the neighbours of an insertion must be adjacent there. What was damaged in `old`
(indentation, look-alike characters) is undone in `new` where the aligned lines prove it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile

from engine.matching import indentation
from engine.matching.folding import LOOK_ALIKES, ZERO_WIDTH, indent_of, loosen, squeeze
from engine.matching.rows import Span, changes
from engine.text import FileText, Splice

Mapping = tuple[int | None, ...]
"""For each row of `old` the line of the file (0-based) that it stands for, None where there is none."""


class CannotMerge(Exception):
    """The place is known, but not what the file should read there."""


@dataclass(frozen=True, slots=True)
class Change:
    """Lines `first:last` of the file (0-based, half open) become `lines`."""

    first: int
    last: int
    lines: tuple[str, ...]


def merge(file: FileText, old: Sequence[str], new: Sequence[str], mapping: Mapping) -> tuple[Change, ...]:
    """What changes in the file. Raises CannotMerge where that is not certain."""
    pairs = _aligned(file, old, mapping)
    characters = _character_map(pairs)
    if characters:
        old = [row.translate(characters) for row in old]
        new = [row.translate(characters) for row in new]
    if _has_files_indentation(file, old, new, mapping):
        old = [row if line is None else file.rows[line] for row, line in zip(old, mapping, strict=True)]
    old, new = _without_odd_ends(file, old, new, mapping)
    writer = _Writer(file, old, new, mapping)
    outcomes = [writer.write(spans) for spans in changes(old, new)]
    if any(_rendered(file, outcome, outcomes) != _rendered(file, outcomes[0], outcomes) for outcome in outcomes):
        raise CannotMerge("old and new can be compared in two ways that give different texts")
    return outcomes[0]


def _without_odd_ends(
    file: FileText, old: Sequence[str], new: Sequence[str], mapping: Mapping
) -> tuple[list[str], list[str]]:
    """Without the spaces at line ends that the file does not have there."""
    odd = {
        row: row.rstrip()
        for row, line in zip(old, mapping, strict=True)
        if line is None or _space_behind(row) != _space_behind(file.rows[line])
    }
    return [odd.get(row, row) for row in old], [odd.get(row, row) for row in new]


def _space_behind(line: str) -> str:
    return line[len(line.rstrip()) :]


def _aligned(file: FileText, old: Sequence[str], mapping: Mapping) -> list[tuple[str, str]]:
    """The rows that are the same but for white space and look-alike characters, with the file's version."""
    pairs = [(row, file.rows[line]) for row, line in zip(old, mapping, strict=True) if line is not None]
    return [pair for pair in pairs if pair[0].strip() and _same_words(*pair)]


def _same_words(sent: str, own: str) -> bool:
    return sent == own or loosen(squeeze(sent)) == loosen(squeeze(own))


def _character_map(pairs: list[tuple[str, str]]) -> dict[int, str]:
    """Look-alike characters that aligned lines map to one single character of the file."""
    seen: dict[str, set[str]] = {}
    for sent, own in pairs:
        if sent.isascii():
            continue
        for odd in ZERO_WIDTH:
            if odd in sent:
                seen.setdefault(odd, set()).add(odd if odd in own else "")
        if len(sent) == len(own):
            for mine, theirs in zip(sent, own, strict=True):
                if mine in LOOK_ALIKES:
                    seen.setdefault(mine, set()).add(theirs)
    return {ord(mine): next(iter(theirs)) for mine, theirs in seen.items() if len(theirs) == 1}


def _has_files_indentation(file: FileText, old: Sequence[str], new: Sequence[str], mapping: Mapping) -> bool:
    """Whether `new` is indented like the file although `old` is not: then it is right as sent."""
    shared = _shared(len(old), changes([row.strip() for row in old], [row.strip() for row in new])[0])
    pairs = [
        (old[old_row], new[new_row], indent_of(file.rows[line]))
        for old_row, new_row in shared
        if (line := mapping[old_row]) is not None and old[old_row].strip()
    ]
    if all(indent_of(sent) == own for sent, _, own in pairs) or any(indent_of(row) != own for _, row, own in pairs):
        return False
    least = min(len(indent_of(file.rows[line])) for line in mapping if line is not None and file.rows[line].strip())
    shifted = indentation.is_shift([(indent_of(sent), own) for sent, _, own in pairs])
    by_chance = len(pairs) == 1 and sum(bool(row.strip()) for row in old) > 1
    if by_chance or not shifted or len(indent_of(next(row for row in new if row.strip()))) < least:
        raise CannotMerge("the indentation of old and new contradict each other")
    return True


def _shared(old_length: int, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Row numbers in `old` and `new` of the rows outside all spans."""
    shared, old_row, new_row = [], 0, 0
    for first, last, _, new_last in [*spans, (old_length, old_length, 0, 0)]:
        shared += [(row, new_row + row - old_row) for row in range(old_row, first)]
        old_row, new_row = last, new_last
    return shared


class _Writer:
    def __init__(self, file: FileText, old: list[str], new: list[str], mapping: Mapping) -> None:
        self.file, self.old, self.new, self.mapping = file, old, new, mapping
        mapped = [(row, line) for row, line in enumerate(mapping) if line is not None and old[row].strip()]
        fitting = [(row, line) for row, line in mapped if _same_words(old[row], file.rows[line])] or mapped
        pairs = [(indent_of(old[row]), indent_of(file.rows[line])) for row, line in fitting]
        self.guess = len(old) == 1 and indentation.is_guess(pairs)
        self.lone = len(pairs) == 1 and pairs[0][0] != pairs[0][1]
        """One line says how deep it stands, not how deep what comes behind a blank line does."""
        self.reindent = indentation.learn(pairs, from_first_row=bool(fitting) and fitting[0][0] == 0)

    def write(self, spans: Sequence[Span]) -> tuple[Change, ...]:
        return tuple(change for span in spans if (change := self._change(span)) is not None)

    def _change(self, span: Span) -> Change | None:
        old_first, old_last, new_first, new_last = span
        first, last = self._removed(old_first, old_last) if old_last > old_first else self._between(old_first)
        replaced = self._indent_replaced(old_first, old_last) if old_last - old_first == new_last - new_first else None
        lines = [self._line(row, replaced) for row in range(new_first, new_last)]
        return _without_what_stays(self.file, first, last, lines)

    def _removed(self, old_first: int, old_last: int) -> tuple[int, int]:
        lines = self.mapping[old_first:old_last]
        first = lines[0]
        if first is None or lines != tuple(range(first, first + len(lines))):
            raise CannotMerge("the lines to remove are not next to each other there")
        return first, first + len(lines)

    def _indent_replaced(self, old_first: int, old_last: int) -> indentation.Pair | None:
        """The one pair of indents of all these rows, as sent and in the file."""
        rows = [(self.old[row], self.mapping[row]) for row in range(old_first, old_last) if self.old[row].strip()]
        pairs = {(indent_of(row), indent_of(self.file.rows[line])) for row, line in rows if line is not None}
        return pairs.pop() if len(pairs) == 1 else None

    def _between(self, row: int) -> tuple[int, int]:
        """The line before which to insert: between two rows that are adjacent in the file, or at an edge of them.

        A blank row that has no line of its own will do as a neighbour if some blank line stands there.
        """
        above = self.mapping[row - 1] if row > 0 else None
        below = self.mapping[row] if row < len(self.mapping) else None
        if above is None and below is None:
            raise CannotMerge("nothing says where to insert")
        if row == 0 or row == len(self.mapping):
            at = above + 1 if above is not None else below
        elif above is None:
            at = below if self._blank_both(row - 1, below, -1) else None
        else:
            at = above + 1 if below == above + 1 or (below is None and self._blank_both(row, above, 1)) else None
        if at is None:
            raise CannotMerge("the lines around the insertion are not next to each other there")
        return at, at

    def _blank_both(self, row: int, line: int | None, step: int) -> bool:
        """Whether the row is blank, and the line next to `line` too."""
        at = -1 if line is None else line + step
        return not self.old[row].strip() and 0 <= at < self.file.line_count and not self.file.rows[at].strip()

    def _line(self, row: int, replaced: indentation.Pair | None) -> str:
        text = self.new[row]
        if not text.strip():
            return text
        sent = indent_of(text)
        apart = self.lone and "" in map(str.strip, dropwhile(lambda above: not above.strip(), self.new[:row]))
        own = None if self.guess or apart else self.reindent(sent, first_row=row == 0, replaced=replaced)
        if own is None:
            raise CannotMerge(f"the indentation of line {row + 1} of the new text cannot be inferred")
        return own + text[len(sent) :]


def _without_what_stays(file: FileText, first: int, last: int, lines: list[str]) -> Change | None:
    """The change without equal lines at its edges; None where nothing is left."""
    while first < last and lines and file.rows[first] == lines[0]:
        first, lines = first + 1, lines[1:]
    while first < last and lines and file.rows[last - 1] == lines[-1]:
        last, lines = last - 1, lines[:-1]
    return Change(first, last, tuple(lines)) if first < last or lines else None


def _rendered(file: FileText, outcome: Sequence[Change], outcomes: Sequence[Sequence[Change]]) -> list[str]:
    """The lines with their endings that an outcome gives, over the range that any of them touches."""
    every = [change for changes_ in outcomes for change in changes_]
    at = min((change.first for change in every), default=0)
    end = max((change.last for change in every), default=0)
    lines: list[str] = []
    for change in outcome:
        lines += [*_own(file, at, change.first), *(line + file.ending for line in change.lines)]
        at = change.last
    return lines + _own(file, at, end)


def _own(file: FileText, first: int, last: int) -> list[str]:
    return [file.rows[at] + (file.rows.ending(at) or file.ending) for at in range(first, last)]


def to_splices(file: FileText, changed: Sequence[Change], *, final_newline: bool | None = None) -> tuple[Splice, ...]:
    """Character ranges with the file's own line endings. `final_newline`: give or take away the file's last one."""
    splices = [_splice(file, change) for change in changed]
    if final_newline is True and not file.ends_with_newline and file.text:
        splices = _at_end(file, splices, len(file.text), file.ending)
    elif final_newline is False and file.ends_with_newline:
        splices = _at_end(file, splices, len(file.text) - len(file.rows.ending(-1)), "")
    return tuple(splices)


def _splice(file: FileText, change: Change) -> Splice:
    start, end = file.starts[change.first], file.starts[change.last]
    reaches_end = change.last == file.line_count and not file.ends_with_newline and bool(file.text)
    if not reaches_end:
        return Splice(start, end, "".join(line + file.ending for line in change.lines))
    body = file.ending.join(change.lines)
    if change.first == change.last:
        body = file.ending + body
    elif not change.lines and change.first > 0:
        start -= len(file.rows.ending(change.first - 1))
    return Splice(start, end, body)


def _at_end(file: FileText, splices: list[Splice], at: int, ending: str) -> list[Splice]:
    """The same splices, with the text behind `at` (nothing, or the last newline) replaced by `ending`."""
    if not splices or splices[-1].end < len(file.text):
        return [*splices, Splice(at, len(file.text), ending)]
    last = splices.pop()
    if ending:
        return [*splices, Splice(last.start, last.end, last.new + ending)]
    if last.new:
        return [*splices, Splice(last.start, last.end, last.new.removesuffix(file.ending))]
    line = file.line_at(last.start)
    return [*splices, Splice(last.start - (len(file.rows.ending(line - 1)) if line else 0), last.end, "")]
