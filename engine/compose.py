"""Plan + chosen hunks → new contents. Pure: nothing is read, nothing is written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engine.diffs import changes_from_kept, line_splices, unified_diff
from engine.model import Create, Delete, Move, SetMode
from engine.pieces import Anchored, Composed, compose, on_original
from engine.planning.data import FilePlan, PlannedHunk
from engine.review import Decision
from engine.shelf import Shelved
from engine.text import Splice, WholeLines


class Action(StrEnum):
    CREATE = "create"
    MODIFY = "modify"
    DELETE = "delete"
    MOVE = "move"
    NONE = "none"


class Made(NamedTuple):
    """A file's new content."""

    after: bytes | None = None
    """None: the file is gone, or was never there."""
    text: str = ""
    """`after` as text, without the BOM."""
    composed: Composed | None = None


@dataclass(frozen=True)
class FileOutcome:
    """What becomes of one file when the chosen hunks are applied."""

    file: FilePlan
    action: Action
    path: str
    """Where the content stands afterwards: the new name for a move."""
    make: Callable[[], Made]
    """Gives the new content: at hand, or composed again where the files are too large to be held together."""
    executable: bool | None = None
    """None: as it was."""

    @property
    def after(self) -> bytes | None:
        return self.make().after

    @property
    def text(self) -> str:
        return self.make().text

    @property
    def composed(self) -> Composed | None:
        return self.make().composed

    @property
    def changed(self) -> bool:
        return self.action is not Action.NONE

    @property
    def sha256(self) -> str | None:
        """Of the new content; None where there is no file."""
        if not self.changed:
            return self.file.before.sha256 if self.file.before else None
        return None if self.action is Action.DELETE else hashlib.sha256(self.content()).hexdigest()

    def content(self) -> bytes:
        return self.make().after or b""

    def diff(self) -> tuple[str, int | None]:
        """A unified diff, and the first line that differs in the new file (1-based; None for a mere rename)."""
        made = self.make()
        old, new = WholeLines(self.file.text.text), WholeLines(made.text)
        kept = made.composed.kept() if made.composed else []
        changes = changes_from_kept(old, new, kept)
        old_name = f"a/{self.file.path}" if self.file.before else "/dev/null"
        new_name = "/dev/null" if self.action is Action.DELETE else f"b/{self.path}"
        first = changes[0].b1 + 1 if changes else None
        return unified_diff(old, new, changes, old_name, new_name), first


def outcome(file: FilePlan, chosen: Mapping[int, Decision], *, final_newline: bool = False) -> FileOutcome:
    """The file with the chosen hunks applied; they must not overlap and must bring what they need."""
    hunks = [hunk for hunk in file.hunks if hunk.index in chosen]
    if not hunks:
        return _unchanged(file)
    if any(isinstance(hunk.hunk.op, Delete) for hunk in hunks):
        return FileOutcome(file, Action.DELETE, file.path, Made)

    def make() -> Made:
        return _made(file, hunks, chosen, final_newline=final_newline)

    made = make()
    path = next((hunk.hunk.op.new_path for hunk in hunks if isinstance(hunk.hunk.op, Move)), file.path)
    executable = _executable(hunks)
    action = _action(file, path, made.after, executable)
    return FileOutcome(file, action, path, make if isinstance(file.held, Shelved) else lambda: made, executable)


def _made(file: FilePlan, hunks: Sequence[PlannedHunk], chosen: Mapping[int, Decision], *, final_newline: bool) -> Made:
    composed = compose(file.text.text, [(hunk.index, cuts_of(file, hunk, chosen[hunk.index])) for hunk in hunks])
    text = composed.text
    if final_newline and text and not text.endswith(("\n", "\r")):
        text += file.text.ending
    after = file.text.encode(text) if text != file.text.text or not file.before else file.content or b""
    return Made(after, text, composed)


def cuts_of(file: FilePlan, hunk: PlannedHunk, decision: Decision) -> tuple[Anchored, ...]:
    """What a decision makes of a hunk: all of it, some parts, or the reviewer's own text."""
    if decision.text is not None:
        return _edited(file, hunk, decision.text)
    if decision.parts is not None:
        return tuple(cut for n, cut in enumerate(hunk.cuts) if n in decision.parts)
    return hunk.cuts


def block(file: FilePlan, hunk: PlannedHunk) -> tuple[int, int] | None:
    """The character range of the lines that a hunk was matched with; None where it has no single block."""
    if not all(cut.on_original for cut in hunk.cuts) or hunk.replacements != 1:
        return None
    if hunk.match is None:
        return 0, len(file.text.text)
    return file.text.starts[hunk.match.first - 1], file.text.starts[hunk.match.last]


def block_text(file: FilePlan, hunk: PlannedHunk) -> str | None:
    """The hunk's block as it would read when accepted: what a reviewer edits. None: it cannot be edited."""
    span = block(file, hunk)
    if span is None:
        return None
    composed = compose(file.text.text, [(hunk.index, hunk.cuts)]).text
    return composed[span[0] : len(composed) - (len(file.text.text) - span[1])]


def _edited(file: FilePlan, hunk: PlannedHunk, text: str) -> tuple[Anchored, ...]:
    span = block(file, hunk)
    if span is None:
        raise ValueError(f"hunk {hunk.index} has no single block of lines that could be edited")
    start, end = span
    wanted = file.text.with_ending(text) if file.before else text
    cuts = line_splices(file.text.text[start:end], wanted)
    return on_original(Splice(cut.start + start, cut.end + start, cut.new) for cut in cuts)


def _unchanged(file: FilePlan) -> FileOutcome:
    def make() -> Made:
        return Made(file.content, file.text.text, compose(file.text.text, []))

    return FileOutcome(file, Action.NONE, file.path, make)


def _executable(hunks: list[PlannedHunk]) -> bool | None:
    for hunk in hunks:
        if isinstance(hunk.hunk.op, SetMode):
            return hunk.hunk.op.executable
        if isinstance(hunk.hunk.op, Create) and hunk.hunk.op.executable:
            return True
    return None


def _action(file: FilePlan, path: str, after: bytes | None, executable: bool | None) -> Action:
    if file.before is None:
        return Action.CREATE
    if path != file.path:
        return Action.MOVE
    return Action.NONE if after == file.content and executable is None else Action.MODIFY
