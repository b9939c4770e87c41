"""Propose, decide, edit underneath, apply, kill, recover, undo, in any order, against a plain dict.

The whole way through the desk, with its journals and answers; `test_transaction_model.py` does the same below it, on
file systems that can do less.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.disk import Disk
from engine.errors import UndoRefused
from engine.queue.desk import Item, open_queue
from engine.review import Accept, Reject
from engine.settle import Status
from engine.transaction import history, recover
from engine.workspace import Workspace
from tests.faults.harness import Killed, dying_disk, tree
from tests.faults.proposed import ROWS, Asked, Expected, Files, Proposed, Rows, content

PATHS = ["a.txt", "b/c.txt"]
values = st.integers(0, 2)
steps = st.integers(1, 2)
places = st.tuples(st.sampled_from(PATHS), st.integers(0, ROWS - 1))
said = st.sampled_from(["accept", "accept", "reject", None])
Hunks = dict[tuple[str, int], tuple[int | None, int]]
believed = st.sampled_from([None, None, None, 0, 1, 2])
"""What the agent thinks that stands there; None: what does."""
sets_of_hunks = st.dictionaries(places, st.tuples(believed, steps), min_size=2, max_size=4)
contents = st.none() | st.tuples(*[values] * ROWS)


class Model(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(Disk, "flush", lambda disk, fd: None)
        self.root = Path(tempfile.mkdtemp(prefix="hunkdeck-model-"))
        self.workspace = Workspace(self.root)
        self.files: Files = {}
        self.open: dict[str, Proposed] = {}
        self.count = 0
        self.done: list[tuple[Expected, Files]] = []
        """Each transaction that can be taken back, with the files before it."""
        for path in PATHS:
            self.write(path, (0,) * ROWS)
        self.desk = open_queue(self.workspace)

    def teardown(self) -> None:
        self.desk.close()
        self.workspace.close()
        shutil.rmtree(self.root)
        self.patch.undo()

    # ------------------------------------------------------------ steps

    @rule(hunks=sets_of_hunks, atomic=st.booleans())
    def propose(self, hunks: Hunks, atomic: bool) -> None:
        """Hunks for the files as they are, or for what the agent believes that they are."""
        asked = []
        for (path, row), (believed, step) in hunks.items():
            old = self.files.get(path, (0,) * ROWS)[row] if believed is None else believed
            asked.append(Asked(path, row, old, (old + step) % 3))
        self.count += 1
        proposed = Proposed(f"p{self.count}", asked, atomic)
        assert self.desk.store is not None
        self.desk.store.put(proposed.name, proposed.payload(), "model")
        (item,) = self.desk.look_again().new
        self.open[proposed.name] = proposed
        self.desk.plan(item)
        self.look_at_plans()

    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        self.decide_more(data)

    def decide_more(self, data: st.DataObject) -> Proposed:
        """Yes to some hunks and no to others; what was said before may change."""
        proposed = self.one_of(data)
        there = proposed.can_be_decided()
        drawn = {n: data.draw(said, label=f"about hunk {n}") for n in there}
        said_now = {n: word for n, word in drawn.items() if word is not None}
        item = self.item(proposed)
        item.act(Accept(tuple(n for n, word in said_now.items() if word == "accept")))
        item.act(Reject(tuple(n for n, word in said_now.items() if word == "reject")))
        for n, word in said_now.items():
            proposed.say(n, word)
        return proposed

    @rule(path=st.sampled_from(PATHS), rows=contents)
    def edit(self, path: str, rows: Rows | None) -> None:
        """Nobody notices: what was shown is outdated."""
        self.write(path, rows)

    @rule()
    def notice(self) -> None:
        self.desk.replan(PATHS)
        self.look_at_plans()

    @rule(data=st.data())
    def apply(self, data: st.DataObject) -> None:
        proposed = self.one_of(data) if data.draw(st.booleans(), label="as it is") else self.decide_more(data)
        item, expected = self.item(proposed), proposed.verdict(self.files)
        result = self.desk.send(item)
        failed = set(result.indexes(Status.FAILED))
        assert expected.allows(failed)
        for n in failed:
            proposed.say(n, None)
        self.happened(expected)
        assert set(result.indexes(Status.APPLIED)) == proposed.applied
        self.look_at_plans()

    @rule(data=st.data(), at=st.integers(1, 70), again=st.integers(1, 20), path=st.sampled_from(PATHS), rows=contents)
    def kill(self, data: st.DataObject, at: int, again: int, path: str, rows: Rows | None) -> None:
        """While a verdict is applied, and once more while that is repaired; somebody edits in between."""
        proposed = self.one_of(data) if data.draw(st.booleans(), label="as it is") else self.decide_more(data)
        item, expected = self.item(proposed), proposed.verdict(self.files)
        count = len(history(self.workspace))
        with suppress(Killed), dying_disk(self.patch, at):
            self.desk.send(item)
        edited = data.draw(st.booleans(), label="edited")
        if edited:
            self.write_file(path, rows)
        with suppress(Killed), dying_disk(self.patch, again):
            recover(self.workspace)
        self.start_again()
        for n in expected.failing:
            proposed.decided.pop(n)  # open again already, or not yet
        if len(history(self.workspace)) > count:
            self.happened(expected)
        if edited:
            self.remember(path, rows)
        self.look_at_plans()

    @rule()
    def leave_and_come_back(self) -> None:
        self.start_again()
        self.look_at_plans()

    @rule()
    def undo(self) -> None:
        last = self.done[-1:]
        possible = [one for one, _ in last if all(self.files.get(path) == one.files[path] for path in one.paths)]
        try:
            self.desk.undo_last()
        except UndoRefused:
            assert not possible
            return
        assert possible
        undone, before = self.done.pop()
        undone.proposed.applied -= undone.applied
        self.files |= {path: before[path] for path in undone.paths}
        self.look_at_plans()

    # ------------------------------------------------------------ what must hold

    @invariant()
    def the_disk_is_what_the_model_says(self) -> None:
        found = {path: data for path, (data, _) in tree(self.root).items() if not path.endswith("/")}
        assert found == {path: content(path, rows) for path, rows in self.files.items()}
        assert list((self.root / ".hunkdeck").glob("journal*")) == []

    def look_at_plans(self) -> None:
        """Every open proposal is on the desk; what was decided about what still looks the same holds."""
        items = {item.name: item for item in self.desk.items if not item.finished}
        for name in self.open.keys() - items.keys():
            proposed = self.open.pop(name)
            assert not [n for n in proposed.can_be_decided() if not proposed.said[n]], "finished before all was said"
            answer = json.loads((self.root / ".hunkdeck" / "queue" / f"{name}.result.json").read_bytes())
            assert set(answer["applied"]) == proposed.applied
        assert items.keys() == self.open.keys()
        for name, proposed in self.open.items():
            if items[name].plan is not proposed.plan:
                self.look_at_plan(items[name], proposed)

    def look_at_plan(self, item: Item, proposed: Proposed) -> None:
        assert set(item.result.indexes(Status.APPLIED) if item.result else ()) == proposed.applied
        now = {n: decision.verdict.value for n, decision in item.state.decisions.items()}
        for n, word in now.items():
            assert word in proposed.words(n, self.files)
        for n in proposed.decided.keys() - proposed.applied:
            path = proposed.hunks[n].path
            assert n in now or self.files.get(path) != proposed.seen.get(path)
        proposed.plan, proposed.seen, proposed.decided = item.plan, dict(self.files), now

    # ------------------------------------------------------------ the model

    def one_of(self, data: st.DataObject) -> Proposed:
        """Any open proposal; a new one where there is none."""
        if not self.open:
            self.propose(data.draw(sets_of_hunks), data.draw(st.booleans()))
        return self.open[data.draw(st.sampled_from(sorted(self.open)))]

    def item(self, proposed: Proposed) -> Item:
        return next(item for item in self.desk.items if item.name == proposed.name)

    def happened(self, expected: Expected) -> None:
        if expected.applied:
            expected.proposed.applied |= expected.applied
            self.done.append((expected, self.files))
            self.files = dict(expected.files)

    def start_again(self) -> None:
        self.desk.close()
        recover(self.workspace)
        self.desk = open_queue(self.workspace)
        for item in self.desk.items:
            self.desk.plan(item)

    def write(self, path: str, rows: Rows | None) -> None:
        self.write_file(path, rows)
        self.remember(path, rows)

    def write_file(self, path: str, rows: Rows | None) -> None:
        file = self.root / path
        if rows is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content(path, rows))

    def remember(self, path: str, rows: Rows | None) -> None:
        self.files = {name: old for name, old in self.files.items() if name != path}
        if rows is not None:
            self.files[path] = rows


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=100, stateful_step_count=25, deadline=None)
