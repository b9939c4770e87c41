"""The contract of a store, whoever implements it: written against the interface alone."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.errors import UnreadableProposal, UnusableId
from engine.queue.directory_store import open_store
from engine.queue.store import Answered, Hint, Outcome, Put, State, Store
from engine.session import digest
from engine.workspace import Workspace

Opener = Callable[[], Store]
"""Another connection to the same store."""


@pytest.fixture(params=["directory"])
def another(request: pytest.FixtureRequest, workspace: Workspace) -> Iterator[Opener]:
    """Every store that there is comes in here."""
    opened: list[Store] = []

    def connect() -> Store:
        opened.append(open_store(workspace))
        return opened[-1]

    yield connect
    for store in opened:
        store.close()


@pytest.fixture
def store(another: Opener) -> Store:
    return another()


def final(text: str = "done") -> bytes:
    return json.dumps({"final": True, "message": text}).encode()


NOT_YET = json.dumps({"final": False}).encode()


def test_put_is_new_once_and_the_same_afterwards(store: Store, another: Opener) -> None:
    assert store.put("p", b"{}", "anna") == Put(Outcome.NEW, 1)
    assert another().put("p", b"{}", "anna") == Put(Outcome.SAME, 1)
    (listed,) = another().list()
    assert (listed.id, listed.rev, listed.agent, listed.state) == ("p", 1, "anna", State.OPEN)
    assert abs(listed.arrived - time.time()) < 60
    stored = another().read("p")
    assert stored is not None
    assert (stored.data, stored.digest, stored.rev) == (b"{}", digest(b"{}"), 1)


def test_the_order_is_that_of_arrival_and_a_revision_keeps_its_place(store: Store) -> None:
    for name in ("c", "a", "b"):
        store.put(name, b"{}", "")
    assert store.put("c", b"[]", "") == Put(Outcome.REVISED, 2)
    assert [(one.id, one.rev) for one in store.list()] == [("c", 2), ("a", 1), ("b", 1)]


def test_another_content_gives_another_version(store: Store) -> None:
    store.put("p", b"{}", "")
    (before,) = store.list()
    assert store.list()[0].version == before.version
    store.put("p", b"[1]", "")
    assert store.list()[0].version != before.version


def test_nothing_is_known_about_an_id_that_was_never_put(store: Store) -> None:
    assert (store.read("x"), store.status("x"), store.result("x"), store.claim("x")) == (None, None, None, None)
    assert (store.withdraw("x"), store.renew("x", 0)) == (False, False)
    assert store.answer("x", 0, final(), final=True) is Answered.CLOSED
    assert (store.claim(None), store.list()) == (None, [])
    assert store.wait("x", 0) is None


@pytest.mark.parametrize("id", ["", "a" * 129, "a/b", "../x", "a b", "é", ".hidden", "a\0", "x.result"])
def test_an_id_that_is_none(store: Store, id: str) -> None:
    with pytest.raises(UnusableId):
        store.put(id, b"{}", "")
    assert store.list() == []


@pytest.mark.parametrize("id", ["a", "a" * 128, "A-b_c.1", "x.json", "done", "p.2", "-rf", "x.tmp", "result"])
def test_an_id_that_is_one(store: Store, id: str) -> None:
    assert store.put(id, b"{}", "").outcome is Outcome.NEW
    assert [one.id for one in store.list()] == [id]
    claim = store.claim(id)
    assert claim is not None
    assert store.answer(id, claim.token, final(), final=True) is Answered.OK
    assert (store.wait(id, 0), store.list()) == (final(), [])


def test_a_proposal_has_at_most_twenty_million_bytes(store: Store) -> None:
    assert store.put("most", b" " * 20_000_000, "").outcome is Outcome.NEW
    stored = store.read("most")
    assert stored is not None
    assert len(stored.data) == 20_000_000
    with pytest.raises(UnreadableProposal, match="larger than"):
        store.put("more", b" " * 20_000_001, "")
    assert [one.id for one in store.list()] == ["most"]


def test_one_holder_at_a_time(store: Store, another: Opener) -> None:
    store.put("p", b"{}", "")
    claim = store.claim("p", 1000)
    assert claim is not None
    assert (claim.id, claim.rev, claim.digest) == ("p", 1, digest(b"{}"))
    assert (another().claim("p"), another().claim(None), another().list()) == (None, None, [])
    assert [one.state for one in another().list(claimed_too=True)] == [State.CLAIMED]


def test_the_next_claim_is_the_oldest_open_one(store: Store, another: Opener) -> None:
    for name in ("a", "b", "c"):
        store.put(name, b"{}", "")
    taken = [claim and claim.id for claim in (store.claim(None), another().claim(None), another().claim(None))]
    assert taken == ["a", "b", "c"]
    assert another().claim(None) is None


def test_a_lease_that_ran_out_lets_others_claim_and_the_old_token_dies(store: Store, another: Opener) -> None:
    store.put("p", b"{}", "")
    first = store.claim("p", 0)
    assert first is not None
    assert [one.id for one in store.list()] == ["p"]
    second = another().claim("p")
    assert second is not None
    assert second.token > first.token
    assert store.answer("p", first.token, final("late"), final=True) is Answered.STALE
    assert (store.renew("p", first.token), store.result("p")) == (False, None)
    assert store.answer("p", second.token, final(), final=True) is Answered.OK


def test_a_lease_that_ran_out_may_still_answer_if_nobody_claimed_since(store: Store) -> None:
    store.put("p", b"{}", "")
    claim = store.claim("p", 0)
    assert claim is not None
    assert store.answer("p", claim.token, final(), final=True) is Answered.OK


def test_renewing_keeps_others_out(store: Store, another: Opener) -> None:
    store.put("p", b"{}", "")
    claim = store.claim("p", 1.5)
    assert claim is not None
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        assert store.renew("p", claim.token)
        assert another().claim("p") is None


def test_a_revision_voids_the_claim(store: Store) -> None:
    store.put("p", b"{}", "")
    claim = store.claim("p", 1000)
    assert claim is not None
    assert store.put("p", b"[]", "") == Put(Outcome.REVISED, 2)
    assert store.answer("p", claim.token, final(), final=True) is Answered.STALE
    assert not store.renew("p", claim.token)
    again = store.claim("p")
    assert again is not None
    assert (again.rev, again.digest, again.token > claim.token) == (2, digest(b"[]"), True)


def test_the_first_final_answer_is_the_only_one(store: Store, another: Opener) -> None:
    store.put("p", b"{}", "")
    claim = store.claim("p")
    assert claim is not None
    assert store.answer("p", claim.token, NOT_YET, final=False) is Answered.OK
    assert store.answer("p", claim.token, NOT_YET, final=False) is Answered.OK
    assert (store.result("p"), store.wait("p", 0)) == (NOT_YET, None)
    assert [one.state for one in store.list()] == [State.ANSWERED]
    assert store.answer("p", claim.token, final(), final=True) is Answered.OK
    assert another().answer("p", claim.token, final(), final=True) is Answered.OK
    assert another().answer("p", claim.token, final("other"), final=True) is Answered.CLOSED
    assert another().answer("p", claim.token + 1, final(), final=True) is Answered.CLOSED
    assert another().answer("p", claim.token, NOT_YET, final=False) is Answered.CLOSED
    assert (another().result("p"), another().wait("p", 0)) == (final(), final())
    status = another().status("p")
    assert status is not None
    assert (status.state, store.list(), store.claim("p"), store.read("p")) == (State.FINAL, [], None, None)


def test_a_closed_id_is_never_used_again(store: Store) -> None:
    for name, end in (("a", "answer"), ("b", "withdraw")):
        store.put(name, b"{}", "")
        claim = store.claim(name)
        assert claim is not None
        if end == "answer":
            store.answer(name, claim.token, final(), final=True)
        else:
            store.withdraw(name)
        assert store.put(name, b"{}", "").outcome is Outcome.CLOSED
        assert store.put(name, b"[]", "").outcome is Outcome.CLOSED
    assert store.list() == []


def test_withdrawing_closes_with_a_result_of_its_own(store: Store) -> None:
    store.put("p", b"{}", "")
    claim = store.claim("p")
    assert claim is not None
    assert store.withdraw("p")
    assert store.withdraw("p")
    assert store.answer("p", claim.token, final(), final=True) is Answered.CLOSED
    said = json.loads(store.wait("p", 0) or b"")
    assert (said["final"], said["code"], said["proposal"]) == (True, "withdrawn", "p")
    status = store.status("p")
    assert status is not None
    assert (status.state, store.list()) == (State.WITHDRAWN, [])


def test_what_is_final_cannot_be_withdrawn(store: Store) -> None:
    store.put("p", b"{}", "")
    claim = store.claim("p")
    assert claim is not None
    store.answer("p", claim.token, final(), final=True)
    assert not store.withdraw("p")
    assert store.result("p") == final()


def test_wait_ends_with_the_final_result_and_not_before(store: Store, another: Opener) -> None:
    store.put("p", b"{}", "")
    got: list[bytes | None] = []
    waiter = another()
    thread = threading.Thread(target=lambda: got.append(waiter.wait("p", 30)))
    thread.start()
    claim = store.claim("p")
    assert claim is not None
    store.answer("p", claim.token, NOT_YET, final=False)
    store.answer("p", claim.token, final(), final=True)
    thread.join()
    assert got == [final()]


def test_wait_gives_up_in_time_and_when_it_is_told_to(store: Store) -> None:
    store.put("p", b"{}", "")
    started = time.monotonic()
    assert store.wait("p", 0.2) is None
    assert 0.2 <= time.monotonic() - started < 5
    stop = threading.Event()
    stop.set()
    assert store.wait("p", None, stop) is None


def test_somebody_waits(store: Store, another: Opener) -> None:
    store.put("p", b"{}", "")
    until, later = time.time() + 100, time.time() + 200
    with another().waiting("p", until):
        with another().waiting("p", later):
            assert [one.waits_until for one in store.list()] == [later]
        status = store.status("p")
        assert status is not None
        assert status.waits_until == until
    assert [one.waits_until for one in store.list()] == [None]


def test_watching_tells_what_is_put_answered_and_withdrawn(store: Store, another: Opener) -> None:
    stop, seen = threading.Event(), set[Hint]()
    changed = threading.Condition()

    def watch(watcher: Store) -> None:
        for hints in watcher.watch(stop):
            with changed:
                seen.update(hints or {Hint("ready", "")})
                changed.notify()

    def wait_for(hint: Hint) -> None:
        with changed:
            assert changed.wait_for(lambda: hint in seen, 30), (hint, seen)

    thread = threading.Thread(target=watch, args=(another(),))
    thread.start()
    wait_for(Hint("ready", ""))
    store.put("a", b"{}", "")
    wait_for(Hint("proposal", "a"))
    claim = store.claim("a")
    assert claim is not None
    store.answer("a", claim.token, final(), final=True)
    wait_for(Hint("answer", "a"))
    store.put("b", b"{}", "")
    store.withdraw("b")
    wait_for(Hint("answer", "b"))
    stop.set()
    thread.join()


def test_many_agents_put_at_once_and_each_is_answered_once(another: Opener) -> None:
    agents, each = 4, 12
    stores = [another() for _ in range(agents)]
    reviewers = [another(), another()]
    results: dict[str, list[bytes | None]] = {}
    stop = threading.Event()

    def agent(number: int) -> None:
        for n in range(each):
            name = f"a{number}-{n}"
            stores[number].put(name, b"{}", str(number))
            results.setdefault(name, []).append(stores[number].wait(name, 60))

    def reviewer(number: int) -> None:
        while not stop.is_set():
            claim = reviewers[number].claim(None, 60)
            if claim:
                reviewers[number].answer(claim.id, claim.token, final(f"{claim.id} by {number}"), final=True)

    deciding = [threading.Thread(target=reviewer, args=(number,)) for number in range(len(reviewers))]
    working = [threading.Thread(target=agent, args=(number,)) for number in range(agents)]
    for thread in (*deciding, *working):
        thread.start()
    for thread in working:
        thread.join()
    stop.set()
    for thread in deciding:
        thread.join()
    assert len(results) == agents * each
    for name, got in results.items():
        assert got in ([final(f"{name} by 0")], [final(f"{name} by 1")])


def test_a_lost_reply_costs_nothing(store: Store, another: Opener, tmp_path: Path) -> None:
    """Each operation twice: as if the first reply had never come."""
    for one in (store, another()):
        assert one.put("p", b"{}", "anna").rev == 1
    for one in (store, another()):
        claim = one.claim("p", 0)
    assert claim is not None
    assert [one.renew("p", claim.token) for one in (store, another())] == [True, True]
    assert {one.answer("p", claim.token, final(), final=True) for one in (store, another())} == {Answered.OK}
    store.put("q", b"{}", "")
    assert [one.withdraw("q") for one in (store, another())] == [True, True]
