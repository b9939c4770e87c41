"""Print the completion script for a shell: commands, options and file names after a press of tab.

bash:  hunkdeck completion bash > ~/.local/share/bash-completion/completions/hunkdeck
zsh:   hunkdeck completion zsh > ~/.zfunc/_hunkdeck     (a directory of your fpath, before compinit runs)
fish:  hunkdeck completion fish > ~/.config/fish/completions/hunkdeck.fish
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

EXAMPLE = "example: hunkdeck completion bash > ~/.local/share/bash-completion/completions/hunkdeck"
SHELLS = ("bash", "zsh", "fish")
_FILES = ("FILE", "PATH")
_DIRECTORIES = ("DIR",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(args: argparse.Namespace) -> int:
    import shtab

    from tui.cli import build_parser

    parser = build_parser()
    for action in _all_actions(parser):
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        if metavar.startswith(_FILES):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif metavar.startswith(_DIRECTORIES):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    sys.stdout.write(shtab.complete(parser, args.shell))
    return 0


def _all_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _all_actions(command)
