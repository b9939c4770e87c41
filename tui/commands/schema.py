"""Print the tool definition (name, description, JSON Schema) that an agent needs to be offered a format.

Without FORMAT, all of them as a list. They are made from the tables that the parsers check against.
"""

from __future__ import annotations

import argparse

from engine.formats import FORMATS, tool_definition
from tui.out import print_json

EXAMPLE = "example: hunkdeck schema multi_edit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("format", nargs="?", choices=list(FORMATS), metavar="FORMAT", help=", ".join(FORMATS))


def run(args: argparse.Namespace) -> int:
    print_json(tool_definition(args.format) if args.format else [tool_definition(name) for name in FORMATS])
    return 0
