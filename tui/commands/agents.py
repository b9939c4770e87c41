"""What the agent's commands share: the queue that is meant, and a verdict as it is printed."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from engine.errors import HunkdeckError, UnreadableProposal, WorkspaceError
from engine.model import Code, Proposal
from engine.queue.directory_store import open_store
from engine.queue.remembered import from_dict
from engine.queue.store import Listed, Store
from engine.result import HunkResult, Result, unreadable_result
from engine.session import load
from engine.settle import Status
from engine.workspace import Workspace
from tui.commands.common import add_workspace, open_workspace
from tui.out import Out, complain, print_json


class Queue(NamedTuple):
    """The proposals of one workspace."""

    workspace: Workspace
    store: Store


def add_queue(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--queue", metavar="DIR", help="the proposal directory, as hunkdeck watch DIR has it")
    parser.add_argument("--json", action="store_true", help="for machines")
    add_workspace(parser)


@contextmanager
def open_queue(args: argparse.Namespace) -> Iterator[Queue]:
    """The queue that the arguments name. WorkspaceError where there is none."""
    with open_workspace(args) as workspace, queue_in(args, workspace) as queue:
        yield queue


@contextmanager
def queue_in(args: argparse.Namespace, workspace: Workspace, *, create: bool = False) -> Iterator[Queue]:
    store = open_store(workspace, args.queue, create=create)
    try:
        yield Queue(workspace, store)
    finally:
        store.close()


def known(queue: Queue, id: str) -> Listed:
    """What the queue knows of a proposal; an unknown id is an error."""
    listed = queue.store.status(id)
    if listed is None:
        raise WorkspaceError(f"{id}: there is no such proposal in this queue (see hunkdeck status)")
    return listed


def seconds(text: str) -> float:
    """For argparse: a time to wait."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return value


# ---------------------------------------------------------------- verdicts


def wait_for_verdict(queue: Queue, id: str, timeout: float | None) -> Result:
    """The final verdict; after `timeout` seconds the newest one, or that everything is pending.

    The reviewer sees that somebody waits. Interrupted, the proposal stays where it is.
    """
    until = time.time() + (timeout if timeout is not None else _FOR_EVER)
    try:
        with queue.store.waiting(id, until):
            answer = queue.store.wait(id, timeout)
    except KeyboardInterrupt:
        complain(f"{id} stays in the queue. To wait again: hunkdeck wait {id}; to take it back: hunkdeck withdraw {id}")
        raise
    return verdict(queue, id, answer if answer is not None else queue.store.result(id))


_FOR_EVER = 10 * 365 * 24 * 3600.0


def verdict(queue: Queue, id: str, answer: bytes | None) -> Result:
    """What an answer says, with what happened since."""
    if answer is None:
        return _pending(queue, id)
    try:
        told = json.loads(answer)
        result = from_dict(told, failures_open=not told["final"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise HunkdeckError(f"{id}: the answer in the queue cannot be read") from error
    return replace(result, notes=(*result.notes, *_taken_back(queue, id)))


def show_verdict(args: argparse.Namespace, result: Result) -> int:
    """Print it, in words or as JSON; the exit code."""
    if args.json:
        print_json(result.to_dict())
        return result.exit_code
    out = Out()
    out.block(str(result.to_dict()["message"]))
    for note in result.notes:
        out.block(f"note: {note}")
    if not result.final:
        out.block(f"The verdict is not final. To wait for it: hunkdeck wait {result.proposal}")
    return result.exit_code


def _pending(queue: Queue, id: str) -> Result:
    stored = queue.store.read(id)
    if stored is None:
        raise HunkdeckError(f"{id}: it is in the queue no longer, and there is no answer")
    try:
        return all_pending(load(stored.data, name=id))
    except UnreadableProposal as problem:
        return replace(unreadable_result(id, stored.digest, str(problem)), notes=("nobody has looked at it yet",))


def all_pending(proposal: Proposal) -> Result:
    """A proposal about which nothing was decided yet."""
    hunks = (
        HunkResult(index, hunk.path, Status.PENDING, hunk.id, Code.UNDECIDED, error="not decided")
        for index, hunk in enumerate(proposal.hunks)
    )
    return Result(proposal.name, proposal.digest, tuple(hunks), call_id=proposal.call_id, notes=proposal.notes)


def _taken_back(queue: Queue, id: str) -> Iterator[str]:
    """An undo changes no result, so it is told here."""
    from engine.transaction import history

    listed = queue.store.status(id)
    since = listed.arrived if listed else 0.0
    for entry in history(queue.workspace):
        mine = entry.proposal == id and entry.undoes is None and _moment(entry.time) >= since - 1
        if mine and entry.undone:
            names = ", ".join(file.path for file in entry.files)
            yield f"the reviewer has taken back what was applied ({entry.id}: {names})"


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0
