"""One tree of errors. They keep raw fields; whoever shows them to a person renders them (`safe_text`).

HunkdeckError
├── UnreadableProposal      the payload is not a proposal: format tried, place, what was expected
├── StoreDown               the place where proposals wait cannot be reached
├── UnusableId              a proposal cannot be called so
├── WorkspaceError          the workspace itself cannot be used
│   └── NeedsRepair         a journal is damaged: nothing is written until a person has looked
├── PathBlocked             a path that no proposal may touch
├── NotText                 a file whose bytes are not text that can be edited
├── Conflict                a file is not what was shown
├── WriteFailed             the disk refused; says whether everything was restored
└── UndoRefused             undo would overwrite what somebody did since
"""

from __future__ import annotations


class HunkdeckError(Exception):
    """Anything that hunkdeck itself refuses to do. `str()` is one sentence for people."""


class UnreadableProposal(HunkdeckError):
    """A payload that is not a proposal. Nothing of it is loaded."""

    def __init__(self, message: str, *, format: str | None = None, where: str | None = None) -> None:
        self.message = message
        self.format = format
        """The format that it was read as."""
        self.where = where
        """A JSON path (`edits[3].old_string`) or `line 12`."""
        prefix = "".join(f"{part}: " for part in (format, where) if part)
        super().__init__(prefix + message)


class StoreDown(HunkdeckError):
    """The place where proposals wait cannot be reached; what was decided is kept."""


class UnusableId(HunkdeckError):
    """A name that no proposal can have in a store."""

    def __init__(self, id: str, reason: str = "use 1 to 128 of the characters A-Z a-z 0-9 . _ -") -> None:
        self.id = id
        super().__init__(f"{id!r}: not an id for a proposal: {reason}")


class WorkspaceError(HunkdeckError):
    """The workspace, or our state in it, cannot be used."""


class NeedsRepair(WorkspaceError):
    """A journal that cannot be trusted was set aside; a person has to look before anything is written."""


class PathBlocked(HunkdeckError):
    """A path that no proposal may touch, whoever accepts it."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class NotText(HunkdeckError):
    """Bytes that cannot be edited as text without a risk of mangling them."""


class Conflict(HunkdeckError):
    """A file is not what was shown to the person."""

    def __init__(self, path: str, reason: str, *, rolled_back: bool = False) -> None:
        self.path = path
        self.reason = reason
        self.rolled_back = rolled_back
        """Other files had been written already, and were restored."""
        super().__init__(f"{path}: {reason}")


class WriteFailed(HunkdeckError):
    """The file system refused an operation."""

    def __init__(self, path: str, reason: str, *, restored: bool, rolled_back: bool = False) -> None:
        self.path = path
        self.reason = reason
        self.rolled_back = rolled_back
        """Files had been written already, and were restored."""
        self.restored = restored
        """Everything is as it was before; if not, the next start finishes the repair."""
        super().__init__(f"{path}: {reason}")


class UndoRefused(HunkdeckError):
    """Undo would overwrite what somebody did since."""
