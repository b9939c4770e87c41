"""The public corpus of edits: real hunks with model-like damage and known truth, by the generator beside the project.

The same seed always makes the same cases, so what was made once is kept in a cache directory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GENERATOR = Path(__file__).resolve().parents[2] / "shared" / "bench"
Case = dict[str, Any]

SETS = {"main": [], "hazards": ["--hazards"], "hard": ["--hard"]}
_SHARE = {"main": 1.0, "hazards": 1 / 6, "hard": 1 / 6}
"""How large the other sets are beside the main one."""


class NoCorpus(Exception):
    """The generator is not there, or cannot make the cases."""


def default_cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "hunkdeck" / "bench"


def case_file(name: str, seed: str, cases: int, cache: Path) -> Path:
    """The file with the cases of a set, which is made where it is missing."""
    if not (GENERATOR / "corpus.py").exists():
        raise NoCorpus("the generator of the corpus is not beside the project (../shared/bench): nothing to measure on")
    count = max(1, round(cases * _SHARE[name]))
    path = cache / f"{name}-{seed}-{count}.jsonl"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        _generate(name, seed, count, path)
    return path


def _generate(name: str, seed: str, count: int, path: Path) -> None:
    print(f"making {path.name} (real releases are fetched once) …", file=sys.stderr)
    unfinished = path.with_suffix(".part")
    command = [sys.executable, "corpus.py", "--seed", seed, "--packages", "packages_public.json"]
    command += ["--cases", str(count), "--out", str(unfinished), "--cache", str(path.parent / "releases"), *SETS[name]]
    done = subprocess.run(command, cwd=GENERATOR, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().split("\n") or [""])[-1]
        raise NoCorpus(f"the generator failed, perhaps because it cannot fetch the releases: {last}")
    unfinished.rename(path)


def read(path: Path) -> Iterator[Case]:
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
