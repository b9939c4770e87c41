"""The desk: every proposal that waits for a person, what was decided so far, and the way to a verdict.

Synchronous, and without a terminal. One desk at a time decides in a workspace; a second one may look (`read_only`).
Opening a desk goes on exactly where the last one stopped, however it ended: decisions come from the journal, a verdict
that was cut off is answered, a finished proposal leaves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.disk import Disk, PrivateDirectory, open_state
from engine.errors import PathBlocked, UnreadableProposal, WorkspaceError
from engine.locks import ReviewerLock
from engine.queue.decisions import captured_proposals, sweep
from engine.queue.item import Counts, Item, Source
from engine.queue.placing import chosen_lines, placed_again
from engine.queue.rebase import rebased
from engine.queue.sending import NotCurrent, Sender
from engine.queue.touched import TouchedFiles
from engine.queue.verdicts import set_aside, settled_hunks
from engine.reading import proposal_name, read_proposal
from engine.result import Result
from engine.review import Place, Reopen
from engine.settle import Status
from engine.workspace import Workspace

if TYPE_CHECKING:
    from engine.planning.data import ReviewPlan
    from engine.policy import Policy
    from engine.queue.directory_store import DirectoryStore
    from engine.queue.following import Arrivals, Follower
    from engine.queue.store import Stop
    from engine.queue.watching import Noticed
    from engine.session import Progress
    from engine.transaction import Undone

_REVIEWS = "reviews"


class Desk:
    """What one person works on."""

    def __init__(self, workspace: Workspace, *, look_only: bool = False) -> None:
        self.workspace = workspace
        self.look_only = look_only
        """Somebody looks once and goes: nothing is written, and nothing is waited for."""
        self.items: list[Item] = []
        self.read_only: str | None = "only looking" if look_only else None
        self.store: DirectoryStore | None = None
        self.policies: Sequence[Policy] = ()
        """What the person never wants to see is decided as it is planned; off where there are none."""
        self._state: PrivateDirectory | None = None
        self.reviews: PrivateDirectory | None = None
        self._lock: ReviewerLock | None = None
        self.touched = TouchedFiles()
        """The files that open proposals are planned against."""
        self._follower: Follower | None = None
        self._on_desk: set[Item] = set()
        self._changed: set[Item] = set()
        self._counted: dict[Item, Counts] = {}
        self._total = Counts()
        self._open_state(create=not look_only)

    # ------------------------------------------------------------ opening and closing

    def _open_state(self, *, create: bool) -> None:
        try:
            self._state = open_state(self.workspace, disk=Disk(), create=create)
            if self._state is None:
                return
            if create:
                self._take_lock(self._state)
            if self.read_only is None or _REVIEWS in self._state.names():
                self.reviews = self._state.subdirectory(_REVIEWS)
            if self.reviews and self.read_only is None:
                sweep(self.reviews)
        except (OSError, WorkspaceError) as error:
            self.read_only = str(error)
        except BaseException:
            self.close()
            raise

    def _take_lock(self, state: PrivateDirectory) -> None:
        if ".gitignore" not in state.names():
            state.write(".gitignore", b"*\n")
        self._lock = ReviewerLock(state)
        if not self._lock.acquire():
            owner = self._lock.owner()
            self.read_only = f"in use by pid {owner.pid} on {owner.host}" if owner else "in use by somebody else"

    @property
    def is_held_by_another(self) -> bool:
        """Another reviewer decides, as long as they are there."""
        return self._lock is not None and not self._lock.held

    def take_over(self) -> bool:
        """Decide here from now on, if whoever did is gone; what they decided is shown once it is planned again."""
        if self._lock is None or self._state is None or self._lock.held or not self._lock.acquire():
            return False
        self.read_only = None
        self.reviews = self.reviews or self._state.subdirectory(_REVIEWS)
        sweep(self.reviews)
        if self.store:
            self.store.recover()
        for item in self.items:
            if not item.finished:
                item.take_over(self.reviews)
                self._sender.finish_cut_off(item)
                self._sender.answer_again(item)
        return True

    def close(self) -> None:
        """Let others decide. Closing twice is fine."""
        if self._lock is not None:
            self._lock.release()
        for opened in (self.reviews, self._state, self.store):
            if opened is not None:
                opened.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, sources: Iterable[Source], *, format: str | None = None) -> None:
        """Put proposals on the desk, with what was decided about them before."""
        there = {item.journal.key for item in self.items if not item.finished}
        for source in sources:
            item = self.make(source, format=format)
            if item.journal.key not in there:  # the same proposal twice is one review
                there.add(item.journal.key)
                self.admit(item)

    def make(self, source: Source, *, format: str | None = None) -> Item:
        """A proposal with what was decided about it before, not on the desk yet."""
        return Item(source, self.reviews, format=format, read_only=self.read_only, changed=self._note)

    def admit(self, item: Item) -> None:
        """On the desk; what a crash left of its verdict is finished first."""
        if not self.read_only:
            self._sender.void_unheard(item)
            self._sender.finish_cut_off(item)
            self._sender.answer_again(item)
            if item.finished:
                return
        self.items.append(item)
        self._on_desk.add(item)
        self._note(item)

    def _note(self, item: Item) -> None:
        """Something about an item changed."""
        if item in self._on_desk:
            self._changed.add(item)
            self.touched.update(item)

    # ------------------------------------------------------------ what happens meanwhile

    def watch(self, stop: Stop) -> Iterator[Noticed]:
        """Reasons to `look_again` or `replan`, as they come, until `stop` is set. For a thread of its own."""
        from engine.queue.watching import watch

        return watch(self, stop)

    @property
    def look_again_at(self) -> float | None:
        """When there is a reason to look again although nothing happens (monotonic)."""
        return self._follower.due if self._follower else None

    def follow(self, store: DirectoryStore) -> None:
        """Take in what waits there; from now on `look_again` tells what changes."""
        from engine.queue.following import Follower

        self.store = store
        self._follower = Follower(self, store)
        self._follower.take_in(captured_proposals(self.reviews) if self.reviews else ())

    def look_again(self) -> Arrivals:
        """What came into the proposal directory or left it since the last look; cheap when nothing did."""
        from engine.queue.following import Arrivals

        return self._follower.look() if self._follower else Arrivals([], [], [], [], [])

    @property
    def ignored(self) -> list[str]:
        """What lies among the proposals and is none (links, pipes, directories), with the reason."""
        return self.store.directory.ignored() if self.store else []

    def replan(self, paths: Iterable[str]) -> list[Item]:
        """After these files were written by somebody: the proposals whose plan is another one now."""
        outdated: dict[Item, None] = {}
        for path in paths:
            concerned = self.touched.items(path)
            if concerned:
                now = _content(self.workspace, path)
                outdated.update((item, None) for item in concerned if _planned_content(item.plan, path) != now)
        for item in outdated:
            self.plan(item)
        return list(outdated)

    @property
    def _sender(self) -> Sender:
        return Sender(self.workspace, self.store)

    # ------------------------------------------------------------ planning

    def plan(self, item: Item) -> None:
        """Read it if need be, and plan it against the files as they are; decisions on what looks the same are kept."""
        if item.finished:
            return
        item.load()
        if item.proposal is None:
            return
        item.keep_large()
        known = self._sender.earlier(item)
        settled = settled_hunks(known)
        from engine.planning import plan  # by now somebody looks at a screen already

        planned = plan(rebased(item.proposal, known), self.workspace)
        if known:
            planned = set_aside(planned, item.proposal, settled)
        item.adopt(planned, settled, lambda places: placed_again(planned, self.workspace, places, settled))
        if self.policies and not self.read_only:
            from engine.queue.by_policy import decide_by_policy

            if decide_by_policy(item, self.policies):
                self.send(item)

    def read_all(self) -> None:
        """Read every proposal; plan what somebody began to decide about, to know which decisions still hold."""
        for item in self.items:
            item.load()
            if item.plan is None and item.journal.entries:
                self.plan(item)

    def place(self, item: Item, hunk: int, first: int, last: int) -> None:
        """A person's choice of the lines for a hunk. HunkdeckError where it cannot go there."""
        from engine.planning.by_hand import placed

        if item.plan is None:
            raise WorkspaceError(f"{item.name}: not planned yet")
        placed(item.plan, self.workspace, hunk, first, last)
        item.act(Place(hunk, chosen_lines(item.plan.file_of[hunk], first, last)))
        self.plan(item)

    def _replan(self, paths: set[str], done: Item | None = None) -> None:
        """After these files were written: every other proposal that was planned against one of them."""
        for item in {item: None for path in paths for item in self.touched.items(path)}:
            if item is not done:
                self.plan(item)

    # ------------------------------------------------------------ verdicts

    def send(
        self,
        item: Item,
        *,
        allow_syntax_errors: bool = False,
        final: bool = False,
        progress: Progress | None = None,
    ) -> Result:
        """The verdict: apply what was decided and answer. What failed is open again, or (`final`) given up.

        Where the last verdict left failures open, `final` sends that verdict as it is: nothing more is applied.
        Other proposals on the same files are planned anew.
        """
        self._refuse_to_decide()
        if item.finished:
            raise WorkspaceError(f"{item.name}: its final verdict is out already")
        if item.revised_unseen:
            raise NotCurrent(f"{item.name}: revised meanwhile; nothing of it was applied")
        if self._sender.finish_cut_off(item) or item.plan is None:
            self.plan(item)
        said = self._sender.send(item, progress, allow_syntax_errors=allow_syntax_errors, final=final)
        if said.failures_open:
            item.act(Reopen(tuple(said.indexes(Status.FAILED))))
        self.plan(item)
        self._replan({name for file in said.files if file.changed for name in (file.path, file.new_path) if name}, item)
        assert item.result is not None
        return item.result

    def undo_last(self) -> Undone:
        """Take back the last apply; where its proposal is still here, its hunks can be decided again."""
        self._refuse_to_decide()
        from engine.transaction import undo

        done = undo(self.workspace)
        for item in self.items:
            if item.result and not item.finished:
                self._sender.answer_again(item)
                self.plan(item)
        self._replan(set(done.paths))
        return done

    def counts(self) -> Counts:
        """Over all proposals that are not finished; only what changed since is counted again."""
        while self._changed:
            item = self._changed.pop()
            before, now = self._counted.get(item, Counts()), item.counts()
            self._counted[item] = now
            self._total = Counts(*(total - a + b for total, a, b in zip(self._total, before, now, strict=True)))
        return self._total

    def _refuse_to_decide(self) -> None:
        if self.read_only:
            raise WorkspaceError(f"read-only: {self.read_only}")


