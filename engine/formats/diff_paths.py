"""Which file a section of a diff is about: its old and its new path, out of all the lines that name it."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import UnreadableProposal
from engine.formats.diff_names import DEV_NULL, git_names, header_name, strip_git, strip_plain
from engine.formats.diff_repair import NAME, DiffSection
from engine.model import Copy, Create, Delete, Hunk, Move, Unsupported

_RENAMES = (("rename from", "rename to"), ("rename old", "rename new"), ("copy from", "copy to"))


def _bad(message: str, section: DiffSection) -> UnreadableProposal:
    return UnreadableProposal(message, format=NAME, where=f"line {section.line}")


def section_paths(section: DiffSection) -> tuple[str, str]:
    """The old and the new path, without prefixes; one of them may be /dev/null."""
    if section.git is None:
        old, new = strip_plain(section.old.path if section.old else "", section.new.path if section.new else "")
    else:
        old, new = _git_paths(section, section.git)
    if old == DEV_NULL and new == DEV_NULL:
        raise _bad("/dev/null on both sides", section)
    return old, new


class Names:
    """What the names in later sections mean, given the renames and deletions in earlier ones.

    As in git: a rename or copy always starts from the name on disk, whatever the order; any other section goes by what
    the sections above it made of that name.
    """

    def __init__(self) -> None:
        self._meaning: dict[str, str | None] = {}
        """A name → the path on disk of the file that has it now; None: no file has it any more."""

    def original(self, hunk: Hunk, section: DiffSection) -> str:
        """The path on disk of the file that `hunk` is about."""
        if "rename from" in section.headers or isinstance(hunk.op, Copy | Create | Unsupported):
            return hunk.path
        path = self._meaning.get(hunk.path, hunk.path)
        if path is None:
            raise _bad(f"{hunk.path[:100]} was renamed or deleted by an earlier section", section)
        return path

    def note(self, hunks: Iterable[Hunk]) -> None:
        """Remember what a section did to names."""
        for hunk in hunks:
            if isinstance(hunk.op, Move):
                self._meaning[hunk.path] = None
                self._meaning[hunk.op.new_path] = hunk.path
            elif isinstance(hunk.op, Delete):
                self._meaning[hunk.path] = None
            elif isinstance(hunk.op, Create | Copy):
                self._meaning[hunk.path] = hunk.path


def _git_paths(section: DiffSection, names: str) -> tuple[str, str]:
    headers = section.headers
    for kind in _RENAMES:
        if kind[0] in headers or kind[1] in headers:
            return _renamed(section, kind)
    pair = git_names(names.strip())
    stripped = strip_git(*pair) if pair else None
    if section.old is None or section.new is None:
        if stripped is None or stripped[0] != stripped[1]:
            raise _bad("'diff --git' does not name one file", section)
        return stripped
    old, new = strip_git(section.old.path, section.new.path)
    if pair and DEV_NULL in (old, new) and pair[0][:2] == pair[1][:2]:
        old, new = section.old.path, section.new.path
    # Where the line itself names two files, git goes by the lines below it.
    agreed = stripped if stripped and stripped[0] == stripped[1] else ()
    known = {name for name in (old, new, *agreed) if name != DEV_NULL}
    if len(known) > 1:
        raise _bad(f"the header names different files: {', '.join(sorted(known))[:100]}", section)
    return old, new


def _renamed(section: DiffSection, kind: tuple[str, str]) -> tuple[str, str]:
    names = [header_name(section.headers.get(name, "").replace("\t", " ")) for name in kind]
    if names[0] is None or names[1] is None or not names[0].path or not names[1].path:
        raise _bad(f"expected both {kind[0]!r} and {kind[1]!r}", section)
    return names[0].path, names[1].path
