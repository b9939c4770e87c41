"""The `Change` union of `hunkdeck` and `apply_patch_json`: one change is one file, and holds one hunk or several.

    {"change_type": "multi_patch", "path", "patches": [{"old_text", "new_text"} | {"command", …}]}
    {"change_type": "patch", "path", "old_content", "new_content"}
    {"change_type": "new_file", "path", "content"}
    {"change_type": "delete_file", "path"}
    {"change_type": "move_file", "path", "new_path"}

A change's `id`, `base_sha256`, `why`, `group` and `rank` go to each of its hunks; a hunk's own come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from engine.formats.edits import END_LINE, LINE_EDIT_FIELDS, START_LINE, hinted_edit, line_edit, text_edit
from engine.formats.fields import Field, Kind, Reader, Record, Table
from engine.model import Create, Delete, Hunk, Move, Op

_SHA256 = re.compile(r"(?:sha256:)?([0-9a-fA-F]{64})\Z")

ABOUT: Table = (
    Field("id", Kind.STRING, "What you call it; the result echoes it."),
    Field("why", Kind.STRING, "The reason for it, shown to the reviewer."),
    Field("group", Kind.STRING, "A name shared by hunks that belong together."),
    Field("rank", Kind.INTEGER, "The order in which to review it; lowest first."),
)
TEXT_PATCH: Table = (
    Field("old_text", Kind.STRING, "Exact text to replace (must be unique within file)", required=True),
    Field("new_text", Kind.STRING, "Replacement text", required=True),
    START_LINE,
    END_LINE,
)
_COMMON: Table = (
    Field("path", Kind.STRING, "Path to the file to edit", required=True),
    *ABOUT,
    Field("base_sha256", Kind.STRING, "Hex SHA-256 of the file as you read it; another file makes the change stale."),
)


def _table(change_type: str, *fields: Field) -> Table:
    tag = Field("change_type", Kind.STRING, "The kind of change", required=True, choices=(change_type,))
    return (tag, *_COMMON, *fields)


CHANGES: dict[str, Table] = {
    "multi_patch": _table(
        "multi_patch",
        Field(
            "patches",
            Kind.ARRAY,
            "Array of replacements to apply atomically",
            required=True,
            not_empty=True,
            tables=((*TEXT_PATCH, *ABOUT), (*LINE_EDIT_FIELDS, *ABOUT)),
        ),
    ),
    "patch": _table(
        "patch",
        Field("old_content", Kind.STRING, "Exact text to replace", required=True),
        Field("new_content", Kind.STRING, "Replacement text", required=True),
    ),
    "new_file": _table("new_file", Field("content", Kind.STRING, "The whole content of the new file", required=True)),
    "delete_file": _table("delete_file"),
    "move_file": _table("move_file", Field("new_path", Kind.STRING, "The new name of the file", required=True)),
}
_TAG = Field("change_type", Kind.STRING, "The kind of change", required=True, choices=tuple(CHANGES))


def change_hunks(reader: Reader, value: object, at: str) -> Iterator[Hunk]:
    """The hunks of one change."""
    kind = reader.tag(value, _TAG, at)
    change = reader.record(value, CHANGES[kind], at)
    if kind == "multi_patch":
        for item, below in change.items("patches"):
            yield _patch_hunk(reader, change, item, below)
    else:
        yield _hunk(reader, change, _SIMPLE[kind](change))


_SIMPLE: dict[str, Callable[[Record], Op]] = {
    "patch": lambda change: text_edit(change.text("old_content"), change.text("new_content")),
    "new_file": lambda change: Create(change.text("content")),
    "delete_file": lambda change: Delete(),
    "move_file": lambda change: Move(change.text("new_path")),
}


def _patch_hunk(reader: Reader, change: Record, item: object, at: str) -> Hunk:
    if isinstance(item, dict) and "command" in item:
        patch = reader.record(item, (*LINE_EDIT_FIELDS, *ABOUT), at)
        return _hunk(reader, change, line_edit(reader, patch), patch)
    patch = reader.record(item, (*TEXT_PATCH, *ABOUT), at)
    op = hinted_edit(reader, patch, patch.text("old_text"), patch.text("new_text"))
    return _hunk(reader, change, op, patch)


def _hunk(reader: Reader, change: Record, op: Op, patch: Record | None = None) -> Hunk:
    def about(name: str) -> str | None:
        return (patch.optional_text(name) if patch else None) or change.optional_text(name)

    rank = patch.integer("rank") if patch else None
    return Hunk(
        path=change.text("path"),
        op=op,
        id=about("id"),
        why=about("why"),
        group=about("group"),
        rank=change.integer("rank") if rank is None else rank,
        base_sha256=_digest(reader, change),
    )


def _digest(reader: Reader, change: Record) -> str | None:
    given = change.optional_text("base_sha256")
    if given is None:
        return None
    match = _SHA256.match(given)
    if not match:
        raise reader.bad("expected a SHA-256 as 64 hex digits", change.path_of("base_sha256"))
    return match.group(1).lower()
