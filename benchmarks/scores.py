"""Engines scored on a file of cases, each in a process of its own, by the scorer that comes with the corpus."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.corpus import GENERATOR, read

KINDS = ("replace", "multi", "codex_patch", "udiff")
_MUTATION = {
    "replace": "mutation",
    "multi": "mutation",
    "codex_patch": "codex_mutation",
    "udiff": "udiff_mutation",
}


@dataclass
class Score:
    """What became of the cases of one kind."""

    apply: Counter[str] = field(default_factory=Counter)
    """Verdicts on cases that have a right result."""
    refuse: Counter[str] = field(default_factory=Counter)
    """Verdicts on cases that must be refused."""

    @property
    def wrong(self) -> int:
        return sum(count for verdict, count in self.apply.items() if verdict.startswith("wrong"))

    @property
    def wrongly_applied(self) -> int:
        return sum(
            count for verdict, count in self.refuse.items() if verdict.startswith("wrong") or verdict == "partial"
        )

    @property
    def refused(self) -> int:
        return self.apply.total() - self.apply["correct"] - self.wrong


Scores = dict[tuple[str, str], Score]
"""By engine and kind."""
Mistakes = dict[tuple[str, str], Score]
"""By engine and mistake, of single edits."""


def score(path: Path, engines: Mapping[str, str], totals: Scores, mistakes: Mistakes) -> None:
    """Add the verdicts on the cases of a file; the totals leave out those on which reasonable engines may differ."""
    expected, found, every = _expected(path), _verdicts(path, engines, "--no-arguable"), _verdicts(path, engines)
    for name, kinds in found.items():
        for kind, mutations in kinds.items():
            one = totals.setdefault((name, kind), Score())
            for mutation, counts in mutations.items():
                (one.apply if expected[kind, mutation] == "apply" else one.refuse).update(counts)
    for name, kinds in every.items():
        for mutation, counts in kinds["replace"].items():
            if expected["replace", mutation] == "apply":
                mistakes.setdefault((name, mutation), Score()).apply.update(counts)


def _verdicts(path: Path, engines: Mapping[str, str], *options: str) -> dict[str, dict[str, dict[str, Counter[str]]]]:
    """Counts by engine, kind and mutation."""
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory, "totals.json")
        command = [sys.executable, "score.py", str(path.resolve()), "--json", str(out), *options]
        command += [f"--engine={name}={engine}" for name, engine in engines.items()]
        subprocess.run(command, cwd=GENERATOR, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        found = json.loads(out.read_text())
    return {
        name: {
            kind: {mutation: _counts(verdicts) for mutation, verdicts in mutations.items()}
            for kind, mutations in kinds.items()
        }
        for name, kinds in found.items()
    }


def _counts(verdicts: Mapping[str, int]) -> Counter[str]:
    return Counter({verdict: count for verdict, count in verdicts.items() if not verdict.endswith("_ns")})


def _expected(path: Path) -> dict[tuple[str, str], str]:
    """Whether the cases of a kind with a mutation are to be applied or refused."""
    found = {}
    for case in read(path):
        for kind in KINDS:
            if kind == case["kind"] or kind in case:
                found[kind, case[_MUTATION[kind]]] = case["expect"]
    return found
