"""The pipeline: where each edit of a file goes, or why not.

    exact places → readings without drift → elision → already there → drift

The first stage that finds anything answers; a laxer one is never asked to break a stricter one's tie. Candidates that
would give the same text are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.matching import explain
from engine.matching.answer import Answer, Candidate, Located, Place, Refused
from engine.matching.exact import exact_options, stands_inside, typography_options
from engine.matching.folding import is_telling, squeeze
from engine.matching.index import MOST_HITS, FileIndex
from engine.matching.merge import CannotMerge
from engine.matching.option import Option, best, option_at, rank_of, splices_of
from engine.matching.readings import Reading, as_sent, other_readings
from engine.matching.scopes import scope_ends, within
from engine.matching.strategies import elision, multi_occurrence
from engine.matching.window import windows
from engine.model import Code, TextEdit
from engine.text import Splice, splice

_MOST_OUTCOMES = 8
_FEWEST_LINES = 3
"""So many lines of `new`, or two that say something, show that it stands there."""
_LONGEST_TEXT = 1_000_000


class Search:
    """One edit against one file."""

    def __init__(self, index: FileIndex, edit: TextEdit) -> None:
        self.index, self.edit = index, edit
        self.reading = as_sent(edit.old, edit.new, edit.start_line)
        self.scope = scope_ends(index.file, edit.scopes) if edit.scopes else None
        self.notes: tuple[str, ...] = ()
        self.runner_up: Candidate | None = None

    def run(self) -> list[Option] | Refused:
        """Options that are equally good (one, if all is well), or why there are none."""
        if self.edit.old == self.edit.new:
            return Refused(Code.NO_CHANGE, "old and new text are the same: nothing to do")
        if self.scope == []:
            return Refused(
                Code.NOT_FOUND, "the @@ context is not in the file; read the file again and send a line of it"
            )
        if not self.edit.old:
            from engine.matching.insertion import insert

            return insert(self.index, self.edit, self.scope)
        found = self._exact()
        if found is None and self._is_too_costly():
            return Refused(Code.NOT_FOUND, "old text not found exactly, and too costly to match approximately")
        for stage in (self._added_before, self._read, self.elided, self._already, self._drifted):
            found = found or stage()
        if found:
            return found
        return explain.not_found(self.index, self.reading)

    def _is_too_costly(self) -> bool:
        """To be found in any other way than exactly."""
        return len(self.edit.old) + len(self.edit.new) > _LONGEST_TEXT or not self.index.may_search()

    # ------------------------------------------------------------ stages

    def _exact(self) -> list[Option] | Refused | None:
        options = self._allowed(self.exact_places())
        return self._unless_there(options, exact=True) if options else None

    def exact_places(self) -> list[Option]:
        return exact_options(self.index, self.edit, self.reading)

    def _added_before(self) -> Refused | None:
        """`new` stands in the file to the letter, with lines that only it has, and `old` does not."""
        new = self.reading.new
        at = ("\n" + self.index.flat).find("\n" + "\n".join(new) + "\n") if len(new) > 1 else -1
        if at < 0:
            return None
        telling = [line for line in new if is_telling(squeeze(line))]
        sent = {line.strip() for reading in self.readings() for line in reading.old}
        few = len(telling) < 2 and sum(bool(line.strip()) for line in new) < _FEWEST_LINES
        if few or all(line.strip() in sent for line in telling):
            return None
        first = self.index.line_number(at)
        return explain.already_there(first, first + len(new) - 1)

    def readings(self) -> Iterator[Reading]:
        yield self.reading
        yield from other_readings(self.edit.old, self.edit.new, self.edit.start_line)

    def _read(self) -> list[Option] | Refused | None:
        """All lines are there, whatever the white space: as sent, else in another reading."""
        options = self._options([self.reading])
        if not options:
            options = best(self._allowed(typography_options(self.index, self.edit)))
        if not options:
            options = self._options(other_readings(self.edit.old, self.edit.new, self.edit.start_line))
        return self._unless_there(options, exact=False) if options else None

    def _options(self, readings: Iterable[Reading]) -> list[Option]:
        found = [
            option
            for reading in readings
            for window in windows(self.index, reading)
            if not (window.cut_changes and self.edit.whole_lines)
            if (option := option_at(self.index, window)) is not None
        ]
        different = {(option.first, option.last, option.splices): option for option in reversed(found)}
        options = self._allowed(list(different.values())[::-1])
        return options if self.edit.replace_all else best(options)

    def elided(self) -> list[Option] | None:
        from engine.matching.elision import elided_windows

        parts = elided_windows(self.index, self.reading)
        if not parts:
            return None
        first, last = parts[0].first, parts[-1].last
        try:
            splices = tuple(cut for part in parts for cut in splices_of(self.index, part))
        except CannotMerge as obstacle:
            return [Option(rank_of(elision), first, last, obstacle=str(obstacle))]
        return self._allowed([Option(rank_of(elision), first, last, splices, differs=("elision",))])

    def _already(self) -> Refused | None:
        """`new` stands in the file, and `old` does not."""
        keys = [key for key in squeeze("\n".join(self.reading.new)).split("\n") if key]
        telling = [key for key in keys if is_telling(key)]
        if not telling or (len(telling) == 1 and self._still_stands(telling[0])):
            return None
        hits = self.index.hits(keys)
        if hits and (len(telling) > 1 or len(hits) == 1):
            solid = self.index.solid
            return explain.already_there(solid[hits[0]], solid[hits[0] + len(keys) - 1])
        new = self.edit.new.strip()
        at = self.index.flat.find(new) if "\n" not in new and not self.edit.whole_lines else -1
        if at >= 0 and len(telling[0]) > 5:
            line = self.index.line_number(at)
            return explain.already_there(line, line)
        return None

    def _still_stands(self, kept: str) -> bool:
        """Whether `kept` is all that is left of `old`, and what is to be removed is in the file: nothing was done."""
        old = {key for key in squeeze("\n".join(self.reading.old)).split("\n") if is_telling(key)}
        return kept in old and len(old) > 1 and self.index.stand_all(old)

    def _drifted(self) -> list[Option] | Refused | None:
        from engine.matching.drift import drifted

        for reading in self.readings():
            found = drifted(self.index, reading)
            if found is not None and found.window.cut_changes:
                continue  # not even the blank lines to remove are there
            option = None if found is None else option_at(self.index, found.window, score=round(found.score, 3))
            if option is not None and _stands_beside(self.index.file.text, option.splices):
                return explain.already_there(option.first, option.last)
            if found is not None and option is not None and self._allowed([option]):
                if found.rivals:
                    self.runner_up = explain.candidate(self.index, reading, found.rivals[0])
                return [option]
        return None

    # ------------------------------------------------------------ what narrows them down

    def _allowed(self, options: list[Option]) -> list[Option]:
        """Those behind the scope and, where the old text must end the file, at its end."""
        if self.scope:
            options = within(self.index.file, self.scope, options)
        if self.edit.at_end and options:
            lines = self.index.file.rows
            end = max((number for number, line in enumerate(lines) if line.strip()), default=0)
            final = [option for option in options if option.last >= end]
            if not final:
                self.notes = ("the old text is not at the end of the file",)
            options = final or options
        return options

    def _unless_there(self, options: list[Option], *, exact: bool) -> list[Option] | Refused:
        """The options, marked where `new` stands already: what decides between twins may name such a place."""
        marked = [replace(option, done=self._stands_there(option, exact=exact)) for option in options]
        left = [option for option in marked if not option.done]
        if not left:
            return explain.already_there(options[0].first, options[0].last)
        return left if self.edit.replace_all else marked

    def _stands_there(self, option: Option, *, exact: bool) -> bool:
        if not option.splices and option.obstacle is None:
            return True
        return stands_inside(self.index, self.edit, option) or (not exact and self._covered(option))

    def _covered(self, option: Option) -> bool:
        keys = [key for key in squeeze("\n".join(self.reading.new)).split("\n") if key]
        old = [key for key in squeeze("\n".join(self.reading.old)).split("\n") if key]
        if len(keys) <= len(old):
            return False
        solid = self.index.solid
        lines = self.index.solid_between(option.first, option.last + 1)
        return any(solid[at] <= lines[0] and lines[-1] <= solid[at + len(keys) - 1] for at in self.index.hits(keys))


def _stands_beside(text: str, cuts: Sequence[Splice]) -> bool:
    """Whether all there is to do is to insert, and all of that stands directly before or behind where it would go."""
    return bool(cuts) and all(cut.start == cut.end and _is_beside(text, cut) for cut in cuts)


def _is_beside(text: str, cut: Splice) -> bool:
    new, reach = cut.new.strip("\r\n"), len(cut.new) + 2
    before = "\n" + text[max(0, cut.start - reach) : cut.start].rstrip("\r\n")
    behind = text[cut.start : cut.start + reach].lstrip("\r\n") + "\n"
    return before.endswith("\n" + new) or behind.startswith((new + "\n", new + "\r"))


# ---------------------------------------------------------------- from options to an answer


def one_of(index: FileIndex, options: Sequence[Option], *, hinted: bool) -> Option | None:
    """The option to take: the only one, one of several that give the same text, or the one that the hint names."""
    if len(options) == 1 or _same_outcome(index, options):
        return options[0]
    if not hinted or len(options) >= MOST_HITS:
        return None
    near, next_one = sorted(options, key=lambda option: (option.distance or 0, option.first))[:2]
    if near.distance is None or next_one.distance is None or near.approximate:
        return None
    return near if near.distance * 2 <= next_one.distance and near.distance < next_one.distance else None


def _same_outcome(index: FileIndex, options: Sequence[Option]) -> bool:
    if len(options) > _MOST_OUTCOMES or any(option.obstacle for option in options):
        return False
    if len({len(option.splices) for option in options}) > 1:
        return False
    texts = (splice(index.file.text, option.splices) for option in options)
    first = next(texts, None)
    return first is not None and all(text == first for text in texts)


def locate(index: FileIndex, edit: TextEdit) -> tuple[Search, list[Option] | Refused]:
    search = Search(index, edit)
    return search, search.run()


def answer(search: Search, found: list[Option] | Refused) -> Answer:
    if isinstance(found, Refused):
        return found
    if search.edit.replace_all:
        return _everywhere(search, found)
    hinted = any(option.distance is not None for option in found)
    chosen = one_of(search.index, found, hinted=hinted)
    if chosen is None:
        return explain.ambiguous(found, hint=hinted)
    return located(search, [chosen], notes=search.notes)


def located(search: Search, options: Sequence[Option], *, notes: tuple[str, ...] = ()) -> Answer:
    blocked = next((option for option in options if option.obstacle), None)
    if blocked is not None:
        return explain.blocked(blocked)
    if options[0].done:
        return explain.already_there(options[0].first, options[0].last)
    one = max(options, key=lambda option: option.rank)
    name = one.strategy.__name__
    if search.edit.replace_all and one.rank == 0:
        name = multi_occurrence.__name__
    rival = search.runner_up
    if one.approximate and rival is None:
        rival = explain.runner_up(search.index, search.reading, one)
    return Located(
        name,
        one.score,
        tuple(Place(option.first + 1, option.last + 1, option.splices) for option in options),
        one.approximate,
        rival,
        one.differs,
        notes,
    )


def _everywhere(search: Search, options: Sequence[Option]) -> Answer:
    ordered = sorted(options, key=lambda option: (option.splices[0].start if option.splices else 0, option.first))
    cuts: list[Splice] = [cut for option in ordered for cut in option.splices]
    too_many = len(options) >= MOST_HITS and options[0].rank > 0
    if too_many or any(left.end > right.start for left, right in pairwise(cuts)):
        return explain.ambiguous(options)
    note = () if len(ordered) == 1 else (f"{len(ordered)} places",)
    return located(search, ordered, notes=(*search.notes, *note))
