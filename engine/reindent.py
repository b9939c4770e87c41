"""New lines with the indentation of the place where they go.

Agents often send a block without its indentation. Each *variant* moves the whole block sideways, so that its own
structure stays; the variants are tried in the order of how well they fit, and the first one wins that parses (Python;
elsewhere the first). Text that already fits its context is the first variant: it is used as sent.

Indentation is counted in characters of the file's own kind: a tab counts one where the file is indented by tabs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from engine.syntax import problem
from engine.text import FileText

_WINDOW = 400
"""How many lines around the place are looked at."""
_PARSE_LIMIT = 300_000
"""Files longer than this are not parsed to choose between variants."""
_MAX_VARIANTS = 8
_METHOD = re.compile(r"^(?:async\s+)?def\s+\w+\s*\(\s*(?:self|cls)\b", re.MULTILINE)
_HEADER = re.compile(r"(?:if|for|while|with|try|async)\b")
_LEAVES = re.compile(r"(?:return|raise|break|continue|pass)\b")
_DEFINITION = re.compile(r"(?:async\s+def|def|class)\b|[@#]")
_ENDS_BLOCK = re.compile(r"[)\]}]|(?:else|elif|except|finally|case)\b")


@dataclass(frozen=True, slots=True)
class Gap:
    """The place: new lines go between `lines[:first]` and `lines[last:]` (0-based)."""

    lines: Sequence[str]
    first: int
    last: int

    @property
    def old(self) -> list[str]:
        return [line for line in self.lines[self.first : self.last] if line.strip()]

    def above(self) -> Iterator[str]:
        """The lines before the place that are not blank, upwards."""
        start = max(0, self.first - _WINDOW)
        return (line for line in reversed(self.lines[start : self.first]) if line.strip())

    def below(self) -> Iterator[str]:
        return (line for line in self.lines[self.last : self.last + _WINDOW] if line.strip())


@dataclass(frozen=True, slots=True)
class Unit:
    """One step of the file's indentation."""

    fill: str
    """A tab or a space."""
    width: int
    """How many of them: 1 tab, or 2, 4, 8 spaces."""


