"""Where every hunk goes, or why it cannot: `data` is what is found out, `whole` finds it out for a proposal.

The planner is loaded when it is first used: whoever only looks at plans need not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.planning.whole import Limits, plan

__all__ = ["Limits", "plan"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engine.planning import whole

    return getattr(whole, name)
