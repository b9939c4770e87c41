"""What a proposal is: plain frozen data, shared by every layer, importing nothing of ours.

A `Proposal` is what an agent sent, as a flat tuple of `Hunk`s in the order sent; a hunk's index is its place in
that tuple. A hunk is one thing a person can say yes or no to: a path and one operation on it (`Op`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """What happens to the others when a hunk that was accepted cannot be applied."""

    ROLLBACK = "rollback"
    """Nothing of the proposal is written."""
    STOP = "stop"
    """The hunks before it stay, the ones behind it are not attempted."""
    CONTINUE = "continue"
    """All that can be applied are."""


class Code(StrEnum):
    """Why a hunk is neither applied nor rejected, for machines (`code` in the result)."""

    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    STALE = "stale"
    OVERLAP = "overlap"
    NEEDS_HUNK = "needs_hunk"
    SYNTAX = "syntax"
    BLOCKED_PATH = "blocked_path"
    NEEDS_CONFIRMATION = "needs_confirmation"
    CONFLICT = "conflict"
    LIMIT = "limit"
    IO = "io"
    UNREADABLE = "unreadable"
    WITHDRAWN = "withdrawn"
    NOT_ATTEMPTED = "not_attempted"
    UNDECIDED = "undecided"
    DUPLICATE = "duplicate"
    ALREADY_APPLIED = "already_applied"
    NO_CHANGE = "no_change"


# ---------------------------------------------------------------- operations: what one hunk asks for


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace `old` by `new`, wherever `old` stands. Line ends are `\\n` in both."""

    old: str
    new: str
    replace_all: bool = False
    start_line: int | None = None
    """A hint (1-based): settles a tie among equally good places, nothing else."""
    end_line: int | None = None
    scopes: tuple[str, ...] = ()
    """The `@@ context` lines of a Codex chunk: each must be found in turn, and `old` behind the last of them."""
    at_end: bool = False
    """`old` must end where the file ends (`*** End of File`); with an empty `old`: append."""
    whole_lines: bool = False
    """`old` and `new` are rows of a patch: they never match inside a line, and an empty `old` is an insertion
    (behind its scope, its line number, or at the end) instead of an error. Their last line ends in `\\n` unless the
    patch said that the file has no newline there."""


class LineCommand(StrEnum):
    REPLACE = "replace"
    INSERT = "insert"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Replace, insert or delete by line number, 1-based and inclusive, counted in the file as it is on disk."""

    command: LineCommand
    start_line: int
    """INSERT: the line behind which to insert; 0 is the top of the file."""
    end_line: int
    """The last line concerned; for INSERT the same as `start_line`."""
    new_content: str = ""
    indent_level: int | None = None
    """Spaces in front of the least indented line, instead of what the context suggests."""
    expected: str | None = None
    """The text that the agent believes these lines hold; anything else there makes the hunk stale."""


@dataclass(frozen=True, slots=True)
class Create:
    """A new file. Where one exists already, this overwrites it, which needs its own confirmation."""

    content: str
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Write:
    """The whole content of a file, whether it exists or not (an agent's Write tool)."""

    content: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove the file."""

    expected: str | None = None
    """The content that the patch says is removed; None where the format does not say."""


@dataclass(frozen=True, slots=True)
class Move:
    """Give the file another name. Other hunks on the same `path` edit it on the way."""

    new_path: str


@dataclass(frozen=True, slots=True)
class Copy:
    """Make `path` out of `source`; text hunks on `path` then edit the copy."""

    source: str


@dataclass(frozen=True, slots=True)
class SetMode:
    """Make a file executable, or not (all that a proposal may change of a file's mode)."""

    executable: bool


@dataclass(frozen=True, slots=True)
class NotebookEdit:
    """Replace, insert or delete a cell of a Jupyter notebook."""

    edit_mode: LineCommand
    new_source: str = ""
    cell_id: str | None = None
    """INSERT: the cell behind which to insert; None is the top."""
    cell_type: str | None = None


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A structural search and replace below `path`; the planner turns it into one TextEdit per match."""

    pattern: str
    rewrite: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Something that can be shown and rejected, but never applied (a binary patch, a symbolic link)."""

    reason: str
    code: Code = Code.BLOCKED_PATH


Op = TextEdit | LineEdit | Create | Write | Delete | Move | Copy | SetMode | NotebookEdit | Rewrite | Unsupported


# ---------------------------------------------------------------- proposals


@dataclass(frozen=True, slots=True)
class Hunk:
    """One operation on one file: what a person accepts or rejects."""

    path: str
    """As the agent wrote it; untrusted, and not yet checked."""
    op: Op
    id: str | None = None
    """What the agent calls it; echoed in the result."""
    why: str | None = None
    group: str | None = None
    rank: int | None = None
    base_sha256: str | None = None
    """Hex digest of the file that the agent had before it; another file on disk makes the hunk stale."""
    notes: tuple[str, ...] = ()
    """Repairs that were needed to read it."""


@dataclass(frozen=True, slots=True)
class Agent:
    """Who sent it."""

    name: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an agent sent in one piece."""

    format: str
    hunks: tuple[Hunk, ...]
    id: str | None = None
    """What the agent calls the proposal."""
    title: str | None = None
    description: str | None = None
    agent: Agent = Agent()
    call_id: str | None = None
    mode: Mode | None = None
    """None: the format's sender did not say; the default is rollback."""
    dry_run: bool = False
    notes: tuple[str, ...] = ()
    """Repairs and ignored fields, for the reviewer and the agent."""
    name: str = ""
    """What people call it: the file's name without its ending. Set by `load`."""
    digest: str = ""
    """`sha256:…` of the bytes it was read from. Set by `load`."""
