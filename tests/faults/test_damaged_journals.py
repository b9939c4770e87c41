"""A journal that does not check out is set aside and never acted on, whatever is wrong with it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import NeedsRepair
from engine.transaction import commit, recover
from engine.transaction.journal import Journal, Phase, Step, encode
from engine.workspace import Workspace
from tests.faults.harness import (
    ALL_NEW,
    ALL_OLD,
    CHANGES,
    Features,
    Killed,
    KillingDisk,
    QuietDisk,
    Tree,
    apply,
    assert_whole,
    repaired,
    tree,
    workspace_at,
)

SET_ASIDE = "damaged-journal-swapping"


class Crashed:
    """A workspace whose process died between the first and the last swap."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.root = Path(workspace.root)
        with pytest.raises(Killed):
            apply(workspace, DyingAtTheLastSwap(Features(), 0))
        self.state = self.root / ".hunkdeck"
        self.journal = (self.state / Phase.SWAPPING).read_bytes()
        self.tree: Tree = tree(self.root)

    def meets(self, journal: bytes) -> tuple[str, ...]:
        (self.state / Phase.SWAPPING).write_bytes(journal)
        return recover(self.workspace, disk=QuietDisk())

    def assert_set_aside(self, journal: bytes) -> None:
        assert tree(self.root) == self.tree
        assert (self.state / SET_ASIDE).read_bytes() == journal
        assert not (self.state / Phase.SWAPPING).exists()


class DyingAtTheLastSwap(KillingDisk):
    def before(self, operation: str, name: str) -> None:
        if (operation, name) == ("place", "renamed.sh"):
            raise Killed


@pytest.fixture
def crashed(tmp_path: Path) -> Iterator[Crashed]:
    with workspace_at(tmp_path / "w") as workspace:
        yield Crashed(workspace)


def test_the_sound_one_is_acted_on(crashed: Crashed) -> None:
    assert crashed.tree not in (ALL_OLD, ALL_NEW)
    assert crashed.meets(crashed.journal) == ()
    assert assert_whole(crashed.root) == ALL_OLD


def test_cut_off_at_every_byte(crashed: Crashed) -> None:
    for length in range(len(crashed.journal)):
        crashed.meets(crashed.journal[:length])
        crashed.assert_set_aside(crashed.journal[:length])
        (crashed.state / SET_ASIDE).unlink()


def test_one_bit_flipped(crashed: Crashed) -> None:
    for position in range(0, len(crashed.journal), 5):
        flipped = bytearray(crashed.journal)
        flipped[position] ^= 1 << position % 8
        crashed.meets(bytes(flipped))
        crashed.assert_set_aside(bytes(flipped))
        (crashed.state / SET_ASIDE).unlink()


def test_nothing_is_written_until_a_person_has_removed_it(crashed: Crashed) -> None:
    messages = crashed.meets(b"")
    assert messages[0] == "a journal was set aside, because it cannot be trusted: the checksum does not match"
    assert f"nothing is written while .hunkdeck/{SET_ASIDE} is there" in messages[1]
    assert recover(crashed.workspace) == messages[1:]
    with pytest.raises(NeedsRepair, match="then delete it"):
        commit(crashed.workspace, CHANGES, proposal="p", disk=QuietDisk())
    (crashed.state / SET_ASIDE).unlink()
    assert recover(crashed.workspace) == ()


def reworked(data: bytes, change: Callable[[dict[str, object]], object]) -> bytes:
    fields = json.loads(data.partition(b"\n")[2])
    change(fields)
    body = json.dumps(fields).encode() + b"\n"
    return b"hunkdeck journal 1 %s\n%s" % (hashlib.sha256(body).hexdigest().encode(), body)


