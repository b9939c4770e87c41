"""Group E: proposal files. Any bytes give a proposal or one clear sentence; what was read once is what is used."""

from __future__ import annotations

import base64
import gzip
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UnreadableProposal
from engine.formats import Limits, parse
from engine.model import Write
from engine.session import load, read_proposal
from tests.battery.bench import Bench
from tests.battery.command import run

CHANGES: list[dict[str, object]] = [
    {"change_type": "new_file", "path": "a.txt", "content": "new\n"},
    {"change_type": "multi_patch", "path": "b.txt", "patches": [{"old_text": "x", "new_text": "y é \u2028"}]},
]
VALID = {"schema": 1, "id": "p1", "title": "t", "agent": {"name": "a"}, "changes": CHANGES}


def with_field(**fields: object) -> str:
    return json.dumps({**VALID, **fields})


@pytest.mark.parametrize("ascii_only", [True, False])
def test_E01_truncated_at_every_byte(ascii_only: bool) -> None:
    whole = json.dumps(VALID, ensure_ascii=ascii_only).encode()
    for length in range(len(whole)):
        with pytest.raises(UnreadableProposal):
            load(whole[:length])
    assert len(load(whole).hunks) == 2


def test_E02_duplicate_keys(bench: Bench) -> None:
    bench.assert_refuses('{"path": "safe.py", "path": ".git/hooks/x", "content": "x"}', "given twice")
    change = '{"change_type": "new_file", "path": "safe.py", "content": "x", "path": ".git/hooks/x"}'
    bench.assert_refuses(f'{{"changes": [{change}]}}', "the key 'path' is given twice")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_E03_no_number(bench: Bench, number: str) -> None:
    bench.assert_refuses(f'{{"schema": {number}, "changes": []}}', "number")
    bench.assert_refuses(f'{{"unknown": {number}, "file_path": "a", "content": ""}}', "number")


@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_E04_deep_nesting(bench: Bench, brackets: str) -> None:
    opening = "[" if brackets == "[]" else '{"a":'
    closing = brackets[1]
    bench.assert_refuses(opening * 100_000 + closing * 100_000, "nested more than 100 levels")
    bench.assert_refuses(f'{{"changes": {opening * 100_000}', "nested more than 100 levels")


@pytest.mark.parametrize("digits", [5_000, 1_000_000])
def test_E05_long_integer(bench: Bench, digits: int) -> None:
    bench.seconds = 3
    bench.assert_refuses(f'{{"schema": {"9" * digits}, "changes": []}}', "digits is too long")


def test_E06_too_large(bench: Bench, tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with open(huge, "wb") as file:
        file.truncate(200 * 1024**2)
    started = time.perf_counter()
    with pytest.raises(UnreadableProposal, match="larger than 20000000 bytes"):
        load(huge)
    assert time.perf_counter() - started < 0.1
    bench.assert_refuses(b" " * 20_000_001, "at most 20000000 are read")


def test_E06_too_many_hunks() -> None:
    many = json.dumps({"file_path": "a", "edits": [{"old_string": "a", "new_string": "b"}] * 100_001}).encode()
    with pytest.raises(UnreadableProposal, match="at most 100000"):
        load(many)
    with pytest.raises(UnreadableProposal, match="at most 1 hunks are read"):
        parse(json.dumps(VALID).encode(), limits=Limits(max_hunks=1))


@pytest.mark.parametrize("from_stdin", [True, False])
def test_E06_other_proposals_are_unaffected(bench: Bench, tmp_path: Path, from_stdin: bool) -> None:
    (tmp_path / "good.json").write_text(json.dumps({"file_path": "a.txt", "content": "new\n"}))
    (tmp_path / "bad.json").write_bytes(b" " * 20_000_001)
    bench.knows("a.txt", b"new\n")
    first = "-" if from_stdin else str(tmp_path / "bad.json")
    stdin = (tmp_path / "bad.json").read_bytes() if from_stdin else b""
    ran = run(bench.root, "apply", "--all", first, str(tmp_path / "good.json"), stdin=stdin)
    assert (ran.code, bench.read("a.txt")) == (2, b"new\n")


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"changes": {"a": 1}}, "changes"),
        ({"changes": 5}, "changes"),
        ({"changes": [5]}, "changes[0]"),
        ({"schema": True}, "schema"),
        ({"schema": "1"}, "schema"),
        ({"title": 5}, "title"),
        ({"dry_run": 1}, "dry_run"),
        ({"changes": [{"change_type": "new_file", "path": 5, "content": ""}]}, "changes[0].path"),
        ({"changes": [{"change_type": "new_file", "path": "a", "content": []}]}, "changes[0].content"),
        ({"changes": [{"change_type": 1, "path": "a"}]}, "changes[0].change_type"),
        ({"changes": [{**CHANGES[0], "rank": True}]}, "changes[0].rank"),
    ],
)
def test_E07_wrong_types(bench: Bench, fields: dict[str, object], where: str) -> None:
    bench.assert_refuses(with_field(**fields), f"{where}: ")


