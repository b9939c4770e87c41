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
    def refused(self) -> int:
        return self.apply.total() - self.apply["correct"] - self.wrong


Scores = dict[tuple[str, str], Score]
"""By engine and kind."""


def score(path: Path, engines: Mapping[str, str], totals: Scores, *, limit: int | None = None) -> None:
    """Add the verdicts on the cases of a file, without those on which reasonable engines may differ."""
    expected = _expected(path)
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory, "totals.json")
        command = [sys.executable, "score.py", str(path.resolve()), "--no-arguable", "--json", str(out)]
        command += [f"--engine={name}={engine}" for name, engine in engines.items()]
        command += [] if limit is None else ["--limit", str(limit)]
        subprocess.run(command, cwd=GENERATOR, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        found = json.loads(out.read_text())
    for name, kinds in found.items():
        for kind, mutations in kinds.items():
            one = totals.setdefault((name, kind), Score())
            for mutation, verdicts in mutations.items():
                counts = Counter({verdict: n for verdict, n in verdicts.items() if not verdict.endswith("_ns")})
                (one.apply if expected[kind, mutation] == "apply" else one.refuse).update(counts)


def _expected(path: Path) -> dict[tuple[str, str], str]:
    """Whether the cases of a kind with a mutation are to be applied or refused."""
    found = {}
    for case in read(path):
        for kind in KINDS:
            if kind == case["kind"] or kind in case:
                found[kind, case[_MUTATION[kind]]] = case["expect"]
    return found
