"""All hunks of one file, located against the file as it is.

Each hunk is drafted on its own against the original text, whatever the order. Then the drafts are looked at together:
what only fits the output of an earlier hunk depends on it (`chains`), what changes the same text conflicts
(`overlaps`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.diffs import line_splices
from engine.errors import HunkdeckError, NotText
from engine.matching import locate_all
from engine.matching.answer import Answer, Refused
from engine.model import (
    Code,
    Copy,
    Create,
    Delete,
    Hunk,
    LineCommand,
    LineEdit,
    Move,
    NotebookEdit,
    SetMode,
    TextEdit,
    Unsupported,
    Write,
)
from engine.pieces import on_original
from engine.planning.chains import link_chains
from engine.planning.data import Before, FilePlan, Fit, Match, PlannedHunk
from engine.planning.overlaps import first_overlaps
from engine.planning.warnings import with_warnings
from engine.text import FileText, Splice, decode, normalise_newlines, split_lines
from engine.workspace import Found

_NO_FILE = "there is no such file; create it, or check the path"


@dataclass(frozen=True)
class FileContext:
    """What drafting a hunk may know: the file, and how to read the source of a copy."""

    path: str
    found: Found | None
    text: FileText
    not_text: str | None
    """Why its bytes cannot be edited as text."""
    read: Callable[[str], Found | None]


def plan_file(
    path: str,
    found: Found | None,
    numbered: Sequence[tuple[int, Hunk]],
    read: Callable[[str], Found | None],
    *,
    first_match: bool = False,
) -> FilePlan:
    """Locate the hunks of one file; `read` gives other files of the workspace (the sources of copies)."""
    context = _context(path, found, read)
    answers = _text_answers(context, numbered, first_match=first_match)
    drafts = [answers.get(index) or _draft(context, index, hunk) for index, hunk in numbered]
    drafts = [_stale(context, draft) for draft in drafts]
    drafts = link_chains(context.text, drafts)
    drafts = [with_warnings(draft) for draft in with_conflicts(drafts)]
    return FilePlan(path, _before(context), context.text, tuple(drafts))


def failed(index: int, hunk: Hunk, path: str, code: Code, error: str) -> PlannedHunk:
    return PlannedHunk(index, hunk, path, Fit.FAILS, code, error, notes=hunk.notes)


def _before(context: FileContext) -> Before | None:
    found = context.found
    if found is None:
        return None
    binary = found.data if context.not_text else None
    return Before(found.sha256, len(found.data), found.mode, found.nlink, binary)


def _context(path: str, found: Found | None, read: Callable[[str], Found | None]) -> FileContext:
    try:
        text = decode(found.data) if found else FileText("")
    except NotText as problem:
        return FileContext(path, found, FileText(""), str(problem), read)
    return FileContext(path, found, text, None, read)


# ---------------------------------------------------------------- text edits: all at once


def _text_answers(
    context: FileContext, numbered: Sequence[tuple[int, Hunk]], *, first_match: bool
) -> dict[int, PlannedHunk]:
    """The matcher sees all edits of a file together: siblings may settle what one alone cannot."""
    if context.found is None or context.not_text:
        return {}
    empty = not context.found.data
    asked = [
        (index, hunk, hunk.op)
        for index, hunk in numbered
        if isinstance(hunk.op, TextEdit) and not (empty and _is_whole_content(hunk.op))
    ]
    answers = locate_all(context.text, [op for _, _, op in asked], first_match=first_match)
    return {
        index: from_answer(index, hunk, context.path, answer)
        for (index, hunk, _), answer in zip(asked, answers, strict=True)
    }


def from_answer(index: int, hunk: Hunk, path: str, answer: Answer) -> PlannedHunk:
    """What the matcher said, as a planned hunk."""
    if isinstance(answer, Refused):
        skipped = answer.code in (Code.ALREADY_APPLIED, Code.NO_CHANGE)
        return PlannedHunk(
            index,
            hunk,
            path,
            Fit.SKIPPED if skipped else Fit.FAILS,
            answer.code,
            answer.reason,
            candidates=answer.candidates,
            notes=hunk.notes,
        )
    return PlannedHunk(
        index,
        hunk,
        path,
        match=Match.of(answer),
        cuts=on_original(cut for place in answer.places for cut in place.splices),
        replacements=len(answer.places),
        notes=(*hunk.notes, *answer.notes),
    )


# ---------------------------------------------------------------- the other operations: one by one


def _draft(context: FileContext, index: int, hunk: Hunk) -> PlannedHunk:
    """A hunk that is not a plain text edit of an existing text file."""
    op = hunk.op
    if isinstance(op, Unsupported):
        return failed(index, hunk, context.path, op.code, op.reason)
    if isinstance(op, Create | Write | Copy):
        return _whole_file(context, index, hunk, op)
    if context.found is None:
        return _on_missing(context, index, hunk)
    if isinstance(op, TextEdit) and not context.found.data and _is_whole_content(op):
        return _creation(context, index, hunk, op.new)
    if isinstance(op, Delete):
        return _delete(context, index, hunk, op)
    if isinstance(op, Move):
        return PlannedHunk(index, hunk, context.path, replacements=1, notes=hunk.notes)
    if isinstance(op, SetMode):
        return _set_mode(context, index, hunk, op)
    if context.not_text:
        return failed(
            index, hunk, context.path, Code.BLOCKED_PATH, f"{context.not_text}: text edits do not apply to it"
        )
    if isinstance(op, LineEdit):
        return _line_edit(context, index, hunk, op)
    assert isinstance(op, NotebookEdit), op
    return _notebook(context, index, hunk, op)


def _on_missing(context: FileContext, index: int, hunk: Hunk) -> PlannedHunk:
    op = hunk.op
    if isinstance(op, TextEdit) and (_is_whole_content(op) or not (op.old or op.whole_lines)):
        return _creation(context, index, hunk, op.new)
    if isinstance(op, LineEdit) and op.command is LineCommand.INSERT and op.start_line == 0:
        return _creation(context, index, hunk, op.new_content)
    return failed(index, hunk, context.path, Code.NOT_FOUND, _NO_FILE)


def _is_whole_content(op: TextEdit) -> bool:
    """A patch hunk `@@ -0,0 …`: the file had no lines before."""
    return op.whole_lines and not op.old and op.start_line == 0


def _creation(context: FileContext, index: int, hunk: Hunk, content: str) -> PlannedHunk:
    cuts = on_original([Splice(0, 0, content)]) if content else ()
    return PlannedHunk(index, hunk, context.path, cuts=cuts, replacements=1, notes=hunk.notes)


def _whole_file(context: FileContext, index: int, hunk: Hunk, op: Create | Write | Copy) -> PlannedHunk:
    if isinstance(op, Copy):
        source = context.read(op.source)
        if source is None:
            return failed(index, hunk, context.path, Code.NOT_FOUND, f"there is no {op.source} to copy")
        try:
            content = decode(source.data).text
        except NotText as problem:
            return failed(index, hunk, context.path, Code.BLOCKED_PATH, f"{op.source}: {problem}")
    else:
        content = op.content
    if context.found is None:
        return _creation(context, index, hunk, content)
    if context.not_text:
        return _replace_binary(context, index, hunk)
    cuts = on_original(whole_file_splices(context.text, content))
    if not cuts:
        code = Code.NO_CHANGE if isinstance(op, Write) else Code.ALREADY_APPLIED
        return PlannedHunk(
            index, hunk, context.path, Fit.SKIPPED, code, "the file already has this content", notes=hunk.notes
        )
    return PlannedHunk(
        index, hunk, context.path, cuts=cuts, replacements=1, notes=hunk.notes, has_parts=isinstance(op, Write)
    )


def _replace_binary(context: FileContext, index: int, hunk: Hunk) -> PlannedHunk:
    assert context.found is not None
    reason = (
        f"{context.not_text}; replacing its {len(context.found.data)} bytes by text is not supported: delete it first"
    )
    return failed(index, hunk, context.path, Code.BLOCKED_PATH, reason)


def whole_file_splices(file: FileText, content: str) -> list[Splice]:
    """The change to `content` by whole lines; lines that stay keep their own ending, the BOM stays too."""
    wanted = normalise_newlines(content.removeprefix("\ufeff"))
    plain = normalise_newlines(file.text)
    starts, at = {0: 0}, 0
    for line, start in zip(file.lines, file.starts[1:], strict=True):
        at += len(line) + 1
        starts[min(at, len(plain))] = start
    return [
        Splice(starts[cut.start], starts[cut.end], file.with_ending(cut.new)) for cut in line_splices(plain, wanted)
    ]


def _delete(context: FileContext, index: int, hunk: Hunk, op: Delete) -> PlannedHunk:
    if op.expected is not None and (context.not_text or split_lines(op.expected)[0] != context.text.lines):
        error = "the file is not what the patch says is deleted; read it again before deleting it"
        return failed(index, hunk, context.path, Code.STALE, error)
    return PlannedHunk(index, hunk, context.path, replacements=1, notes=hunk.notes)


def _set_mode(context: FileContext, index: int, hunk: Hunk, op: SetMode) -> PlannedHunk:
    assert context.found is not None
    if bool(context.found.mode & 0o100) == op.executable:
        reason = f"the file is {'already' if op.executable else 'not'} executable"
        return PlannedHunk(index, hunk, context.path, Fit.SKIPPED, Code.ALREADY_APPLIED, reason, notes=hunk.notes)
    return PlannedHunk(index, hunk, context.path, replacements=1, notes=hunk.notes)


def _line_edit(context: FileContext, index: int, hunk: Hunk, op: LineEdit) -> PlannedHunk:
    from engine.line_edits import resolve

    return from_answer(index, hunk, context.path, resolve(context.text, op, context.path))


def _notebook(context: FileContext, index: int, hunk: Hunk, op: NotebookEdit) -> PlannedHunk:
    from engine.notebooks import edited

    try:
        content = edited(normalise_newlines(context.text.text), op)
    except HunkdeckError as problem:
        return failed(index, hunk, context.path, Code.NOT_FOUND, str(problem))
    cuts = on_original(whole_file_splices(context.text, content))
    if not cuts:
        return PlannedHunk(index, hunk, context.path, Fit.SKIPPED, Code.NO_CHANGE, "the cell is already so")
    return PlannedHunk(index, hunk, context.path, cuts=cuts, replacements=1, notes=hunk.notes)


# ---------------------------------------------------------------- together


def _stale(context: FileContext, draft: PlannedHunk) -> PlannedHunk:
    """A hunk made against another version of the file, where the agent says which version it had."""
    base = draft.hunk.base_sha256
    if base is None or draft.fit is not Fit.FITS or (context.found and context.found.sha256 == base.lower()):
        return draft
    error = "the file has changed since the agent read it (base_sha256 differs); read it again"
    return replace(draft, fit=Fit.FAILS, code=Code.STALE, error=error, cuts=(), match=None, replacements=0)


def with_conflicts(drafts: Sequence[PlannedHunk]) -> list[PlannedHunk]:
    fitting = [draft for draft in drafts if draft.fit is Fit.FITS]
    overlaps = first_overlaps(fitting)
    by_index = {draft.index: draft for draft in drafts}
    out = []
    for draft in drafts:
        other = overlaps.get(draft.index)
        if other is None:
            out.append(draft)
        elif draft.cuts and draft.cuts == by_index[other].cuts:
            reason = f"the same change as hunk {other}"
            out.append(replace(draft, fit=Fit.SKIPPED, code=Code.DUPLICATE, error=reason, cuts=(), replacements=0))
        else:
            out.append(replace(draft, conflicts=(other,)))
    return out
