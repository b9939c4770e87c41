"""How a match of a structural pattern turns into small edits of the source.

A pattern and its rewrite are token lists; variables (`$VAR`, `$$$ARGS`) are tokens like any other. Every token of the
pattern is *aligned* with the text that it matched, and the difference between pattern and rewrite says which of them
change. All that lies between and behind them stays as it is: spacing, comments, a function's body under
`def $OLD($$$ARGS)`, its `-> int`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.text import Splice

_TOKEN = re.compile(r"(?P<variable>\$\$\$[A-Z_]\w*|\$\$?[A-Z_]\w*|\$\$\$|\$\$?_)|\w+|[^\w\s]")
_NAME = re.compile(r"\$+")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a pattern: a variable, or text that must stand there."""

    text: str
    start: int
    end: int
    is_variable: bool

    @property
    def name(self) -> str:
        """A variable's name without its dollars; `$$$` and `$_` have nothing to fill in."""
        return _NAME.sub("", self.text)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters."""

    start: int
    end: int


def tokens(text: str) -> list[Token]:
    found = _TOKEN.finditer(text)
    return [Token(match.group(), match.start(), match.end(), match.group("variable") is not None) for match in found]


def variables(text: str) -> set[str]:
    """The names of the variables in a pattern or rewrite that can be filled in."""
    return {token.name for token in tokens(text) if token.is_variable and not token.name.startswith("_")} - {""}


# ---------------------------------------------------------------- alignment


class _Leaves:
    """The leaf tokens of one match, read from left to right."""

    def __init__(self, spans: Sequence[Span], source: str) -> None:
        self.spans = spans
        self.source = source
        self.at = 0

    @property
    def offset(self) -> int:
        """Where the last leaf that was read ends."""
        return self.spans[self.at - 1].end if self.at else self.spans[0].start

    def skip_to(self, offset: int) -> None:
        while self.at < len(self.spans) and self.spans[self.at].start < offset:
            self.at += 1

    def find(self, text: str) -> list[int] | None:
        """The offsets of the characters of `text` in the next leaves that spell it; other leaves are passed over."""
        offsets: list[int] = []
        while len(offsets) < len(text):
            if self.at == len(self.spans):
                return None
            span = self.spans[self.at]
            self.at += 1
            inked = [offset for offset in range(span.start, span.end) if not self.source[offset].isspace()]
            if inked and text.startswith("".join(self.source[offset] for offset in inked), len(offsets)):
                offsets += inked
        return offsets


def align(
    pattern: Sequence[Token], leaves: Sequence[Span], bound: Mapping[str, Span], source: str
) -> list[Span] | None:
    """The text that each token of the pattern matched; None where that cannot be told."""
    reader = _Leaves(leaves, source)
    uses = Counter(token.name for token in pattern if token.is_variable)
    spans: list[Span] = []
    for run in _runs(pattern):
        if not run[0].is_variable:
            found = _literal_spans(run, reader)
        elif uses[run[0].name] == 1:
            found = _variable_span(run[0], reader, bound)
        else:
            found = _repeated_span(run[0], reader, bound)
        if found is None:
            return None
        spans += found
    return spans


def _runs(pattern: Iterable[Token]) -> Iterator[list[Token]]:
    """Each variable alone, the literal tokens between them together."""
    run: list[Token] = []
    for token in pattern:
        if token.is_variable:
            if run:
                yield run
            yield [token]
            run = []
        else:
            run.append(token)
    if run:
        yield run


def _variable_span(token: Token, reader: _Leaves, bound: Mapping[str, Span]) -> list[Span]:
    span = bound.get(token.name)
    if span is None or span.start == span.end:
        return [Span(reader.offset, reader.offset)]
    reader.skip_to(span.end)
    return [span]


def _repeated_span(token: Token, reader: _Leaves, bound: Mapping[str, Span]) -> list[Span] | None:
    """Of a variable that the pattern uses twice only one place is known; but all of them read the same."""
    span = bound.get(token.name)
    if span is None or span.start == span.end:
        return [Span(reader.offset, reader.offset)]
    offsets = reader.find("".join(reader.source[span.start : span.end].split()))
    return None if offsets is None else [Span(offsets[0], offsets[-1] + 1)]


def _literal_spans(run: Sequence[Token], reader: _Leaves) -> list[Span] | None:
    offsets = reader.find("".join(token.text for token in run))
    if offsets is None:
        return None
    spans, at = [], 0
    for token in run:
        spans.append(Span(offsets[at], offsets[at + len(token.text) - 1] + 1))
        at += len(token.text)
    return spans


# ---------------------------------------------------------------- edits


@dataclass(frozen=True, slots=True)
class _Sides:
    """Pattern and rewrite, token by token, and where the pattern's tokens stand in the source."""

    pattern: str
    sent: Sequence[Token]
    spans: Sequence[Span]
    rewrite: str
    wanted: Sequence[Token]
    filled: Mapping[str, str]
    source: str

    def sent_gap(self, at: int) -> str:
        return _gap(self.pattern, self.sent, at)

    def wanted_gap(self, at: int) -> str:
        return _gap(self.rewrite, self.wanted, at)


