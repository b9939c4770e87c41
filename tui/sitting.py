"""Sitting down to review: on the full screen, by line prompts, or (with nobody there) not at all."""

from __future__ import annotations

import io
import sys
from enum import Enum
from typing import TextIO

from engine.queue.desk import Desk
from tui.out import Out
from tui.terminal import has_terminal, is_interactive, on_terminal, terminal_input, wants_plain


class Sitting(Enum):
    SCREEN = "the full-screen app"
    PLAIN = "line prompts"
    NOBODY = "no terminal: print and leave"


def choose(*, plain: bool, pipes_are_fine: bool) -> Sitting:
    """How to review here. `pipes_are_fine`: the app is wanted even if standard output goes elsewhere."""
    if plain:
        return Sitting.PLAIN
    if not (has_terminal() if pipes_are_fine else is_interactive()):
        return Sitting.NOBODY
    return Sitting.PLAIN if wants_plain() else Sitting.SCREEN


def sit_down(desk: Desk, sitting: Sitting, *, stdin_is_used: bool = False, words_to: TextIO | None = None) -> None:
    """Review until the person leaves. `words_to` is where line prompts go (default: standard output)."""
    if sitting is Sitting.SCREEN:
        _on_screen(desk)
    elif sitting is Sitting.PLAIN:
        _by_lines(desk, words_to or sys.stdout, stdin_is_used=stdin_is_used)


def _on_screen(desk: Desk) -> None:
    from tui.app import ReviewApp
    from tui.settings import load_settings

    settings = load_settings()
    app = ReviewApp(desk, settings=settings)
    with on_terminal():
        app.run(mouse=settings.mouse)
    if app.crash is not None:
        from tui.crash import tell_crash

        tell_crash(app.crash)


def _by_lines(desk: Desk, words_to: TextIO, *, stdin_is_used: bool) -> None:
    from tui.plain import PlainReview

    if not stdin_is_used:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        PlainReview(desk, Out(words_to), sys.stdin, words_to).run()
        return
    lines = terminal_input() or io.StringIO()
    with lines:
        PlainReview(desk, Out(words_to), lines, words_to).run()
