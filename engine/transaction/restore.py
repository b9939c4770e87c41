"""Put one target back to what it was, judging only by what stands at its three names right now.

`W` is where the new content was staged (after an exchange the displaced file stands there), `D` is where a file that
was taken away stands. Nothing is deleted here but our own new content; that W and D go is a later phase.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from operator import eq

from engine.disk import Seen, UnsupportedError
from engine.transaction.cleanup import move_to_history
from engine.transaction.journal import Action, Step
from engine.transaction.state import State

_MOST_EXCHANGES = 100


def restore(state: State, step: Step) -> list[str]:
    """Messages for people, normally none."""
    restorers = {Action.CREATE: _uncreate, Action.MODIFY: _unmodify, Action.DELETE: _undelete}
    with ExitStack() as stack:
        try:
            fd = stack.enter_context(state.workspace.parent(step.path))
        except FileNotFoundError:
            return [] if step.before is None else [f"{step.path}: its directory is gone"]
        return restorers[step.action](state, fd, step)


def _unmodify(state: State, fd: int, step: Step) -> list[str]:
    target, staged, displaced = (state.disk.look(fd, name) for name in (step.name, step.new, step.old))
    if step.is_new(target):
        return _unmodify_new(state, fd, step, staged, displaced)
    messages = [] if step.is_old(target) else [f"{step.path}: was changed by somebody else meanwhile, kept as it is"]
    for name, seen in ((step.new, staged), (step.old, displaced)):
        if seen is not None and not _needless(step, seen, target):
            messages.append(_rescue(state, fd, step, name, seen))
    return messages


def _unmodify_new(state: State, fd: int, step: Step, staged: Seen | None, displaced: Seen | None) -> list[str]:
    """The target holds the new content. If that still stands at W too, somebody else wrote the same: theirs stays."""
    source, seen = (step.old, displaced) if displaced is not None else (step.new, staged)
    if seen is None:
        return [f"{step.path}: its old content is missing, the new one stays"]
    if step.is_new(seen):
        return []
    put_back = _put_back(state, fd, step, source)
    return put_back if step.is_old(seen) else [f"{step.path}: put back as somebody else had left it", *put_back]


def _needless(step: Step, seen: Seen, target: Seen | None) -> bool:
    """Nothing is lost with it: it is our new content, or the target is what it was, or holds the same."""
    same = target is not None and (seen.inode == target.inode or (seen.sha256 != "" and seen.sha256 == target.sha256))
    return step.is_new(seen) or step.is_old(target) or same


def _put_back(state: State, fd: int, step: Step, source: str) -> list[str]:
    """Exchange until what comes out is what was put in: then nobody saved in between, and nobody's save is lost."""
    put_in_is: Callable[[Seen | None], bool] = step.is_new
    for _ in range(_MOST_EXCHANGES):
        going_in = state.disk.look(fd, source)
        try:
            state.disk.exchange(fd, source, step.name)
        except UnsupportedError:
            state.disk.rename(fd, source, step.name)
            return []
        came_out = state.disk.look(fd, source)
        if put_in_is(came_out):
            break
        put_in_is = partial(eq, going_in)
    if came_out is None or step.is_new(came_out):
        return []
    return [_rescue(state, fd, step, source, came_out)]


def _uncreate(state: State, fd: int, step: Step) -> list[str]:
    target, staged, taken = (state.disk.look(fd, name) for name in (step.name, step.new, step.old))
    if taken is not None and not step.is_new(taken):
        return _return(state, fd, step, taken)
    ours = target is not None and (staged is None or staged.inode == target.inode)
    if target is None or not ours:
        return []
    if not step.is_new(target):
        return [f"{step.path}: was changed by somebody else meanwhile, kept as it is"]
    state.disk.rename(fd, step.name, step.old)
    taken = state.disk.look(fd, step.old)
    if taken is None or step.is_new(taken):
        return []
    return _return(state, fd, step, taken)


def _undelete(state: State, fd: int, step: Step) -> list[str]:
    taken = state.disk.look(fd, step.old)
    return [] if taken is None else _return(state, fd, step, taken)


def _return(state: State, fd: int, step: Step, taken: Seen) -> list[str]:
    """Give a file that was taken away its name back, unless somebody has taken the name."""
    try:
        state.disk.place(fd, step.old, step.name)
    except FileExistsError:
        target = state.disk.look(fd, step.name)
        if _needless(step, taken, target) and not step.is_new(taken):
            return []
        kept = _rescue(state, fd, step, step.old, taken)
        return [f"{step.path}: was created by somebody else meanwhile, kept as it is", kept]
    return []


def _rescue(state: State, fd: int, step: Step, name: str, seen: Seen) -> str:
    kept = f"kept-{step.token}-{name.rpartition('.')[2]}"
    move_to_history(state, fd, name, kept, seen)
    return f"{step.path}: what it was before is kept as .hunkdeck/history/{kept}"
