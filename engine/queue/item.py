"""One proposal on the desk: what was sent, where it would go, what was decided, what was answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.disk import PrivateDirectory
from engine.errors import UnreadableProposal, WorkspaceError
from engine.model import Mode, Proposal
from engine.planning.data import Fit, ReviewPlan
from engine.queue.decisions import Decided, DecisionJournal, Entry, Expanded, Opened
from engine.queue.expansion import expanded_again, expansion
from engine.queue.fingerprints import Fingerprints
from engine.queue.intents import spelled_out
from engine.queue.packed import SMALLEST, Packed
from engine.queue.replay import bound, replay
from engine.queue.revision import Revision, compare
from engine.reading import digest, load
from engine.review import Intent, Lines, ReviewState, Verdict, reduce

if TYPE_CHECKING:
    from engine.queue.directory import Waiting
    from engine.queue.store import Listed
    from engine.result import Result
    from engine.settle import Settlement


class Counts(NamedTuple):
    """How far the review is. What needs no decision is among the hunks, but not open."""

    proposals: int = 0
    hunks: int = 0
    accepted: int = 0
    rejected: int = 0
    open: int = 0


class Source(NamedTuple):
    """A proposal's bytes and where they came from."""

    name: str
    kept: bytes | Packed
    origin: str = ""
    problem: str | None = None
    """Why there are no bytes."""
    waiting: Waiting | None = None
    """Its file in the proposal directory."""
    gone: bool = False
    """The file is no longer there: these are the bytes that were captured with the first decision."""

    @property
    def data(self) -> bytes:
        return self.kept.unpack() if isinstance(self.kept, Packed) else self.kept

    def packed(self) -> Source:
        """The same, held small."""
        small = isinstance(self.kept, Packed) or len(self.kept) < SMALLEST
        return self if small else self._replace(kept=Packed(self.data))


