"""From bytes to a `Proposal`: where they come from, what it is called, how it is known again."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace

from engine.errors import UnreadableProposal
from engine.formats import Limits, parse
from engine.model import Proposal


def load(source: bytes | str | os.PathLike[str], *, name: str | None = None, format: str | None = None) -> Proposal:
    """Read a proposal: its bytes, or the path of a file. Raises UnreadableProposal."""
    data = source if isinstance(source, bytes) else read_proposal(source)
    if name is None:
        name = "proposal" if isinstance(source, bytes) else proposal_name(source)
    return replace(parse(data, format=format), name=name, digest=digest(data))


def read_proposal(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a proposal file, read once, at most as many as a proposal may have."""
    limit = Limits().max_bytes
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > limit:
                raise UnreadableProposal(f"larger than {limit} bytes, the most that a proposal may have")
            return file.read(limit + 1)
    except OSError as error:
        raise UnreadableProposal(f"cannot be opened: {error.strerror}") from error


def proposal_name(path: str | os.PathLike[str]) -> str:
    """What people call the proposal in this file."""
    return os.path.splitext(os.path.basename(os.fspath(path)))[0]


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()
