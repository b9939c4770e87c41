"""Shared by the tests of the formats: short ways to read a payload, and the conformance data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UnreadableProposal
from engine.formats import Limits, parse
from engine.model import Hunk, Proposal

CONFORMANCE = Path(__file__).resolve().parents[4] / "shared" / "conformance"


def as_bytes(payload: object) -> bytes:
    """Text and bytes as they are, anything else as JSON."""
    if isinstance(payload, bytes):
        return payload
    return (payload if isinstance(payload, str) else json.dumps(payload)).encode()


def read(payload: object, format: str | None = None) -> Proposal:
    return parse(as_bytes(payload), format=format)


def hunks(payload: object, format: str | None = None) -> list[Hunk]:
    return list(read(payload, format).hunks)


def refusal(
    payload: object, format: str | None = None, limits: Limits | None = None
) -> tuple[str | None, str | None, str]:
    """Format, place and message of the error that the payload gets."""
    with pytest.raises(UnreadableProposal) as caught:
        parse(as_bytes(payload), format=format, limits=limits or Limits())
    return caught.value.format, caught.value.where, caught.value.message


def load_lines(name: str) -> list[dict[str, Any]]:
    """The records of a conformance file; skips the test where the data is absent."""
    file = CONFORMANCE / name
    if not file.exists():
        pytest.skip(f"conformance data {name} is not here")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
