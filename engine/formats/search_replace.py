"""SEARCH/REPLACE blocks, as aider, Cline and Roo have models write them.

    path/of/the/file.py                      alone on its line; a Markdown fence may stand around or between
    <<<<<<< SEARCH                           or ------- SEARCH
    :start_line:12                           Roo's hint, optional, closed by -------
    -------
    old lines
    =======
    new lines
    >>>>>>> REPLACE                          or +++++++ REPLACE

A block without a path of its own is in the file of the block above. A line of content that looks like a marker is
escaped by `\\`. An empty SEARCH part asks for a new file. Everything between blocks is prose, unless it is a patch in
another format, which would be lost. `{"path"?, "diff": …}` carries blocks too, and names the file of those that name
none. A second `=======` right above the end of a block is a slip that models make, and is noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import UnreadableProposal
from engine.formats.fields import Field, Kind, Reader, Table
from engine.formats.markers import REPLACE_LINE, SEARCH_LINE, text_format
from engine.formats.payload import Format, Payload, Tool
from engine.model import Hunk, Proposal, TextEdit
from engine.text import normalise_newlines

NAME = "search_replace"

_SEPARATOR = re.compile(r"={5,10}\Z")
_ESCAPED = re.compile(r"\s*\\(?:<{7}|={7}|>{7}|-{7}|\+{7}|:start_line:|:end_line:)")
_HINT = re.compile(r":(start|end)_line:\s*(\d{1,9})\Z")
_OTHER_FORMAT = re.compile(r"diff --git |@@ -\d+(?:,\d+)? \+\d|\*\*\* Begin Patch")
_FENCES = ("```", "~~~", "<source>", "</source>")
_LINES_ABOVE = 3
_GRAMMAR = """Blocks:
path/of/the/file.py
<<<<<<< SEARCH
the lines to find, copied from the file exactly
=======
the lines to put there
>>>>>>> REPLACE
Keep blocks small; leave the SEARCH part empty to create a file."""
_TABLE: Table = (
    Field("path", Kind.STRING, "The file of blocks that name none"),
    Field("diff", Kind.STRING, _GRAMMAR, required=True, not_empty=True),
)


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines from one marker to the other, by index."""

    search: int
    separator: int
    end: int
    """Behind the last line of content."""
    replace: int


def read_blocks(text: str, default_path: str | None = None) -> list[Hunk]:
    """The hunks of all blocks in a text; any malformed block makes the whole text unreadable."""
    lines = normalise_newlines(text).split("\n")
    hunks: list[Hunk] = []
    path, behind = default_path, 0
    for block in _blocks(lines):
        path = find_path(lines[max(behind, block.search - _LINES_ABOVE) : block.search]) or path
        if path is None:
            raise _bad("this block has no file: write the path alone on the line above it", block.search)
        notes = ("a second '=======' above '>>>>>>> REPLACE' was left out",) if block.end < block.replace else ()
        hunks.append(Hunk(path, _edit(lines, block), notes=notes))
        behind = block.replace + 1
    if not hunks:
        raise UnreadableProposal("no '<<<<<<< SEARCH' block found", format=NAME)
    return hunks


def _bad(message: str, index: int) -> UnreadableProposal:
    return UnreadableProposal(message, format=NAME, where=f"line {index + 1}")


def _blocks(lines: list[str]) -> list[_Block]:
    blocks: list[_Block] = []
    search: int | None = None
    for index, line in enumerate(lines):
        bare = line.strip()
        if SEARCH_LINE.match(bare):
            if search is not None:
                raise _bad(f"a block begins before the one of line {search + 1} is closed by '>>>>>>> REPLACE'", index)
            search = index
        elif REPLACE_LINE.match(bare):
            if search is None:
                raise _bad("'REPLACE' without a '<<<<<<< SEARCH' line above it", index)
            blocks.append(_block(lines, search, index))
            search = None
        elif search is None and _OTHER_FORMAT.match(line):
            raise _bad("a patch in another format between SEARCH/REPLACE blocks; send one format only", index)
    if search is not None:
        raise _bad("this block is not closed by '>>>>>>> REPLACE'", search)
    return blocks


