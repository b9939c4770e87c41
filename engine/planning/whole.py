"""Proposal + workspace → ReviewPlan: where every hunk goes, or why it cannot. Reads each file once; writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from engine.errors import PathBlocked
from engine.model import Code, Copy, Hunk, Proposal, Unsupported
from engine.paths import canonical
from engine.planning.data import FilePlan, Fit, ReviewPlan
from engine.planning.names import check_names
from engine.planning.one_file import failed, plan_file
from engine.planning.rewrites import expand_rewrites
from engine.planning.risks import Risks
from engine.shelf import HELD_IN_MEMORY, Shelf
from engine.text import FileText
from engine.workspace import Found, Workspace

_SETUID = 0o6000


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one proposal may touch."""

    max_files: int = 100
    max_bytes: int = 50 * 1024 * 1024


def plan(
    proposal: Proposal, workspace: Workspace, *, limits: Limits | None = None, codex_compat: bool = False
) -> ReviewPlan:
    """Everything that a person or a script needs to decide about `proposal`."""
    limits = limits or Limits()
    proposal = expand_rewrites(proposal, workspace)
    groups = _by_path(proposal, workspace)
    total = _bytes_touched(groups, workspace)
    if problem := _over_limits(len(groups), total, limits):
        files = [_blocked(path, hunks, Code.LIMIT, problem) for path, hunks in groups]
        return ReviewPlan(proposal, tuple(files))
    planned = _plan_files(groups, workspace, limits.max_bytes, codex_compat=codex_compat)
    files = list(_shelved(planned) if total > HELD_IN_MEMORY else planned)
    files = check_names(workspace, files, overwrite_is_fine=codex_compat)
    risks = Risks(workspace, overwrite_is_fine=codex_compat)
    files = [with_risks(workspace, risks, file) for file in files]
    return ReviewPlan(proposal, tuple(files), final_newline=codex_compat)


Group = tuple[str, list[tuple[int, Hunk]]]
"""A path (canonical, or as sent where it is forbidden) and its numbered hunks."""


def _by_path(proposal: Proposal, workspace: Workspace) -> list[Group]:
    groups: dict[str, list[tuple[int, Hunk]]] = {}
    spelled: dict[str, str] = {}
    for index, hunk in enumerate(proposal.hunks):
        if hunk.path not in spelled:
            spelled[hunk.path] = _canonical_or_as_sent(hunk.path, workspace)
        groups.setdefault(spelled[hunk.path], []).append((index, hunk))
    return list(groups.items())


def _canonical_or_as_sent(path: str, workspace: Workspace) -> str:
    try:
        return canonical(path, workspace.root)
    except PathBlocked:
        return path


def _bytes_touched(groups: Sequence[Group], workspace: Workspace) -> int:
    total = 0
    for path, _ in groups:
        try:
            known = workspace.stat(canonical(path, workspace.root))
        except PathBlocked:
            continue
        total += known.size if known else 0
    return total


def _over_limits(files: int, total: int, limits: Limits) -> str | None:
    if files > limits.max_files:
        return f"the proposal touches {files} files, more than the limit of {limits.max_files}; split it"
    if total > limits.max_bytes:
        return f"the files it touches hold {total} bytes, more than the limit of {limits.max_bytes}; split it"
    return None


def _plan_files(
    groups: Sequence[Group], workspace: Workspace, max_bytes: int, *, codex_compat: bool
) -> Iterator[FilePlan]:
    seen: dict[str, Found | None] = {}
    copied = {hunk.op.source for _, hunks in groups for _, hunk in hunks if isinstance(hunk.op, Copy)}
    sources = {_canonical_or_as_sent(path, workspace) for path in copied}

    def read(path: str) -> Found | None:
        path = canonical(path, workspace.root)
        if path in seen:
            return seen[path]
        found = workspace.read(path, max_bytes=max_bytes)
        if path in sources:  # another file is made of it, and must be made of the same bytes
            seen[path] = found
        return found

    for path, hunks in groups:
        if all(isinstance(hunk.op, Unsupported) for _, hunk in hunks):
            yield plan_file(path, None, hunks, read)
            continue
        try:
            found = read(path)
            if found and found.mode & _SETUID:
                raise PathBlocked(path, "runs with another user's rights (setuid or setgid)")
            planned = plan_file(path, found, hunks, read, first_match=codex_compat)
            planned.text.forget_lines()  # a proposal may touch many files: only one at a time is held in lines
            yield planned
        except PathBlocked as problem:
            yield _blocked(path, hunks, Code.BLOCKED_PATH, problem.reason)


def _shelved(files: Iterator[FilePlan]) -> Iterator[FilePlan]:
    """The same plans, holding one file's bytes at a time; where there is no room elsewhere, they stay."""
    shelf: Shelf | None = None
    for file in files:
        content = file.content
        if content:
            with suppress(OSError):
                shelf = shelf or Shelf()
                file = replace(file, held=shelf.put(content), before=file.before and file.before._replace(binary=None))
        yield file


def _blocked(path: str, hunks: Sequence[tuple[int, Hunk]], code: Code, error: str) -> FilePlan:
    return FilePlan(path, None, FileText(""), tuple(failed(index, hunk, path, code, error) for index, hunk in hunks))


def with_risks(workspace: Workspace, risks: Risks, file: FilePlan) -> FilePlan:
    """Risks and write permission: asked for what fits only, since nothing else can be accepted."""
    if not any(hunk.fit is Fit.FITS for hunk in file.hunks):
        return file
    denied = workspace.writable(file.path)
    common = risks.of_file(file.path, file.before)
    hunks = []
    for hunk in file.hunks:
        if hunk.fit is Fit.FITS and denied:
            hunk = replace(hunk, fit=Fit.FAILS, code=Code.IO, error=denied, cuts=(), match=None, replacements=0)
        elif hunk.fit is Fit.FITS and (found := (*common, *risks.of_op(hunk.hunk.op, file.before))):
            hunk = replace(hunk, risks=(*hunk.risks, *found))
        hunks.append(hunk)
    return replace(file, hunks=tuple(hunks))
