"""The proposal directory as a store: agents and reviewers on one machine, or on one shared file system.

A file that is dropped in is a proposal; so is what `put` writes. Whatever changes a record happens under one lock of
the directory, for the moment of the change, and starts with finishing what a crash left (`rolling`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from engine.errors import StoreDown, UnreadableProposal, WorkspaceError
from engine.formats.limits import Limits
from engine.queue.directory import ENDINGS, RESULT, ProposalDirectory, Waiting, open_directory
from engine.queue.notices import Notices
from engine.queue.records import ANSWER, DATA, Record, key_of
from engine.queue.rolling import DONE, exists, free_names, roll_forward
from engine.queue.store import LEASE, Answered, Claim, Hint, Listed, Outcome, Put, State, Stop, Stored, check_id
from engine.queue.waiters import Waiters
from engine.reading import digest
from engine.workspace import Workspace

_BEING_WRITTEN = "being-written"


class DirectoryStore:
    """See `store.Store`."""

    def __init__(
        self, directory: ProposalDirectory, reopen: Callable[[], ProposalDirectory], holder: str | None = None
    ) -> None:
        self._reopen = reopen
        """Where the directory was replaced."""
        self._holder = holder or f"pid {os.getpid()} on {os.uname().nodename}, {os.urandom(4).hex()}"
        self._use(directory)

    def _use(self, directory: ProposalDirectory) -> None:
        self.directory = directory
        self._records = directory.records
        self._waiters = Waiters(directory.opened)

    @property
    def path(self) -> str:
        """For people."""
        return self.directory.path

    # ------------------------------------------------------------ for agents

    def put(self, id: str, data: bytes, agent: str) -> Put:
        check_id(id)
        limit = Limits().max_bytes
        if len(data) > limit:
            raise UnreadableProposal(f"larger than {limit} bytes, the most that a proposal may have")
        with self._changing(id) as record:
            if record is None:
                new = Record(id, self._free_file(id, data), digest(data), agent=agent, arrived=time.time())
                self._write(new, DATA, data)
                return Put(Outcome.NEW, 1)
            if record.closed:
                return Put(Outcome.CLOSED, record.rev)
            if record.digest == digest(data) and exists(self.directory.opened, record.file):
                if agent and not record.agent:  # dropped in, or the reply to its first `put` was lost
                    self._records.write(replace(record, agent=agent))
                return Put(Outcome.SAME, record.rev)
            if record.digest == digest(data):  # its file was taken away: here it is again
                self._write(record, DATA, data)
                return Put(Outcome.SAME, record.rev)
            revised = replace(record.revised(digest(data)), agent=agent or record.agent)
            self._write(revised, DATA, data)
            return Put(Outcome.REVISED, revised.rev)

    def withdraw(self, id: str) -> bool:
        with self._changing(id) as record:
            if record is None or record.closed:
                return record is not None and record.closed == State.WITHDRAWN.value
            self._withdraw(record)
            return True

    def wait(self, id: str, timeout: float | None, stop: Stop | None = None) -> bytes | None:
        until = None if timeout is None else time.monotonic() + timeout
        with Notices([self.directory.path]) as notices:
            while True:
                result = self._final(id)
                left = None if until is None else until - time.monotonic()
                if result is not None or (left is not None and left <= 0) or (stop and stop.is_set()):
                    return result
                notices.next(left, stop)
                self.refresh()

    @contextmanager
    def waiting(self, id: str, until: float) -> Iterator[None]:
        with self._waiters.waiting(id, until):
            yield

    # ------------------------------------------------------------ for both

    def status(self, id: str) -> Listed | None:
        self._waiters.look()
        record = self._records.find(id)
        file = record.file if record and not record.closed else self.directory.file_called(id)
        modified = self.directory.modified(file) if file else None
        if file is None or modified is None:
            return self._listed(Waiting("", id), record) if record else None
        return self._listed(Waiting(file, id, modified), None if record and record.closed else record)

    def result(self, id: str) -> bytes | None:
        record = self._records.find(id)
        return self._answer_of(record) if record else self._beside(id)

    def read(self, id: str) -> Stored | None:
        with self._changing(id) as record:
            if record is None or record.closed or not exists(self.directory.opened, record.file):
                return None
            data = self.directory.read(record.file)
            return Stored(id, record.rev, digest(data), data)

    # ------------------------------------------------------------ for reviewers

    def list(self, *, claimed_too: bool = False) -> Sequence[Listed]:
        return [listed for _, listed in self.look() if claimed_too or listed.state is not State.CLAIMED]

    def watch(self, stop: Stop) -> Iterator[set[Hint]]:
        with Notices([self.directory.path]) as notices:
            yield set()
            while not stop.is_set():
                noticed = notices.next(None, stop)
                if noticed is not None:
                    yield {_hint(os.path.basename(path)) for path in noticed}

    def claim(self, id: str | None, lease: float = LEASE) -> Claim | None:
        if id is None:
            claims = (self.claim(one.id, lease) for one in self.list())
            return next((claim for claim in claims if claim), None)
        with self._changing(id) as record:
            now = time.time()
            if record is None or record.closed:
                return None
            if record.state(now) is State.CLAIMED and record.holder != self._holder:
                return None
            held_until = now + lease
            claimed = replace(record, token=record.token + 1, holder=self._holder, lease=lease, held_until=held_until)
            self._records.write(claimed)
            return Claim(id, claimed.rev, claimed.token, claimed.digest)

    def renew(self, id: str, token: int) -> bool:
        with self._changing(id) as record:
            if record is None or record.closed or record.token != token:
                return False
            self._records.write(replace(record, holder=self._holder, held_until=time.time() + record.lease))
            return True

    def answer(self, id: str, token: int, result: bytes, *, final: bool) -> Answered:
        with self._changing(id) as record:
            if record is None:
                return Answered.CLOSED
            repeated = (record.result, record.answered_with) == (digest(result), token)
            if record.closed:
                return Answered.OK if repeated else Answered.CLOSED
            if record.token != token:
                return Answered.STALE
            if final:
                self._close(record, State.FINAL, result)
            elif not repeated:
                said = replace(record, result=digest(result), answered_with=token, holder="", held_until=0.0)
                self._write(said, ANSWER, result)
            return Answered.OK

    def close(self) -> None:
        self.directory.close()

    # ------------------------------------------------------------ more than every store can, for a desk

    def look(self) -> Sequence[tuple[Waiting, Listed]]:
        """Everything open, with its file, in the order of arrival."""
        self._waiters.look()
        with self._records.listed():
            found = [(waiting, self._listed(waiting, self._open(waiting))) for waiting in self.directory.waiting()]
        return sorted(found, key=lambda one: one[1].arrived)

    def pick_up(self, waiting: Waiting) -> bytes | None:
        """Read it for review, None where it is gone. UnreadableProposal where it cannot be read."""
        record = self._records.glance(waiting.name)
        if record and record.closed:  # a name that was answered before: from here on it is a new proposal
            with self._changing(waiting.name):
                pass
        try:
            return self.directory.read(waiting.file)
        except UnreadableProposal as problem:
            if isinstance(problem.__cause__, FileNotFoundError):
                return None
            raise

    def forget_answer(self, id: str) -> None:
        """An answer that does not hold any more, or was somebody else's, must not be taken for this proposal's."""
        if self._beside(id) is None:
            return
        with self._changing(id) as record:
            if record and record.closed:
                return
            if record and record.result:
                self._records.write(replace(record, result="", answered_with=-1))
            self.directory.forget_answer(id)

    def is_whole(self, waiting: Waiting, digest: str) -> bool:
        """These are the bytes that somebody put, and not a part of them."""
        record = self._open(waiting)
        return record is not None and record.digest == digest

    def closed(self, id: str) -> bool:
        """Its last word is out, whatever lies under its name by now."""
        record = self._records.find(id)
        return record is not None and bool(record.closed)

    def origin(self, waiting: Waiting) -> str:
        return self.directory.origin(waiting.file)

    def recover(self) -> None:
        """Finish what a crash left, whoever died."""
        with self._locked():
            for record in [*self._records.unfinished()]:
                roll_forward(self.directory, self._records, record)

    def bring_back(self, id: str, file: str, data: bytes) -> None:
        """A proposal that is still under review although its file was taken away: so that it can be answered."""
        with self._changing(id) as record:
            if record is None:
                record = Record(id, file, digest(data), arrived=time.time())
            if not record.closed and record.digest == digest(data) and not exists(self.directory.opened, file):
                self._write(record, DATA, data)

    def take_away(self, id: str, file: str, digest: str) -> None:
        """Its file was deleted before anybody decided: that is a withdrawal."""
        with self._changing(id) as record:
            record = record or Record(id, file, digest, arrived=time.time())
            if not record.closed and not exists(self.directory.opened, record.file):
                self._withdraw(record)

    def refresh(self) -> bool:
        """Use the directory that is there now; False where there is none."""
        if self.directory.is_there():
            return True
        try:
            again = self._reopen()
        except WorkspaceError:
            return False
        self.directory.close()
        self._use(again)
        return True

    # ------------------------------------------------------------ how

    @contextmanager
    def _changing(self, id: str) -> Iterator[Record | None]:
        """The record as it is, with everything finished that it speaks of; others wait."""
        with self._locked():
            record = self._records.find(id)
            if record is not None:
                roll_forward(self.directory, self._records, record)
            yield self._up_to_date(id, record)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            with self._records.locked():
                yield
        except OSError as error:
            raise StoreDown(f"{self.directory.path}: {error.strerror}") from error

    def _up_to_date(self, id: str, record: Record | None) -> Record | None:
        """With what happened to the file since: dropped in, or replaced by other bytes."""
        file = record.file if record and not record.closed else self.directory.file_called(id)
        modified = self.directory.modified(file) if file else None
        if file is None or modified is None:
            return record
        now = digest(self.directory.read(file))
        if record is None:
            return Record(id, file, now, arrived=modified)
        if record.closed:  # a name that was answered before and comes again is a new proposal
            self.directory.forget_answer(id)
            return self._noted(Record(id, file, now, token=record.token + 1, arrived=modified))
        return record if record.digest == now else self._noted(record.revised(now))

    def _noted(self, record: Record) -> Record:
        self._records.write(record)
        return record

    def _write(self, record: Record, kind: str, data: bytes) -> None:
        """Bytes first, then the record that speaks of them, then into place."""
        self._records.shelf.write(key_of(record.id) + kind, data, temporary=_BEING_WRITTEN)
        self._records.write(record)
        roll_forward(self.directory, self._records, record)

    def _withdraw(self, record: Record) -> None:
        from engine.queue.withdrawn import withdrawn

        answer = withdrawn(record.id, record.digest, self._beside(record.id) if record.result else None)
        self._close(replace(record, token=record.token + 1), State.WITHDRAWN, answer)

    def _close(self, record: Record, state: State, answer: bytes) -> None:
        names = free_names(self.directory, record)
        closed = replace(
            record, closed=state.value, result=digest(answer), answered_with=record.token, done=names, holder=""
        )
        self._write(closed, ANSWER, answer)

    def _free_file(self, id: str, data: bytes) -> str:
        """A file for a new proposal; never one that somebody dropped in."""
        likely = ".json" if data.lstrip()[:1] in (b"{", b"[") else ".txt"
        for ending in (likely, *ENDINGS):
            if not exists(self.directory.opened, id + ending):
                return id + ending
        raise StoreDown(f"{id}: every file name that it could have is taken")

    def _open(self, waiting: Waiting) -> Record | None:
        record = self._records.glance(waiting.name)
        return None if record and record.closed else record

    def _listed(self, waiting: Waiting, record: Record | None) -> Listed:
        until = self._waiters.until(waiting.name)
        if record is None:
            return Listed(waiting.name, 1, "", waiting.modified, until, State.OPEN, waiting.version)
        state = record.state(time.time())
        return Listed(record.id, record.rev, record.agent, record.arrived, until, state, waiting.version)

    def _final(self, id: str) -> bytes | None:
        record = self._records.find(id)
        return self._answer_of(record) if record and record.closed else None

    def _answer_of(self, record: Record) -> bytes | None:
        """The newest answer, wherever it is on its way."""
        shelf, key = self._records.shelf, key_of(record.id)
        for found in (shelf.read(key + ANSWER), self._beside(record.id), self._kept(record)):
            if found is not None and digest(found) == record.result:
                return found
        return None

    def _beside(self, id: str) -> bytes | None:
        return self.directory.opened.read(id + RESULT)

    def _kept(self, record: Record) -> bytes | None:
        if not exists(self.directory.opened, DONE):
            return None
        with self.directory.opened.subdirectory(DONE) as done:
            return done.read(record.done[1])


def open_store(
    workspace: Workspace, path: str | None = None, *, create: bool = True, holder: str | None = None
) -> DirectoryStore:
    """The store at `path`, by default the workspace's own. WorkspaceError where there is none.

    `holder` is who claims: whoever has the same name goes on with the same claims after a crash.
    """
    directory = open_directory(workspace, path, create=create)
    return DirectoryStore(directory, lambda: open_directory(workspace, path, create=False), holder)


def _hint(file: str) -> Hint:
    if file.endswith(RESULT):
        return Hint("answer", file.removesuffix(RESULT))
    if file.startswith("."):
        return Hint("waiting", "")
    return Hint("proposal", os.path.splitext(file)[0])
