"""Hard decoys: what should be refused but reads like the right place, to a person as well.

Accepted one by one, few may be applied, and each must be shown as approximate with the place that rivals it. A bulk
accept must take none.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import hunkdeck
from benchmarks.adapter import proposal_of
from benchmarks.corpus import Case
from engine.bulk import bulk_choice


def judge(cases: Iterable[Case]) -> Counter[str]:
    """How many there are, are applied when accepted singly, and how those are shown."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as directory:
        for case in cases:
            counts.update(_judge(case, Path(directory)))
    return counts


def _judge(case: Case, home: Path) -> list[str]:
    path = home / case["path"]
    path.parent.mkdir(parents=True, exist_ok=True)
    before = case["content"].encode("utf-8", "surrogatepass")
    path.write_bytes(before)
    with hunkdeck.Workspace(home) as workspace:
        plan = hunkdeck.plan(proposal_of(case), workspace)
        confirmed = hunkdeck.decide(plan, hunkdeck.Confirm(case["path"]))
        taken, _ = bulk_choice(plan, confirmed)
        state = hunkdeck.decide(plan, hunkdeck.Accept((0,)), state=confirmed)
        result = hunkdeck.apply(plan, state, workspace, dry_run=True, allow_syntax_errors=True)
    path.unlink()
    found = ["all" if not case["arguable"] else "arguable"]
    if not result.success or all(file.outcome.after in (None, before) for file in result.files):
        return found
    match = plan.hunks[0].match
    found += ["applied" if not case["arguable"] else "arguable applied"]
    found += ["approximate"] if match and match.approximate else []
    found += ["with a rival"] if match and match.runner_up else []
    return [*found, *(["bulk"] if taken else [])]
