"""Apply, edit underneath, kill, recover, undo, in any order, against a plain dict."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.errors import UndoRefused
from engine.transaction import Change, commit, history, recover, undo
from engine.workspace import Workspace
from tests.faults.harness import Features, Killed, KillingDisk, QuietDisk, digest

EDITED = b"edited while it was down\n"
PATHS = ["a.py", "b/c.py", "d/e/f.py"]
Files = dict[str, bytes]
contents = st.sampled_from([b"", b"one\n", b"two\n", b"three\n" * 200])
sets_of_changes = st.dictionaries(st.sampled_from(PATHS), st.none() | contents, min_size=1)
features = st.sampled_from([Features(), Features(exchange=False), Features(exchange=False, links=False)])


@dataclass
class Transaction:
    before: dict[str, bytes | None]
    after: dict[str, bytes | None]


class Model(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="hunkdeck-model-"))
        self.workspace = Workspace(self.root)
        self.files: Files = {}
        self.transactions: list[Transaction] = []

    def teardown(self) -> None:
        self.workspace.close()
        shutil.rmtree(self.root)

    def on_disk(self) -> Files:
        found = {path: self.workspace.read(path) for path in PATHS}
        return {path: one.data for path, one in found.items() if one is not None}

    def changes_for(self, wanted: dict[str, bytes | None]) -> list[Change]:
        now = {path: self.files.get(path) for path in wanted}
        real = {path: after for path, after in wanted.items() if now[path] != after}
        return [
            Change(path, digest(old) if (old := now[path]) is not None else None, new) for path, new in real.items()
        ]

    def applied(self, changes: list[Change]) -> Transaction:
        after = {change.path: None if change.after is None else change.content() for change in changes}
        return Transaction({path: self.files.get(path) for path in after}, after)

    def take_over(self, contents: dict[str, bytes | None]) -> None:
        for path, content in contents.items():
            if content is None:
                self.files.pop(path, None)
            else:
                self.files[path] = content

    @rule(wanted=sets_of_changes, features=features)
    def apply(self, wanted: dict[str, bytes | None], features: Features) -> None:
        changes = self.changes_for(wanted)
        applied = commit(self.workspace, changes, proposal="p", disk=QuietDisk(features))
        if changes:
            assert applied.notes == ()
            self.transactions.append(self.applied(changes))
            self.take_over(self.transactions[-1].after)

    @rule(path=st.sampled_from(PATHS), content=st.none() | contents)
    def edit(self, path: str, content: bytes | None) -> None:
        file = self.root / path
        if content is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        self.take_over({path: content})

    @rule(
        wanted=sets_of_changes, features=features, at=st.integers(1, 60), again=st.integers(1, 20), edit=st.booleans()
    )
    def kill(self, wanted: dict[str, bytes | None], features: Features, at: int, again: int, edit: bool) -> None:
        changes = self.changes_for(wanted)
        transaction = self.applied(changes)
        count = len(history(self.workspace))
        with suppress(Killed):
            commit(self.workspace, changes, proposal="p", disk=KillingDisk(features, at))
        if edit:
            (self.root / "a.py").write_bytes(EDITED)
        with suppress(Killed):
            recover(self.workspace, disk=KillingDisk(features, again))
        recover(self.workspace, disk=QuietDisk(features))
        if len(history(self.workspace)) > count:
            self.transactions.append(transaction)
            self.take_over(transaction.after)
        if edit:
            self.files["a.py"] = EDITED

    @rule(features=features)
    def undo(self, features: Features) -> None:
        open_ones = self.transactions[-1:]
        unchanged = [t for t in open_ones if all(self.files.get(path) == new for path, new in t.after.items())]
        try:
            undo(self.workspace, disk=QuietDisk(features))
        except UndoRefused:
            assert not unchanged
            return
        assert unchanged
        self.take_over(self.transactions.pop().before)

    @rule()
    def undo_and_redo(self) -> None:
        with suppress(UndoRefused):
            undone = undo(self.workspace, disk=QuietDisk())
            undo(self.workspace, undone.by, disk=QuietDisk())

    @invariant()
    def the_disk_is_what_the_model_says(self) -> None:
        assert self.on_disk() == self.files
        assert list(self.root.rglob(".hunkdeck-*")) == []
        assert list((self.root / ".hunkdeck").glob("journal*")) == []


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=150, stateful_step_count=20, deadline=None)
