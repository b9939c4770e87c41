"""The last answer to a proposal that its agent took back."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.model import Code
from engine.queue.remembered import from_dict
from engine.result import HunkResult, Result, as_json
from engine.settle import Status

_WHY = "withdrawn before it was decided"


def withdrawn(name: str, digest: str, said_before: bytes | None) -> bytes:
    """What was applied with an earlier answer stays said; the rest is withdrawn."""
    before = _remembered(said_before) or Result(name, digest)
    return as_json(
        replace(before, hunks=tuple(map(_withdrawn, before.hunks)), code=Code.WITHDRAWN, failures_open=False)
    )


def _withdrawn(hunk: HunkResult) -> HunkResult:
    if hunk.status is not Status.PENDING:
        return hunk
    return replace(hunk, status=Status.FAILED, code=Code.WITHDRAWN, error=_WHY)


def _remembered(data: bytes | None) -> Result | None:
    try:
        return from_dict(json.loads(data), failures_open=True) if data else None
    except (ValueError, KeyError, TypeError):
        return None
