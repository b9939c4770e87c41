"""What a path in a proposal may say: rules on the string alone, before the file system is asked.

`canonical` gives every file one spelling, relative to the workspace, or raises `PathBlocked`. It never resolves `..`,
never expands `~` or `$HOME` and never asks the disk. Names are compared in *folded* form: the laxest reading that any
file system in use makes of them, so that `.GIT`, `.git.` and `.g<U+200C>it` are all `.git`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from engine.confusables import skeleton
from engine.errors import PathBlocked

STATE_DIRECTORY = ".hunkdeck"
"""Our own state in a workspace; staged files are named `.hunkdeck-…` beside their targets."""

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4095
MAX_COMPONENTS = 1000

_GIT_NAMES = frozenset({".git", "git~1"})
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_BIDI = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_IGNORABLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_WINDOWS_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[ .].*)?", re.DOTALL)


# ---------------------------------------------------------------- one spelling


def canonical(path: str, root: str, root_aliases: Sequence[str] = ()) -> str:
    """The one spelling of `path`, relative to the workspace `root`; raises `PathBlocked`.

    `root_aliases` are other absolute spellings of the root, such as the one before symbolic links were resolved.
    """
    reason = _unusable(path)
    if reason is not None:
        raise PathBlocked(path, reason)
    relative = _without_root(_as_decoded(path), (root, *root_aliases))
    if relative is None:
        raise PathBlocked(path, "is an absolute path outside the workspace")
    parts = [part for part in relative.split("/") if part not in ("", ".")]
    reason = _unusable_parts(parts) or ("ends in '/', so it names a directory" if path.endswith("/") else None)
    if reason is not None:
        raise PathBlocked(path, reason)
    return "/".join(parts)


def _unusable(path: str) -> str | None:
    """What is wrong with the string as a whole."""
    if not path.strip():
        return "is empty"
    if "\0" in path:
        return "contains a NUL character"
    if "\\" in path or _DRIVE.match(path):
        return "is written with backslashes or a drive letter; use '/' and a path inside the workspace"
    try:
        size = len(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return "contains a lone surrogate, which no file name can hold"
    return "File name too long: more than 4095 bytes" if size > MAX_PATH_BYTES else None


def _as_decoded(path: str) -> str:
    """`path` as it would read coming from the disk: escaped bytes that are UTF-8 together become their character."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def _without_root(path: str, roots: Iterable[str]) -> str | None:
    """`path` relative to the workspace; None where it is absolute and outside."""
    if not path.startswith("/"):
        return path
    squeezed = re.sub(r"/(?:\./|/)*", "/", path) + "/"
    for root in roots:
        prefix = root.rstrip("/") + "/"
        if squeezed.startswith(prefix):
            return squeezed[len(prefix) :]
    return None


def _unusable_parts(parts: Sequence[str]) -> str | None:
    if not parts:
        return "names no file"
    if len(parts) > MAX_COMPONENTS:
        return f"File name too long: more than {MAX_COMPONENTS} components"
    return next(filter(None, map(_unusable_name, parts)), None)


def _unusable_name(name: str) -> str | None:
    if name == "..":
        return "contains '..'"
    if not name.strip():
        return "has a component that is only white space"
    if len(name.encode("utf-8", "surrogateescape")) > MAX_NAME_BYTES:
        return "File name too long: a component has more than 255 bytes"
    return _protected(folded(name))


def _protected(name: str) -> str | None:
    if name in _GIT_NAMES or name.startswith(".git:"):
        return "is inside git's own directory"
    if name == STATE_DIRECTORY or name.startswith((STATE_DIRECTORY + "-", STATE_DIRECTORY + ":")):
        return "is hunkdeck's own state"
    return None


def is_reserved(name: str) -> bool:
    """The component belongs to git or to hunkdeck itself, in whatever spelling."""
    return _protected(folded(name)) is not None


def folded(name: str) -> str:
    """One component of a path, as the most forgiving file system would compare it.

    Names that are too long for any file system are left alone: normalising them could take very long.
    """
    if len(name) > MAX_NAME_BYTES:
        return name
    if not name.isascii():
        name = unicodedata.normalize("NFC", _IGNORABLE.sub("", name))
    return name.casefold().rstrip(". ") or name


# ---------------------------------------------------------------- new names


def creation_problem(path: str) -> str | None:
    """Why no file may be created under this (canonical) path, though one that exists may be edited."""
    return next(filter(None, map(_name_problem, path.split("/"))), None)


def _name_problem(name: str) -> str | None:
    if _CONTROL.search(name):
        return "has a control character in its name"
    if _BIDI.search(name):
        return "has a character in its name that reverses the direction of text"
    if name.endswith((".", " ")):
        return "has a name ending in a dot or a space, which some systems drop"
    if ":" in name:
        return "has a colon in its name, which means a hidden stream on some systems"
    if _WINDOWS_DEVICE.fullmatch(folded(name)):
        return "has a name that is a device on Windows"
    if folded(name).startswith("git~"):
        return "has a name that can stand for git's own directory"
    return None


def clashes(path: str, siblings: Iterable[str]) -> str | None:
    """The name among `siblings` that some file systems take for the last component of `path`, if there is one.

    The same name, spelt the same, is no clash: it is the file itself.
    """
    name = path.rsplit("/", 1)[-1]
    names = set(siblings)
    if name in names:
        return None
    key = _twin_key(name)
    return min((other for other in names if _twin_key(other) == key), default=None)


def _twin_key(name: str) -> str:
    if len(name) > MAX_NAME_BYTES:
        return name
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def look_alike(name: str, siblings: Iterable[str]) -> str | None:
    """The name among `siblings` that a person could take for `name`: homoglyphs, zero-width characters."""
    names = set(siblings)
    if name in names:
        return None
    key = _look(name)
    return min((other for other in names if _look(other) == key), default=None)


def _look(name: str) -> str:
    return name if len(name) > MAX_NAME_BYTES else skeleton(_IGNORABLE.sub("", name))
