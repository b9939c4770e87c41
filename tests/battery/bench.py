"""A workspace with an "outside" beside it, the five outcomes of the battery as assertions, and what holds after each.

The invariants are checked by the fixture `bench` when a test ends (see `Bench.check_invariants`), and by every apply:

    I1  nothing outside changes
    I2  each file is entirely old or entirely new
    I3  the set is all old or all new, and nothing of ours is left over
    I4  the bytes on disk are those whose digest was reported
    I5  nothing forbidden is printed
    I6  time is bounded
    I7  no traceback: whatever is not a HunkdeckError fails the test by itself
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from engine.errors import UnreadableProposal
from engine.model import Code, Create, Hunk, Mode, Op, Proposal
from engine.planning import Limits, plan
from engine.planning.data import PlannedHunk, ReviewPlan
from engine.result import HunkResult, Result
from engine.review import Accept, AcceptAll, Confirm, Intent
from engine.safe_text import safe_text
from engine.session import apply, decide, load
from engine.settle import Status
from engine.transaction import Change, recover
from engine.workspace import Workspace
from tests.battery.command import assert_clean

Sent = tuple[str, Op]
"""A path and what is to be done there."""
Entry = tuple[str, int, bytes]
"""What stands at a path: its kind, its mode, its content or what it points to."""

OLD, NEW = b"old\n", b"new\n"
SIBLING: Sent = ("sibling.txt", Create("beside it\n"))
OURS = {".gitignore", "id", "lock", "reviewer.lock", "history", "queue", "reviews"}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def snapshot(root: Path) -> dict[str, Entry]:
    """Everything below `root`, links unfollowed, our state left out."""
    found: dict[str, Entry] = {}
    for directory, names, files in os.walk(os.fsencode(root)):
        if b".hunkdeck" in names:
            names.remove(b".hunkdeck")
        for name in (*names, *files):
            path = os.path.join(directory, name)
            found[os.fsdecode(os.path.relpath(path, os.fsencode(root)))] = _entry(path)
    return found


def _entry(path: bytes) -> Entry:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        return "link", 0, os.readlink(path)
    if stat.S_ISREG(status.st_mode):
        return "file", stat.S_IMODE(status.st_mode), Path(os.fsdecode(path)).read_bytes()
    return f"kind {stat.S_IFMT(status.st_mode):o}", stat.S_IMODE(status.st_mode), b""


class Bench:
    """One item's workspace."""

    def __init__(self, directory: Path) -> None:
        self.root, self.outside = directory / "workspace", directory / "outside"
        self.seconds = 10.0
        """I6: how long the item may take."""
        self.set_aside = False
        """The item leaves a damaged journal behind on purpose."""
        self._known: dict[str, set[bytes]] = {}
        self._started = time.monotonic()
        self.root.mkdir()
        (self.outside / "deep").mkdir(parents=True)
        for name in ("secret.txt", "deep/file.py"):
            (self.outside / name).write_bytes(b"outside\n")
        self._outside_before = snapshot(self.outside)
        self.workspace = Workspace(self.root)

    # ------------------------------------------------------------ setting the scene

    def put(self, path: str, content: bytes = OLD, mode: int = 0o644) -> Path:
        """A file, as a person or an editor writes it."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_bytes(content)
        target.chmod(mode)
        self.knows(path, content)
        return target

    def knows(self, path: str, content: bytes) -> None:
        """This content may stand there in the end."""
        self._known.setdefault(path, set()).add(content)

    def link(self, path: str, target: str | Path) -> Path:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).symlink_to(target)
        return self.root / path

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def files(self) -> dict[str, Entry]:
        return snapshot(self.root)

    # ------------------------------------------------------------ the way of a proposal

    def plan(self, *sent: Sent, limits: Limits | None = None) -> ReviewPlan:
        proposal = Proposal("test", tuple(Hunk(path, op) for path, op in sent), name="battery")
        return plan(proposal, self.workspace, limits=limits)

    def load(self, payload: str | bytes, *, format: str | None = None) -> ReviewPlan:
        data = payload if isinstance(payload, bytes) else payload.encode()
        return plan(load(data, format=format), self.workspace)

    def one(self, path: str, op: Op) -> PlannedHunk:
        (hunk,) = self.plan((path, op)).hunks
        return hunk

    def apply(
        self,
        planned: ReviewPlan,
        *intents: Intent,
        mode: Mode | None = None,
        dry_run: bool = False,
        allow_syntax_errors: bool = False,
    ) -> Result:
        """Apply, and check that the set is all old or all new (I3) and is what was reported (I4)."""
        before = self.files()
        state = decide(planned, *(intents or (Accept(tuple(range(len(planned.hunks)))),)))
        result = apply(
            planned, state, self.workspace, mode=mode, dry_run=dry_run, allow_syntax_errors=allow_syntax_errors
        )
        if not result.transaction:
            assert self.files() == before
        for file in (file for file in result.files if result.transaction and file.changed):
            self._check_written(file.new_path or file.path, file.sha256, file.outcome.after)
        return result

    def _check_written(self, path: str, sha256: str | None, after: bytes | None) -> None:
        if after is None or sha256 is None:
            assert not (self.root / path).exists()
            return
        assert digest(self.read(path)) == sha256
        self.knows(path, after)

    def change(self, path: str, before: bytes | None, after: bytes | None) -> Change:
        """For items that go straight to the transaction."""
        if after is not None:
            self.knows(path, after)
        return Change(path, None if before is None else digest(before), after)

    # ------------------------------------------------------------ the outcomes

    def assert_ok(self, *sent: Sent, confirm: Iterable[str] = ()) -> Result:
        planned = self.plan(*sent)
        everything = Accept(tuple(range(len(sent))))
        result = self.apply(planned, *(Confirm(path) for path in confirm), everything)
        assert [(hunk.status, hunk.error) for hunk in result.hunks] == [(Status.APPLIED, None)] * len(sent)
        return result

    def assert_blocks(self, sent: Sent, reason: str, *, code: Code = Code.BLOCKED_PATH) -> None:
        """BLOCK: it cannot be accepted, even if confirmed; its sibling can."""
        before = self.files()
        planned = self.plan(sent, SIBLING)
        intents = (Confirm(planned.hunks[0].path), Accept((0, 1)))
        result = self.apply(planned, *intents, mode=Mode.CONTINUE)
        blocked, sibling = result.hunks
        _expect(blocked, Status.FAILED, code, reason)
        assert sibling.status is Status.APPLIED, sibling.error
        (self.root / SIBLING[0]).unlink()
        assert self.files() == before
        assert_clean(safe_text(blocked.error or ""))

    def assert_asks(self, sent: Sent, risk: str) -> None:
        """ACK: neither a bulk accept nor a plain one takes it, a confirmation that names the risk does."""
        before = self.files()
        planned = self.plan(sent, SIBLING)
        waiting, sibling = self.apply(planned, AcceptAll(unfit_too=True), mode=Mode.CONTINUE).hunks
        assert sibling.status is Status.APPLIED, sibling.error
        _expect(waiting, Status.PENDING, Code.NEEDS_CONFIRMATION, risk)
        (self.root / SIBLING[0]).unlink()
        assert self.files() == before
        planned = self.plan(sent)
        _expect(self.apply(planned, Accept((0,))).hunks[0], Status.PENDING, Code.NEEDS_CONFIRMATION, risk)
        result = self.apply(planned, Confirm(planned.hunks[0].path), Accept((0,)), allow_syntax_errors=True)
        assert result.hunks[0].status is Status.APPLIED, result.hunks[0].error

    def assert_conflicts(self, planned: ReviewPlan, meddle: Callable[[], object], reason: str) -> Result:
        """CONFLICT: nothing is written, and what somebody else did stays."""
        meddle()
        now = self.files()
        result = self.apply(planned)
        failed = [hunk for hunk in result.hunks if hunk.status is Status.FAILED]
        assert failed, result
        for hunk in failed:
            _expect(hunk, Status.FAILED, Code.CONFLICT, reason)
        assert self.files() == now
        return result

    def assert_refuses(self, payload: str | bytes, reason: str, *, format: str | None = None) -> None:
        """REFUSE: nothing of it is loaded, one line says why, and that line is safe to show."""
        data = payload if isinstance(payload, bytes) else payload.encode()
        with pytest.raises(UnreadableProposal) as caught:
            load(data, format=format)
        said = str(caught.value)
        assert reason in said
        assert len(said) < 500
        assert_clean(safe_text(said))

    # ------------------------------------------------------------ afterwards

    def check_invariants(self) -> None:
        assert time.monotonic() - self._started < self.seconds, "I6: too slow"
        recover(self.workspace)
        assert snapshot(self.outside) == self._outside_before, "I1: something outside was touched"
        for path, (kind, _, content) in self.files().items():
            assert not os.path.basename(path).startswith(".hunkdeck-"), f"I3: {path} is left over"
            if kind == "file":
                assert content in self._known.get(path, ()), f"I2: {path} is neither old nor new: {content[:60]!r}"
        state = self.root / ".hunkdeck"
        if state.is_dir() and not state.is_symlink() and not self.set_aside:
            assert set(os.listdir(state)) <= OURS, "I3: something is left over in the state directory"


def _expect(hunk: HunkResult, status: Status, code: Code, reason: str) -> None:
    assert (hunk.status, hunk.code) == (status, code), hunk.error
    assert reason in (hunk.error or ""), hunk.error
