"""Readings of a hunk: what the agent may have meant, where the text was damaged on its way.

A reading applies the same function to `old` and `new`: a Markdown fence, line numbers or diff marks are peeled off,
escapes and entities are decoded. The hunk as sent always comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from engine.matching.rows import Rows


class Kind(Enum):
    AS_SENT = "as sent"
    DECODED = "escapes decoded"
    PEELED = "fence, line numbers or diff marks taken off"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a hunk, as rows of `old` and `new`."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    kind: Kind = Kind.AS_SENT
    start_line: int | None = None
    """The file line (1-based) that the first row of `old` is said to be."""
    old_closed: bool = True
    """The last line of `old` ended in a newline."""
    new_closed: bool = True

    @property
    def loses_newline(self) -> bool:
        return self.kind is Kind.AS_SENT and bool(self.new) and self.old_closed and not self.new_closed

    @property
    def gains_newline(self) -> bool:
        return self.kind is Kind.AS_SENT and bool(self.new) and self.new_closed and not self.old_closed

    def cut(self, head: int, tail: int) -> Reading:
        """Without that many blank rows at either end of `old`, nor the same ones of `new`."""
        new = list(self.new)
        for _ in range(head):
            if new and not new[0].strip():
                new.pop(0)
        for _ in range(tail):
            if new and not new[-1].strip():
                new.pop()
        start = None if self.start_line is None else self.start_line + head
        return replace(self, old=self.old[head : len(self.old) - tail], new=tuple(new), start_line=start)


Texts = tuple[str, str]


def as_sent(old: str, new: str, start_line: int | None = None) -> Reading:
    return _reading((old, new), Kind.AS_SENT, start_line)


def other_readings(old: str, new: str, start_line: int | None = None) -> Iterator[Reading]:
    """Every reading but the one as sent, without repetition."""
    seen: list[Texts] = [(old, new)]
    kinds = [Kind.AS_SENT, *(Kind.PEELED for _ in range(3))]
    bases = [(old, new), *_peeled((old, new))]
    hint = start_line if start_line is not None else first_number(old)
    for base in bases[1:]:
        seen.append(base)
        yield _reading(base, Kind.PEELED, hint)
    for base, kind in zip(bases, kinds, strict=False):
        for decoded in _all_decoded(base):
            if decoded not in seen:
                seen.append(decoded)
                yield _reading(decoded, Kind.DECODED if kind is Kind.AS_SENT else kind, hint)


def _reading(texts: Texts, kind: Kind, start_line: int | None) -> Reading:
    old, new = (Rows.of(text) for text in texts)
    return Reading(old.lines, new.lines, kind, start_line, old.closed, new.closed)


# ---------------------------------------------------------------- what surrounds the text


def _peeled(texts: Texts) -> list[Texts]:
    """Without fence, then also without line numbers, then also without diff marks; only where something comes off."""
    results: list[Texts] = []
    for peel in (_without_fence, _without_numbers, _without_marks):
        sent = (results or [texts])[-1]
        old, new = (Rows.of(text).lines for text in sent)
        peeled = peel(old, new)
        if peeled is None:
            continue
        if peel is _without_fence and peeled[1] is new and peeled[0] and not peeled[0][-1].strip():
            peeled = _with_hidden_newline(peeled[0], sent[1])
            if peeled is None:
                break
        results.append((_joined(peeled[0]), _joined(peeled[1])))
    return results


def _joined(lines: Lines) -> str:
    """The lines as a text; a blank last line stays one."""
    return "\n".join(lines) + ("\n" if lines and not lines[-1] else "")


def _with_hidden_newline(inner: Lines, new: str) -> tuple[Lines, Lines] | None:
    """A fence around `old` alone hides whether its last line is blank, or just the newline of the line above.

    Only where `new` ends in as many newlines is it certain that both are blank lines which stay.
    """
    old = "\n".join(inner)
    same = len(old) - len(old.rstrip("\n")) == len(new) - len(new.rstrip("\n"))
    return (inner, new.split("\n")) if same else None


Lines = Sequence[str]


def unfenced(lines: Lines) -> Lines | None:
    """The lines inside a Markdown fence that encloses them all."""
    if len(lines) < 2 or not lines[0].startswith("```") or "`" in lines[0][3:] or lines[-1].rstrip() != "```":
        return None
    return None if any(line.startswith("```") for line in lines[1:-1]) else lines[1:-1]


def _without_fence(old: Lines, new: Lines) -> tuple[Lines, Lines] | None:
    inner = unfenced(_without_last_blanks(old))
    if inner is None:
        return None
    new_inner = unfenced(_without_last_blanks(new))
    if new_inner is not None:
        return inner, new_inner
    return inner, new


def _without_last_blanks(lines: Lines) -> Lines:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


_NUMBERED = tuple(
    re.compile(r"[ \t]{0,12}L?(\d{1,7})(?:" + separator + r"|" + separator.rstrip(" ") + r"$)")
    for separator in (r" \| ", r" \|", r"\| ", r"\|", r": ", r":", r"\t", "\u2192", r"\. ", r"\) ")
)
_NUMBER_ONLY = re.compile(r"[ \t]{0,12}L?(\d{1,7})[ \t]*$")


def unnumbered(lines: Lines) -> tuple[int, Lines, re.Pattern[str]] | None:
    """The first number and the lines without theirs, if they count up one by one."""
    for style in _NUMBERED:
        matches = [
            (row, style.match(line) or _NUMBER_ONLY.match(line)) for row, line in enumerate(lines) if line.strip()
        ]
        starts = {int(match.group(1)) - row if match else None for row, match in matches}
        start = starts.pop() if len(starts) == 1 else None
        if start is not None and any(style.match(line) for line in lines):
            return start, _take_off(style, lines), style
    return None


def _take_off(style: re.Pattern[str], lines: Lines) -> Lines:
    return [line[match.end() :] if (match := style.match(line) or _NUMBER_ONLY.match(line)) else line for line in lines]


def first_number(old: str) -> int | None:
    found = unnumbered(Rows.of(old).lines)
    return found[0] if found else None


def _without_numbers(old: Lines, new: Lines) -> tuple[Lines, Lines] | None:
    found = unnumbered(old)
    if found is None:
        return None
    style = found[2]
    numbered = [bool(style.match(line) or _NUMBER_ONLY.match(line)) for line in new if line.strip()]
    if any(numbered) and not all(numbered):
        return None
    return found[1], _take_off(style, new) if any(numbered) else new


def _without_marks(old: Lines, new: Lines) -> tuple[Lines, Lines] | None:
    """`-` and `+` in front of changed lines, a space in front of the others."""
    if not _marked(old, "-") or (not _marked(new, "+") and any(line.startswith("+") for line in new)):
        return None
    return [line[1:] for line in old], [line[1:] for line in new] if _marked(new, "+") else new


def _marked(lines: Lines, mark: str) -> bool:
    return all(line[:1] in (mark, " ", "") for line in lines) and any(line.startswith(mark) for line in lines)


# ---------------------------------------------------------------- escapes and entities

_ESCAPED = {"n": "\n", "t": "\t", "r": "", '"': '"', "'": "'", "`": "`", "$": "$", "\\": "\\", "/": "/"}
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "#39": "'", "#x27": "'", "apos": "'", "nbsp": " "}
_ENTITY = re.compile("&(" + "|".join(_ENTITIES) + ");")

Decoder = Callable[[str], str]


def _unescape(characters: str) -> Decoder:
    pattern = re.compile(r"\\([" + re.escape(characters) + "])")
    return lambda text: pattern.sub(lambda match: _ESCAPED[match.group(1)], text)


def _entities(text: str) -> str:
    return _ENTITY.sub(lambda match: _ENTITIES[match.group(1)], text)


_AS_JSON = _unescape('nrt"\\/')
_DECODERS: tuple[Decoder, ...] = (
    _unescape("nt"),
    _unescape('"'),
    _unescape("'"),
    _unescape("nt\"'"),
    _unescape("nrt\"'`$\\"),
    _entities,
)
_BARE_IN_JSON = re.compile(r'(?<!\\)(?:\\\\)*"|\n(?!\Z)|\t')


def _all_decoded(texts: Texts) -> Iterator[Texts]:
    """Every way to decode them that changes `old`; what reads like a JSON string is decoded as one."""
    known = {texts[0]}
    if not any(_BARE_IN_JSON.search(text) for text in texts):
        as_json = _decoded(texts, _AS_JSON)
        if as_json[0] not in known:
            known.add(as_json[0])
            yield as_json
    for decode in _DECODERS:
        decoded = _decoded(texts, decode)
        if decoded[0] not in known:
            yield decoded


def _decoded(texts: Texts, decode: Decoder) -> Texts:
    """Both decoded, but for a `new` that has real line breaks where `old` has escaped ones: it was not escaped."""
    old, new = texts
    plain = decode(old)
    only_old = "\n" not in old.rstrip("\n") and "\n" in plain.rstrip("\n") and "\n" in new.rstrip("\n")
    return plain, new if only_old else decode(new)
