"""The command line: which command was asked for, and nothing else. A command's module is imported when it is used."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

COMMANDS = {
    "review": "review proposals hunk by hunk, and exit with the verdict",
    "watch": "review what agents put into the queue; the same as hunkdeck without a command",
    "check": "where each hunk of a proposal would go, how sure that is, and what would fail",
    "apply": "apply chosen hunks of a proposal, without a screen: for scripts and CI",
    "submit": "for agents: put a proposal into the queue, and wait for the verdict",
    "status": "for agents: how far a proposal is, or everything that waits",
    "wait": "for agents: wait for the verdict on a proposal",
    "withdraw": "for agents: take a proposal back",
    "show": "print a file with the line numbers that edit_lines counts by",
    "log": "what was applied and undone in this workspace",
    "undo": "take back what was applied",
    "schema": "the tool definitions to offer an agent",
    "guide": "what to put into an agent's instructions",
    "doctor": "what this file system and terminal can promise, in words",
    "completion": "the completion script for bash, zsh or fish",
    "demo": "a sample workspace with a queue of proposals, to try everything out",
}
"""Name and one-line help. The module is `tui.commands.NAME` with `add_arguments(parser)` and `run(args) -> int`."""

_CLOSED_PIPE = 141


def main(argv: Sequence[str]) -> int:
    """Run one command; the exit code is that of `result.md`."""
    from engine.errors import HunkdeckError

    argv = argv or ["watch"]
    args = build_parser(argv).parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except HunkdeckError as error:
        from tui.out import complain

        complain(str(error))
        return 2
    except MemoryError:
        sys.stderr.write("hunkdeck: out of memory; nothing more was written\n")
        return 1
    except BrokenPipeError:  # `hunkdeck … | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED_PIPE
    except Exception as error:
        from tui.crash import tell_crash

        tell_crash(error)
        return 1
    return code


def build_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser; only the command that `argv` names gets its arguments (and its imports), with none named all do."""
    parser: argparse.ArgumentParser = _Parser(
        prog="hunkdeck",
        description="Review what a coding agent wants to write, hunk by hunk, before anything is written.",
        epilog="example: hunkdeck check proposal.json && hunkdeck apply proposal.json --all",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = next((word for word in argv if word in COMMANDS), None)
    for name, summary in COMMANDS.items():
        if asked in (None, name):
            _add(commands, name, summary)
        else:
            commands.add_parser(name, help=summary, add_help=False)
    return parser


def _add(commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str) -> None:
    module: ModuleType = import_module(f"tui.commands.{name}")
    parser = commands.add_parser(
        name,
        help=summary,
        description=module.__doc__,
        epilog=module.EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)


class _Parser(argparse.ArgumentParser):
    """Repeats what it does not understand in a form that a terminal may show."""

    def error(self, message: str) -> NoReturn:
        from engine.safe_text import safe_block

        super().error(safe_block(message))


class _Version(argparse.Action):
    def __call__(self, *_: object) -> None:
        from hunkdeck import __version__

        sys.stdout.write(f"hunkdeck {__version__}\n")
        raise SystemExit(0)
