"""The history is bounded; what is kept can be undone, however the tidying was cut off."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.transaction import Change, commit, history, recover, undo
from engine.workspace import Workspace
from tests.faults.harness import Features, Killed, KillingDisk, QuietDisk, digest

MOST = 3


def apply_number(workspace: Workspace, number: int, disk: QuietDisk | KillingDisk) -> None:
    before = digest(b"%d" % (number - 1)) if number else None
    commit(workspace, [Change("a.txt", before, b"%d" % number)], proposal="p", disk=disk)


def kept(workspace: Workspace) -> set[str]:
    names = os.listdir(Path(workspace.root, ".hunkdeck/history"))
    return {name.removesuffix(".json").partition("-")[0] for name in names}


def test_only_the_newest_are_kept(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.transaction.retention.MOST_KEPT", MOST)
    for number in range(8):
        apply_number(workspace, number, QuietDisk())
    assert [entry.id for entry in history(workspace)] == ["000006", "000007", "000008"]
    assert kept(workspace) == {"000006", "000007", "000008"}
    undo(workspace)
    assert Path(workspace.root, "a.txt").read_bytes() == b"6"
    assert [entry.id for entry in history(workspace)] == ["000007", "000008", "000009"]


def test_cut_off_anywhere_the_next_one_goes_on(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        apply_number(workspace, number, QuietDisk())
    monkeypatch.setattr("engine.transaction.retention.MOST_KEPT", MOST)
    number, killed = 8, 0
    for at in range(1, 60):
        try:
            apply_number(workspace, number, KillingDisk(Features(), at))
        except Killed:
            killed += 1
        recover(workspace, disk=QuietDisk())
        current = int(Path(workspace.root, "a.txt").read_bytes())
        number = current + 1
    apply_number(workspace, number, QuietDisk())
    assert killed > 10
    assert len(history(workspace)) == len(kept(workspace)) == MOST
    undo(workspace)
    assert Path(workspace.root, "a.txt").read_bytes() == b"%d" % (number - 1)
