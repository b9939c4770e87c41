"""What needs a decision of its own: files that run later, and changes that destroy more than they show."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import PathBlocked
from engine.model import Create, Move, Op, SetMode
from engine.paths import look_alike
from engine.planning.data import Before
from engine.sensitive import risk
from engine.workspace import Workspace


class Risks:
    """Asks the workspace each question once."""

    def __init__(self, workspace: Workspace, *, overwrite_is_fine: bool) -> None:
        self._workspace = workspace
        self._overwrite_is_fine = overwrite_is_fine
        self._entries: dict[str, list[str]] = {}

    def of_file(self, path: str, found: Before | None) -> list[str]:
        """Reasons that hold for every hunk on this file."""
        return [*self._of_name(path, exists=found is not None), *(_of_existing(found) if found else ())]

    def of_op(self, op: Op, found: Before | None) -> Iterator[str]:
        """Reasons that hold for this operation."""
        if found is not None and isinstance(op, Create) and not self._overwrite_is_fine:
            yield "replaces a file that exists"
        if isinstance(op, Create | SetMode) and op.executable:
            yield "makes the file executable"
        if isinstance(op, Move):
            yield from self._of_name(op.new_path, exists=False)

    def _of_name(self, path: str, *, exists: bool) -> Iterator[str]:
        if reason := risk(path):
            yield reason
        directory, _, name = path.rpartition("/")
        if not exists and (twin := look_alike(name, self._names(directory))):
            yield f"looks like {twin}, which exists, but is another name"
        if module := self._submodule(directory):
            yield f"is inside {module}, a repository of its own"

    def _submodule(self, directory: str) -> str | None:
        parts = directory.split("/") if directory else []
        above = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
        return next((path for path in above if ".git" in self._names(path)), None)

    def _names(self, directory: str) -> list[str]:
        if directory not in self._entries:
            try:
                self._entries[directory] = self._workspace.entries(directory)
            except PathBlocked:
                self._entries[directory] = []
        return self._entries[directory]


def _of_existing(found: Before) -> Iterator[str]:
    if found.nlink > 1:
        yield f"{found.nlink} names share this file; the others keep the old text"
    if not found.mode & 0o222:
        yield "is read-only"
