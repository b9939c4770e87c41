"""Payload bytes and JSON: what is refused before any format looks at it."""

from __future__ import annotations

import json
import time

import pytest

from engine.formats import Limits, parse
from tests.engine.formats.support import as_bytes, refusal

EDIT = {"description": "d", "edits": [{"file_path": "a.py", "old_string": "x", "new_string": "é😀"}]}


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (b"\xef\xbb\xbf{}", (None, "line 1", "begins with a UTF-8 byte order mark; save it as UTF-8 without one")),
        (
            '{"changes": []}'.encode("utf-16"),
            (None, "line 1", "begins with a UTF-16 byte order mark; save it as UTF-8 without one"),
        ),
        (
            '{"changes": []}'.encode("utf-32"),
            (None, "line 1", "begins with a UTF-32 byte order mark; save it as UTF-8 without one"),
        ),
        ("{}".encode("utf-16-le"), (None, "line 1", "looks like UTF-16; save it as UTF-8")),
        ("{}".encode("utf-16-be"), (None, "line 1", "looks like UTF-16; save it as UTF-8")),
        (
            '{"a":\n"é"}'.encode("latin-1"),
            (None, "line 2", "byte 0xe9 is not UTF-8 (Latin-1, or a binary file?); save it as UTF-8"),
        ),
        ('{"path": "safe.py", "path": ".git/hooks/x"}', ("json", None, "the key 'path' is given twice")),
        ('{"changes": [{"a": {"b": 1, "b": 2}}]}', ("json", "changes[0].a", "the key 'b' is given twice")),
        ('{"a": [1, NaN]}', ("json", "a[1]", "NaN is not a JSON number")),
        ('{"a": -Infinity}', ("json", "a", "-Infinity is not a JSON number")),
        ('{"a": 1e999}', ("json", "a", "the number is too large")),
        ('{"a": ' + "7" * 5000 + "}", ("json", "a", "an integer of 5000 digits is too long")),
        (
            '{"a": "x\ny"}',
            ("json", "line 1 column 9", "raw control character in a string; write it as \\n, \\t or \\u00XX"),
        ),
        (
            '{"a": 1} {"b": 2}',
            ("json", "line 1 column 10", "there is more text behind the JSON document; send one document only"),
        ),
        (
            '{"a": 1}garbage',
            ("json", "line 1 column 9", "there is more text behind the JSON document; send one document only"),
        ),
        ('{"a": tru}', ("json", "line 1 column 7", "not valid JSON: expecting value")),
        (
            '{"a": [1,',
            ("json", "line 1 column 10", "the JSON ends too early: it was cut off, or a bracket or quote is missing"),
        ),
        (
            '{"path": "\\ud800"}',
            ("json", "path", "the text has a lone surrogate (half of a \\ud83d\\ude00 pair), which no file can hold"),
        ),
        (
            '{"\\udfff": 1}',
            ("json", None, "the text has a lone surrogate (half of a \\ud83d\\ude00 pair), which no file can hold"),
        ),
        ("[" * 101 + "]" * 101, ("json", "line 1 column 101", "nested more than 100 levels deep")),
    ],
)
def test_refused(payload: object, expected: tuple[str | None, str | None, str]) -> None:
    assert refusal(payload) == expected


@pytest.mark.parametrize(
    "payload",
    ["[" * 100_000, '{"a":' * 100_000, '"' + '\\"' * 200_000, '{"a":"' + '\\"' * 200_000, "[" + '"\\' * 200_000],
    ids=["brackets", "objects", "escapes", "escapes in an object", "backslashes"],
)
def test_deep_or_unclosed_input_is_answered_quickly(payload: str) -> None:
    started = time.perf_counter()
    refusal(payload)
    assert time.perf_counter() - started < 2


def test_limits_are_the_callers() -> None:
    data = as_bytes(EDIT)
    assert refusal(data, limits=Limits(max_bytes=10)) == (None, None, f"{len(data)} bytes; at most 10 are read")
    many = {"description": "d", "edits": EDIT["edits"] * 3}  # type: ignore[operator]
    assert refusal(many, limits=Limits(max_hunks=2)) == ("multi_edit", "edits", "3 items; at most 2 hunks are read")
    diff = "--- a\n+++ a\n" + "@@ -1 +1 @@\n-a\n+b\n" * 3
    assert refusal(diff, limits=Limits(max_hunks=2)) == ("unified_diff", None, "3 hunks; at most 2 are read")


def test_truncation_at_every_byte_is_refused() -> None:
    data = json.dumps(EDIT, ensure_ascii=False).encode()
    assert parse(data).hunks
    for end in range(len(data)):
        refusal(data[:end])
