"""Names across files: where moves lead, two files for one name, names that differ only in case or spelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.errors import PathBlocked
from engine.model import Code, Delete, Move
from engine.paths import canonical, clashes, creation_problem
from engine.planning.data import FilePlan, Fit, PlannedHunk
from engine.workspace import Workspace

_MOST_OVERWRITTEN = 50 * 1024 * 1024
"""Bytes that a move may overwrite: they are hashed, so that nothing else is overwritten than what was shown."""


def check_names(workspace: Workspace, files: Sequence[FilePlan], *, overwrite_is_fine: bool) -> list[FilePlan]:
    """The plans, with every hunk that makes a new name checked against the disk and against the other hunks."""
    names = _Names(workspace, {file.path: file for file in files}, overwrite_is_fine=overwrite_is_fine)
    checked: dict[int, PlannedHunk] = {}
    for hunk in sorted((hunk for file in files for hunk in file.hunks), key=lambda hunk: hunk.index):
        checked[hunk.index] = names.check(hunk) if hunk.fit is Fit.FITS else hunk
    return [replace(file, hunks=tuple(checked[hunk.index] for hunk in file.hunks)) for file in files]


@dataclass
class _Names:
    """The names that the proposal makes and frees."""

    workspace: Workspace
    files: dict[str, FilePlan]
    overwrite_is_fine: bool

    def __post_init__(self) -> None:
        self.made: dict[str, int] = {}
        """New names so far, and the hunk that makes each."""
        self.listed: dict[str, list[str]] = {}
        """The names in each directory that was asked for."""
        self.twins: dict[str, str | None] = {}
        """What an existing file is really called, where that differs from its path."""
        self.freed = {
            hunk.path: hunk.index
            for file in self.files.values()
            for hunk in file.hunks
            if hunk.fit is Fit.FITS and isinstance(hunk.hunk.op, Move | Delete)
        }

    def check(self, hunk: PlannedHunk) -> PlannedHunk:
        try:
            return self._moved(hunk, hunk.hunk.op) if isinstance(hunk.hunk.op, Move) else self._created(hunk)
        except PathBlocked as problem:
            return _fails(hunk, Code.BLOCKED_PATH, problem.reason)

    def _created(self, hunk: PlannedHunk) -> PlannedHunk:
        file = self.files[hunk.path]
        if file.before is not None:
            return self._existing(hunk)
        if hunk.needs:
            return hunk
        self._check_new(hunk.path)
        maker = self.made.setdefault(hunk.path, hunk.index)
        if maker not in {other.index for other in file.hunks}:
            return _fails(hunk, Code.OVERLAP, f"hunk {maker} gives this name to another file")
        return hunk

    def _existing(self, hunk: PlannedHunk) -> PlannedHunk:
        """Where case is ignored a file is found under many names: only its own is used, lest it is planned twice."""
        if hunk.path not in self.twins:
            self.twins[hunk.path] = self._twin(hunk.path, None)
        if twin := self.twins[hunk.path]:
            return _fails(hunk, Code.BLOCKED_PATH, f"differs from {twin} only in case or spelling; use that name")
        return hunk

    def _moved(self, hunk: PlannedHunk, op: Move) -> PlannedHunk:
        target = canonical(op.new_path, self.workspace.root)
        hunk = replace(hunk, hunk=replace(hunk.hunk, op=Move(target)))
        if target == hunk.path:
            return replace(hunk, fit=Fit.SKIPPED, code=Code.NO_CHANGE, error="it has this name already", replacements=0)
        if target in self.made:
            return _fails(hunk, Code.OVERLAP, f"hunk {self.made[target]} gives this name to another file")
        self._check_new(target, moved_from=hunk.path)
        self.made[target] = hunk.index
        there = self.workspace.read(target, max_bytes=_MOST_OVERWRITTEN)
        if there is None:
            return hunk
        if target in self.freed:
            return replace(hunk, needs=(*hunk.needs, self.freed[target]))
        risks = () if self.overwrite_is_fine else (f"overwrites {target}, which exists",)
        return replace(hunk, overwrites=there.sha256, risks=(*hunk.risks, *risks))

    def _check_new(self, path: str, moved_from: str | None = None) -> None:
        """Raises PathBlocked where a file may not get this name."""
        if reason := next(self._problems(path, moved_from), None):
            raise PathBlocked(path, reason)

    def _problems(self, path: str, moved_from: str | None) -> Iterator[str]:
        if reason := creation_problem(path):
            yield reason
        if twin := self._twin(path, moved_from):
            yield f"differs from {twin} only in case or spelling; use that name"
        above = path.split("/")
        for n in range(1, len(above)):
            if "/".join(above[:n]) in self.made:
                yield f"{'/'.join(above[:n])} becomes a file in the same proposal"
        if any(made.startswith(path + "/") for made in self.made):
            yield "becomes a directory in the same proposal"
        if reason := self.workspace.writable(path):
            yield reason

    def _twin(self, path: str, moved_from: str | None) -> str | None:
        """A name, on disk or planned, that some file systems take for a component of `path`."""
        parts = path.split("/")
        for depth, part in enumerate(parts):
            above = "".join(f"{name}/" for name in parts[:depth])
            on_disk = [name for name in self._entries(above.rstrip("/")) if above + name != moved_from]
            planned = [made[len(above) :].partition("/")[0] for made in self.made if made.startswith(above)]
            if twin := clashes(part, [*on_disk, *planned]):
                return above + twin
        return None

    def _entries(self, directory: str) -> list[str]:
        if directory not in self.listed:
            self.listed[directory] = self.workspace.entries(directory)
        return self.listed[directory]


def _fails(hunk: PlannedHunk, code: Code, error: str) -> PlannedHunk:
    return replace(hunk, fit=Fit.FAILS, code=code, error=error, cuts=(), match=None, replacements=0)
