from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from engine.model import LineCommand, NotebookEdit
from engine.notebooks import NotebookProblem, edited

REPLACE, INSERT, DELETE = LineCommand.REPLACE, LineCommand.INSERT, LineCommand.DELETE


def code(source: list[str], **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, **more, "metadata": {}, "outputs": [], "source": source}


def markdown(source: list[str], **more: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", **more, "metadata": {}, "source": source}


RAN = {**code(["1 + 1\n", "é"], id="b"), "execution_count": 3, "outputs": [{"output_type": "stream", "text": ["2"]}]}
CELLS = [markdown(["# Title"], id="a"), RAN]


def notebook(cells: list[dict[str, Any]], minor: int = 5, **layout: Any) -> str:
    document = {"cells": cells, "metadata": {"x": 1.50}, "nbformat": 4, "nbformat_minor": minor}
    return json.dumps(document, **({"indent": 1, "ensure_ascii": False} | layout)) + "\n"


def fresh_id(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()[:8]


@pytest.mark.parametrize(
    ("edit", "cells"),
    [
        (NotebookEdit(REPLACE, "x = 1\ny = 2\n", "b"), [CELLS[0], code(["x = 1\n", "y = 2\n"], id="b")]),
        (NotebookEdit(REPLACE, "", "cell-1"), [CELLS[0], code([], id="b")]),
        (NotebookEdit(REPLACE, "text", "b", "markdown"), [CELLS[0], markdown(["text"], id="b")]),
        (NotebookEdit(REPLACE, "z", "a", "code"), [code(["z"], id="a"), CELLS[1]]),
        (NotebookEdit(DELETE, "", "a"), [CELLS[1]]),
        (NotebookEdit(INSERT, "z", None, "code"), [code(["z"], id=fresh_id("0 z")), *CELLS]),
        (NotebookEdit(INSERT, "## b", "b", "markdown"), [*CELLS, markdown(["## b"], id=fresh_id("2 ## b"))]),
    ],
)
@pytest.mark.parametrize("layout", [{}, {"indent": 2}, {"indent": "\t"}, {"indent": None}, {"ensure_ascii": True}])
def test_only_the_cell_changes(edit: NotebookEdit, cells: list[dict[str, Any]], layout: dict[str, Any]) -> None:
    assert edited(notebook(CELLS, **layout), edit) == notebook(cells, **layout)


def test_other_layouts_are_kept() -> None:
    compact = notebook(CELLS, indent=None, separators=(",", ":"))
    delete = NotebookEdit(DELETE, "", "a")
    assert edited(compact, delete) == notebook([RAN], indent=None, separators=(",", ":"))
    assert edited(notebook(CELLS).rstrip("\n"), delete) == notebook([RAN]).rstrip("\n")
    assert edited(notebook(CELLS).replace("\n", "\r\n"), delete) == notebook([RAN]).replace("\n", "\r\n")


def test_an_odd_layout_still_gives_correct_json() -> None:
    odd = notebook(CELLS).replace('"nbformat": 4', '"nbformat" :  4')
    assert json.loads(edited(odd, NotebookEdit(DELETE, "", "a"))) == json.loads(notebook([RAN]))


def test_lone_surrogates_stay_escaped() -> None:
    text = notebook(CELLS).replace("# Title", "\\ud800")
    edited(text, NotebookEdit(DELETE, "", "b")).encode()


def test_old_formats_get_no_ids_and_keep_sources_as_text() -> None:
    old = notebook([{**markdown([]), "source": "# a"}], minor=2)
    new = edited(old, NotebookEdit(INSERT, "b\nc", "cell-0", "markdown"))
    assert json.loads(new)["cells"][1] == {**markdown([]), "source": "b\nc"}


@pytest.mark.parametrize(
    ("text", "edit", "words"),
    [
        ("{", NotebookEdit(DELETE, "", "a"), "not valid JSON"),
        ("[" * 100_000, NotebookEdit(DELETE, "", "a"), "not valid JSON"),
        ("[]", NotebookEdit(DELETE, "", "a"), "no list of cells"),
        ('{"cells": [1]}', NotebookEdit(DELETE, "", "a"), "no list of cells"),
        (notebook(CELLS), NotebookEdit(DELETE, "", "c"), "no cell 'c' (it has 2 cells)"),
        (notebook(CELLS), NotebookEdit(REPLACE, "x", "cell-2"), "no cell 'cell-2'"),
        (notebook(CELLS), NotebookEdit(REPLACE, "x"), "cell_id is needed to replace"),
        (notebook(CELLS), NotebookEdit(INSERT, "x", "a"), "cell_type is needed"),
        (notebook(CELLS), NotebookEdit(INSERT, "x", "a", "shell"), "must be one of code"),
    ],
)
def test_refused(text: str, edit: NotebookEdit, words: str) -> None:
    with pytest.raises(NotebookProblem) as caught:
        edited(text, edit)
    assert words in str(caught.value)
