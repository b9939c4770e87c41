"""A structural search and replace: a code pattern with `$VAR` (one node) and `$$$ARGS` (any number of nodes).

    {"pattern": "def $OLD($$$ARGS)", "rewrite": "def renamed($$$ARGS)", "path": "src/", "language"?: "python"}

The planner finds the matches below `path` and makes one hunk of each. A variable in `rewrite` that `pattern` does not
bind would be filled with nothing, so it is refused here; `$_NAME` matches without binding.
"""

from __future__ import annotations

import re

from engine.formats.fields import Field, Kind, Reader, Table
from engine.formats.payload import Format, Payload, Tool
from engine.model import Hunk, Proposal, Rewrite

NAME = "rewrite"

_VARIABLE = re.compile(r"\${1,3}([A-Z_][A-Z0-9_]*)")
_TABLE: Table = (
    Field(
        "pattern",
        Kind.STRING,
        "Code to find; $VAR stands for one node, $$$ARGS for any number of them",
        required=True,
        not_empty=True,
    ),
    Field("rewrite", Kind.STRING, "What each match becomes, with the variables of the pattern", required=True),
    Field("path", Kind.STRING, "A file, or a directory below which to look", required=True),
    Field("language", Kind.STRING, "The language, where the file's ending does not tell"),
    Field("dry_run", Kind.BOOLEAN, "Preview changes without applying. Default: false", default=False),
)


def _detect(payload: Payload) -> bool:
    return "pattern" in payload.object and ("rewrite" in payload.object or "path" in payload.object)


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    call = reader.record(payload.data, _TABLE)
    pattern, rewrite = call.text("pattern"), call.text("rewrite")
    bound = {name for name in _VARIABLE.findall(pattern) if not name.startswith("_")}
    for name in _VARIABLE.findall(rewrite):
        if name not in bound:
            raise reader.bad(f"${name} is not bound by pattern", "rewrite")
    op = Rewrite(pattern, rewrite, call.optional_text("language"))
    return Proposal(NAME, (Hunk(call.text("path"), op),), dry_run=call.flag("dry_run"), notes=reader.notes)


FORMAT = Format(
    name=NAME,
    shape='JSON object with "pattern", "rewrite" and "path"',
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "edit",
        "Rename functions or variables, or make bulk changes, by a pattern of code. Use $VAR and $$$ARGS in pattern "
        "and rewrite; works across the files below path. Every match is reviewed on its own.",
        _TABLE,
    ),
)