def test_E08_unknown_fields_are_listed() -> None:
    proposal = load(with_field(surprise=1, trust_me="yes").encode())
    assert proposal.notes == ("ignored field surprise", "ignored field trust_me")


@pytest.mark.parametrize("version", [0, 2, 99, -1])
def test_E08_unknown_version(bench: Bench, version: int) -> None:
    bench.assert_refuses(with_field(schema=version), f"version {version} of this format is unknown")


@pytest.mark.parametrize("field", ["change_type", "path", "content"])
def test_E09_missing_or_null(bench: Bench, field: str) -> None:
    missing = {key: value for key, value in CHANGES[0].items() if key != field}
    bench.assert_refuses(with_field(changes=[missing]), "")
    bench.assert_refuses(with_field(changes=[{**CHANGES[0], field: None}]), "")
    bench.assert_refuses(with_field(changes=None), "")


@pytest.mark.parametrize(
    ("encoding", "reason"),
    [
        ("utf-8-sig", "UTF-8 byte order mark"),
        ("utf-16", "UTF-16 byte order mark"),
        ("utf-16-le", "UTF-"),
        ("utf-16-be", "UTF-"),
        ("utf-32", "UTF-32 byte order mark"),
        ("latin-1", "is not UTF-8"),
    ],
)
def test_E10_other_encodings(bench: Bench, encoding: str, reason: str) -> None:
    text = json.dumps({"file_path": "a.txt", "content": "é"}, ensure_ascii=False)
    bench.assert_refuses(text.encode(encoding), reason)


@pytest.mark.parametrize("char", ["\n", "\t", "\0", "\x1b", "\x1f"])
def test_E11_raw_control_characters(bench: Bench, char: str) -> None:
    bench.assert_refuses(f'{{"file_path": "a{char}b", "content": "x"}}', "raw control character")


@pytest.mark.parametrize("behind", ["x", "{}", "null", "\n" + json.dumps(VALID)])
def test_E12_more_than_one_document(bench: Bench, behind: str) -> None:
    bench.assert_refuses(json.dumps(VALID) + behind, "more text behind the JSON document")


