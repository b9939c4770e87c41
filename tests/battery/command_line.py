"""`hunkdeck`, with the rule switched off that the report asks for: the tests start it as a process of its own."""

from __future__ import annotations

import os
import resource
import sys

import hunkdeck
from tests.battery.command import MEMORY, RAW_WIDGETS
from tests.battery.rules import switch_off_as_asked


def let_everything_through() -> None:
    """Nothing is made safe any more where text becomes rows: only the last guard of the screen is left."""
    import engine.safe_text
    import tui.guard  # first: it keeps the function that is replaced now

    assert tui.guard
    engine.safe_text.safe_text = lambda text, **_: text


if __name__ == "__main__":
    switch_off_as_asked()
    if os.environ.get(RAW_WIDGETS):
        let_everything_through()
    if memory := int(os.environ.get(MEMORY, "0")):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.exit(hunkdeck.main())
