"""The blocks of the stream: a proposal's header, a file's header, a hunk. Sections hold the blocks of one proposal.

A block knows its height without building rows, and builds any single row when asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from engine.model import Copy, Create, Delete, Move, TextEdit, Unsupported, Write
from engine.planning.data import FilePlan, Fit, PlannedHunk
from engine.review import Decision, ReviewState
from tui.view_model.body import Change as LineChange
from tui.view_model.body import Lines, cut_groups, lines_of, sent_texts
from tui.view_model.body_view import BodyCache, BodyView, Size, ViewOptions, measured_alike, size_of
from tui.view_model.decided import as_decided, is_refined
from tui.view_model.marks import Standing, is_open, standing
from tui.view_model.notes import hunk_notes, news_notes, note_rows, path_rows, proposal_notes
from tui.view_model.rows import BlankRow, FileRow, HunkRow, NoteRow, ProposalRow, Row, WhenceRow

if TYPE_CHECKING:
    from engine.queue.item import Item

Key = TypeVar("Key")

FIRST_SCREEN = 60
"""Hunks that are shown as they were sent while their proposal is still being planned."""

_LONG_PATH = 30
"""Characters of a path that fit into any header."""

_GLIMPSE = 10_000
"""Characters of a text that are shown before it is planned."""


@dataclass(slots=True, eq=False)
class ProposalBlock:
    """The header of a proposal: its name, what the agent says about it, what is wrong with it."""

    section: Section
    place: int = 0

    @property
    def _air(self) -> int:
        """Blank lines above it: none at the top of the stream."""
        return 1 if self.place else 0

    def height(self, options: ViewOptions) -> int:
        return self._air + self._head + len(self._notes(options))

    @property
    def _head(self) -> int:
        """Its name, and a line about whence it came where it came through a queue."""
        return 2 if self.section.item.arrived else 1

    def row(self, offset: int, options: ViewOptions, cache: BodyCache) -> Row:
        offset -= self._air
        if offset < 0:
            return BlankRow()
        if offset < self._head:
            return WhenceRow(self) if offset else ProposalRow(self)
        return self._notes(options)[offset - self._head]

    def _notes(self, options: ViewOptions) -> list[NoteRow]:
        section = self.section
        notes = (*news_notes(section), *proposal_notes(section.sent, section.error, section.state))
        return note_rows(notes, options.width)


@dataclass(slots=True, eq=False)
class FileBlock:
    """The header of a file inside a proposal."""

    section: Section
    path: str
    plan: FilePlan | None
    number: int
    """Its place in the proposal, from 1."""
    hunks: list[HunkBlock] = field(default_factory=list)
    place: int = 0
    marks: str | None = None
    """What the sidebar says about its hunks; None: to be worked out."""

    def height(self, options: ViewOptions) -> int:
        return 2 + len(self._whole_path(options))

    def row(self, offset: int, options: ViewOptions, cache: BodyCache) -> Row:
        if offset < 2:
            return FileRow(self) if offset else BlankRow()
        return self._whole_path(options)[offset - 2]

    def _whole_path(self, options: ViewOptions) -> list[NoteRow]:
        """All of a path that is too long for the header, where the middle of it is left out."""
        return path_rows(self.path, options.width) if len(self.path) > _LONG_PATH else []

    @property
    def action(self) -> str:
        """`A`, `D`, `R` or `M`, as version control says it."""
        ops = {type(hunk.planned.hunk.op) for hunk in self.hunks}
        missing = self.plan is not None and self.plan.before is None and ops != {Unsupported}  # nobody looked for it
        if Delete in ops:
            return "D"
        if Move in ops:
            return "R"
        return "A" if missing or ops & {Create, Copy} or (self.plan is None and Write in ops) else "M"

    @property
    def changed_lines(self) -> tuple[int, int]:
        """Lines added and removed by all of its hunks."""
        return sum(hunk.size.added for hunk in self.hunks), sum(hunk.size.removed for hunk in self.hunks)


@dataclass(slots=True, eq=False)
class HunkBlock:
    """One hunk: what a person decides."""

    section: Section
    file: FileBlock
    planned: PlannedHunk
    size: Size
    number: int
    """Its place in the file, from 1."""
    shift: int = 0
    """How many lines the file gains in front of it when everything before it is accepted."""
    same: int = 1
    """How many hunks of the proposal make the same change, itself included."""
    warning: str | None = None
    """What is wrong with the chosen subset because of it."""
    silent: bool = False
    """The plan has nothing to say about it, so its notes need not be looked for."""
    unfolded: bool | None = None
    """What the person asked for; None: open hunks are open, decided ones are folded."""
    was_at: int | None = None
    """The line at which it was shown first; None: it has had no place yet."""
    split: bool = False
    """The person wants to decide it part by part."""
    place: int = 0

    @property
    def index(self) -> int:
        return self.planned.index

    @property
    def decision(self) -> Decision | None:
        return self.section.state.decisions.get(self.planned.index)

    @property
    def standing(self) -> Standing:
        return standing(self.planned, self.decision)

    @property
    def moved(self) -> int:
        """By how many lines it has moved since it was shown first."""
        now = _first_line(self)
        return 0 if now is None or self.was_at is None else now - self.was_at

    @property
    def is_stale(self) -> bool:
        """It had a place when it was shown first, and has none any more."""
        return self.was_at is not None and self.planned.fit is Fit.FAILS

    @property
    def is_open(self) -> bool:
        return is_open(self.planned, self.decision)

    @property
    def is_split(self) -> bool:
        return self.split or self.planned.index in self.section.state.parts

    @property
    def face(self) -> object:
        """Differs whenever its lines do: the reviewer may have accepted another text than was sent."""
        decision = None if self.is_split else self.decision
        return (self, decision) if decision and is_refined(decision) else self

    @property
    def folded(self) -> bool:
        return not (self.is_open if self.unfolded is None else self.unfolded)

    def height(self, options: ViewOptions) -> int:
        return 1 if self.folded else 1 + len(self.notes(options)) + self.size.rows

    @property
    def _has_no_notes(self) -> bool:
        return self.silent and self.warning is None and self.planned.index not in self.section.state.comments

    def row(self, offset: int, options: ViewOptions, cache: BodyCache) -> Row:
        if offset == 0:
            return HunkRow(self)
        notes = self.notes(options)
        if offset <= len(notes):
            return notes[offset - 1]
        return self.body(options, cache).row(offset - 1 - len(notes))

    def notes(self, options: ViewOptions) -> list[NoteRow]:
        return [] if self._has_no_notes else note_rows(hunk_notes(self), options.width)

    def body(self, options: ViewOptions, cache: BodyCache) -> BodyView:
        return cache.get(self.face, options, lambda: BodyView(self.lines(), options, self.shift))

    def lines(self) -> Lines:
        """What it changes, as it would be written."""
        plan, decision = self.file.plan, None if self.is_split else self.decision
        return lines_of(plan, as_decided(plan, self.planned, decision)) if plan else unplanned_lines(self.planned)

    def measure(self, options: ViewOptions) -> None:
        self.size = size_of(self.lines(), options)

    def parts(self) -> list[frozenset[int]]:
        """The groups of cuts that it can be split into."""
        return cut_groups(self.file.plan, self.planned) if self.file.plan else []

    def part_marks(self) -> list[str]:
        """What was decided about each part of a hunk that is split."""
        known = self.section.state.parts.get(self.planned.index, {})
        return ["?" if not group <= known.keys() else "✓" if known[min(group)] else "✗" for group in self.parts()]


Block = ProposalBlock | FileBlock | HunkBlock


class Section:
    """All blocks of one proposal."""

    def __init__(self, item: Item, options: ViewOptions) -> None:
        self.item = item
        self._options = options
        self.header = ProposalBlock(self)
        self.files: list[FileBlock] = []
        self.hunks: dict[int, HunkBlock] = {}
        self.plan = item.plan
        self.sent = item.proposal or item.glimpse
        """What there is to see of it: all, the first hunks, or nothing yet."""
        self.error = item.error
        self.state = item.state
        """As it is shown; only the app's own thread changes it."""
        self.revision = item.revision
        self._became = {was: now for now, was in item.revision.was.items()} if item.revision else {}
        self.source_gone = item.source_gone
        self.provisional = item.plan is None and item.error is None
        self.skipped: frozenset[int] = frozenset()
        """Hunks with nothing to decide, or no more."""
        self.number = 0
        """Its place in the stream, from 0."""

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def hunk_count(self) -> int:
        """Of the whole proposal, shown or not."""
        if self.item.plan is not None:
            return len(self.hunks)
        return len(self.item.proposal.hunks) if self.item.proposal else 0

    def fit(self, options: ViewOptions) -> None:
        """Measure the hunks anew where the view has changed since it was built."""
        if not measured_alike(self._options, options):
            for block in self.hunks.values():
                block.measure(options)

    def decide(self, state: ReviewState, options: ViewOptions) -> set[int]:
        """Other decisions: the hunks that they are about. What was accepted otherwise than sent is measured anew."""
        before, self.state = self.state, state
        decided = different(before.decisions, state.decisions) | different(before.parts, state.parts)
        for index in decided & self.hunks.keys():
            if before.decisions.get(index) != state.decisions.get(index):
                self.hunks[index].split = False
            if _looks_otherwise(before, index) or _looks_otherwise(state, index):
                self.hunks[index].measure(options)
        return decided

    def now(self, block: HunkBlock) -> HunkBlock | None:
        """The block of this section that stands for one of an earlier picture of the same proposal."""
        if self.revision is None or block.section.plan is not self.revision.before:
            return self.hunks.get(block.index)
        return self.hunks.get(self._became.get(block.index, -1))

    def follow(self, old: Section) -> None:
        """Take over from an earlier picture of the same proposal what the person did to it, and where hunks stood."""
        for block in old.hunks.values():
            now = self.now(block)
            if now is not None:
                now.unfolded = block.unfolded
                now.split = block.split and same_picture(block, now)
                now.was_at = block.was_at if block.was_at is not None else _first_line(block)

    def blocks(self) -> Iterator[Block]:
        yield self.header
        for file in self.files:
            yield file
            yield from file.hunks


