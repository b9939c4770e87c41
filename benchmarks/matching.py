"""How many of the edits that agents get slightly wrong are applied, and how many at the wrong place.

    python -m benchmarks.matching [--cases N] [--seeds 1,2,3] [--engine NAME=COMMAND …] [--cache DIR]

Peers are programs that speak the corpus' protocol: one JSON request per line on stdin, one reply per line on stdout.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

from benchmarks import corpus, decoys, matcher_memory, matcher_speed
from benchmarks.mistakes import compared
from benchmarks.results import publish, share, table
from benchmarks.scores import KINDS, Mistakes, Score, Scores, score

_ADAPTER = Path(__file__).resolve().parent / "adapter.py"
OURS = "hunkdeck"
_MEMORY_SAMPLE = 300


def main() -> None:
    wanted = _arguments()
    seeds: list[str] = wanted.seeds.split(",")
    engines = {"exact": f"{shlex.quote(sys.executable)} exact_engine.py", **dict(_named(one) for one in wanted.engine)}
    engines[OURS] = f"{shlex.quote(sys.executable)} {shlex.quote(str(_ADAPTER))}"
    try:
        files = {
            name: [corpus.case_file(name, seed, wanted.cases, wanted.cache) for seed in seeds] for name in corpus.SETS
        }
    except corpus.NoCorpus as problem:
        print(f"skipped: {problem}")
        return
    mistakes: Mistakes = {}
    edits, hazards = _scored(files["main"], engines, mistakes), _scored(files["hazards"], engines, {})
    hard = decoys.judge(chain.from_iterable(map(corpus.read, files["hard"])))
    speed = matcher_speed.measure(corpus.read(files["main"][0]))
    memory = matcher_memory.measure(corpus.read(files["main"][0]), _MEMORY_SAMPLE)
    command = f"python -m benchmarks.matching --cases {wanted.cases} --seeds {wanted.seeds}"
    publish("Edits that agents get slightly wrong", command, _edits(edits, engines))
    publish("Every kind of mistake, beside the best peer", command, compared(mistakes, OURS))
    publish("Hazards: exact text that must not be written as it is", command, _edits(hazards, engines))
    publish("Hard decoys", command, _hard(hard))
    publish("Speed of the matcher", command, _speed(speed, memory))
    _print_times(speed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matching", description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=3000, help="cases for each seed")
    parser.add_argument("--seeds", default="1,2,3", help="separated by commas")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME=COMMAND", help="a peer to score as well")
    parser.add_argument("--cache", type=Path, default=corpus.default_cache(), help="where cases and releases are kept")
    return parser.parse_args()


def _named(engine: str) -> tuple[str, str]:
    name, equals, command = engine.partition("=")
    if not equals:
        raise SystemExit(f"--engine {engine}: expected NAME=COMMAND")
    return name, command


def _scored(files: list[Path], engines: dict[str, str], mistakes: Mistakes) -> Scores:
    totals: Scores = {}
    for path in files:
        score(path, engines, totals, mistakes)
    return totals


# ---------------------------------------------------------------- tables


def _edits(scores: Scores, engines: dict[str, str]) -> list[str]:
    head = ["engine", "kind", "apply cases", "correct", "wrong", "refused", "refuse cases", "applied wrongly"]
    found = {(name, kind): scores.get((name, kind), Score()) for kind in KINDS for name in engines}
    rows = [[name, kind, *_row(one)] for (name, kind), one in found.items() if one.apply.total() + one.refuse.total()]
    return table(head, rows)


def _row(one: Score) -> list[object]:
    cases, decoy = one.apply.total(), one.refuse.total()
    figures = (one.apply["correct"], one.wrong, one.refused)
    return [cases, *(share(figure, cases) for figure in figures), decoy, one.wrongly_applied]


def _hard(counts: Counter[str]) -> list[str]:
    cases = counts["all"] + counts["arguable"]
    applied = counts["applied"] + counts["arguable applied"]
    rows: list[list[object]] = [
        ["decoys", cases],
        ["applied when accepted singly (at most 10 %)", share(applied, cases)],
        ["the same without those that are arguable", share(counts["applied"], counts["all"])],
        ["of the applied: shown as approximate", share(counts["approximate"], applied)],
        ["of the applied: shown with a rival", share(counts["with a rival"], applied)],
        ["taken by bulk accept (none)", share(counts["bulk"], cases)],
    ]
    return table(["", "figure"], rows)


def _speed(speed: matcher_speed.Speed, memory: list[float]) -> list[str]:
    every = matcher_speed.percentile(speed.every, 95) * 1000
    usual, most = matcher_speed.percentile(memory, 50), max(memory, default=0.0)
    return [
        f"- finding an undamaged edit, median, beside find and splice alone (at most 2 x): {speed.ratio:.1f} x",
        f"- the same with line numbers and smallest cuts, worked out on demand: {speed.explained_ratio:.1f} x",
        f"- 95 of 100 edits on files of up to {matcher_speed.LONGEST_FILE} lines: {_bound(every)} 3 ms",
        f"- peak memory beside the bytes of the file (at most 10 x): median {usual:.1f} x, most {most:.1f} x",
    ]


def _bound(milliseconds: float) -> str:
    return "below" if milliseconds < 3 else "NOT below"


def _print_times(speed: matcher_speed.Speed) -> None:
    times = (
        ("find and splice", speed.trivial),
        ("undamaged", speed.found),
        ("explained", speed.explained),
        ("all", speed.every),
    )
    for name, values in times:
        middle, most = (matcher_speed.percentile(values, percent) * 1e6 for percent in (50, 95))
        print(f"{name:16} p50 {middle:7.1f} us   p95 {most:7.1f} us   ({len(values)} edits)")


if __name__ == "__main__":
    main()
