"""Which text format a text is in: the one whose marker comes first, for the others may be part of its content."""

from __future__ import annotations

import re

SEARCH_LINE = re.compile(r"(?:<{3,}|-{3,}) SEARCH>?\Z")
REPLACE_LINE = re.compile(r"(?:>{3,}|\+{3,}) REPLACE>?\Z")
_CODEX = ("*** Begin Patch", "*** End Patch", "*** Add File:", "*** Delete File:", "*** Update File:")
_DIFF = ("diff --git ", "diff --cc ", "diff --combined ", "Index: ", "Binary files ", "GIT binary patch", "@@")
_CONTEXT_DIFF = "***************"


def text_format(text: str) -> str | None:
    """codex, search_replace, unified_diff, or None."""
    before = ""
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(_CODEX):
            return "codex"
        if bare.endswith(("SEARCH", "SEARCH>", "REPLACE")) and (SEARCH_LINE.match(bare) or REPLACE_LINE.match(bare)):
            return "search_replace"
        if line.startswith(_DIFF) or bare == _CONTEXT_DIFF or (line.startswith("+++") and before.startswith("---")):
            return "unified_diff"
        before = line
    return None