# ---------------------------------------------------------------- building


def build_section(item: Item, options: ViewOptions) -> Section:
    """The blocks of a proposal: planned, or a first glimpse of it while planning goes on."""
    section = Section(item, options)
    if item.plan is not None:
        for file in item.plan.files:
            _add_file(section, file.path, file, file.hunks, options)
        section.skipped = frozenset(hunk.index for hunk in item.plan.hunks if hunk.fit is Fit.SKIPPED)
        _count_same(section)
    elif section.sent is not None:
        for index, hunk in enumerate(section.sent.hunks[:FIRST_SCREEN]):
            if not section.files or section.files[-1].path != hunk.path:
                section.files.append(FileBlock(section, hunk.path, None, len(section.files) + 1))
            _add_hunk(section.files[-1], PlannedHunk(index, hunk, hunk.path), options, 0)
    return section


def _add_file(section: Section, path: str, plan: FilePlan, hunks: Sequence[PlannedHunk], options: ViewOptions) -> None:
    file = FileBlock(section, path, plan, len(section.files) + 1)
    section.files.append(file)
    shift = 0
    for hunk in sorted(hunks, key=_position):
        size = _add_hunk(file, hunk, options, shift)
        shift += size.added - size.removed if hunk.cuts else 0


def _add_hunk(file: FileBlock, hunk: PlannedHunk, options: ViewOptions, shift: int) -> Size:
    lines = lines_of(file.plan, hunk) if file.plan else unplanned_lines(hunk)
    size = size_of(lines, options)
    block = HunkBlock(file.section, file, hunk, size, len(file.hunks) + 1, shift)
    if block.face is not block:
        block.measure(options)
    block.silent = next(hunk_notes(block), None) is None
    file.hunks.append(block)
    file.section.hunks[hunk.index] = block
    return size


