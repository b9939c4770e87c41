"""The plain case, which most edits are: the old text stands once in the file, exactly, and nothing about it is odd.

Whatever is not certainly plain has no answer here and is left to the search (`siblings`). Where there is an answer, the
search would give the same. This module stands alone, so that a plain edit costs little more than finding it.
"""

from __future__ import annotations

from itertools import accumulate

from engine.matching.answer import Located, Place
from engine.model import TextEdit
from engine.text import Splice

_NAME, _CERTAIN = "simple", 1.0


def is_plain(edit: TextEdit) -> bool:
    """Whether the edit asks for nothing but its place: no scope, no newline lost or gained, no sign of damage."""
    old, new = edit.old, edit.new
    if not old or not new or old == new or edit.replace_all or edit.scopes or edit.at_end:
        return False
    if (old[-1] == "\n") is not (new[-1] == "\n"):
        return False
    return not _may_be_damaged(new) and not _may_lack_indentation(old, new)


def _may_be_damaged(new: str) -> bool:
    """A fence, line numbers or an ellipsis: see `new_text`."""
    return "..." in new or "…" in new or new[:3] == "```" or new[:12].lstrip(" \tL")[:1].isdigit()


def _may_lack_indentation(old: str, new: str) -> bool:
    """One line becomes several, and does not say how deep they stand."""
    return old[0] not in " \t" and "\n" not in old[:-1] and "\n" in new[:-1]


def found_once(text: str, old: str) -> int:
    """The offset of the only place of `old`; -1 where there is none, or another."""
    at = text.find(old)
    return at if at < 0 or text.find(old, at + 1) < 0 else -1


def plain_answer(text: str, edit: TextEdit, at: int, line: int) -> Located | None:
    """The answer for an edit that `is_plain` and stands only at this offset, in this line (0-based).

    `text` has no carriage returns.
    """
    old, new, end = edit.old, edit.new, at + len(edit.old)
    if end == len(text) and old[-1] != "\n":
        return None
    if _cuts_word(text, at) or _cuts_word(text, end) or _may_stand_already(text, edit, at):
        return None
    if (at == 0 or text[at - 1] == "\n") and (old[-1] == "\n" or text[end] == "\n"):
        closing = -1 if old[-1] == "\n" else None
        cuts = _lines(at, old[:closing].split("\n"), new[:closing].split("\n"))
    elif edit.whole_lines or "\n" in old or "\n" in new:
        return None
    else:
        cuts = (Splice(at, end, new),)
    return Located(_NAME, _CERTAIN, (Place(line + 1, line + 1 + old.count("\n", 0, -1), cuts),))


def _may_stand_already(text: str, edit: TextEdit, at: int) -> bool:
    """Whether the place of `old` is part of what may be a place of `new`: an addition that was made before."""
    above = edit.new.find(edit.old)
    if above < 0:
        return False
    return text.startswith(edit.new.removesuffix("\n"), at - above) or edit.new.find(edit.old, above + 1) >= 0


def _cuts_word(text: str, at: int) -> bool:
    """Whether a word goes on across this offset."""
    if at == 0 or at == len(text):
        return False
    before, behind = text[at - 1], text[at]
    return (before.isalnum() or before == "_") and (behind.isalnum() or behind == "_")


def _lines(start: int, old: list[str], new: list[str]) -> tuple[Splice, ...]:
    """What changes in the lines from `start` on, without equal ones at either end."""
    head = tail = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        head += 1
    start += sum(map(len, old[:head])) + head
    old, new = old[head:], new[head:]
    for one, other in zip(reversed(old), reversed(new), strict=False):
        if one != other:
            break
        tail += 1
    if tail:
        old, new = old[:-tail], new[:-tail]
    if (len(old) > 1 or len(new) > 1) and not set(old).isdisjoint(new):
        return _parts(start, old, new)
    return (Splice(start, start + sum(map(len, old)) + len(old), "\n".join([*new, ""])),)


def _parts(start: int, old: list[str], new: list[str]) -> tuple[Splice, ...]:
    """Several changes with lines between them that stay."""
    from engine.matching.rows import diff

    offsets = list(accumulate((len(line) + 1 for line in old), initial=start))
    return tuple(
        Splice(offsets[old_first], offsets[old_last], "\n".join([*new[new_first:new_last], ""]))
        for old_first, old_last, new_first, new_last in diff(old, new)
    )
