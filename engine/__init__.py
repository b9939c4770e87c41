"""hunkdeck's engine: any proposal in, a durable, granular result out. It knows nothing of terminals.

The public names are loaded when they are first used (PEP 562), so that importing this package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.errors import (
        Conflict,
        HunkdeckError,
        NeedsRepair,
        NotText,
        PathBlocked,
        UndoRefused,
        UnreadableProposal,
        WorkspaceError,
        WriteFailed,
    )
    from engine.formats import tool_definition
    from engine.model import Code, Hunk, Mode, Proposal
    from engine.planning import Limits
    from engine.planning.data import FilePlan, Fit, PlannedHunk, ReviewPlan
    from engine.result import FileResult, HunkResult, Result, unreadable_result
    from engine.review import (
        Accept,
        AcceptAll,
        AcceptParts,
        Comment,
        Confirm,
        Decision,
        Edit,
        Redo,
        Reject,
        RejectAll,
        Reopen,
        ReviewState,
        Undo,
    )
    from engine.session import apply, decide, load, plan
    from engine.settle import Status
    from engine.transaction import history, recover, undo
    from engine.workspace import Workspace

_HOME = {
    "engine.errors": (
        "Conflict HunkdeckError NeedsRepair NotText PathBlocked "
        "UndoRefused UnreadableProposal WorkspaceError WriteFailed"
    ),
    "engine.formats": "tool_definition",
    "engine.model": "Code Hunk Mode Proposal",
    "engine.planning": "Limits",
    "engine.planning.data": "FilePlan Fit PlannedHunk ReviewPlan",
    "engine.result": "FileResult HunkResult Result unreadable_result",
    "engine.review": (
        "Accept AcceptAll AcceptParts Comment Confirm Decision Edit Redo Reject RejectAll Reopen ReviewState Undo"
    ),
    "engine.session": "apply decide load plan",
    "engine.settle": "Status",
    "engine.transaction": "history recover undo",
    "engine.workspace": "Workspace",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [
    "Accept",
    "AcceptAll",
    "AcceptParts",
    "Code",
    "Comment",
    "Confirm",
    "Conflict",
    "Decision",
    "Edit",
    "FilePlan",
    "FileResult",
    "Fit",
    "Hunk",
    "HunkResult",
    "HunkdeckError",
    "Limits",
    "Mode",
    "NeedsRepair",
    "NotText",
    "PathBlocked",
    "PlannedHunk",
    "Proposal",
    "Redo",
    "Reject",
    "RejectAll",
    "Reopen",
    "Result",
    "ReviewPlan",
    "ReviewState",
    "Status",
    "Undo",
    "UndoRefused",
    "UnreadableProposal",
    "Workspace",
    "WorkspaceError",
    "WriteFailed",
    "apply",
    "decide",
    "history",
    "load",
    "plan",
    "recover",
    "tool_definition",
    "undo",
    "unreadable_result",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
