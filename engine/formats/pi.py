"""pi's edit tool and its multi-edit extension.

    {"path", "oldText", "newText"}                                      one edit
    {"path"?, "multi": [{"path"?, "oldText", "newText"}…], …}           a batch; a top-level edit goes first
    {"path", "edits": [{"oldText", "newText"}…]}                        the built-in tool's batch
    {"patch": "*** Begin Patch…"}                                       excludes everything else

Items without a path inherit the top-level one. One bad edit of `multi` does not hold up the others.
"""

from __future__ import annotations

from engine.formats.edits import text_edit
from engine.formats.fields import Field, Kind, Reader, Record, Table
from engine.formats.payload import Format, Payload, Tool
from engine.model import Hunk, Mode, Proposal

NAME = "pi"

_OLD = "Exact text to find and replace. Must match including all whitespace."
_ITEM: Table = (
    Field("path", Kind.STRING, "Target file path; inherits the top-level path if omitted"),
    Field("oldText", Kind.STRING, _OLD, required=True),
    Field("newText", Kind.STRING, "Replacement text.", required=True),
)
_TABLE: Table = (
    Field("path", Kind.STRING, "Target file path. Serves as default for multi items."),
    Field("oldText", Kind.STRING, _OLD),
    Field("newText", Kind.STRING, "Replacement text."),
    Field("multi", Kind.ARRAY, "Array of edits for batch mode.", not_empty=True, tables=(_ITEM,)),
    Field("edits", Kind.ARRAY, "The same, all or nothing.", not_empty=True, tables=(_ITEM,)),
    Field(
        "patch",
        Kind.STRING,
        "Codex-style patch payload (*** Begin Patch … *** End Patch). Mutually exclusive with all other parameters.",
    ),
)


def _detect(payload: Payload) -> bool:
    call = payload.object
    return any(key in call for key in ("oldText", "newText", "multi", "edits", "patch"))


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    call = reader.record(payload.data, _TABLE)
    if "patch" in call:
        return _patch(reader, call, payload)
    hunks = _top_level(reader, call)
    for name in ("edits", "multi"):
        for item, at in call.items(name):
            hunks.append(_item(reader, reader.record(item, _ITEM, at), call))
    mode = Mode.CONTINUE if "multi" in call else Mode.ROLLBACK
    return Proposal(NAME, tuple(hunks), mode=mode, notes=reader.notes)


def _patch(reader: Reader, call: Record, payload: Payload) -> Proposal:
    for name in ("path", "oldText", "newText", "multi", "edits"):
        if payload.object.get(name) is not None:
            raise reader.bad(f"patch excludes all other parameters; remove {name}", name)
    from engine.formats.codex import read_patch

    patch = read_patch(call.text("patch"), NAME)
    return Proposal(NAME, patch.hunks, mode=Mode.ROLLBACK, notes=(*reader.notes, *patch.notes))


def _top_level(reader: Reader, call: Record) -> list[Hunk]:
    """The edit that stands beside the batch, or alone."""
    batch = "multi" in call or "edits" in call
    if batch and "oldText" not in call and "newText" not in call:
        return []
    missing = [name for name in ("path", "oldText", "newText") if name not in call]
    if missing:
        raise reader.bad(f"incomplete top-level edit: missing {', '.join(missing)}", missing[0])
    return [Hunk(call.text("path"), text_edit(call.text("oldText"), call.text("newText")))]


def _item(reader: Reader, item: Record, call: Record) -> Hunk:
    path = item.optional_text("path") if "path" in item else call.optional_text("path")
    if path is None:
        raise reader.bad(f"{item.at} has no path, and there is no top-level path to inherit", item.path_of("path"))
    return Hunk(path, text_edit(item.text("oldText"), item.text("newText")))


FORMAT = Format(
    name=NAME,
    shape='JSON object with "oldText" and "newText", "multi", "edits" of those, or "patch"',
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "edit",
        "Edit files. Single: path, oldText and newText. Batch: `multi`, an array of edits whose items inherit the "
        "top-level path if they have none; a top-level edit goes first. Patch: a Codex-style `patch`, alone. Make many "
        "targeted changes in a single call rather than one call each.",
        _TABLE,
    ),
)
