"""All edits of one file together: one index for all, and siblings that settle what one alone cannot.

The hunks of a patch come in file order, so a hunk that fits several places belongs between its neighbours, as long as
the hunks that are certain are in order themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.matching import explain
from engine.matching.answer import Answer, Located, Refused
from engine.matching.index import MOST_HITS, FileIndex
from engine.matching.locate import Search, answer, locate, located
from engine.matching.option import Option
from engine.model import TextEdit
from engine.text import FileText


def search_all(
    file: FileText, edits: Sequence[TextEdit], known: Sequence[Answer | None], *, first_match: bool = False
) -> tuple[Answer, ...]:
    """The answers that are known already, and those of the search for the other edits."""
    index = FileIndex(file, searches=len(edits))
    searches = {number: locate(index, edit) for number, edit in enumerate(edits) if known[number] is None}
    answers = [answer(*searches[number]) if one is None else one for number, one in enumerate(known)]
    for number, (search, found) in searches.items():
        if isinstance(answers[number], Located) or isinstance(found, Refused) or search.edit.replace_all:
            continue
        if first_match:
            answers[number] = _first_behind(search, found, answers[:number])
        elif search.edit.whole_lines and len(found) > 1:
            answers[number] = _between(search, found, answers, number)
    return tuple(answers)


def _first_behind(search: Search, found: list[Option], before: Sequence[Answer]) -> Answer:
    ends = [one.places[-1].last for one in before if isinstance(one, Located)]
    behind = [option for option in found if not ends or option.first >= ends[-1]]
    if not behind and len(found) >= MOST_HITS:
        return explain.ambiguous(found)
    return located(search, (behind or found)[:1], notes=("the first of several equal places was taken",))


def _between(search: Search, found: list[Option], answers: Sequence[Answer], number: int) -> Answer:
    """The one option between the neighbours, if the siblings that are certain stand in file order."""
    spans = [(at, one.places[0]) for at, one in enumerate(answers) if isinstance(one, Located) and one.places]
    in_order = all(left[1].last <= right[1].first for left, right in pairwise(spans))
    above = max((place.last for at, place in spans if at < number), default=None)
    below = min((place.first for at, place in spans if at > number), default=None)
    if not in_order or (above is None and below is None):
        return answers[number]
    fitting = [
        option
        for option in found
        if (above is None or option.first + 1 > above) and (below is None or option.last + 1 < below)
    ]
    if len(fitting) != 1:
        return answers[number]
    return located(search, fitting, notes=("its place between the other hunks decided",))
