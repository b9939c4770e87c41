"""Group I: faults, at every operation k of a commit of six changes (see `tests.faults.harness`)."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from engine.errors import HunkdeckError, NeedsRepair, WorkspaceError, WriteFailed
from engine.transaction import Change, commit, history, recover
from engine.workspace import Workspace
from tests.battery.machine import mounted
from tests.faults.harness import (
    ALL_NEW,
    ALL_OLD,
    CHANGES,
    FailingDisk,
    Features,
    Killed,
    KillingDisk,
    QuietDisk,
    apply,
    assert_nothing_torn,
    assert_whole,
    digest,
    outcome,
    repair,
    repaired,
    tree,
    workspace_at,
)
from tests.faults.test_damaged_journals import SET_ASIDE, Crashed, first_step, reworked
from tests.faults.test_every_operation import files

EVERY_FEATURE = [Features(), Features(exchange=False), Features(exchange=False, links=False)]
FEATURES = pytest.mark.parametrize("features", EVERY_FEATURE, ids=["exchange", "links", "copies"])
ERRORS = ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS", "EINTR", "EMFILE", "ENFILE"]


@contextmanager
def beside_the_outside(directory: Path) -> Iterator[Workspace]:
    """I1: whatever happens in the workspace, its neighbour stays as it is."""
    outside = directory / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "file.py").write_bytes(b"outside")
    with workspace_at(directory / "w") as workspace:
        yield workspace
    assert tree(outside) == {"file.py": (b"outside", 0o644)}


def dies(work: Callable[[Workspace, QuietDisk], object], workspace: Workspace, features: Features, at: int) -> bool:
    with suppress(Killed):
        work(workspace, KillingDisk(features, at))
        return False
    return True


@FEATURES
def test_I01_killed_at_every_operation(tmp_path: Path, features: Features) -> None:
    for at in count(1):
        with beside_the_outside(tmp_path) as workspace:
            died = dies(apply, workspace, features, at)
            assert_nothing_torn(tmp_path / "w")
            repaired(workspace, features)
        if not died:
            break
    assert at > 20


@pytest.mark.parametrize("first", range(4, 44, 4))
def test_I02_killed_at_every_operation_of_the_recovery(tmp_path: Path, first: int) -> None:
    """Every fourth k here; `tests/faults/test_every_operation.py` takes every single one."""
    for second in count(1):
        with beside_the_outside(tmp_path) as workspace:
            died = dies(apply, workspace, Features(), first) and dies(repair, workspace, Features(), second)
            assert_nothing_torn(tmp_path / "w")
            repaired(workspace, Features())
        if not died:
            return


def fails_everywhere(directory: Path, code: int, *, persistent: bool, features: Features = EVERY_FEATURE[0]) -> int:
    """An error at every operation: all old with an error that names file and cause, or all new. The number of runs."""
    for at in count(1):
        with beside_the_outside(directory) as workspace:
            disk = FailingDisk(features, at, code, persistent=persistent)
            error = outcome(apply, workspace, disk)
            assert_nothing_torn(directory / "w")
            restored = not (isinstance(error, WriteFailed) and not error.restored)
            if error is not None:
                assert os.strerror(code) in str(error)
            assert restored or (persistent and code != errno.ENOSPC)
            assert not restored or files(tree(directory / "w")) == files(ALL_OLD if error else ALL_NEW)
            found = repaired(workspace, features)
            assert not restored or found == (ALL_OLD if error else ALL_NEW)
        if disk.count < at:
            return at
    return 0


@pytest.mark.parametrize("code", ERRORS)
def test_I03_one_error_at_every_operation(tmp_path: Path, code: str) -> None:
    assert fails_everywhere(tmp_path, getattr(errno, code), persistent=False) > 80


@FEATURES
def test_I04_disk_full_from_some_operation_on(tmp_path: Path, features: Features) -> None:
    assert fails_everywhere(tmp_path, errno.ENOSPC, persistent=True, features=features) > 80


def test_I05_read_only_from_some_operation_on(tmp_path: Path) -> None:
    assert fails_everywhere(tmp_path, errno.EROFS, persistent=True) > 80


def test_I06_fsync_fails(tmp_path: Path) -> None:
    class BadMedium(QuietDisk):
        flushed = 0

        def flush(self, fd: int) -> None:
            self.flushed += 1
            if self.flushed == at:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    for at in count(1):
        with beside_the_outside(tmp_path) as workspace:
            disk = BadMedium()
            error = outcome(apply, workspace, disk)
            assert repaired(workspace, Features()) == (ALL_OLD if error else ALL_NEW)
            if disk.flushed < at:
                return


@pytest.mark.parametrize("options", ["size=64k", "size=1m,nr_inodes=16"])
def test_I08_file_system_that_is_really_full(tmp_path: Path, options: str) -> None:
    small = tmp_path / "small"
    small.mkdir()
    with mounted(small, "-t", "tmpfs", "-o", options, "tmpfs"), workspace_at(small / "w") as workspace:
        before = tree(small / "w")
        changes = [Change(f"new{n}.txt", None, b"x" * 8_000) for n in range(12)]
        with pytest.raises(HunkdeckError, match="No space left on device"):
            commit(workspace, [*CHANGES, *changes], proposal="p")
        assert tree(small / "w") == before
        assert recover(workspace) == ()


def test_I10_rename_across_devices(tmp_path: Path) -> None:
    """Cannot happen within a directory; if it does, everything is rolled back, or moved to the history by copying."""
    fails_everywhere(tmp_path, errno.EXDEV, persistent=False)


@pytest.fixture
def crashed(tmp_path: Path) -> Iterator[Crashed]:
    with beside_the_outside(tmp_path) as workspace:
        yield Crashed(workspace)


def damaged(journal: bytes) -> Iterator[bytes]:
    yield from (journal[:length] for length in range(len(journal)))
    for position in range(len(journal)):
        flipped = bytearray(journal)
        flipped[position] ^= 1 << position % 8
        yield bytes(flipped)
    yield journal.replace(b"journal 1 ", b"journal 7 ", 1)
    yield reworked(journal, lambda fields: fields.update(workspace="0" * 32))


def test_I11_damaged_journal(crashed: Crashed) -> None:
    for journal in damaged(crashed.journal):
        told = crashed.meets(journal)
        assert "a journal was set aside" in told[0]
        crashed.assert_set_aside(journal)
        with pytest.raises(NeedsRepair, match="then delete it"):
            commit(crashed.workspace, CHANGES, proposal="p", disk=QuietDisk())
        (crashed.state / SET_ASIDE).unlink()


@pytest.mark.parametrize(
    "path", ["../../x", "../outside/file.py", "/etc/passwd", ".git/hooks/x", ".GIT/config", ".hunkdeck/id", "a/../../x"]
)
def test_I12_journal_that_names_a_forbidden_path(crashed: Crashed, path: str) -> None:
    for forged in (
        reworked(crashed.journal, first_step(path=path)),
        reworked(crashed.journal, lambda fields: fields.update(made=[path])),
        reworked(crashed.journal, lambda fields: fields.update(emptied=[path])),
    ):
        assert "it names a path that may not be touched" in crashed.meets(forged)[0]
        crashed.assert_set_aside(forged)
        (crashed.state / SET_ASIDE).unlink()


@pytest.mark.parametrize("path", [".git./x", "git~1/config", ".g\u200cit/config", ".hunkdeck-0000000000000000.new"])
def test_I12_journal_that_names_git_in_another_spelling(crashed: Crashed, path: str) -> None:
    forged = reworked(crashed.journal, first_step(path=path))
    assert "it names a path that may not be touched" in crashed.meets(forged)[0]
    crashed.assert_set_aside(forged)


def test_I12_journal_that_leads_through_a_link(crashed: Crashed, tmp_path: Path) -> None:
    (crashed.root / "kept").rename(tmp_path / "aside")
    (crashed.root / "kept").symlink_to(tmp_path / "outside")
    assert "beyond a symbolic link" in recover(crashed.workspace, disk=QuietDisk())[0]
    (crashed.root / "kept").unlink()
    (tmp_path / "aside").rename(crashed.root / "kept")
    assert repaired(crashed.workspace, Features()) == ALL_OLD


@pytest.mark.parametrize("how", ["missing", "altered"])
def test_I13_backup_missing_or_altered(crashed: Crashed, how: str) -> None:
    old = next(path for path in crashed.root.glob(".hunkdeck-*") if path.read_bytes() == ALL_OLD["edited.py"][0])
    old.unlink() if how == "missing" else old.write_bytes(b"altered")
    told = recover(crashed.workspace, disk=QuietDisk())
    others = {path: entry for path, entry in tree(crashed.root).items() if path != "edited.py"}
    assert others == {path: entry for path, entry in ALL_OLD.items() if path != "edited.py"}
    assert how == "altered" or told == ("edited.py: its old content is missing, the new one stays",)
    assert (crashed.root / "edited.py").read_bytes() in (b"altered", ALL_NEW["edited.py"][0])


def test_I14_disk_full_while_the_journal_is_written(tmp_path: Path) -> None:
    class Full(QuietDisk):
        def before(self, operation: str, name: str) -> None:
            if name.startswith("journal") and operation in ("create", "write", "fsync"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)

    with beside_the_outside(tmp_path) as workspace:
        (tmp_path / "w/.hunkdeck").mkdir()
        for name, content in ((".gitignore", b"*\n"), ("id", b"0" * 32)):
            (tmp_path / "w/.hunkdeck" / name).write_bytes(content)
        error = outcome(apply, workspace, Full())
        assert str(error) == "the journal: No space left on device"
        assert assert_whole(tmp_path / "w") == ALL_OLD


@pytest.mark.parametrize("how", ["file", "link"])
def test_I15_state_directory_that_cannot_be_used(tmp_path: Path, how: str) -> None:
    with beside_the_outside(tmp_path) as workspace:
        state = tmp_path / "w/.hunkdeck"
        state.write_bytes(b"") if how == "file" else state.symlink_to(tmp_path / "outside")
        with pytest.raises(WorkspaceError, match="not a directory of hunkdeck's own"):
            apply(workspace, QuietDisk())
        state.unlink()
        assert assert_whole(tmp_path / "w") == ALL_OLD


def test_I15_state_directory_deleted_in_the_middle(tmp_path: Path) -> None:
    """At every operation: all old, or applied."""
    for at in count(1):
        with beside_the_outside(tmp_path) as workspace:
            disk = LosingItsState(tmp_path / "w", at)
            error = outcome(apply, workspace, disk)
            recover(workspace, disk=QuietDisk())
            found = {path: entry for path, entry in tree(tmp_path / "w").items() if ".hunkdeck-" not in path}
            assert found == (ALL_OLD if error else ALL_NEW)
        if disk.count < at:
            return


class LosingItsState(QuietDisk):
    def __init__(self, root: Path, at: int) -> None:
        super().__init__()
        self.state, self.at = root / ".hunkdeck", at

    def before(self, operation: str, name: str) -> None:
        super().before(operation, name)
        if self.count == self.at and self.state.is_dir():
            for path in sorted(self.state.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
            self.state.rmdir()


def test_I15_state_on_another_file_system(tmp_path: Path) -> None:
    with beside_the_outside(tmp_path) as workspace:
        state = tmp_path / "w/.hunkdeck"
        state.mkdir()
        with mounted(state, "-t", "tmpfs", "-o", "size=1m", "tmpfs"):
            apply(workspace, QuietDisk())
            assert tree(tmp_path / "w") == ALL_NEW
            recover(workspace)
            assert tree(tmp_path / "w") == ALL_NEW


def test_I16_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(["2030-01-01T00:00:00", "2030-01-01T00:00:00", "1999-12-31T23:59:59", "2030-10-27T02:30:00"])
    monkeypatch.setattr("engine.transaction.perform._now", lambda: next(times))
    with Workspace(tmp_path) as workspace:
        for number in range(4):
            commit(workspace, [Change(f"{number}.py", None, b"x")], proposal=str(number), disk=QuietDisk())
        assert [(entry.id, entry.proposal) for entry in history(workspace)] == [
            (f"{number + 1:06}", str(number)) for number in range(4)
        ]


def test_I25_journal_of_an_older_version(crashed: Crashed) -> None:
    older = crashed.journal.replace(b"journal 1 ", b"journal 0 ", 1)
    assert "written by another version of hunkdeck" in crashed.meets(older)[0]
    crashed.assert_set_aside(older)


class DiesAfterwards(QuietDisk):
    """Dies at some operation behind the commit point."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at, self.passed = at, 0

    def before(self, operation: str, name: str) -> None:
        self.passed += bool(self.passed) or (operation, name) == ("rename", "journal-swapping")
        if self.passed > self.at and operation not in ("look", "fsync"):
            raise Killed


def test_I26_crash_between_commit_point_and_clean_up(tmp_path: Path) -> None:
    for at in range(1, 40):
        with beside_the_outside(tmp_path) as workspace:
            with suppress(Killed):
                apply(workspace, DiesAfterwards(at))
            assert repaired(workspace, Features()) == ALL_NEW
            assert [entry.id for entry in history(workspace)] == ["000001"]


def test_I27_edited_after_the_crash(crashed: Crashed) -> None:
    (crashed.root / "edited.py").write_bytes(b"a person's work\n")
    told = recover(crashed.workspace, disk=QuietDisk())
    assert (crashed.root / "edited.py").read_bytes() == b"a person's work\n"
    assert told[0] == "edited.py: was changed by somebody else meanwhile, kept as it is"
    backup = told[1].rpartition(" ")[2]
    assert digest((crashed.root / backup).read_bytes()) == digest(ALL_OLD["edited.py"][0])
