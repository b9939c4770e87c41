"""The repair pass in front of unidiff: finds the sections of a diff, and has `diff_hunks.py` read their hunks.

    diff     : (prose | fence | section)*
    section  : ["diff --git …" header*] "--- old" "+++ new" hunk+  |  "diff --git …" header+ [binary]

Prose before, between and behind is ignored, and so are Markdown fences. Everything else that does not fit is an error,
because a line that is skipped is a change that nobody sees: every `@@` becomes a hunk, and every row is in one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.errors import UnreadableProposal
from engine.formats.cursor import Cursor
from engine.formats.diff_hunks import FENCES, DiffHunk, at_names, read_hunk
from engine.formats.diff_names import DEV_NULL, Name, header_name
from engine.formats.markers import text_format

NAME = "unified_diff"

_NORMAL_DIFF = re.compile(r"\d+(?:,\d+)?[acd](?:\d+(?:,\d+)?)?\Z")
_GIT_HEADER = re.compile(
    r"(old mode|new mode|new file mode|deleted file mode|rename from|rename to|rename old|rename new|copy from|copy to"
    r"|similarity index|dissimilarity index|index) (\S.*)\Z"
)
_BINARY_ROW = re.compile(r"(?:literal|delta) \d+\Z|[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+\Z|\Z")
_BULLETS = ("- ", "+ ", "--", "++ ")


@dataclass(slots=True)
class DiffSection:
    """What the diff says about one file."""

    line: int
    old: Name | None = None
    new: Name | None = None
    git: str | None = None
    """What stands behind `diff --git `."""
    headers: dict[str, str] = field(default_factory=dict)
    """git's extended headers, by their first words."""
    hunks: list[DiffHunk] = field(default_factory=list)
    binary: bool = False


@dataclass(slots=True)
class RepairedDiff:
    """A diff that unidiff can read, and what it took."""

    sections: list[DiffSection]
    notes: list[str]


def repair(text: str, default_path: str | None = None) -> RepairedDiff:
    """The sections of a diff, complete, or an error. `default_path` is the file of hunks without a header."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    notes = []
    if any(line.startswith(("--- ", "@@", "diff --git ")) and line.endswith("\r") for line in lines):
        lines = [line.removesuffix("\r") for line in lines]
        notes.append("the diff's own CRLF line ends were read as LF")
    sections = _Scanner(Cursor(lines, NAME), default_path).sections()
    if not sections:
        raise UnreadableProposal("no file header found: expected '--- old' and '+++ new'", format=NAME)
    return RepairedDiff(sections, notes)


class _Scanner:
    def __init__(self, lines: Cursor, default_path: str | None) -> None:
        self._lines = lines
        self._default_path = default_path
        self._found: list[DiffSection] = []
        self._open = False
        """Rows here could belong to the hunk above: no fence has closed it."""
        self._announced = 0
        """The line of an `Index:` whose diff has not come yet."""

    def sections(self) -> list[DiffSection]:
        while not self._lines.done:
            section = self._section()
            if section is None:
                self._prose()
            else:
                self._found.append(section)
                self._open = bool(section.hunks)
                self._announced = 0
        self._check_announced()
        return self._found

    def _section(self) -> DiffSection | None:
        """The section that begins here, if one does."""
        line, number = self._lines.peek(), self._lines.number
        if line.startswith("diff --git "):
            return self._git_section()
        if at_names(self._lines):
            return self._named_section(DiffSection(number))
        if line.startswith("Binary files ") and line.endswith(" differ"):
            return self._binary_line()
        if line.startswith("@@") and self._default_path is not None:
            path = Name(self._default_path)
            return self._hunks(DiffSection(number, path, path))
        return None

    # ------------------------------------------------------------ between sections

    def _prose(self) -> None:
        line = self._lines.peek()
        if line.startswith("Index: "):
            self._check_announced()
            self._announced = self._lines.number
        elif line.startswith(FENCES):
            self._open = False
        elif complaint := self._complaint(line):
            raise self._lines.bad(complaint)
        self._lines.at += 1

    def _check_announced(self) -> None:
        if self._announced:
            raise self._lines.bad("'Index:' without a unified diff behind it", self._announced)

    def _complaint(self, line: str) -> str | None:
        """Why a line is no prose but a part of a patch that would be lost."""
        if line.startswith(("--- ", "+++ ")) and self._lines.peek(1).startswith("@@"):
            return _half_header(line)
        if line.startswith(("@@@", "diff --cc ", "diff --combined ")):
            return "a combined diff of a merge; send an ordinary one"
        if line.startswith("@@"):
            return "a hunk without a file header: expected '--- old' and '+++ new' above it"
        if text_format(line) in ("codex", "search_replace"):
            return "a patch in another format next to a unified diff; send one format only"
        if line.strip() == "***************":
            return "a context diff; send a unified one (diff -u)"
        if _NORMAL_DIFF.match(line):
            return "an ed script or a diff without context; send a unified one (diff -u)"
        if self._open and line[:1] in ("+", "-") and len(line) > 1 and not line.startswith(_BULLETS):
            return "this line looks like a part of the hunk above, but is cut off from it"
        return None

    # ------------------------------------------------------------ sections

    def _git_section(self) -> DiffSection:
        lines = self._lines
        section = DiffSection(lines.number, git=lines.peek()[len("diff --git ") :])
        lines.at += 1
        while match := _GIT_HEADER.match(lines.peek()):
            section.headers[match[1]] = match[2]
            lines.at += 1
        if at_names(lines):
            return self._named_section(section)
        if lines.peek().startswith(("--- ", "+++ ")):
            raise lines.bad(_half_header(lines.peek()))
        if lines.peek().startswith("@@"):
            raise lines.bad("a hunk without '--- old' and '+++ new' above it")
        self._binary_body(section)
        return section

    def _binary_body(self, section: DiffSection) -> None:
        lines = self._lines
        if lines.peek().startswith("Binary files "):
            section.binary = True
            lines.at += 1
        elif lines.peek() == "GIT binary patch":
            section.binary = True
            lines.at += 1
            while not lines.done and _BINARY_ROW.match(lines.peek()):
                lines.at += 1

    def _binary_line(self) -> DiffSection:
        names = self._lines.peek()[len("Binary files ") : -len(" differ")]
        old, _, new = names.partition(" and ")
        section = DiffSection(self._lines.number, Name(old, old == DEV_NULL), Name(new, new == DEV_NULL), binary=True)
        self._lines.at += 1
        return section

    def _named_section(self, section: DiffSection) -> DiffSection:
        lines = self._lines
        section.old, section.new = (header_name(lines.peek(ahead)[3:]) for ahead in (0, 1))
        if section.old is None or section.new is None:
            raise lines.bad("the quoted file name is malformed", lines.number + (section.old is not None))
        lines.at += 2
        if not lines.peek().startswith("@@"):
            raise lines.bad(f"expected a hunk header '@@ -1,2 +1,2 @@', got {lines.peek()[:60]!r}")
        return self._hunks(section)

    def _hunks(self, section: DiffSection) -> DiffSection:
        while self._lines.peek().startswith("@@"):
            section.hunks.append(read_hunk(self._lines))
        return section


def _half_header(line: str) -> str:
    missing = "+++" if line.startswith("---") else "---"
    return f"this file header lacks its {missing!r} line"
