"""Codex patches.

    patch  : "*** Begin Patch" ["*** Environment ID: " id] file+ "*** End Patch"
    file   : "*** Add File: " path ("+" line)*
           | "*** Delete File: " path
           | "*** Update File: " path ["*** Move to: " path] chunk*
    chunk  : ("@@" | "@@ " context)* row+ ["*** End of File"]
    row    : (" " | "+" | "-") text | ""

The first chunk may lack its `@@`; several `@@ context` lines narrow the place down in turn. Blanks around markers are
forgiven, and so are blank lines between sections. The first line may be missing, and the last too where the patch ends
in context: then it was not cut off amid its changes. An update needs a chunk or a new name. No path may occur twice.

The patch may come as it is, in a Markdown fence, in a shell heredoc (`shell_patch.py`), or as the one string of
`{"command" | "input" | "patchText" | "patch": …}`.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import UnreadableProposal
from engine.formats.codex_sections import Section, read_sections
from engine.formats.fields import Field, Kind, Reader, Table
from engine.formats.markers import text_format
from engine.formats.payload import Format, Payload, Tool
from engine.formats.shell_patch import unwrap_argv, unwrap_script
from engine.model import Hunk, Move, Proposal

NAME = "codex"
BEGIN = "*** Begin Patch"
END = "*** End Patch"
_UPDATE = "*** Update File: "
_FILE_MARKERS = ("*** Add File: ", "*** Delete File: ", _UPDATE)

_DESCRIPTION = """The patch:
*** Begin Patch
*** Add File: new.py
+each line of the new file
*** Delete File: old.py
*** Update File: changed.py
*** Move to: renamed.py
@@ class Name or def name(): a line above the change, where the lines alone are not unique
 three lines of context before
-the line to remove
+the line to put there
 three lines of context behind
*** End Patch
"Move to" and "@@ context" are optional. End a chunk at the end of the file with "*** End of File"."""
_TABLE: Table = (
    Field("input", Kind.STRING, _DESCRIPTION, required=True, aliases=("command", "patchText", "patch")),
    Field("workdir", Kind.STRING, "Ignored: paths are relative to the workspace"),
)


@dataclass(frozen=True, slots=True)
class Patch:
    """What a patch text asks for."""

    hunks: tuple[Hunk, ...]
    notes: tuple[str, ...] = ()


def read_patch(text: str, format: str = NAME) -> Patch:
    """The hunks of a patch, however it is wrapped."""
    script = unwrap_script(text, format)
    lines, first_line, repaired = _body(script.patch, script.first_line, format)
    sections = read_sections(lines, first_line, format)
    _check_paths(sections, format)
    hunks = [hunk for section in sections for hunk in _in_directory(section, script.directory)]
    return Patch(tuple(hunks), (*repaired, *(note for section in sections for note in section.notes)))


def _body(text: str, first_line: int, format: str) -> tuple[list[str], int, tuple[str, ...]]:
    """The lines between the two markers, the number of the first of them, and what was repaired."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if end - start >= 2 and lines[start].startswith("```") and lines[end - 1].strip() == "```":
        start, end = start + 1, end - 1
    body, missing = lines[start:end], []
    if body and body[0].strip() == BEGIN:
        body, start = body[1:], start + 1
    elif body and body[0].strip().startswith(_FILE_MARKERS):
        missing.append(BEGIN)
    else:
        message = f"the first line of a patch must be {BEGIN!r}"
        raise UnreadableProposal(message, format=format, where=f"line {first_line + start}")
    if body and body[-1].strip() == END:
        body = body[:-1]
    elif _ends_in_context(body):
        missing.append(END)
    else:
        message = f"the last line of a patch must be {END!r}; it may have been cut off"
        raise UnreadableProposal(message, format=format, where=f"line {first_line + end - 1}")
    return body, first_line + start, tuple(f"{marker!r} was missing" for marker in missing)


def _ends_in_context(body: list[str]) -> bool:
    """Whether the last section is an update that ends in a context line: it was not cut off amid its changes."""
    last = next((line.strip() for line in reversed(body) if line.strip().startswith(_FILE_MARKERS)), "")
    return last.startswith(_UPDATE) and body[-1].startswith(" ") and bool(body[-1].strip())


def _check_paths(sections: list[Section], format: str) -> None:
    seen: dict[str, int] = {}
    for section in sections:
        path = section.path.removeprefix("./")
        if path in seen:
            message = f"{section.path} was already changed by the section in line {seen[path]}; put both in one section"
            raise UnreadableProposal(message, format=format, where=f"line {section.line}")
        seen[path] = section.line


def _in_directory(section: Section, directory: str) -> list[Hunk]:
    """The section's hunks, with paths from the workspace rather than from the script's directory."""
    if not directory:
        return [Hunk(section.path, op) for op in section.ops]

    def inside(path: str) -> str:
        return path if path.startswith("/") else f"{directory.rstrip('/') or ''}/{path}"

    ops = [Move(inside(op.new_path)) if isinstance(op, Move) else op for op in section.ops]
    return [Hunk(inside(section.path), op) for op in ops]


def _detect(payload: Payload) -> bool:
    if payload.data is None:
        return text_format(payload.text) == NAME
    if isinstance(payload.data, list):
        return bool(payload.data) and all(isinstance(word, str) for word in payload.data)
    values = [payload.object.get(name) for name in (_TABLE[0].name, *_TABLE[0].aliases)]
    return any(BEGIN in value if isinstance(value, str) else isinstance(value, list) for value in values)


def _parse(payload: Payload) -> Proposal:
    reader = Reader(NAME, payload.limits)
    data = payload.data
    if isinstance(data, dict) and isinstance(data.get("command"), list):
        data = data["command"]
    if isinstance(data, list):
        text = unwrap_argv(data, NAME)
    elif data is not None:
        text = reader.record(data, _TABLE).text("input")
    else:
        text = payload.text
    patch = read_patch(text)
    return Proposal(NAME, patch.hunks, notes=(*reader.notes, *patch.notes))


FORMAT = Format(
    name=NAME,
    shape="*** Begin Patch … *** End Patch, also in a shell heredoc or as the one string of a JSON object",
    detect=_detect,
    parse=_parse,
    tool=Tool(
        "apply_patch",
        "Add, delete, update and rename files with one patch. A person reviews every chunk. Context and removed lines "
        "must be copied from the file exactly; a chunk that fits in several places is refused, so give enough context.",
        (_TABLE[0],),
    ),
)
