"""Detection, envelopes and tool definitions: what belongs to no single format."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import UnreadableProposal
from engine.formats import FORMATS, tool_definition
from engine.model import Agent, Hunk, TextEdit, Write
from tests.engine.formats.support import hunks, read, refusal

PATCH = "*** Begin Patch\n*** Delete File: a\n*** End Patch"
DIFF = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"
BLOCK = "f\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"

SAMPLES: list[tuple[str, object]] = [
    ("hunkdeck", {"changes": [{"change_type": "delete_file", "path": "a"}]}),
    ("multi_edit", {"description": "d", "edits": [{"file_path": "a", "old_string": "x", "new_string": "y"}]}),
    ("multi_edit", {"description": "d", "edits": '[{"file_path": "a", "old_string": "x", "new_string": "y"}]'}),
    ("multi_edit", {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}),
    ("multi_edit", {"path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}),
    ("multi_edit", {"invocations": [{"tool_name": "Write", "input": {"file_path": "a", "content": "y"}}]}),
    ("apply_patch_json", {"path": "a", "patches": [{"old_text": "x", "new_text": "y"}]}),
    ("apply_patch_json", {"path": "a", "old_text": "x", "new_text": "y"}),
    ("apply_patch_json", [{"change_type": "delete_file", "path": "a"}]),
    ("pi", {"path": "a", "oldText": "x", "newText": "y"}),
    ("pi", {"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}),
    ("pi", {"edits": [{"path": "a", "oldText": "x", "newText": "y"}]}),
    ("pi", {"multi": [{"path": "a", "oldText": "x", "newText": "y"}]}),
    ("pi", {"patch": PATCH}),
    ("edit_lines", {"command": "delete", "path": "a", "start_line": 1}),
    ("edit_lines", [{"command": "insert", "path": "a", "insert_line": 0, "new_content": "x"}]),
    ("claude", {"command": "insert", "path": "a", "insert_line": 0, "insert_text": "x"}),
    ("claude", {"file_path": "a", "old_string": "x", "new_string": "y"}),
    ("claude", {"filePath": "a", "oldString": "x", "newString": "y"}),
    ("claude", {"path": "a", "content": "y"}),
    ("codex", {"command": PATCH}),
    ("codex", {"patchText": PATCH}),
    ("codex", ["apply_patch", PATCH]),
    ("codex", PATCH),
    ("unified_diff", DIFF),
    ("unified_diff", {"diff": DIFF}),
    ("search_replace", BLOCK),
    ("search_replace", {"path": "f", "diff": BLOCK}),
    ("rewrite", {"pattern": "$A", "rewrite": "$A", "path": "src"}),
]


@pytest.mark.parametrize(("format", "payload"), SAMPLES)
def test_the_content_says_the_format(format: str, payload: object) -> None:
    found = read(payload)
    assert (found.format, found) == (format, read(payload, format))
    fits = [candidate.name for candidate in FORMATS.values() if read_as(payload, candidate.name)]
    assert format in fits


def read_as(payload: object, format: str) -> bool:
    try:
        return bool(read(payload, format).hunks)
    except UnreadableProposal:
        return False


def test_a_marker_inside_another_format_is_content() -> None:
    inside_diff = f"--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n x\n+{BLOCK.splitlines()[1]}\n"
    assert read(inside_diff).format == "unified_diff"
    inside_block = "f\n<<<<<<< SEARCH\nx\n=======\n*** Begin Patch\ndiff --git a b\n@@ -1 +1 @@\n>>>>>>> REPLACE\n"
    assert hunks(inside_block) == [Hunk("f", TextEdit("x\n", "*** Begin Patch\ndiff --git a b\n@@ -1 +1 @@\n"))]
    inside_patch = "*** Begin Patch\n*** Add File: f\n+*** End Patch\n+<<<<<<< SEARCH\n*** End Patch"
    assert read(inside_patch).hunks[0].op.content == "*** End Patch\n<<<<<<< SEARCH\n"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (
            DIFF + "\n" + BLOCK,
            ("unified_diff", "line 8", "a patch in another format next to a unified diff; send one format only"),
        ),
        (
            BLOCK + DIFF,
            (
                "search_replace",
                "line 9",
                "a patch in another format between SEARCH/REPLACE blocks; send one format only",
            ),
        ),
    ],
)
def test_two_formats_in_one_text_are_refused(payload: str, expected: tuple[str, str, str]) -> None:
    assert refusal(payload) == expected


EDIT_INPUT = {"file_path": "a", "old_string": "x", "new_string": "y"}
EDIT_HUNK = Hunk("a", TextEdit("x", "y"))


@pytest.mark.parametrize(
    ("payload", "format", "call_id", "session"),
    [
        (
            {
                "session_id": "s1",
                "transcript_path": "t",
                "cwd": "/w",
                "hook_event_name": "PreToolUse",
                "tool_name": "Edit",
                "tool_input": EDIT_INPUT,
                "tool_use_id": "toolu_1",
            },
            "claude",
            "toolu_1",
            "s1",
        ),
        ({"hook_event_name": "BeforeTool", "tool_name": "replace", "tool_input": EDIT_INPUT}, "claude", None, None),
        ({"name": "Edit", "input": EDIT_INPUT, "id": "c1"}, "claude", "c1", None),
        ({"name": "edit", "arguments": json.dumps(EDIT_INPUT)}, "claude", None, None),
        ({"tool_name": "edit", "args": EDIT_INPUT}, "claude", None, None),
        (
            {
                "event": "tool_call",
                "data": {
                    "id": "call_abc123",
                    "name": "apply_patch",
                    "arguments": {"path": "a", "patches": [{"old_text": "x", "new_text": "y"}]},
                },
            },
            "apply_patch_json",
            "call_abc123",
            None,
        ),
    ],
)
def test_envelopes(payload: object, format: str, call_id: str | None, session: str | None) -> None:
    proposal = read(payload)
    assert (proposal.format, proposal.call_id, proposal.agent) == (format, call_id, Agent(session=session))
    assert proposal.hunks == (EDIT_HUNK,)


def test_a_codex_patch_in_a_hook_or_a_custom_tool_call() -> None:
    hook = {"session_id": "s", "tool_name": "apply_patch", "tool_input": {"command": PATCH}, "tool_use_id": "c"}
    proposal = read(hook)
    assert (proposal.format, proposal.call_id, proposal.agent.session) == ("codex", "c", "s")
    assert read({"name": "apply_patch", "input": PATCH}).hunks == proposal.hunks
    assert hunks({"tool_name": "write_file", "tool_input": {"file_path": "n", "content": "c"}}) == [
        Hunk("n", Write("c"))
    ]


KNOWN = ", ".join(FORMATS)
NEXT = f"; the formats are {KNOWN}: `hunkdeck schema FORMAT` describes each"


@pytest.mark.parametrize(
    ("payload", "format", "expected"),
    [
        ("hello", None, (None, None, "the text has no *** Begin Patch, no SEARCH block and no diff header" + NEXT)),
        ("", None, (None, None, "the proposal is empty" + NEXT)),
        ([], None, (None, None, "an empty object or list, or a list of something else than edits" + NEXT)),
        ({"foo": 1, "bar": 2}, None, (None, None, "no format has an object with the fields foo, bar" + NEXT)),
        (
            {"tool_name": "Bash", "tool_input": {"command": "ls"}},
            None,
            (None, None, "the input of the tool 'Bash' is no edit that is known" + NEXT),
        ),
        ({"name": "Edit", "input": 3}, None, ("envelope", "input", "expected the input of a tool")),
        (
            {"event": "tool_call", "data": {"id": "x"}},
            None,
            ("envelope", "data", "expected a tool call with name and arguments"),
        ),
        ({"event": "message", "data": {}}, None, ("envelope", "event", "'message' is not one of tool_call")),
        ("x", "nope", (None, None, f"unknown format 'nope'; the formats are {KNOWN}")),
        ("hello", "hunkdeck", ("hunkdeck", "line 1", "expected a JSON object")),
        ("[1]", "hunkdeck", ("hunkdeck", None, "expected an object, got a list")),
        (
            '{"a": ',
            "pi",
            ("pi", "line 1 column 7", "the JSON ends too early: it was cut off, or a bracket or quote is missing"),
        ),
    ],
)
def test_nothing_fits(payload: object, format: str | None, expected: tuple[str | None, str | None, str]) -> None:
    assert refusal(payload, format) == expected


def test_the_registry_is_in_the_documented_order() -> None:
    assert list(FORMATS) == [
        "hunkdeck",
        "multi_edit",
        "apply_patch_json",
        "pi",
        "edit_lines",
        "claude",
        "codex",
        "unified_diff",
        "search_replace",
        "rewrite",
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_a_tool_definition_describes_every_field(name: str) -> None:
    definition: dict[str, Any] = tool_definition(name)
    assert sorted(definition) == ["description", "input_schema", "name"]
    assert json.loads(json.dumps(definition)) == definition
    schema = definition["input_schema"]
    assert schema["type"] == "object"
    assert set(schema["required"]) <= set(schema["properties"])
    assert all(field["description"] for field in schema["properties"].values())


def test_a_schema_is_made_from_the_parsers_table() -> None:
    assert tool_definition("multi_edit")["input_schema"] == {
        "type": "object",
        "properties": {
            "description": {"type": "string", "description": "What this batch edit does", "minLength": 1},
            "edits": {
                "type": "array",
                "description": "Array of file edits",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {
                        "file_path": {"type": "string", "description": "The file to edit"},
                        "old_string": {"type": "string", "description": "The text to replace"},
                        "new_string": {"type": "string", "description": "The text to replace it with"},
                        "replace_all": {
                            "type": "boolean",
                            "description": "Replace all occurrences in the file (default: false)",
                            "default": False,
                        },
                    },
                    "required": ["file_path", "old_string", "new_string"],
                },
            },
            "atomic": {
                "type": "boolean",
                "description": "Rollback all on any failure (default: true)",
                "default": True,
            },
            "dry_run": {"type": "boolean", "description": "Preview changes without applying", "default": False},
        },
        "required": ["description", "edits"],
    }
    changes: Any = tool_definition("hunkdeck")["input_schema"]
    kinds = [shape["properties"]["change_type"]["enum"] for shape in changes["properties"]["changes"]["items"]["anyOf"]]
    assert kinds == [["multi_patch"], ["patch"], ["new_file"], ["delete_file"], ["move_file"]]
