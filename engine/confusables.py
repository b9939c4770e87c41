"""Letters that look like other letters: enough of Cyrillic, Greek and full-width forms to unmask a Latin look-alike.

`skeleton` maps a text to what it looks like. Two texts with the same skeleton can be mistaken for each other.
"""

from __future__ import annotations

import unicodedata

_LOOKS_LIKE = str.maketrans(
    # Cyrillic
    "аАеЕоОрРсСхХуУіІјЈѕЅԁɡһНКкМТтВвԛԜѡӏⅼ"
    # Greek
    "αΑΒΕεΖΗΙιΚκΜΝνΟοΡρΤτΥυΧχγ"
    # Armenian, and Latin letters of other alphabets
    "օսհոıɑցʟ"
    # dashes and quotes
    "‐‑‒–—−’‘ʼ“”∕⁄",
    "aAeEoOpPcCxXyYiIjJsSdghHKkMTtBvqWwll" + "aABEeZHIiKkMNvOoPpTtYuXxy" + "ouhniagl" + "------'''\"\"//",
)


def skeleton(text: str) -> str:
    """What `text` looks like. Never shown to anybody: it only serves to compare."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_LOOKS_LIKE)).translate(_LOOKS_LIKE)
