"""The front door: plain edits are answered at once, everything else by the search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.matching.answer import Answer, Located
from engine.matching.plain import found_once, is_plain, plain_answer
from engine.model import TextEdit
from engine.text import FileText

_FEW = 64
"""Up to so many edits are looked for one by one."""


def locate_all(file: FileText, edits: Sequence[TextEdit], *, first_match: bool = False) -> tuple[Answer, ...]:
    """Where each edit goes, located in the original text; answers come in the order of `edits`.

    `first_match`: of equally strict places take the first behind the previous edit, as Codex does.
    """
    if len(edits) == 1 and (only := _plain_answer(file.text, edits[0])):
        return (only,)
    answers = tuple(_answers(file, edits, first_match=first_match))
    if len(edits) < 2:
        return answers
    from engine.matching.shared_insertions import in_one_place

    return in_one_place(file.text, edits, answers)


def _answers(file: FileText, edits: Sequence[TextEdit], *, first_match: bool) -> Iterable[Answer]:
    plain = _plain_answers(file, edits)
    if None not in plain:
        return (answer for answer in plain if answer)
    from engine.matching.siblings import search_all

    return search_all(file, edits, plain, first_match=first_match)


def _plain_answers(file: FileText, edits: Sequence[TextEdit]) -> Sequence[Answer | None]:
    text = file.text
    if len(edits) < 2 or "\r" in text:
        return [None] * len(edits)
    if len(edits) > _FEW:
        from engine.matching.many import LineTable

        table = LineTable(file, edits)
        places = ((edit, table.found_once(edit) if is_plain(edit) else None) for edit in edits)
        return [plain_answer(text, edit, *place) if place else None for edit, place in places]
    return [_plain_answer(text, edit) for edit in edits]


def _plain_answer(text: str, edit: TextEdit) -> Located | None:
    if not is_plain(edit) or "\r" in text:
        return None
    at = found_once(text, edit.old)
    return None if at < 0 else plain_answer(text, edit, at)
