"""A text in the person's own editor: a private file, no shell, nothing left behind."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping

from engine.errors import HunkdeckError

_LONGEST_SUFFIX = 16


class EditorUnavailable(HunkdeckError):
    """There is no editor to open."""


def edit_text(text: str, suffix: str) -> str | None:
    """`text` as it is when the editor is left; None where the editor says that it failed (`:cq`).

    `suffix` (`.py`) tells the editor what kind of text it is. Raises EditorUnavailable.
    """
    command = editor_command(os.environ)
    with tempfile.TemporaryDirectory(prefix="hunkdeck-") as private:
        path = os.path.join(private, "text" + _plain_suffix(suffix))
        _write(path, text)
        try:
            done = subprocess.run([*command, path], check=False)
        except OSError as problem:
            raise EditorUnavailable(f"{command[0]} cannot be started: {problem.strerror}") from problem
        return _read(path) if done.returncode == 0 else None


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """$VISUAL, else $EDITOR, split into words as a shell would, but never given to one."""
    for name in ("VISUAL", "EDITOR"):
        said = environment.get(name, "").strip()
        if not said:
            continue
        try:
            return shlex.split(said)
        except ValueError as problem:
            raise EditorUnavailable(f"${name} cannot be understood: {problem}") from problem
    raise EditorUnavailable("No editor is set: put its name into $VISUAL or $EDITOR.")


def _plain_suffix(suffix: str) -> str:
    """A suffix comes from a proposal's path: only a short one of plain characters reaches a command line."""
    plain = suffix.isascii() and suffix[1:].replace("_", "").isalnum() and suffix.startswith(".")
    return suffix if plain and len(suffix) <= _LONGEST_SUFFIX else ".txt"


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))


def _read(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError:  # the editor took it away
        return None
