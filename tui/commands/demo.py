"""A throw-away workspace and a queue of proposals as agents send them, open for your review.

Without a terminal the same queue is walked through by itself: checked, applied and undone, with explanations. Nothing
outside a temporary directory is touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tui.out import Out

if TYPE_CHECKING:
    from tui.sitting import Sitting

EXAMPLE = "example: hunkdeck demo"
DATA = Path(__file__).resolve().parents[1] / "demo"
QUEUE = Path(".hunkdeck", "queue")


class Step(NamedTuple):
    """One command of the walk, and what to look at."""

    why: str
    command: str


STEPS = (
    Step("An agent renames a function in five files. First look: where would it go? Nothing is written.",
         "check proposals/01-rename-user-api.json"),
    Step("Apply all of it, as one transaction: all five files or none.",
         "apply proposals/01-rename-user-api.json --all"),
    Step("Hunk by hunk: the second one lost its indentation on the way and gets it back; the third is turned down.",
         "apply proposals/02-count-amounts.json --accept 0,1 --reject 2 --comment 'the test needs its own change'"),
    Step("A Codex patch that creates, deletes and moves files.",
         "apply proposals/03-coupons.patch --all"),
    Step("A unified diff with wrong line counts and prose around it is repaired, and says so.",
         "apply proposals/04-fix-typos.diff --all"),
    Step("The context is not what the file says: found, but only approximately, so --all leaves it to a person.",
         "apply proposals/05-heavier-parcels.md --all"),
    Step("Who looks at it may accept it by its number. Only the line that really changes is written.",
         "apply proposals/05-heavier-parcels.md --accept 0 --diff"),
    Step("Two places fit: never a guess. The other hunk of this batch is not held up by it.",
         "apply proposals/06-which-one.json --all"),
    Step("An edit that would break the file is not written.",
         "apply proposals/07-breaks-the-file.json --all"),
    Step("Files that run later (CI, editor settings) need a decision of their own.",
         "apply proposals/08-ci-and-settings.json --all"),
    Step("A hostile proposal: its escape codes are shown, not obeyed; what lies outside, or in .git, is out of reach.",
         "apply proposals/09-hostile.json --all"),
    Step("Everything that was applied is on record.",
         "log"),
    Step("And can be taken back, byte for byte.",
         "undo"),
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", action="store_true", help="keep the workspace and say where it is")
    parser.add_argument("--plain", action="store_true", help="review by numbered line prompts instead of a screen")


def run(args: argparse.Namespace) -> int:
    from tui.sitting import Sitting, choose

    out = Out()
    sitting = choose(plain=args.plain, pipes_are_fine=False)
    with demo_workspace(keep=args.keep) as home:
        if sitting is Sitting.NOBODY:
            _walk_through(out, home)
        else:
            _review(home, sitting)
            out.line(("That was a throw-away workspace. ", "bold"), "Try it on your own: hunkdeck --help")
        if args.keep:
            out.line(f"The workspace is still there: {home}")
    return 0


def _review(home: Path, sitting: Sitting) -> None:
    from engine.queue.desk import open_queue
    from engine.workspace import Workspace
    from tui.commands.watch import watch

    with Workspace(home) as workspace, open_queue(workspace) as desk:
        watch(desk, sitting, str(home / QUEUE))


def _walk_through(out: Out, home: Path) -> None:
    for number, step in enumerate(STEPS, 1):
        _walk(out, number, step, home)
    out.line(("That was the whole path: ", "bold"), "check, apply, verdict, undo. Try it on your own: hunkdeck --help")


def _walk(out: Out, number: int, step: Step, workspace: Path) -> None:
    import shlex

    from tui.cli import main

    out.line((f"━━ {number}/{len(STEPS)}  {step.why}", "bold cyan"))
    out.line(("$ ", "dim"), (f"hunkdeck {step.command}", "bold"))
    sys.stdout.flush()
    code = main([*shlex.split(step.command), "--workspace", str(workspace)])
    out.line((f"(exit code {code})", "dim"))
    out.line()


@contextmanager
def demo_workspace(*, keep: bool) -> Iterator[Path]:
    """A fresh copy of the sample workspace with its proposals as files and as a queue, and the process inside it."""
    before = Path.cwd()
    home = Path(tempfile.mkdtemp(prefix="hunkdeck-demo-"))
    try:
        shutil.copytree(DATA / "workspace", home, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(DATA / "proposals", home / "proposals")
        shutil.copytree(DATA / "proposals", home / QUEUE)
        for file in (home / QUEUE).iterdir():
            os.utime(file, (0, 0))  # equally old, so their names give the order
        os.chdir(home)
        yield home
    finally:
        os.chdir(before)
        if not keep:
            shutil.rmtree(home, ignore_errors=True)
