"""Where does this text belong? `locate_all` says for each edit of a file; the strategies are in one ordered tuple.

The public names are loaded when they are first used: whoever only needs the answers' shape does not pay for the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.matching.answer import Answer, Candidate, Located, Place, Refused

if TYPE_CHECKING:
    from engine.matching.chosen import place_at
    from engine.matching.front import locate_all
    from engine.matching.strategies import STRATEGIES

_HOME = {"place_at": "chosen", "locate_all": "front", "STRATEGIES": "strategies"}

__all__ = ["STRATEGIES", "Answer", "Candidate", "Located", "Place", "Refused", "locate_all", "place_at"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