class Item:
    """One proposal, made without reading it: `load` does that, and planning asks for it.

    `act` may be called while another thread plans; nothing else is shared.
    """

    def __init__(
        self,
        source: Source,
        reviews: PrivateDirectory | None,
        *,
        format: str | None,
        read_only: str | None,
        changed: Callable[[Item], None],
    ) -> None:
        self.source = source
        self.name = source.name
        self.origin = source.origin
        self.digest = digest(source.data)
        self.journal = DecisionJournal(reviews, Opened(self.name, self.origin, self.digest))
        self.glimpse: Proposal | None = None
        """Its first hunks, for looking at while all of it is being read."""
        self.proposal: Proposal | None = None
        self.error: str | None = source.problem
        self.plan: ReviewPlan | None = None
        self.state = ReviewState()
        self.result: Result | None = None
        self.finished = False
        self.submitted_by = ""
        """Who put it into the store; empty where nobody said."""
        self.arrived = 0.0
        """Seconds since the epoch; 0 where nobody knows."""
        self.waits_until: float | None = None
        """Somebody waits for the answer until then."""
        self.revision: Revision | None = None
        """What changed since the version that was shown before; None until a revision is planned."""
        self.brought_back = False
        """Its agent took the file away; it was put there again to be answered."""
        self._shown_before: ReviewPlan | None = None
        self._versions = 1
        self._format = format
        self._read_only = read_only
        self._prints: Fingerprints | None = None
        self._expansion: tuple[int | dict[str, Any], ...] = ()
        self._skipped: frozenset[int] = frozenset()
        self._changed = changed
        self._lock = RLock()

    def peek(self) -> None:
        """Take a glimpse of the proposal: a few milliseconds, however large it is."""
        if self.glimpse is None and self.proposal is None and self.error is None:
            from engine.formats.glimpse import glimpse

            self.glimpse = glimpse(self.source.data, format=self._format)

    def load(self) -> None:
        """Read the proposal, once; `error` says why it cannot be read."""
        if self.proposal is not None or self.error is not None:
            return
        try:
            proposal = load(self.source.data, name=self.name, format=self._format)
        except UnreadableProposal as problem:
            self.error = str(problem)
            return
        for entry in self.journal.current:
            if isinstance(entry, Expanded):
                proposal = expanded_again(proposal, entry.hunks)
        self.proposal, self.glimpse = proposal, None
        self.source = self.source.packed()
        self._changed(self)

    @property
    def unreadable(self) -> bool:
        """It was read, or at least tried, and there is nothing to decide about."""
        return self.proposal is None and self.error is not None

    @property
    def agent(self) -> str:
        """Who sent it, as far as anybody said; untrusted."""
        return self.submitted_by or (self.proposal and self.proposal.agent.name) or ""

    @property
    def begun(self) -> bool:
        """Somebody has decided something about it."""
        return bool(self.state.decisions) or any(isinstance(entry, Decided) for entry in self.journal.current)

    @property
    def revised_unseen(self) -> bool:
        """Other bytes came, and nobody was shown them yet."""
        return self._shown_before is not None and self.plan is None

    @property
    def source_gone(self) -> bool:
        """Whoever sent it has taken its file away; what was shown is still under review."""
        return self.source.gone

    @property
    def mode(self) -> Mode:
        return (self.proposal and self.proposal.mode) or Mode.ROLLBACK

    def act(self, intent: Intent, *, shown: ReviewPlan | None = None) -> ReviewState:
        """Decide: the new state, durable before this returns. WorkspaceError where it cannot be recorded.

        Where the person says which plan they were `shown`, nothing is decided about another one.
        """
        with self._lock:
            plan, prints = self.plan, self._prints
            if shown is not None and shown is not plan:
                raise WorkspaceError(f"{self.name} has just changed: look at it again")
            if plan is None or prints is None or self.finished:
                raise WorkspaceError(f"{self.name}: there is nothing to decide")
            step = spelled_out(plan, self.state, intent)
            after = reduce(plan, self.state, step)
            if after is not self.state:
                self.record(bound(plan, prints, step))
                self.state = after
                self._changed(self)
            return self.state

    @property
    def decided_now(self) -> tuple[ReviewPlan | None, ReviewState]:
        """The plan, and the decisions that belong to it."""
        with self._lock:
            return self.plan, self.state

    def take_over(self, reviews: PrivateDirectory) -> None:
        """Somebody else decided so far: go on with what they wrote down. The next plan shows it."""
        with self._lock:
            self._read_only = None
            self.journal = DecisionJournal(reviews, Opened(self.name, self.origin, self.digest))
            if self.journal.entries:
                self.plan, self._prints = None, None
        self._changed(self)

    def record(self, entry: Entry) -> None:
        """Into the journal, durably."""
        if self._read_only:
            raise WorkspaceError(f"read-only: {self._read_only}")
        if self._expansion:
            self.journal.append(Expanded(self._expansion), self._bytes)
            self._expansion = ()
        self.journal.append(entry, self._bytes)

    def _bytes(self) -> bytes:
        return self.source.data

    def keep_large(self) -> None:
        """Write a large proposal down now: no key shall wait for that."""
        if isinstance(self.source.kept, Packed) and not self._read_only:
            self.journal.keep(self.source.data)

    def preview(self, *, allow_syntax_errors: bool = False) -> Settlement:
        """What applying the decisions would do now."""
        if self.plan is None:
            raise WorkspaceError(f"{self.name}: not planned yet")
        from engine.settle import settle

        return settle(self.plan, self.state, self.mode, allow_syntax_errors=allow_syntax_errors)

    def adopt(
        self,
        plan: ReviewPlan,
        settled: Collection[int],
        placed: Callable[[Mapping[int, Lines]], ReviewPlan] | None = None,
    ) -> None:
        """Take a new plan, with the decisions that still hold under it, and hunks where a person put them."""
        prints = Fingerprints.of_plan(plan)
        with self._lock:
            state = replay(plan, prints, self.journal.entries, frozenset(settled))
            if state.places and placed is not None:
                plan = placed(state.places)
                prints = Fingerprints.of_plan(plan)
                state = replay(plan, prints, self.journal.entries, frozenset(settled))
            self.state = state
            if self.proposal is not None:
                self._expansion = expansion(self.proposal, plan.proposal) or self._expansion
            self.plan, self.proposal, self._prints = plan, plan.proposal, prints
            if self._shown_before is not None:
                self.revision = compare(self._shown_before, plan, self._versions)
            self._skipped = frozenset(hunk.index for hunk in plan.hunks if hunk.fit is Fit.SKIPPED)
            self._changed(self)

    def told(self, listed: Listed) -> bool:
        """Take over what the store says about it; True where that is new."""
        before = self.submitted_by, self.waits_until
        self.submitted_by, self.arrived, self.waits_until = listed.agent, listed.arrived, listed.waits_until
        return before != (self.submitted_by, self.waits_until)

    def revise(self, newer: Item) -> None:
        """Other bytes under the same name. Decisions are kept where hunk and shown text are the same, once planned."""
        with self._lock:
            if self.plan is not None:
                self._shown_before = self.plan
                self._versions += 1
            self.revision = None
            self.source, self.digest, self.journal = newer.source, newer.digest, newer.journal
            self.proposal, self.glimpse, self.error = newer.proposal, newer.glimpse, newer.error
            self.plan, self._prints, self._expansion, self._skipped = None, None, (), frozenset()
            self.state, self.brought_back = ReviewState(), False
            if self.journal.entries and not self._read_only:
                self.journal.begin(self._bytes)
        self._changed(self)

    def leave(self, result: bytes | None) -> None:
        """Off the desk without a verdict of ours: withdrawn, or answered by somebody else."""
        from engine.queue.remembered import from_dict

        with suppress(ValueError, KeyError, TypeError):
            self.result = from_dict(json.loads(result or b""), failures_open=False)
        self.finish()

    def finish(self) -> None:
        """The final verdict is out."""
        self.finished = True
        if not self._read_only:
            self.journal.discard()
        self._changed(self)

    def counts(self) -> Counts:
        """Its share of what the desk counts; before it is read, nobody knows its hunks."""
        if self.finished:
            return Counts()
        if self.plan is None:
            hunks = len(self.proposal.hunks) if self.proposal else 0
            return Counts(1, hunks, open=hunks)
        decisions = self.state.decisions
        accepted = sum(decision.verdict is Verdict.ACCEPT for decision in decisions.values())
        idle = len(self._skipped - decisions.keys())
        hunks = len(self.plan.hunks)
        return Counts(1, hunks, accepted, len(decisions) - accepted, hunks - len(decisions) - idle)