def indented(
    content: list[str], gap: Gap, file: FileText, path: str, level: int | None = None
) -> tuple[list[str], tuple[str, ...]]:
    """`content` as it fits the place, and notes on what was done to it."""
    sent = [line for line in content if line.strip()]
    if not sent:
        return content, ()
    unit = unit_of(gap)
    own = in_kind_of(content, unit) if unit else content
    unit = unit or Unit(" ", 4)
    if level is not None:
        columns = level if unit.fill == " " else -(-level // 4)
        return moved(own, columns - margin(own), unit), ()
    variants = _distinct([*islice(_variants(own, gap, unit), _MAX_VARIANTS), own])
    chosen = _first_that_parses(variants, gap, file, path)
    if chosen == content:
        return chosen, (
            ("used as sent: indented like its context it would not parse",) if chosen != variants[0] else ()
        )
    return chosen, ("indentation adapted to its context",)


# ---------------------------------------------------------------- measuring


def width(line: str) -> int:
    """How many characters of white space a line begins with."""
    return len(line) - len(line.lstrip(" \t"))


def margin(lines: Iterable[str]) -> int:
    return min((width(line) for line in lines if line.strip()), default=0)


def unit_of(gap: Gap) -> Unit | None:
    """The step that the lines around the place are indented by; None where nothing is indented."""
    lines = gap.lines[max(0, gap.first - _WINDOW) : gap.last + _WINDOW]
    widths = [(line[0], width(line)) for line in lines if line.strip()]
    fills = Counter(char for char, _ in widths if char in " \t")
    if not fills:
        return None
    if fills.most_common(1)[0][0] == "\t":
        return Unit("\t", 1)
    steps = Counter(b - a for (_, a), (_, b) in pairwise(widths) if b - a in (2, 3, 4, 8))
    return Unit(" ", steps.most_common(1)[0][0] if steps else 4)


def in_kind_of(content: list[str], unit: Unit) -> list[str]:
    """`content` indented by what the file is indented by: tabs, or spaces."""
    other = " " if unit.fill == "\t" else "\t"
    fills = {line[0] for line in content if line.strip() and line[0] in " \t"}
    if fills != {other}:
        return content
    if other == "\t":
        return [line[: width(line)].replace("\t", " " * unit.width) + line[width(line) :] for line in content]
    return _with_tabs(content)


def _with_tabs(content: list[str]) -> list[str]:
    least = margin(content)
    step = min((width(line) - least for line in content if line.strip() and width(line) > least), default=least or 4)
    step = next((size for size in (4, 8, 2, 3) if step % size == 0), step)

    def tabs(line: str) -> str:
        deeper, rest = divmod(max(width(line) - least, 0), step)
        return "\t" * (least // step + deeper) + " " * rest + line[width(line) :]

    return [tabs(line) if line.strip() else line for line in content]


def moved(content: list[str], by: int, unit: Unit) -> list[str]:
    """The whole block to the right, or to the left; blank lines stay as they are."""
    if by < 0:
        return [line[min(-by, width(line)) :] if line.strip() else line for line in content]
    return [unit.fill * by + line if line.strip() else line for line in content]


# ---------------------------------------------------------------- variants


def _variants(content: list[str], gap: Gap, unit: Unit) -> Iterator[list[str]]:
    """The block at every place that makes sense, the best first."""
    sent = [line for line in content if line.strip()]
    old = gap.old
    if old and [line.strip() for line in old] == [line.strip() for line in sent]:
        yield content  # only the indentation changes: it is what the edit is about
    line_by_line = _like_old_lines(content, gap, unit) if max(map(width, sent)) == 0 else None
    if line_by_line and _corresponds(line_by_line, gap):
        yield line_by_line
    if _fits_as_sent(sent, gap, unit):
        yield content
    yield from _all_moved(content, _shifts_to_old(sent, old), unit)
    if line_by_line:
        yield line_by_line
    yield from _all_moved(content, (target - width(sent[0]) for target in _targets(content, gap, unit)), unit)


def _all_moved(content: list[str], shifts: Iterable[int], unit: Unit) -> Iterator[list[str]]:
    """The block at each place where nothing of its structure is cut off at the left."""
    return (moved(content, shift, unit) for shift in shifts if shift + margin(content) >= 0)


def _fits_as_sent(sent: list[str], gap: Gap, unit: Unit) -> bool:
    """Whether the block stands like the lines it replaces, or is indented in a way that the context supports."""
    first, old = width(sent[0]), gap.old
    if old and (first == width(old[0]) or margin(sent) == margin(old)):
        return True
    # What lost its indentation begins at column 0; replaced lines may begin deeper than the block's least.
    meant = (margin(sent) if old else first) > 0
    return meant and first in _levels(gap, unit)


def _levels(gap: Gap, unit: Unit) -> set[int]:
    """The indentations that a line may have here: those of the blocks that are open, one more behind an opener."""
    levels: set[int] = set()
    for line in gap.above():
        if not levels and opens_block(line):
            levels.add(width(line) + unit.width)
        if not levels or width(line) < min(levels):
            levels.add(width(line))
        if width(line) == 0:
            break
    levels.update(width(line) for line in [next(gap.below(), "")] if line)
    return levels


def opens_block(line: str) -> bool:
    return line.split("#", 1)[0].rstrip().endswith((":", "{", "(", "["))


def _like_old_lines(content: list[str], gap: Gap, unit: Unit) -> list[str] | None:
    """Each line indented like the old line in its place, where there are as many."""
    old = gap.lines[gap.first : gap.last]
    if len(old) != len(content):
        return None
    pairs = zip(old, content, strict=True)
    return [unit.fill * width(before) + line if line.strip() else line for before, line in pairs]


def _corresponds(content: list[str], gap: Gap) -> bool:
    """Whether line for line the new text begins like the old."""
    pairs = zip(gap.lines[gap.first : gap.last], content, strict=True)
    return all(before.strip()[:1] == line.strip()[:1] for before, line in pairs)


def _shifts_to_old(sent: list[str], old: list[str]) -> Iterator[int]:
    """How far to move the block so that it stands like the old lines: by the first line, by the least indented."""
    if old:
        yield width(old[0]) - width(sent[0])
        yield margin(old) - margin(sent)


def _targets(content: list[str], gap: Gap, unit: Unit) -> Iterator[int]:
    """Where the first line could stand, judged by its neighbours; the most likely first."""
    above, below = next(gap.above(), ""), next(gap.below(), "")
    if opens_block(above):
        yield width(below) if width(below) > width(above) else width(above) + unit.width
    if _METHOD.search("\n".join(moved(content, -margin(content), unit))):
        yield from _member_level(gap, unit)
    if _belongs_above(content, gap, below):
        yield from _next_statement(content, gap)
        yield width(above)
    yield width(below)
    yield width(above)
    yield from sorted(_levels(gap, unit), reverse=True)


def _member_level(gap: Gap, unit: Unit) -> Iterator[int]:
    """Where a method stands: like the method above it, or in the class above it."""
    for line in gap.above():
        if _METHOD.match(line.lstrip()):
            yield width(line)
            return
        if line.lstrip().startswith("class "):
            yield width(line) + unit.width
            return


def _next_statement(content: list[str], gap: Gap) -> Iterator[int]:
    """Where it goes on behind a block: like the header of the same kind above it, or outside a block that is left."""
    kind = _HEADER.match(next(filter(str.strip, content)).lstrip())
    inner = next(gap.above(), "")
    leaves = _LEAVES.match(inner.lstrip())
    for line in gap.above():
        if width(line) < width(inner):
            if leaves or (kind and line.lstrip().startswith(kind.group())):
                yield width(line)
            return


def _belongs_above(content: list[str], gap: Gap, below: str) -> bool:
    """Whether the block goes on from the line above it rather than leading to the one below."""
    if _ENDS_BLOCK.match(below.lstrip()):
        return True
    first = next(filter(str.strip, content)).lstrip()
    if width(below) and _DEFINITION.match(below.lstrip()) and not _DEFINITION.match(first):
        return True
    touches_above = gap.first > 0 and bool(gap.lines[gap.first - 1].strip() and content[0].strip())
    touches_below = gap.last < len(gap.lines) and bool(gap.lines[gap.last].strip() and content[-1].strip())
    return touches_above and not touches_below


# ---------------------------------------------------------------- choosing


def _distinct(variants: Iterable[list[str]]) -> list[list[str]]:
    return [list(variant) for variant in dict.fromkeys(map(tuple, variants))]


def _first_that_parses(variants: list[list[str]], gap: Gap, file: FileText, path: str) -> list[str]:
    if len(variants) == 1 or len(file.text) > _PARSE_LIMIT or not path.endswith((".py", ".pyi", ".pyw")):
        return variants[0]
    for variant in variants:
        if problem(path, "\n".join([*gap.lines[: gap.first], *variant, *gap.lines[gap.last :], ""])) is None:
            return variant
    return variants[0]
