"""Print a file with its line numbers, as edit_lines counts them."""

from __future__ import annotations

import argparse
import re

from engine.errors import HunkdeckError, NotText, PathBlocked
from engine.paths import canonical
from engine.text import decode
from engine.workspace import Workspace
from tui.commands.common import add_workspace, open_workspace
from tui.out import Out, print_json, safe

EXAMPLE = "example: hunkdeck show src/app.py:10-20"
_RANGE = re.compile(r"(.+):(\d{1,9})(?:-(\d{1,9}))?", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="PATH[:A-B]", help="a file of the workspace, and which of its lines")
    parser.add_argument("--json", action="store_true", help="print an object with first_line, line_count and the lines")
    add_workspace(parser)


def run(args: argparse.Namespace) -> int:
    with open_workspace(args) as workspace:
        path, first, last = _parse(args.place, workspace)
        found = workspace.read(path)
    if found is None:
        raise HunkdeckError(f"{path}: there is no such file in {workspace.root}")
    try:
        every_line = decode(found.data).lines
    except NotText as problem:
        raise HunkdeckError(f"{path}: {problem}") from problem
    first, last = _checked_range(path, first, last, len(every_line))
    lines = every_line[first - 1 : last]
    if args.json:
        output = "\n".join(f"{n:>4}: {line}" for n, line in enumerate(lines, first))
        print_json({"path": path, "first_line": first, "line_count": len(lines), "total_lines": len(every_line),
                    "lines": lines, "output": output})  # fmt: skip
        return 0
    out = Out()
    for n, line in enumerate(lines, first):
        out.line((f"{n:>4}: ", "dim"), _expanded(line))
    return 0


def _expanded(line: str) -> str:
    return safe(line.expandtabs(8)) if "\t" in line else safe(line)


def _parse(place: str, workspace: Workspace) -> tuple[str, int | None, int | None]:
    """The path and the range; a file that really has such a name wins over the reading as a range."""
    match = _RANGE.fullmatch(place)
    if match is None or _exists(workspace, place):
        return canonical(place, workspace.root), None, None
    path, first, last = match.groups()
    return canonical(path, workspace.root), int(first), int(last or first)


def _exists(workspace: Workspace, place: str) -> bool:
    try:
        return workspace.stat(canonical(place, workspace.root)) is not None
    except PathBlocked:
        return False


def _checked_range(path: str, first: int | None, last: int | None, count: int) -> tuple[int, int]:
    if first is None or last is None:
        return 1, count
    if not 1 <= first <= last or first > count:
        raise HunkdeckError(f"{path}: lines {first}-{last} are out of range: the file has {count} lines (1-{count})")
    return first, min(last, count)
