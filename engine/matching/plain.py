"""The plain case, which most edits are: the old text stands once in the file, exactly, and nothing about it is odd.

Whatever is not certainly plain has no answer here and is left to the search (`siblings`). Where there is an answer, the
search would give the same. This module stands alone, so that a plain edit costs little more than finding it.
"""

from __future__ import annotations

from engine.matching.answer import Located
from engine.matching.plain_place import PlainPlace
from engine.model import TextEdit


def is_plain(edit: TextEdit) -> bool:
    """Whether the edit asks for nothing but its place: no scope, no newline lost or gained, no sign of damage."""
    old, new = edit.old, edit.new
    if not old or not new or old == new or edit.replace_all or edit.scopes or edit.at_end:
        return False
    if (old[-1] == "\n") is not (new[-1] == "\n") or _may_be_damaged(new):
        return False
    # One line that becomes several may not say how deep they stand.
    return old[0] in " \t" or "\n" in old[:-1] or "\n" not in new[:-1]


def _may_be_damaged(new: str) -> bool:
    """A fence, line numbers or an ellipsis: see `new_text`."""
    return "..." in new or "…" in new or new[:3] == "```" or new[:12].lstrip(" \tL")[:1].isdigit()


def found_once(text: str, old: str) -> int:
    """The offset of the only place of `old`; -1 where there is none, or another."""
    at = text.find(old)
    return at if at < 0 or text.find(old, at + 1) < 0 else -1


def plain_answer(text: str, edit: TextEdit, at: int, line: int | None = None) -> Located | None:
    """The answer for an edit that `is_plain` and stands only at this offset, in this line (0-based, if known).

    `text` has no carriage returns.
    """
    old, new, end = edit.old, edit.new, at + len(edit.old)
    closed = old[-1] == "\n"
    if (end == len(text) and not closed) or (old in new and _may_stand_already(text, edit, at)):
        return None
    whole = (at == 0 or text[at - 1] == "\n") and (closed or text[end] == "\n")
    if not whole and (edit.whole_lines or "\n" in old or "\n" in new or _cuts_word(text, at) or _cuts_word(text, end)):
        return None
    return Located("simple", 1.0, (PlainPlace(text, edit, at, line),))


def _may_stand_already(text: str, edit: TextEdit, at: int) -> bool:
    """Whether the place of `old` is part of what may be a place of `new`: an addition that was made before."""
    above = edit.new.find(edit.old)
    return text.startswith(edit.new.removesuffix("\n"), at - above) or edit.new.find(edit.old, above + 1) >= 0


def _cuts_word(text: str, at: int) -> bool:
    """Whether a word goes on across this offset."""
    if at == 0 or at == len(text):
        return False
    before, behind = text[at - 1], text[at]
    return (before.isalnum() or before == "_") and (behind.isalnum() or behind == "_")
