"""Any bytes give a proposal or an error, in time that grows with their number; and nothing is lost on the way."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UnreadableProposal
from engine.formats import FORMATS, parse
from engine.model import Hunk, Proposal, TextEdit
from tests.engine.formats.test_codex import READ as PATCHES
from tests.engine.formats.test_json_formats import PROPOSALS
from tests.engine.formats.test_unified_diff import READ as DIFFS

VALID = [json.dumps(payload).encode() for payload, _ in PROPOSALS]
VALID += [text.encode() for text, _ in PATCHES + DIFFS]
VALID.append(b"f.py\n```python\n<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE\n```\n")


def attempt(data: bytes, format: str | None = None) -> Proposal | None:
    try:
        proposal = parse(data, format=format)
    except UnreadableProposal:
        return None
    assert proposal.hunks
    return proposal


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([None, *FORMATS]))
def test_any_bytes(data: bytes, format: str | None) -> None:
    attempt(data, format)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "x", "[]", "{}", "replace", "*** Begin Patch"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "changes",
                    "edits",
                    "path",
                    "file_path",
                    "command",
                    "patches",
                    "change_type",
                    "input",
                    "name",
                    "diff",
                    "multi",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(JSON_VALUES, st.sampled_from([None, *FORMATS]))
def test_any_json(value: object, format: str | None) -> None:
    attempt(json.dumps(value).encode(), format)


LINES = st.sampled_from(
    [
        "--- a/f",
        "+++ b/f",
        "--- /dev/null",
        "+++ /dev/null",
        "@@ -1,2 +1,2 @@",
        "@@ -0,0 +1 @@",
        "@@",
        "@@ ... @@",
        " a",
        "-a",
        "+a",
        "",
        "diff --git a/f b/f",
        "new file mode 100644",
        "deleted file mode 100644",
        "rename from f",
        "rename to g",
        "\\ No newline at end of file",
        "GIT binary patch",
        "Binary files a/f and b/f differ",
        "```",
        "prose",
        "*** Begin Patch",
        "*** End Patch",
        "*** Update File: f",
        "*** Add File: g",
        "*** Delete File: h",
        "*** Move to: i",
        "*** End of File",
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        ":start_line:1",
        "-------",
        "apply_patch <<EOF",
        "EOF",
        "Index: f",
        "-- ",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, max_size=25), st.sampled_from([None, "codex", "unified_diff", "search_replace"]))
def test_any_order_of_real_lines(lines: list[str], format: str | None) -> None:
    attempt("\n".join(lines).encode(), format)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(VALID), st.data())
def test_mutated_payloads(payload: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(payload)))
    cut = data.draw(st.integers(0, 5))
    attempt(payload[:at] + data.draw(st.binary(max_size=4)) + payload[at + cut :])


@pytest.mark.parametrize("payload", VALID[: len(PROPOSALS)])
def test_truncated_json_is_never_half_read(payload: bytes) -> None:
    assert not [end for end in range(len(payload)) if attempt(payload[:end])]


ROW_TEXT = st.text(st.characters(exclude_characters="\n\r\\", exclude_categories=["Cs"]), max_size=6)
ROWS = st.lists(st.tuples(st.sampled_from(" +-"), ROW_TEXT), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=4), st.integers(0, 3))
def test_hunks_in_are_hunks_out_whatever_the_header_says(hunks: list[list[tuple[str, str]]], wrong: int) -> None:
    """Right counts, wrong counts and no counts at all: every row arrives."""
    lines = ["--- a/f", "+++ b/f"]
    expected = []
    for rows in hunks:
        old = [text for kind, text in rows if kind != "+"]
        new = [text for kind, text in rows if kind != "-"]
        header = f"@@ -1,{len(old) + wrong} +1,{len(new) + wrong} @@"
        lines += ["@@" if wrong == 3 else header, *(kind + text for kind, text in rows)]
        expected.append((join(old), join(new)))
    proposal = attempt("\n".join(lines).encode() + b"\n")
    assert proposal is not None
    assert [(h.op.old, h.op.new) for h in proposal.hunks if isinstance(h.op, TextEdit)] == expected


@settings(max_examples=100, deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=4))
def test_codex_rows_arrive(chunks: list[list[tuple[str, str]]]) -> None:
    lines = ["*** Begin Patch", "*** Update File: f"]
    expected = []
    for rows in chunks:
        lines += ["@@", *(kind + text for kind, text in rows)]
        old, new = (join([text for kind, text in rows if kind != other]) for other in "+-")
        expected.append(Hunk("f", TextEdit(old, new, whole_lines=True)))
    proposal = attempt("\n".join([*lines, "*** End Patch"]).encode())
    assert proposal is not None
    assert list(proposal.hunks) == expected


def join(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


HUGE: dict[str, Callable[[int], str]] = {
    "spaces behind a name": lambda n: "--- a" + " " * n + "x\n+++ b\n@@ -1 +1 @@\n-a\n+b\n",
    "spaces in a hunk header": lambda n: "--- a\n+++ b\n@@" + " " * n + "x\n-a\n+b\n",
    "quotes": lambda n: '--- "' + '\\"' * n + "\n+++ b\n@@ -1 +1 @@\n-a\n+b\n",
    "rows": lambda n: "--- a\n+++ b\n@@\n" + "-a\n+b\n" * n,
    "blank rows": lambda n: "--- a\n+++ b\n@@\n-a\n" + "\n" * n,
    "name lines": lambda n: "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n" + "--- a\n" * n,
    "search markers": lambda n: "f\n" + "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n" * (n // 5),
    "separators": lambda n: "f\n<<<<<<< SEARCH\n" + "=======\n" * n,
    "dashes": lambda n: "-" * n + " SEARCH\n",
    "codex chunks": lambda n: "*** Begin Patch\n*** Update File: f\n" + "@@ x\n-a\n+b\n" * (n // 3) + "*** End Patch",
    "codex blanks": lambda n: "*** Begin Patch\n*** Update File: f\n@@\n-a\n" + "\n" * n + "*** End Patch",
    "heredoc": lambda n: "cd " + "a" * n + " && apply_patch <<EOF\n" + "x\n" * n,
    "leading blanks": lambda n: " \n" * n + "x",
    "variables": lambda n: json.dumps({"pattern": "$A" * n, "rewrite": "$A" * n, "path": "."}),
}


@pytest.mark.parametrize("name", HUGE)
def test_no_input_takes_time_out_of_proportion(name: str) -> None:
    started = time.perf_counter()
    attempt(HUGE[name](60_000).encode())
    assert time.perf_counter() - started < 5