def different(before: Mapping[Key, object], after: Mapping[Key, object]) -> set[Key]:
    """The keys under which two mappings differ."""
    if before is after:
        return set()
    return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def _looks_otherwise(state: ReviewState, index: int) -> bool:
    decision = state.decisions.get(index)
    return index in state.parts or (decision is not None and is_refined(decision))


def _first_line(block: HunkBlock) -> int | None:
    return block.planned.match.first if block.planned.match else None


def _position(hunk: PlannedHunk) -> tuple[int, int]:
    """Hunks by position; those without a place behind the others, as sent."""
    if hunk.match:
        return hunk.match.first, hunk.index
    on_file = [cut.start.offset for cut in hunk.cuts if cut.on_original]
    return (0 if on_file or not hunk.error else 1 << 60), hunk.index


def unplanned_lines(hunk: PlannedHunk) -> Lines:
    """Old and new text as sent, without looking for what they share; a glimpse of it where it is long."""
    sent = (text[:_GLIMPSE] for text in sent_texts(hunk.hunk.op))
    old, new = (text.removesuffix("\n").split("\n") if text else [] for text in sent)
    return Lines(old, new, (LineChange(0, len(old), 0, len(new)),), numbered=False)


def _count_same(section: Section) -> None:
    """How often each text edit is asked for in the proposal."""
    counts = Counter(same_key(block.planned) for block in section.hunks.values())
    for block in section.hunks.values():
        key = same_key(block.planned)
        block.same = counts[key] if key is not None else 1


def same_key(hunk: PlannedHunk) -> tuple[str, str] | None:
    """Hunks with equal keys make the same change; None: only itself does."""
    op = hunk.hunk.op
    return (op.old, op.new) if isinstance(op, TextEdit) and op.old != op.new else None


def same_picture(old: HunkBlock, new: HunkBlock) -> bool:
    """Whether a decision that was meant for the one would be the same for the other."""
    return old is new or (old.section.item is new.section.item and _seen(old) == _seen(new))


def _seen(block: HunkBlock) -> tuple[object, ...]:
    hunk, lines = block.planned, block.lines()
    changes = [(lines.old[change.a1 : change.a2], lines.new[change.b1 : change.b2]) for change in lines.changes]
    return block.section.provisional, hunk.hunk.path, hunk.fit, hunk.risks, changes
