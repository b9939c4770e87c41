"""Edits without an old text: rows of a patch that are only added."""

from __future__ import annotations

from collections.abc import Sequence

from engine.matching.answer import Refused
from engine.matching.explain import already_there
from engine.matching.index import FileIndex
from engine.matching.merge import Change, to_splices
from engine.matching.option import Option
from engine.matching.rows import Rows
from engine.model import Code, TextEdit


def insert(index: FileIndex, edit: TextEdit, scope: Sequence[int] | None) -> list[Option] | Refused:
    """Behind the scope, or at the end of the file; a line number alone is no place."""
    if not edit.whole_lines:
        return Refused(Code.NOT_FOUND, "the old text is empty: only a new file may have an empty old text")
    lines, file = Rows.of(edit.new).lines, index.file
    if scope and len(scope) > 1:
        listed = ", ".join(str(line + 1) for line in scope[:8])
        return Refused(Code.AMBIGUOUS, f"the @@ context fits lines {listed}; add another @@ line above it")
    at = scope[0] + 1 if scope else file.line_count
    if not scope and not edit.at_end and edit.start_line not in (None, file.line_count) and file.rows:
        reason = "only a line number says where to insert; send the lines around the place as context"
        return Refused(Code.NOT_FOUND, reason)
    behind = file.rows[at : at + len(lines)] if scope else file.rows[max(0, at - len(lines)) :]
    if list(lines) == behind:
        start = at if scope else at - len(lines)
        return already_there(start, start + len(lines) - 1)
    line = max(0, at - 1)
    return [Option(0, line, line, to_splices(file, [Change(at, at, lines)]))]
