"""Edits by line number, made from the corpus' Python hunks: the numbers are right, the indentation is lost.

    python -m benchmarks.line_edits [--cases N] [--seeds 1,2,3] [--cache DIR]

Each hunk is sent as an agent would: the lines that change, by number, with their new text moved to the left margin.
"""

from __future__ import annotations

import argparse
import ast
import json
import tempfile
import warnings
from collections import Counter
from itertools import takewhile
from pathlib import Path
from textwrap import dedent
from typing import Any

import hunkdeck
from benchmarks import corpus
from benchmarks.results import publish, share, table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.line_edits", description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=3000, help="cases of the corpus for each seed")
    parser.add_argument("--seeds", default="1,2,3", help="separated by commas")
    parser.add_argument("--cache", type=Path, default=corpus.default_cache(), help="where cases and releases are kept")
    wanted = parser.parse_args()
    try:
        files = [corpus.case_file("main", seed, wanted.cases, wanted.cache) for seed in wanted.seeds.split(",")]
    except corpus.NoCorpus as problem:
        print(f"skipped: {problem}")
        return
    counts = _judge_all(files)
    command = f"python -m benchmarks.line_edits --cases {wanted.cases} --seeds {wanted.seeds}"
    publish("Line edits without their indentation", command, _table(counts))


def _table(counts: Counter[str]) -> list[str]:
    sent = counts.total()
    rows: list[list[object]] = [
        ["hunks sent", sent],
        ["right at the first attempt (above 90 %)", share(counts["right"], sent)],
        ["files newly broken (below 2 %)", share(counts["broken"], sent)],
        ["other text than meant, that parses", share(counts["other"], sent)],
        ["refused", share(counts["refused"], sent)],
    ]
    return table(["", "figure"], rows)


def _judge_all(files: list[Path]) -> Counter[str]:
    """The verdict on every different hunk of Python code."""
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as directory:
        for case in (case for path in files for case in corpus.read(path)):
            texts = case["content"], case["truth"]
            wanted = case["kind"] == "replace" and case["expect"] == "apply" and case["path"].endswith(".py")
            if wanted and texts not in seen and _parses(texts[0]) and _parses(texts[1]):
                seen.add(texts)
                counts[_verdict(*texts, Path(directory))] += 1
    return counts


def _verdict(before: str, truth: str, home: Path) -> str:
    (home / "a.py").write_bytes(before.encode())
    proposal = hunkdeck.load(json.dumps(edit_lines(before, truth)).encode())
    with hunkdeck.Workspace(home) as workspace:
        plan = hunkdeck.plan(proposal, workspace)
        result = hunkdeck.apply(plan, hunkdeck.decide(plan, hunkdeck.Accept((0,))), workspace, dry_run=True)
    after = result.files[0].outcome.after if result.success and result.files else None
    if after is None:
        return "refused"
    text = after.decode()
    if text == truth:
        return "right"
    return "other" if _parses(text) else "broken"


def edit_lines(before: str, after: str) -> dict[str, Any]:
    """The call that changes one text into the other, with the new lines at the left margin."""
    old, new = before.split("\n"), after.split("\n")
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    removed, added = len(old) - head - tail, new[head : len(new) - tail]
    call: dict[str, Any] = {"path": "a.py"}
    if not removed:
        call |= {"command": "insert", "insert_line": head}
    else:
        call |= {"command": "replace" if added else "delete", "start_line": head + 1, "end_line": head + removed}
    return call | ({"new_content": dedent("\n".join(added))} if added else {})


def _common(left: list[str], right: list[str]) -> int:
    same = (one == other for one, other in zip(left, right, strict=False))
    return sum(takewhile(bool, same))


def _parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return False
    return True


if __name__ == "__main__":
    main()
