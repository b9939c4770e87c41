"""Normal forms of text: what may differ between what an agent sent and what the file holds.

`fold` undoes typography and never changes the number of lines; `squeeze` also drops every space, so that two lines
have the same squeezed form exactly when they differ in white space and look-alike characters only.
"""

from __future__ import annotations

import re
import unicodedata

LOOK_ALIKES = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
}
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"

_FULL_WIDTH = re.compile("[\uff01-\uff5e]")
_MARK = re.compile("[\u0300-\u036f]")
_NO_SPACES = {ord(space): None for space in " \t\r\f\v"}
_WORD = re.compile(r"\w+")
_TRIVIAL = frozenset(
    ["else", "else:", "try:", "finally:", "done", "endif", "then", "begin", "pass", "break", "break;", "continue"]
) | frozenset(["continue;", "return", "return;", "default:", "#else", "#endif"])
"""Lines with letters that stand everywhere; those with fewer than four are trivial anyway."""
_LONGEST_LINE_TO_NORMALISE = 1000


def fold_same_length(text: str) -> str:
    """Look-alike characters as the ASCII ones they stand for; offsets stay valid."""
    if text.isascii():
        return text
    for odd, plain in LOOK_ALIKES.items():
        if odd in text:
            text = text.replace(odd, plain)
    if _FULL_WIDTH.search(text):
        text = _FULL_WIDTH.sub(lambda match: chr(ord(match.group()) - 0xFEE0), text)
    return text


def fold(text: str) -> str:
    """Without typography: look-alikes, zero-width characters, letters composed with their marks."""
    if text.isascii():
        return text
    text = fold_same_length(text)
    for nothing in ZERO_WIDTH:
        text = text.replace(nothing, "")
    return "\n".join(map(_composed, text.split("\n"))) if _MARK.search(text) else text


def _composed(line: str) -> str:
    if line.isascii() or len(line) > _LONGEST_LINE_TO_NORMALISE:
        return line
    return unicodedata.normalize("NFC", line)


def squeeze(text: str) -> str:
    """The folded text without any space; line breaks stay."""
    text = fold(text)
    if text.isascii():
        return text.translate(_NO_SPACES)
    for space in " \t\r\f\v":
        text = text.replace(space, "")
    return text


def loosen(key: str) -> str:
    """A squeezed line without the two things that may differ in a line to be removed: the kind of quote, and a
    final comma or semicolon."""
    return key.replace('"', "'").replace("`", "'").rstrip(",;")


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\u00a0"))]


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def is_telling(key: str) -> bool:
    """Whether a squeezed line says something about where it stands; `}`, `else:` and the like do not."""
    return key not in _TRIVIAL and sum(map(str.isalnum, key[:40])) >= 4


def weight(key: str) -> float:
    """How much a line counts when two blocks are compared."""
    return 1.0 if is_telling(key) else 0.1
