"""What every test here needs: an edit applied to a text, or the refusal."""

from __future__ import annotations

from typing import Any

from engine.matching import Answer, Located, Place, Refused, locate_all
from engine.model import TextEdit
from engine.text import FileText, splice


def locate(content: str, old: str, new: str, **options: Any) -> Answer:
    return locate_all(FileText(content), [TextEdit(old, new, **options)])[0]


def applied(content: str, answer: Answer) -> str:
    """The new text; an answer that refuses fails the test with its reason."""
    assert isinstance(answer, Located), answer
    return splice(content, [cut for place in answer.places for cut in place.splices])


def edited(content: str, old: str, new: str, **options: Any) -> str:
    return applied(content, locate(content, old, new, **options))


def refused(content: str, old: str, new: str, **options: Any) -> Refused:
    answer = locate(content, old, new, **options)
    assert isinstance(answer, Refused), answer
    return answer


def spelled_out(answer: Answer) -> Answer:
    """With every place as plain data, so that answers can be compared."""
    if isinstance(answer, Refused):
        return answer
    return answer._replace(places=tuple(Place(one.first, one.last, one.splices) for one in answer.places))