# ---------------------------------------------------------------- ways to open one


def open_desk(
    workspace: Workspace,
    files: Sequence[str | os.PathLike[str]],
    *,
    format: str | None = None,
    look_only: bool = False,
) -> Desk:
    """`review FILE…`: answers are not written beside the files."""
    with _opening(Desk(workspace, look_only=look_only)) as desk:
        desk.add((_from_file(file) for file in files), format=format)
    return desk


def desk_of(
    workspace: Workspace,
    payloads: Sequence[tuple[str, bytes]],
    *,
    format: str | None = None,
    look_only: bool = False,
) -> Desk:
    """Proposals in memory, each with its name: standard input, tests."""
    with _opening(Desk(workspace, look_only=look_only)) as desk:
        desk.add((Source(name, data) for name, data in payloads), format=format)
    return desk


def open_queue(
    workspace: Workspace,
    directory: str | None = None,
    *,
    look_only: bool = False,
    policies: Sequence[Policy] = (),
) -> Desk:
    """`watch [DIR]`: a proposal directory, by default the workspace's own. WorkspaceError where there is none."""
    from engine.queue.directory_store import open_store

    with _opening(Desk(workspace, look_only=look_only)) as desk:
        desk.policies = policies
        try:
            holder = f"the reviewer of {workspace.root}"  # the reviewer's lock lets only one be
            desk.store = open_store(workspace, directory, create=not look_only, holder=holder)
        except WorkspaceError:
            if directory is None and look_only:
                return desk  # nobody has put anything there yet
            raise
        if not desk.read_only:
            desk.store.recover()
        desk.follow(desk.store)
    return desk


@contextmanager
def _opening(desk: Desk) -> Iterator[Desk]:
    """A desk that could not be filled must not keep others from deciding."""
    try:
        yield desk
    except BaseException:
        desk.close()
        raise


def _from_file(file: str | os.PathLike[str]) -> Source:
    name, origin = proposal_name(file), os.path.realpath(file)
    try:
        return Source(name, read_proposal(file), origin)
    except UnreadableProposal as problem:
        return Source(name, b"", origin, str(problem))


def _content(workspace: Workspace, path: str) -> str | None:
    """What the file hashes to; None where it is missing, or not to be looked at."""
    try:
        found = workspace.read(path)
    except PathBlocked:
        return None
    return found.sha256 if found else None


def _planned_content(plan: ReviewPlan | None, path: str) -> str | None:
    """What it hashed to when it was planned."""
    file = next((file for file in plan.files if file.path == path), None) if plan else None
    return file.before.sha256 if file and file.before else None


__all__ = ["Counts", "Desk", "Item", "Source", "desk_of", "open_desk", "open_queue"]
