"""Edits of Jupyter notebooks, cell by cell.

Only the cells concerned change: if writing the parsed document back gives the same text, so does writing the edited one
but for those cells. A notebook in some other formatting is still written as correct JSON. Code that changes loses its
outputs, which would no longer be its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from engine.errors import HunkdeckError
from engine.model import LineCommand, NotebookEdit
from engine.text import normalise_newlines

CELL_TYPES = ("code", "markdown", "raw")
_BY_INDEX = re.compile(r"cell-([0-9]{1,9})")
_FIRST_INDENT = re.compile(r"[{\[]\n([ \t]*)")

Cell = dict[str, Any]


class NotebookProblem(HunkdeckError):
    """Not a notebook, or not one that this edit fits."""


def edited(text: str, edit: NotebookEdit) -> str:
    """The text of the notebook after the edit; raises `NotebookProblem`."""
    document = _load(text)
    style = _style_of(text, document)
    cells = document["cells"]
    if edit.edit_mode is LineCommand.INSERT:
        at = 0 if edit.cell_id is None else _index(cells, edit.cell_id) + 1
        cells.insert(at, _new_cell(document, edit, at))
    else:
        if edit.cell_id is None:
            raise NotebookProblem(f"cell_id is needed to {edit.edit_mode} a cell")
        at = _index(cells, edit.cell_id)
        if edit.edit_mode is LineCommand.DELETE:
            del cells[at]
        else:
            cells[at] = _replaced(cells[at], edit)
    return style.dump(document)


# ---------------------------------------------------------------- reading and writing


@dataclass(frozen=True, slots=True)
class _Style:
    """How a notebook's JSON is laid out."""

    indent: str | None
    compact: bool
    ascii: bool
    tail: str
    """What stands behind the last brace: a final newline, mostly."""
    newline: str

    def dump(self, document: object) -> str:
        separators = (",", ":") if self.compact else (",", ": ") if self.indent is not None else (", ", ": ")
        body = json.dumps(document, indent=self.indent, separators=separators, ensure_ascii=self.ascii)
        if not self.ascii and re.search("[\ud800-\udfff]", body):
            body = json.dumps(document, indent=self.indent, separators=separators)
        return (body + self.tail).replace("\n", self.newline)


def _load(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotebookProblem(f"the notebook is not valid JSON: {error}") from error
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise NotebookProblem("the file is not a notebook of format 4: it has no list of cells")
    return document  # type: ignore[no-any-return]


def _style_of(text: str, document: object) -> _Style:
    """The layout that reproduces the text; where none does, the one that comes closest."""
    plain = normalise_newlines(text)
    found = _FIRST_INDENT.match(plain)
    indent = found.group(1) if found else None
    tail = plain[len(plain.rstrip()) :]
    newline = "\r\n" if "\r\n" in text else "\n"
    first = _Style(indent, False, text.isascii(), tail, newline)
    others = [_Style(indent, compact, escaped, tail, newline) for compact in (False, True) for escaped in (False, True)]
    return next((style for style in (first, *others) if style.dump(document) == text), first)


# ---------------------------------------------------------------- cells


def _index(cells: list[Cell], cell_id: str) -> int:
    """By id, or by number as `cell-3` (the first is 0) where no cell has that id."""
    at = next((at for at, cell in enumerate(cells) if cell.get("id") == cell_id), None)
    if at is not None:
        return at
    numbered = _BY_INDEX.fullmatch(cell_id)
    if numbered and int(numbered.group(1)) < len(cells):
        return int(numbered.group(1))
    raise NotebookProblem(f"the notebook has no cell {cell_id!r} (it has {len(cells)} cells)")


def _cell_type(edit: NotebookEdit, default: str | None) -> str:
    cell_type = edit.cell_type or default
    if cell_type is None:
        raise NotebookProblem("cell_type is needed to insert a cell: code or markdown")
    if cell_type not in CELL_TYPES:
        raise NotebookProblem(f"cell_type must be one of {', '.join(CELL_TYPES)}, not {cell_type!r}")
    return cell_type


def _replaced(cell: Cell, edit: NotebookEdit) -> Cell:
    cell_type = _cell_type(edit, str(cell.get("cell_type", "code")))
    as_text = isinstance(cell.get("source"), str)
    changed = {**cell, "cell_type": cell_type, "source": _source(edit.new_source, as_text=as_text)}
    if cell_type == "code":
        changed |= {"execution_count": None, "outputs": []}
    else:
        changed.pop("execution_count", None)
        changed.pop("outputs", None)
    return changed if set(changed) <= set(cell) else dict(sorted(changed.items()))


def _new_cell(document: dict[str, Any], edit: NotebookEdit, at: int) -> Cell:
    """A cell as nbformat writes it: keys in order, an id from format 4.5 on."""
    cells = document["cells"]
    as_text = any(isinstance(cell.get("source"), str) for cell in cells)
    cell_type = _cell_type(edit, None)
    cell: Cell = {"cell_type": cell_type, "metadata": {}, "source": _source(edit.new_source, as_text=as_text)}
    if cell_type == "code":
        cell |= {"execution_count": None, "outputs": []}
    if _has_ids(document):
        cell["id"] = _fresh_id(cells, f"{at} {edit.new_source}")
    return dict(sorted(cell.items()))


def _has_ids(document: dict[str, Any]) -> bool:
    major, minor = document.get("nbformat"), document.get("nbformat_minor")
    return isinstance(major, int) and isinstance(minor, int) and (major, minor) >= (4, 5)


def _fresh_id(cells: list[Cell], seed: str) -> str:
    """An id that no cell has, always the same for the same edit."""
    taken = {cell.get("id") for cell in cells if isinstance(cell.get("id"), str)}
    while True:
        seed = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()
        if seed[:8] not in taken:
            return seed[:8]


def _source(text: str, *, as_text: bool) -> str | list[str]:
    if as_text:
        return text
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
