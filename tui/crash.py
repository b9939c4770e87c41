"""An error of hunkdeck's own, told to a person: what it was and where, never the values that were at hand.

A traceback would quote whatever the program held, and the message may quote a proposal, so both go through `complain`.
"""

from __future__ import annotations

import os
import traceback

from tui.out import complain

_MOST_FRAMES = 6
_LONGEST = 400


def tell_crash(error: BaseException) -> None:
    """Say it on standard error; of an error that only says that a thread had one, the thread's own."""
    inner = getattr(error, "error", None)
    error = inner if isinstance(inner, BaseException) else error
    message = str(error)[:_LONGEST]
    complain("\n".join([f"stopped by an error of its own: {type(error).__name__}: {message}", *_places(error), _NEXT]))


_NEXT = "No file is half written, and every decision is kept: start it again to go on. Please report the lines above."


def _places(error: BaseException) -> list[str]:
    """The innermost calls, the last one at the end; by the file's name below the program."""
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [f"at {os.path.relpath(frame.filename, home)}:{frame.lineno} {frame.name}" for frame in frames]