def edits(pattern: str, spans: Sequence[Span], rewrite: str, filled: Mapping[str, str], source: str) -> list[Splice]:
    """What changes in the source so that the aligned pattern reads like the rewrite.

    White space between two tokens stays the source's where pattern and rewrite have the same there.
    """
    from difflib import SequenceMatcher

    sides = _Sides(pattern, tokens(pattern), spans, rewrite, tokens(rewrite), filled, source)
    sent, wanted = [token.text for token in sides.sent], [token.text for token in sides.wanted]
    if _brackets(sent) - _brackets(wanted) and _breaks_lines(spans, source):
        # Lines may have been broken only because they stood in brackets that go now.
        return [Splice(spans[0].start, spans[-1].end, _fill(rewrite, sides.wanted, filled))]
    make = {"replace": _replacement, "delete": _deletion, "insert": _insertion}
    opcodes = SequenceMatcher(None, sent, wanted, autojunk=False).get_opcodes()
    return [make[tag](sides, (a1, a2), (b1, b2)) for tag, a1, a2, b1, b2 in opcodes if tag != "equal"]


def _brackets(texts: Iterable[str]) -> Counter[str]:
    return Counter(text for text in texts if text in "()[]{}")


def _breaks_lines(spans: Sequence[Span], source: str) -> bool:
    return any("\n" in source[left.end : right.start] for left, right in pairwise(spans))


def _replacement(sides: _Sides, old: tuple[int, int], new: tuple[int, int]) -> Splice:
    start, end = sides.spans[old[0]].start, sides.spans[old[1] - 1].end
    text = _fill(sides.rewrite, sides.wanted[new[0] : new[1]], sides.filled)
    if old[0] and sides.sent_gap(old[0]) != sides.wanted_gap(new[0]):
        start, text = sides.spans[old[0] - 1].end, sides.wanted_gap(new[0]) + text
    if old[1] < len(sides.spans) and sides.sent_gap(old[1]) != sides.wanted_gap(new[1]):
        end, text = sides.spans[old[1]].start, text + sides.wanted_gap(new[1])
    return Splice(start, end, text)


def _deletion(sides: _Sides, old: tuple[int, int], new: tuple[int, int]) -> Splice:
    first, behind = old
    spans, gap = sides.spans, sides.wanted_gap(new[0])
    if behind == len(spans):
        return Splice(spans[first - 1].end if first else spans[0].start, spans[-1].end, "")
    if first == 0 or sides.sent_gap(first) == gap:
        return Splice(spans[first].start, spans[behind].start, "")
    if sides.sent_gap(behind) == gap:
        return Splice(spans[first - 1].end, spans[behind - 1].end, "")
    return Splice(spans[first - 1].end, spans[behind].start, gap)


def _insertion(sides: _Sides, old: tuple[int, int], new: tuple[int, int]) -> Splice:
    at, spans = old[0], sides.spans
    before, behind = sides.wanted_gap(new[0]), sides.wanted_gap(new[1])
    text = _fill(sides.rewrite, sides.wanted[new[0] : new[1]], sides.filled)
    if at == 0 or (at < len(spans) and sides.sent_gap(at) == before and not text.startswith((",", ";"))):
        return Splice(spans[at].start, spans[at].start, text + behind)
    if at == len(spans) or sides.sent_gap(at) == behind:
        return Splice(spans[at - 1].end, spans[at - 1].end, before + text)
    gap = sides.source[spans[at - 1].end : spans[at].start]
    if "\n" in gap and "\n" in before and "\n" in behind:
        # A line of its own in front of another: indented like that one.
        return Splice(spans[at].start, spans[at].start, text + "\n" + gap.rpartition("\n")[2])
    return Splice(spans[at - 1].end, spans[at].start, before + text + behind)


def _gap(text: str, found: Sequence[Token], at: int) -> str:
    """The white space in front of the token with this number."""
    return text[found[at - 1].end : found[at].start] if 0 < at < len(found) else ""


def _fill(rewrite: str, part: Sequence[Token], filled: Mapping[str, str]) -> str:
    """This part of the rewrite, with the variables replaced by the text they stand for."""
    pieces, at = [], part[0].start if part else 0
    for token in part:
        pieces += [rewrite[at : token.start], filled.get(token.name, token.text) if token.is_variable else token.text]
        at = token.end
    return "".join(pieces)
