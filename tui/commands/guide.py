"""Print the paragraphs to paste into an agent's instructions: how to propose, and how to read the verdict."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

EXAMPLE = "example: hunkdeck guide >> AGENTS.md"
GUIDE = Path(__file__).resolve().parents[1] / "guide.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There is nothing to choose."""


def run(args: argparse.Namespace) -> int:
    sys.stdout.write(GUIDE.read_text(encoding="utf-8"))
    return 0