def test_E18_read_once(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes are in memory before anything is parsed: what happens to the file afterwards changes nothing."""
    file = tmp_path / "p.json"
    file.write_text(json.dumps({"file_path": "a.txt", "content": "shown\n"}))
    os.link(file, tmp_path / "other-name.json")
    opened: list[object] = []

    def counted(*args: Any, real: Callable[..., Any] = open, **options: Any) -> Any:
        opened.append(args)
        return real(*args, **options)

    monkeypatch.setattr("builtins.open", counted)
    proposal = load(file)
    monkeypatch.undo()
    assert len(opened) == 1
    (tmp_path / "other-name.json").write_text(json.dumps({"file_path": ".envrc", "content": "evil\n"}))
    assert [(hunk.path, hunk.op) for hunk in proposal.hunks] == [("a.txt", Write("shown\n"))]
    assert proposal.digest != load(file).digest


def test_E18_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "p.json"
    file.write_bytes(b" " * 1000)
    monkeypatch.setattr("engine.reading.Limits", lambda: Limits(max_bytes=999))
    monkeypatch.setattr("engine.reading.os.fstat", lambda fd: os.stat_result((0,) * 10))
    assert len(read_proposal(file)) <= 1000


def test_E19_same_id_inside(bench: Bench, tmp_path: Path) -> None:
    for name, content in (("one", "1"), ("two", "2")):
        change = {"change_type": "new_file", "path": f"{name}.txt", "content": content}
        (tmp_path / f"{name}.json").write_text(with_field(changes=[change]))
    one, two = load(tmp_path / "one.json"), load(tmp_path / "two.json")
    assert (one.id, one.name, two.id, two.name) == ("p1", "one", "p1", "two")
    assert one.digest != two.digest
    bench.knows("one.txt", b"1")
    ran = run(bench.root, "apply", str(tmp_path / "one.json"), "--all")
    assert (ran.code, list(bench.files())) == (0, ["one.txt"])


CLAIM = "already approved by admin\n✓ applied\nSummary: 9/9 files updated, SAFE ✔"


def test_E23_claims_are_the_agents_words(bench: Bench) -> None:
    """Every row with the agent's words has a frame or a label in front: none begins as a row of ours does."""
    change = {**CHANGES[0], "why": CLAIM}
    proposal = with_field(title=CLAIM, description=CLAIM, agent={"name": CLAIM}, changes=[change])
    ran = run(bench.root, "check", "-", stdin=proposal.encode())
    rows = [row for row in ran.out.split("\n") if "approved by admin" in row or "SAFE" in row]
    assert rows
    assert all(row.startswith(("│ Description: ", "│ Agent: ", "    agent: ")) for row in rows), rows
    assert "Summary: 9/9" not in [row[:12] for row in ran.out.split("\n")]


@pytest.mark.parametrize(
    "text", ["x" * 1_000_000, "line\n" * 50_000, "\x1b[2J" * 10_000], ids=["wide", "tall", "escapes"]
)
def test_E24_long_description(bench: Bench, text: str) -> None:
    proposal = with_field(title=text, description=text, changes=[{**CHANGES[0], "why": text}])
    ran = run(bench.root, "check", "-", stdin=proposal.encode())
    assert len(ran.out) < 3_000
    assert "a.txt" in ran.out


@pytest.mark.parametrize("path", ["./a.txt", "d//a.txt", "d/./a.txt"])
def test_E25_what_is_shown_is_what_is_applied(bench: Bench, path: str) -> None:
    planned = bench.load(json.dumps({"file_path": path, "content": "new\n"}))
    result = bench.apply(planned)
    assert planned.files[0].path == planned.hunks[0].path == result.files[0].path == result.hunks[0].file_path
    assert list(bench.files())[-1] == result.files[0].path


@pytest.mark.parametrize("wrap", [gzip.compress, base64.b64encode], ids=["gzip", "base64"])
def test_E26_nothing_is_unpacked(bench: Bench, wrap: object) -> None:
    assert callable(wrap)
    bench.assert_refuses(wrap(b"0" * 50_000_000)[:10_000_000], "")


def test_E27_times_do_not_matter(bench: Bench, tmp_path: Path) -> None:
    bench.knows("a.txt", b"new\n")
    for name, moment in (("future", 2**33), ("past", 0), ("before", -(10**9))):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({"file_path": "a.txt", "content": "new\n"}))
        os.utime(file, (moment, moment))
        assert run(bench.root, "apply", "--all", str(file)).code == 0
