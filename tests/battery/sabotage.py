"""`hunkdeck` with one function of its own that raises: `python -m tests.battery.sabotage MODULE:NAME ARGS…`.

The message of the error is as hostile as a proposal, because it may well quote one.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NoReturn

import hunkdeck
from tests.battery.hostile import EVERYTHING
from tests.battery.rules import switch_off_as_asked


def raise_there(point: str) -> None:
    module, _, names = point.partition(":")
    owner: Any = import_module(module)
    *outer, name = names.split(".")
    for part in outer:
        owner = getattr(owner, part)

    def broken(*_: object, **__: object) -> NoReturn:
        raise RuntimeError(f"sabotaged {EVERYTHING}")

    assert hasattr(owner, name), point
    setattr(owner, name, broken)


if __name__ == "__main__":
    switch_off_as_asked()
    raise_there(sys.argv.pop(1))
    sys.exit(hunkdeck.main())
