"""hunkdeck: the command, and the library's public names (`import hunkdeck`).

`engine` and `tui` are bound to this file's own siblings, so that a workspace's engine/ can never be imported instead.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import *  # noqa: F403

__version__ = "0.1.0"

_INTERRUPTED = 130

_home = os.path.dirname(os.path.abspath(__file__))
for _name in ("engine", "tui"):
    _loaded = sys.modules.get(_name)
    if _loaded is not None and os.path.dirname(os.path.abspath(_loaded.__file__ or "")) != os.path.join(_home, _name):
        del sys.modules[_name]
sys.path.insert(0, _home)
try:
    import engine
    import tui  # noqa: F401
finally:
    sys.path.remove(_home)


def __getattr__(name: str) -> Any:
    return getattr(engine, name)


def __dir__() -> list[str]:
    return [*engine.__all__, "main"]


def main() -> int:
    """The command `hunkdeck`."""
    try:
        from tui.cli import main as run

        return run(sys.argv[1:])
    except KeyboardInterrupt:  # also while modules are loaded: whoever stops it wants no traceback
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
