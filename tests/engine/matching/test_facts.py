"""What the suites of other engines pin down about replacing text and finding lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.matching import Located, locate_all
from engine.model import TextEdit
from engine.text import decode, normalise_newlines, splice

FACTS = Path(__file__).resolve().parents[4] / "shared" / "conformance" / "facts.jsonl"
DEVIATIONS = {
    "opencode-033": "the file changes between match and write: the transaction's business",
    "roo-055": "line numbers in new only are taken off, which the recommendation allows as well",
    "roo-063": "a wrong line hint never moves a unique exact place",
    "roo-075": "a wrong line hint never moves a unique exact place",
    "roo-183": "a whole line that is removed takes its newline with it",
}


def rows(kind: str) -> list[dict[str, Any]]:
    if not FACTS.exists():
        pytest.skip("no conformance data beside the project")
    lines = FACTS.read_text(encoding="utf-8").split("\n")
    return [fact for fact in map(json.loads, filter(None, lines)) if fact["kind"] == kind]


def replaced(fact: dict[str, Any]) -> str | None:
    file = decode(fact["content"].encode())
    edit = TextEdit(
        normalise_newlines(fact["old"]),
        normalise_newlines(fact["new"]),
        replace_all=bool(fact.get("replace_all")),
        start_line=fact.get("start_line"),
    )
    answer = locate_all(file, [edit])[0]
    if not isinstance(answer, Located):
        return None
    return file.encode(splice(file.text, [cut for place in answer.places for cut in place.splices])).decode()


def is_as_expected(fact: dict[str, Any]) -> bool:
    advice = fact.get("recommend") or {}
    after = replaced(fact)
    if advice.get("expect", fact["expect"]) == "refuse":
        return after is None
    own_way = advice and not advice.get("as_source") and "truth" not in advice
    return after is not None if own_way else after == advice.get("truth", fact.get("truth"))


def test_replacements() -> None:
    facts = rows("replace")
    odd = {fact["id"] for fact in facts if not is_as_expected(fact)}
    assert odd <= set(DEVIATIONS)
    settled = [fact for fact in facts if not fact.get("disputed")]
    assert sum(fact["id"] not in odd for fact in settled) >= 0.95 * len(settled)
    written = {fact["id"] for fact in settled if fact["expect"] == "refuse" and replaced(fact) is not None}
    assert written <= {"opencode-033"}


def sought(fact: dict[str, Any]) -> int | None:
    """Where a pattern of lines is found, as the row of its first line."""
    options = fact["options"]
    lines = options["lines"][options["start"] :]
    file = decode("".join(line + "\n" for line in lines).encode())
    old = "".join(line + "\n" for line in options["pattern"])
    edit = TextEdit(old, "", whole_lines=True, at_end=options["eof"])
    answer = locate_all(file, [edit], first_match=True)[0]
    return answer.places[0].first - 1 + options["start"] if isinstance(answer, Located) else None


def test_line_sequences() -> None:
    facts = [fact for fact in rows("seek") if fact["options"]["pattern"]]
    expected = {fact["id"]: (fact.get("truth") or 0) if fact["expect"] == "apply" else None for fact in facts}
    assert {fact["id"]: sought(fact) for fact in facts} == expected
