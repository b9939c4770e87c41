"""The first hunks of a large proposal, before all of it is read."""

from __future__ import annotations

import json

import pytest

from engine.formats import parse
from engine.formats.glimpse import BEGINNING, glimpse


def many_edits(count: int) -> bytes:
    edits = [
        {"file_path": f"src/{number}.py", "old_string": f'say("{number} {{[")\n' * 5, "new_string": "]}"}
        for number in range(count)
    ]
    return json.dumps({"description": "many", "edits": edits}).encode()


def many_diffs(count: int) -> bytes:
    return "".join(f"--- a/{n}.txt\n+++ b/{n}.txt\n@@ -1 +1 @@\n-old {n}\n+new {n}\n" for n in range(count)).encode()


@pytest.mark.parametrize("data", [many_edits(2_000), many_diffs(5_000)], ids=["json", "diff"])
def test_the_beginning_of_a_large_proposal_shows_its_first_hunks(data: bytes) -> None:
    seen, whole = glimpse(data), parse(data)
    assert len(data) > BEGINNING
    assert seen is not None
    assert 10 < len(seen.hunks) < len(whole.hunks)
    assert seen.hunks[:-1] == whole.hunks[: len(seen.hunks) - 1]
    assert (seen.format, seen.description) == (whole.format, whole.description)


def test_a_small_proposal_is_seen_as_it_is() -> None:
    assert glimpse(many_edits(3)) == parse(many_edits(3))


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({"file_path": "a", "old_string": "x" * BEGINNING, "new_string": "y"}).encode(),
        b"x" * (BEGINNING + 1),
        b"{" * (BEGINNING + 1),
        b"\xff" * (BEGINNING + 1),
        b"{",
        b"",
    ],
    ids=["one long hunk", "no proposal", "brackets", "no text", "cut off", "empty"],
)
def test_where_the_beginning_says_nothing_there_is_no_glimpse(data: bytes) -> None:
    assert glimpse(data) is None


def test_the_beginning_may_end_inside_a_character() -> None:
    edit = {"file_path": "ä.py", "old_string": "ä" * 50, "new_string": "ö" * 50}
    for shift in range(3):
        data = json.dumps({"description": "x" * shift or "-", "edits": [edit] * 1_000}, ensure_ascii=False).encode()
        seen = glimpse(data)
        assert seen is not None
        assert set(seen.hunks) == set(parse(data).hunks)
