"""benchmarks/RESULTS.md: one section for each measurement, with the command that made it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
_INTRODUCTION = """\
# Results

Figures that do not depend on the machine: counts, shares and ratios against something measured in the same run.
Every section is written by the command that it names.
"""


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """A Markdown table; all columns but the first are figures."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return ["| " + " | ".join(map(str, line)) + " |" for line in lines]


def share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "0"


def publish(title: str, command: str, body: Sequence[str]) -> None:
    """Print a section, and put it in the place of the old one."""
    section = "\n".join([f"## {title}", "", f"`{command}`", "", *body, ""])
    print(section)
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else _INTRODUCTION
    sections = [part for part in re.split(r"(?m)^(?=## )", text) if not part.startswith(f"## {title}\n")]
    RESULTS.write_text("\n".join([*(part.rstrip("\n") + "\n" for part in sections), section]), encoding="utf-8")
