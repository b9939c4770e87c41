"""Every kind of mistake beside the best of the peers, whose figures come with the corpus (the table in its README)."""

from __future__ import annotations

import re

from benchmarks.corpus import GENERATOR
from benchmarks.results import share, table
from benchmarks.scores import Mistakes

_PEER = re.compile(r"\| (\w+) \| ([\w.-]+) (\d+) % \| (\d+) % ")


def best_peers() -> dict[str, tuple[str, int, int]]:
    """By mistake: the peer that is right most often, how often (per cent), and how often it is wrong there."""
    readme = (GENERATOR / "README.md").read_text(encoding="utf-8")
    return {name: (peer, int(right), int(wrong)) for name, peer, right, wrong in _PEER.findall(readme)}


def compared(mistakes: Mistakes, engine: str) -> list[str]:
    """What becomes of single edits with each mistake, arguable ones included, as the peers' figures do."""
    peers = best_peers()
    rows: list[list[object]] = []
    for (name, mistake), one in sorted(mistakes.items()):
        if name != engine or mistake not in peers:
            continue
        cases, right = one.apply.total(), one.apply["correct"]
        peer, best, wrong = peers[mistake]
        reached = "yes" if cases and round(100 * right / cases) >= best else "NO"
        rows.append([mistake, cases, share(right, cases), one.wrong, f"{peer} {best} %", f"{wrong} %", reached])
    return table(["mistake", "cases", "right", "wrong", "best peer: right", "its wrong", "as often"], rows)
