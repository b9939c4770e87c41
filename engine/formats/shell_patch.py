"""A Codex patch as a shell command: how models call `apply_patch` when all they have is a shell.

    [cd DIR &&] apply_patch <<WORD … WORD        the word bare, in single or in double quotes
    <<WORD … WORD                                the heredoc alone
    ["bash", "-lc", SCRIPT]   ["apply_patch", PATCH]

Nothing is ever run. Any other command in the script is refused: applying the patch alone would not be what was asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import UnreadableProposal

_OPENING = re.compile(
    r"""\s*(?:cd[ \t]+(?P<dir>'[^'\n]*'|"[^"\n$`\\]*"|[^\s'"$`\\;&|<>()*?]+)[ \t]*&&[ \t]*(?=apply))?"""
    r"""(?:(?:apply_patch|applypatch)[ \t]*)?<<[ \t]*(?:'(?P<single>\w+)'|"(?P<double>\w+)"|(?P<bare>\w+))[ \t]*\r?\n"""
)
_SHELLS = ("bash", "sh", "zsh")


@dataclass(frozen=True, slots=True)
class Script:
    """A patch, and how the shell was to run it."""

    patch: str
    directory: str = ""
    """Where the script changes to before it patches."""
    first_line: int = 1
    """The line of the payload on which the patch begins."""


def unwrap_script(text: str, format: str) -> Script:
    """The patch inside a heredoc; text that is no shell script comes back as it is."""
    opening = _OPENING.match(text)
    if not opening:
        return Script(text)
    word = opening["single"] or opening["double"] or opening["bare"]
    body = text[opening.end() :]
    first_line = text.count("\n", 0, opening.end()) + 1
    lines = body.split("\n")
    ends = [index for index, line in enumerate(lines) if line.rstrip("\r") == word]
    if not ends:
        raise UnreadableProposal(f"the heredoc is not closed by a line {word!r}", format=format, where="line 1")
    end = ends[0]
    for index in range(end + 1, len(lines)):
        if lines[index].strip():
            message = "there is another command behind the patch; send the patch alone"
            raise UnreadableProposal(message, format=format, where=f"line {first_line + index}")
    return Script("\n".join(lines[:end]), (opening["dir"] or "").strip("'\""), first_line)


def unwrap_argv(argv: list[object], format: str) -> str:
    """The script or the patch in a command given as a list of words."""
    words = [word for word in argv if isinstance(word, str)]
    if len(words) == len(argv):
        if len(words) == 2 and words[0] in ("apply_patch", "applypatch"):
            return words[1]
        if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and words[1] in ("-lc", "-c"):
            return words[2]
    message = 'expected ["apply_patch", PATCH] or ["bash", "-lc", SCRIPT]'
    raise UnreadableProposal(message, format=format)
