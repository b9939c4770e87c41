"""Unified diffs, from `diff -u`, from git, and as models write them.

`diff_repair.py` finds the sections and repairs the hunks, `diff_names.py` reads the names, unidiff reads the rows, and
this module says what each section asks for:

    new file          one Create            deleted file        one Delete, with what the patch says is in it
    rename            Move, then its hunks on the old path
    copy              Copy, then its hunks on the new path
    mode change       SetMode               binary, symbolic link, submodule, setuid: one Unsupported
    otherwise         one TextEdit per hunk
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.errors import UnreadableProposal
from engine.formats.diff_hunks import DiffHunk
from engine.formats.diff_names import DEV_NULL
from engine.formats.diff_paths import Names, section_paths
from engine.formats.diff_repair import NAME, DiffSection, repair
from engine.formats.fields import Field, Kind, Reader, Table
from engine.formats.markers import text_format
from engine.formats.payload import Format, Payload, Tool
from engine.model import Copy, Create, Delete, Hunk, Move, Op, Proposal, SetMode, TextEdit, Unsupported
from engine.text import normalise_newlines

_EMPTY_BLOB = "e69de29"
_MAX_NOTES = 20
_REGULAR = re.compile(r"100[0-7]{3}\Z")
_SPECIAL_MODES = {"120000": "a symbolic link", "160000": "a submodule", "040000": "a directory"}
_TABLE: Table = (
    Field("path", Kind.STRING, "The file of hunks that name none"),
    Field(
        "diff",
        Kind.STRING,
        "A unified diff as `git diff` writes it: '--- a/path', '+++ b/path', then hunks '@@ -1,3 +1,4 @@' of lines "
        "that start with ' ' (context), '-' (removed) or '+' (added). '/dev/null' names a file that does not exist.",
        required=True,
        not_empty=True,
    ),
)


@dataclass(frozen=True, slots=True)
class _Sides:
    """The two texts of a hunk."""

    hunk: DiffHunk
    old: str
    new: str


def _bad(message: str, line: int) -> UnreadableProposal:
    return UnreadableProposal(message, format=NAME, where=f"line {line}")


def read_diff(text: str, default_path: str | None = None) -> tuple[tuple[Hunk, ...], tuple[str, ...]]:
    """The hunks of a diff, and notes about what was repaired."""
    diff = repair(text, default_path)
    sides = iter(_read_rows([hunk for section in diff.sections for hunk in section.hunks]))
    hunks: list[Hunk] = []
    names = Names()
    for section in diff.sections:
        found = list(_section_hunks(section, [next(sides) for _ in section.hunks]))
        hunks += [replace(hunk, path=names.original(hunk, section)) for hunk in found]
        names.note(found)
    if default_path is not None and len(diff.sections) == 1:  # the call says which file, whatever the diff calls it
        hunks = [replace(hunk, path=default_path) for hunk in hunks]
    notes = diff.notes + [
        f"line {hunk.line}: {note}" for section in diff.sections for hunk in section.hunks for note in hunk.notes
    ]
    if len(notes) > _MAX_NOTES:
        notes[_MAX_NOTES:] = [f"{len(notes) - _MAX_NOTES} more repairs"]
    return tuple(hunks), tuple(notes)


def _read_rows(hunks: list[DiffHunk]) -> list[_Sides]:
    """What unidiff makes of the repaired hunks: as many as went in."""
    if not hunks:
        return []
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    parts = ["--- a\n+++ b\n"]
    for hunk in hunks:
        old_count, new_count = hunk.counts
        parts.append(f"@@ -{hunk.start or 0},{old_count} +0,{new_count} @@\n")
        parts += [row + "\n" if row[0] != "\\" else "\\ No newline at end of file\n" for row in hunk.rows]
    try:
        parsed = [hunk for file in PatchSet.from_string("".join(parts)) for hunk in file]
    except UnidiffParseError as error:
        raise UnreadableProposal(f"unidiff cannot read it: {str(error)[:100]}", format=NAME) from None
    if len(parsed) != len(hunks):
        raise UnreadableProposal(f"{len(hunks)} hunks went in, {len(parsed)} came out", format=NAME)
    return [
        _sides(hunk, [(line.line_type, line.value) for line in rows]) for hunk, rows in zip(hunks, parsed, strict=True)
    ]


def _sides(hunk: DiffHunk, rows: list[tuple[str, str]]) -> _Sides:
    old: list[str] = []
    new: list[str] = []
    before = ""
    for kind, value in rows:
        if kind == "\\":
            for side in ([old] if before in " -" else []) + ([new] if before in " +" else []):
                side[-1] = side[-1].removesuffix("\n")
        if kind in " -":
            old.append(value)
        if kind in " +":
            new.append(value)
        before = kind
    return _Sides(hunk, "".join(old), "".join(new))


def _section_hunks(section: DiffSection, sides: list[_Sides]) -> Iterator[Hunk]:
    old, new = section_paths(section)
    path = new if new != DEV_NULL else old
    if reason := _unsupported(section):
        yield Hunk(path, Unsupported(reason))
        return
    _check_headers(section)
    created, deleted = _existence(section)
    whole = _whole_file(section, sides, created=created, deleted=deleted)
    if whole is not None:
        yield Hunk(path, whole, notes=_notes(sides))
        return
    yield from _edits(section, sides, old, new)


def _edits(section: DiffSection, sides: list[_Sides], old: str, new: str) -> Iterator[Hunk]:
    """What changes a file that exists: its name, its mode, its text."""
    path = new if new != DEV_NULL else old
    before = list(_name_and_mode(section, old, new))
    if any(isinstance(hunk.op, Move) for hunk in before):
        path = old
    if not before and not sides:
        raise _bad(f"nothing is changed in {path}: expected hunks, a new name or a new mode", section.line)
    yield from before
    for side in sides:
        edit = TextEdit(
            normalise_newlines(side.old), normalise_newlines(side.new), start_line=side.hunk.start, whole_lines=True
        )
        yield Hunk(path, edit, notes=_notes([side]))


def _name_and_mode(section: DiffSection, old: str, new: str) -> Iterator[Hunk]:
    headers = section.headers
    path = new
    if "rename from" in headers or "rename old" in headers:
        path = old
        yield Hunk(old, Move(new))
    elif "copy from" in headers:
        yield Hunk(new, Copy(old))
    if "new mode" in headers:
        yield Hunk(path, SetMode(_executable(headers["new mode"])))


def _whole_file(section: DiffSection, sides: list[_Sides], *, created: bool, deleted: bool) -> Op | None:
    """A creation or a deletion; None where the hunks show that the file exists on both sides."""
    if created and not deleted:
        if len(sides) > 1:
            raise _bad("a new file must be one hunk", sides[1].hunk.line)
        # Models forget the "+" of blank lines.
        if not sides or not sides[0].old.strip("\r\n"):
            return Create(sides[0].new if sides else "", _executable(section.headers.get("new file mode", "")))
    if deleted and not created and len(sides) <= 1 and not (sides and sides[0].new):
        return Delete(normalise_newlines(sides[0].old) if sides else None)
    return None


def _existence(section: DiffSection) -> tuple[bool, bool]:
    created = "new file mode" in section.headers or (section.old is not None and section.old.missing)
    deleted = "deleted file mode" in section.headers or (section.new is not None and section.new.missing)
    return created, deleted


def _notes(sides: list[_Sides]) -> tuple[str, ...]:
    return tuple(note for side in sides for note in side.hunk.notes)


def _executable(mode: str) -> bool:
    return bool(mode and int(mode[-3:], 8) & 0o111)


def _unsupported(section: DiffSection) -> str | None:
    """Why a section can be shown but never applied."""
    if section.binary:
        return "a binary patch can be shown, not applied"
    headers = section.headers
    modes = [
        headers[name] for name in ("old mode", "new mode", "new file mode", "deleted file mode") if name in headers
    ]
    index, _, index_mode = headers.get("index", "").partition(" ")
    for mode in filter(None, (*modes, index_mode)):
        if not _REGULAR.match(mode):
            return f"{_SPECIAL_MODES.get(mode, f'a file of mode {mode[:20]}')} cannot be changed by a proposal"
    new_blob = index.partition("..")[2]
    if "new file mode" in headers and not section.hunks and new_blob and not new_blob.startswith(_EMPTY_BLOB):
        return "the content of the new file is missing from the patch"
    return None


def _check_headers(section: DiffSection) -> None:
    kinds = [
        name for name in ("new file mode", "deleted file mode", "rename from", "copy from") if name in section.headers
    ]
    if len(kinds) > 1:
        raise _bad(f"{kinds[0]!r} and {kinds[1]!r} exclude each other", section.line)


def _diff_text(payload: Payload) -> str:
    value = payload.object.get("diff")
    return payload.text if payload.data is None else value if isinstance(value, str) else ""


def _detect(payload: Payload) -> bool:
    found = text_format(_diff_text(payload))
    return found == NAME or ("diff" in payload.object and found is None)


def _parse(payload: Payload) -> Proposal:
    if payload.data is None:
        hunks, notes = read_diff(payload.text)
        return Proposal(NAME, hunks, notes=notes)
    reader = Reader(NAME, payload.limits)
    call = reader.record(payload.data, _TABLE)
    hunks, notes = read_diff(call.text("diff"), call.optional_text("path"))
    return Proposal(NAME, hunks, notes=(*reader.notes, *notes))


FORMAT = Format(
    name=NAME,
    shape="text with '--- old', '+++ new' and '@@' lines, or 'diff --git'",
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "apply_diff",
        "Change files by a unified diff. A person reviews every hunk. Hunks are found by their lines, so wrong line "
        "numbers do no harm, but context and removed lines must be copied from the file exactly.",
        _TABLE,
    ),
)
