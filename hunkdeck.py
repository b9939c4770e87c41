"""hunkdeck: the command, and the library's public names (`import hunkdeck`).

`engine` and `tui` are bound to this file's own siblings, so that a workspace's engine/ can never be imported instead.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import *  # noqa: F403

__version__ = "0.1.0"

for _name in ("engine", "tui"):
    _home = os.path.join(os.path.dirname(os.path.abspath(__file__)), _name)
    _loaded = sys.modules.get(_name)
    if _loaded is None or os.path.dirname(os.path.abspath(_loaded.__file__ or "")) != _home:
        _spec = importlib.util.spec_from_file_location(
            _name, os.path.join(_home, "__init__.py"), submodule_search_locations=[_home]
        )
        assert _spec
        assert _spec.loader
        sys.modules[_name] = importlib.util.module_from_spec(_spec)
        _spec.loader.exec_module(sys.modules[_name])


def __getattr__(name: str) -> Any:
    return getattr(sys.modules["engine"], name)


def __dir__() -> list[str]:
    return [*sys.modules["engine"].__all__, "main"]


def main() -> int:
    """The command `hunkdeck`."""
    from tui.cli import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