def _block(lines: list[str], search: int, replace: int) -> _Block:
    """A block with the one line that divides it: of several candidates, the only one of seven signs."""
    found = [index for index in range(search + 1, replace) if _SEPARATOR.match(lines[index].lstrip())]
    if len(found) > 1:
        found = [index for index in found if lines[index].lstrip() == "======="]
    end = replace
    if len(found) == 2 and found[1] == replace - 1:
        end = found.pop()
    if not found:
        raise _bad("this block has no '=======' line", search)
    if len(found) > 1:
        raise _bad("a second '=======' in this block; write it as '\\=======' where it is content", found[1])
    return _Block(search, found[0], end, replace)


def _edit(lines: list[str], block: _Block) -> TextEdit:
    hints, first = _hints(lines, block)
    old, new = lines[first : block.separator], lines[block.separator + 1 : block.end]
    return TextEdit(_content(old), _content(new), start_line=hints.get("start"), end_line=hints.get("end"))


def _hints(lines: list[str], block: _Block) -> tuple[dict[str, int], int]:
    """Roo's `:start_line:` and `:end_line:`, and the index of the first line of content."""
    hints: dict[str, int] = {}
    index = block.search + 1
    while index < block.separator and (match := _HINT.match(lines[index].strip())):
        if int(match[2]) > 0:
            hints[match[1]] = int(match[2])
        index += 1
    if index < block.separator and lines[index].strip() == "-------" and (hints or index > block.search + 1):
        index += 1
    return hints, index


def _content(lines: list[str]) -> str:
    return "".join((line.replace("\\", "", 1) if _ESCAPED.match(line) else line) + "\n" for line in lines)


def find_path(above: list[str]) -> str | None:
    """The path in the lines above a block: the nearest line, or those beyond it as long as they are fences."""
    candidates = []
    for line in reversed(above):
        candidate = _path_in(line.strip())
        if candidate:
            candidates.append(candidate)
        if not line.strip().startswith(_FENCES):
            break
    named = [candidate for candidate in candidates if "." in candidate or "/" in candidate]
    return next(iter(named or candidates), None)


def _path_in(line: str) -> str | None:
    """The line without what models put around a path; None for a sentence, or a fence with only a language."""
    for fence in _FENCES:
        if line.startswith(fence):
            rest = line[len(fence) :].strip("`~ ")
            return rest if "." in rest or "/" in rest else None
    if line == "...":
        return None
    path = line.rstrip(":").lstrip("#").strip().strip("`").strip("*").strip()
    is_prose = " " in path and (path.endswith((".", "!", "?")) or ("." not in path and "/" not in path))
    return None if is_prose or not path else path


def _blocks_text(payload: Payload) -> str:
    value = payload.object.get("diff")
    return payload.text if payload.data is None else value if isinstance(value, str) else ""


def _detect(payload: Payload) -> bool:
    return text_format(_blocks_text(payload)) == NAME


def _parse(payload: Payload) -> Proposal:
    if payload.data is None:
        return Proposal(NAME, tuple(read_blocks(payload.text)))
    reader = Reader(NAME, payload.limits)
    call = reader.record(payload.data, _TABLE)
    hunks = read_blocks(call.text("diff"), call.optional_text("path"))
    return Proposal(NAME, tuple(hunks), notes=reader.notes)


FORMAT = Format(
    name=NAME,
    shape="<<<<<<< SEARCH … ======= … >>>>>>> REPLACE blocks under a path line",
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "replace_in_file",
        "Change files by SEARCH/REPLACE blocks. The SEARCH lines must be in the file exactly as written, and in one "
        "place only. A person reviews every block.",
        _TABLE,
    ),
)