def first_step(**fields: object) -> Callable[[dict[str, object]], object]:
    def change(journal: dict[str, object]) -> None:
        steps = journal["steps"]
        assert isinstance(steps, list)
        steps[0].update(fields)

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (first_step(path="../../outside.py"), "not a path inside the workspace"),
        (first_step(path="/etc/passwd"), "not a path inside the workspace"),
        (first_step(path=".git/hooks/pre-commit"), "belongs to git or to hunkdeck itself"),
        (first_step(path=".HunkDeck/id"), "belongs to git or to hunkdeck itself"),
        (first_step(path=5), "not a journal"),
        (first_step(token="../../../../x"), "not a journal"),
        (first_step(before=None, after=None), "not a journal"),
        (first_step(surprise=1), "not a journal"),
        (lambda journal: journal.update(made=["../made"]), "not a path inside the workspace"),
        (lambda journal: journal.update(number=-1), "not a journal"),
        (lambda journal: journal.update(number="../x"), "not a journal"),
        (lambda journal: journal.update(workspace="0" * 32), "it belongs to another workspace"),
    ],
)
def test_a_forged_one_with_a_right_checksum(
    crashed: Crashed, change: Callable[[dict[str, object]], object], reason: str
) -> None:
    forged = reworked(crashed.journal, change)
    assert reason in crashed.meets(forged)[0]
    crashed.assert_set_aside(forged)


def test_another_version(crashed: Crashed) -> None:
    other = crashed.journal.replace(b"journal 1 ", b"journal 2 ", 1)
    assert "written by another version of hunkdeck" in crashed.meets(other)[0]
    crashed.assert_set_aside(other)


def test_two_at_once(crashed: Crashed) -> None:
    (crashed.state / Phase.APPLIED).write_bytes(crashed.journal)
    assert "there is more than one" in crashed.meets(crashed.journal)[0]
    crashed.assert_set_aside(crashed.journal)


def test_a_path_that_now_leads_through_a_symbolic_link(crashed: Crashed, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    staged = next(path for path in (crashed.root / "kept").iterdir() if path.name.startswith(".hunkdeck-"))
    (outside / staged.name).write_bytes(b"bait")
    os.rename(crashed.root / "kept", tmp_path / "aside")
    (crashed.root / "kept").symlink_to(outside)
    (message,) = recover(crashed.workspace, disk=QuietDisk())
    assert "lies beyond a symbolic link" in message
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {staged.name: b"bait"}
    (crashed.root / "kept").unlink()
    os.rename(tmp_path / "aside", crashed.root / "kept")
    assert repaired(crashed.workspace, Features()) == ALL_OLD


def test_a_third_content_is_kept_and_named(crashed: Crashed) -> None:
    (crashed.root / "edited.py").write_bytes(b"a person's work\n")
    (crashed.root / "created.py").write_bytes(b"also a person's work\n")
    (crashed.root / "deleted.py").write_bytes(b"made again\n")
    messages = recover(crashed.workspace, disk=QuietDisk())
    kept = {message.partition(":")[0] for message in messages}
    assert kept == {"edited.py", "created.py", "deleted.py"}
    assert (crashed.root / "edited.py").read_bytes() == b"a person's work\n"
    assert (crashed.root / "created.py").read_bytes() == b"also a person's work\n"
    assert (crashed.root / "deleted.py").read_bytes() == b"made again\n"
    saved = {path.read_bytes() for path in (crashed.state / "history").iterdir()}
    assert saved == {ALL_OLD["edited.py"][0], ALL_OLD["deleted.py"][0]}
    assert not [path for path in tree(crashed.root) if ".hunkdeck-" in path]


def test_a_missing_old_content_is_reported_and_the_others_are_restored(crashed: Crashed) -> None:
    old = next(path for path in crashed.root.glob(".hunkdeck-*") if path.read_bytes() == ALL_OLD["edited.py"][0])
    old.unlink()
    messages = recover(crashed.workspace, disk=QuietDisk())
    assert messages == ("edited.py: its old content is missing, the new one stays",)
    assert tree(crashed.root) == {**ALL_OLD, "edited.py": ALL_NEW["edited.py"]}


def test_encoding_names_that_are_not_utf8(tmp_path: Path) -> None:
    step = Step(os.fsdecode(b"\xff\n.py"), None, "0" * 64, "0" * 16)
    journal = Journal(1, "w", "p", "t", (step,))
    from engine.transaction.journal import decode

    assert decode(encode(journal), workspace="w") == journal
    assert replace(journal, number=12).id == "000012"
