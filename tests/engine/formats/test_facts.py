"""What other tools' own tests say about parsing, as data: ours agrees, or the deviation is listed with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import UnreadableProposal
from engine.formats.search_replace import find_path
from engine.model import Proposal, TextEdit, Unsupported
from tests.engine.formats.support import load_lines, read

Fact = dict[str, Any]

BY_DESIGN = {
    "codex-061": "a bare move is a rename",
    "roo-101": "contradicts roo-013: a text without a single block is not a proposal",
    "roo-153": "an empty patch is not a proposal",
    "pi-029": "an empty patch is not a proposal",
    "cline-016": "whether the text is found is the planner's business",
    "unidiff-016": "wrong counts are repaired",
    "unidiff-017": "wrong counts are repaired",
    "unidiff-021": "wrong counts are repaired",
    "unidiff-022": "wrong counts are repaired",
}
DEVIATIONS = {
    "roo-087": "models really end blocks with a second separator; it is left out, and noted",
    "cline-017": "a block that is not closed may be cut off",
    "cline-018": "a block that is not closed may be cut off",
    "aider-002": "parsing does not know the workspace's files",
    "aider-004": "the nearest path line counts",
}


def _read(payload: object, format: str) -> Proposal | None:
    try:
        return read(payload, format)
    except UnreadableProposal:
        return None


def _readable(fact: Fact, proposal: Proposal | None) -> bool:
    return (proposal is not None) is (fact["expect"] == "apply")


def _blocks(fact: Fact) -> bool:
    named = fact["options"].get("dialect") == "aider"
    proposal = _read(fact["text"] if named else {"path": "f", "diff": fact["text"]}, "search_replace")
    if proposal is None or not isinstance(fact.get("truth"), list):
        return _readable(fact, proposal)
    return _edits(proposal) == [(block["path"], block["old"], block["new"]) for block in fact["truth"]]


def _edits(proposal: Proposal) -> list[tuple[str, str, str]]:
    return [(hunk.path, hunk.op.old, hunk.op.new) for hunk in proposal.hunks if isinstance(hunk.op, TextEdit)]


def _codex(fact: Fact) -> bool:
    return _readable(fact, _read(fact["patch"], "codex"))


def _udiff(fact: Fact) -> bool:
    proposal = _read(fact["diff"], "unified_diff")
    if proposal is None or not fact.get("truth"):
        return _readable(fact, proposal)
    if any(isinstance(hunk.op, Unsupported) for hunk in proposal.hunks):
        return True
    renames = "diff --git" in fact["diff"]
    counts = [file.get("hunks", 1) + (renames and file.get("status") == "rename") for file in fact["truth"]]
    expected: int = sum(max(count, 1) for count in counts)
    return len(proposal.hunks) == expected


def _schema(fact: Fact) -> bool:
    return _readable(fact, _read(fact["options"]["payload"], "pi"))


def _filename(fact: Fact) -> bool:
    path: str = fact["truth"]
    return find_path(fact["options"]["lines"][-3:]) == path


CHECKS: dict[str, Callable[[Fact], bool]] = {
    "blocks": _blocks,
    "codex_patch": _codex,
    "udiff": _udiff,
    "schema": _schema,
    "filename": _filename,
}


def _parse_level(fact: Fact) -> bool:
    everything = fact["kind"] in ("blocks", "schema", "filename")
    return everything or bool((fact.get("options") or {}).get("parse_only"))


def test_facts_about_parsing() -> None:
    facts = [fact for fact in load_lines("facts.jsonl") if fact["kind"] in CHECKS and _parse_level(fact)]
    settled = [fact for fact in facts if not fact.get("disputed")]
    differing = {fact["id"] for fact in settled if not CHECKS[fact["kind"]](fact)}
    assert differing == {*BY_DESIGN, *DEVIATIONS}
    assert len(settled) > 150
    assert 1 - len(DEVIATIONS) / len(settled) >= 0.95


def test_facts_about_applying_are_readable() -> None:
    """Whether they apply is tested elsewhere; here only that parsing does not stand in the way."""
    unreadable = {
        "git-148": "an empty diff is not a proposal",
        "git-149": "an empty diff is not a proposal",
        "git-182": "rows without a hunk header would be lost",
        "git-225": "a hunk header that only git's svn bridge wrote",
        "roo-122": "hunks without a file header need a path",
    }
    facts = [fact for fact in load_lines("facts.jsonl") if fact["kind"] in ("codex_patch", "udiff")]
    facts = [
        fact for fact in facts if fact["expect"] == "apply" and not fact.get("disputed") and not _parse_level(fact)
    ]
    formats = {"codex_patch": "patch", "udiff": "diff"}
    names = {"codex_patch": "codex", "udiff": "unified_diff"}
    failed = {fact["id"] for fact in facts if _read(fact[formats[fact["kind"]]], names[fact["kind"]]) is None}
    assert failed == set(unreadable)


REPLY_DEVIATIONS = {
    "aidergold-0023": "a block closed by '=======' may be cut off",
    "aidergold-0164": "a block closed by '=======' may be cut off",
    "aidergold-0371": "a block closed by '=======' may be cut off",
    "aidergold-0158": "a git diff and a block in one text",
}


def test_replies_of_real_models() -> None:
    """599 expected items: 577 blocks, and 22 shell suggestions, which are not edits and never run."""
    replies = load_lines("real_replies.jsonl")
    differing, blocks = set(), 0
    for reply in replies:
        expected = [(b["path"], b["old"], b["new"]) for b in reply.get("truth", ()) if "path" in b]
        blocks += len(expected)
        proposal = _read(reply["text"], "search_replace")
        if (_edits(proposal) if proposal else []) != expected:
            differing.add(reply["id"])
    assert (len(replies), blocks) == (401, 577)
    assert differing <= set(REPLY_DEVIATIONS)


@pytest.mark.parametrize("id", REPLY_DEVIATIONS)
def test_known_deviations_are_refused_rather_than_half_read(id: str) -> None:
    [reply] = [reply for reply in load_lines("real_replies.jsonl") if reply["id"] == id]
    with pytest.raises(UnreadableProposal):
        read(reply["text"])
