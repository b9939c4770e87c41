"""Few descriptors, little space, signals, and other users' files."""

from __future__ import annotations

import concurrent.futures.thread  # noqa: F401 - a child that is another user cannot load it any more
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.errors import WriteFailed
from engine.transaction import Change, commit, recover, undo
from engine.workspace import Workspace
from tests.battery.machine import NOBODY, as_nobody, in_child
from tests.faults.harness import ALL_NEW, OLD, QuietDisk, apply, digest, tree, workspace_at


class Unsynced(Disk):
    def flush(self, fd: int) -> None:
        pass


@pytest.fixture
def shared() -> Iterator[Path]:
    """A directory that the unprivileged user owns and can reach."""
    directory = Path(tempfile.mkdtemp(prefix="hunkdeck-test-"))
    if os.geteuid() == 0:
        os.chown(directory, NOBODY, NOBODY)
    yield directory
    shutil.rmtree(directory)


def open_descriptors() -> int:
    return sum(1 for fd in range(256) if _is_open(fd))


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def test_five_hundred_files_with_sixty_four_descriptors(tmp_path: Path) -> None:
    changes = [Change(f"d{n % 20}/deep/er/f{n}.py", None, b"%d" % n) for n in range(500)]

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        with Workspace(tmp_path) as workspace:
            commit(workspace, changes, proposal="p", disk=Unsynced())
            undo(workspace, disk=Unsynced())
            commit(workspace, changes, proposal="p", disk=Unsynced())

    assert in_child(work) == 0
    assert sum(1 for path in tree(tmp_path) if path.endswith(".py")) == 500


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    with Workspace(tmp_path) as workspace:
        commit(workspace, [Change("a.py", None, b"0")], proposal="p", disk=Unsynced())
        before = open_descriptors()
        for n in range(50):
            change = Change("a.py", digest(b"%d" % n), b"%d" % (n + 1))
            commit(workspace, [change], proposal="p", disk=Unsynced())
            with pytest.raises(Exception, match="changed since"):
                commit(workspace, [change], proposal="p", disk=Unsynced())
        assert open_descriptors() == before


def test_a_file_size_limit(tmp_path: Path) -> None:
    with workspace_at(tmp_path / "w") as workspace:

        def work() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
            big = Change("edited.py", digest(OLD["edited.py"][0]), b"x" * 50_000)
            with pytest.raises(WriteFailed, match=r"edited\.py: File too large") as caught:
                commit(workspace, [Change("a.py", None, b"small"), big], proposal="p", disk=Unsynced())
            assert caught.value.restored

        assert in_child(work) == 0
        assert {path: tree(tmp_path / "w").get(path) for path in [*OLD, "a.py"]} == {**OLD, "a.py": None}


def test_ctrl_c_waits_until_the_set_is_whole(tmp_path: Path) -> None:
    class Impatient(QuietDisk):
        def before(self, operation: str, name: str) -> None:
            if operation in ("exchange", "place"):
                signal.raise_signal(signal.SIGINT)

    with workspace_at(tmp_path / "w") as workspace:
        with pytest.raises(KeyboardInterrupt):
            apply(workspace, Impatient())
        assert tree(tmp_path / "w") == ALL_NEW
        assert recover(workspace) == ()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_the_process_waits_too(tmp_path: Path, number: signal.Signals) -> None:
    class Ended(Unsynced):
        def before(self, operation: str, name: str) -> None:
            if operation == "exchange":
                os.kill(os.getpid(), number)

    with workspace_at(tmp_path / "w") as workspace:

        def work() -> None:
            signal.signal(number, signal.SIG_DFL)
            apply(workspace, Ended())

        status = in_child(work)
        assert os.WIFSIGNALED(status)
        assert os.WTERMSIG(status) == number
        assert tree(tmp_path / "w") == ALL_NEW
        assert recover(workspace) == ()


def test_a_directory_that_is_not_writable(shared: Path) -> None:
    def work() -> None:
        (shared / "locked").mkdir()
        (shared / "locked/a.py").write_bytes(b"old")
        (shared / "locked").chmod(0o555)
        with Workspace(shared) as workspace:
            assert workspace.writable("locked/new/b.py") == "its directory is not writable"
            changes = [Change("first.py", None, b"x"), Change("locked/a.py", digest(b"old"), b"new")]
            with pytest.raises(WriteFailed, match=r"locked/a\.py: its directory is not writable"):
                commit(workspace, changes, proposal="p")
        assert sorted(os.listdir(shared)) == [".hunkdeck", "locked"]
        (shared / "locked").chmod(0o755)

    as_nobody(work)


def test_a_workspace_where_no_state_can_be_kept(shared: Path) -> None:
    def work() -> None:
        shared.chmod(0o555)
        with Workspace(shared) as workspace:
            assert recover(workspace) == ()
            with pytest.raises(Exception, match=r"\.hunkdeck: cannot be (made|used) \(Permission denied\)"):
                commit(workspace, [Change("a.py", None, b"x")], proposal="p")
        shared.chmod(0o755)

    as_nobody(work)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_file_of_another_owner_is_refused_not_taken_over(shared: Path) -> None:
    (shared / "a.py").write_bytes(b"old")
    (shared / "mine.py").write_bytes(b"old")
    os.chown(shared / "mine.py", NOBODY, NOBODY)

    def work() -> None:
        changes = [Change(name, digest(b"old"), b"new") for name in ("mine.py", "a.py")]
        with Workspace(shared) as workspace, pytest.raises(WriteFailed, match=r"a\.py: its owner cannot be kept"):
            commit(workspace, changes, proposal="p")

    as_nobody(work)
    assert {path: content for path, (content, _) in tree(shared).items()} == {"a.py": b"old", "mine.py": b"old"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_root_keeps_the_owner(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"old")
    os.chown(tmp_path / "a.py", NOBODY, NOBODY)
    with Workspace(tmp_path) as workspace:
        commit(workspace, [Change("a.py", digest(b"old"), b"new")], proposal="p", disk=Unsynced())
        assert ((tmp_path / "a.py").stat().st_uid, (tmp_path / "a.py").read_bytes()) == (NOBODY, b"new")
        undo(workspace, disk=Unsynced())
        assert ((tmp_path / "a.py").stat().st_uid, (tmp_path / "a.py").read_bytes()) == (NOBODY, b"old")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_state_directory_of_another_user(shared: Path) -> None:
    (shared / ".hunkdeck").mkdir()

    def work() -> None:
        with Workspace(shared) as workspace, pytest.raises(Exception, match="belongs to another user"):
            commit(workspace, [Change("a.py", None, b"x")], proposal="p")

    as_nobody(work)


def test_an_immutable_file(tmp_path: Path) -> None:
    with workspace_at(tmp_path / "w") as workspace:
        locked = tmp_path / "w/edited.py"
        if subprocess.run(["chattr", "+i", locked], capture_output=True, check=False).returncode != 0:
            pytest.skip("files cannot be made immutable here")
        try:
            before = tree(tmp_path / "w")
            with pytest.raises(WriteFailed, match=r"edited\.py: Operation not permitted") as caught:
                apply(workspace, Unsynced())
            assert (caught.value.restored, tree(tmp_path / "w")) == (True, before)
        finally:
            subprocess.run(["chattr", "-i", locked], check=True)


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    mounted = tmp_path / "small"
    mounted.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(mounted)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("nothing can be mounted here")
    try:
        with workspace_at(mounted / "w") as workspace:
            before = tree(mounted / "w")
            edit = Change("edited.py", digest(OLD["edited.py"][0]), b"x" * 150_000)
            with pytest.raises(WriteFailed, match="No space left on device") as caught:
                commit(workspace, [edit, Change("b.py", None, b"y" * 150_000)], proposal="p")
            assert (caught.value.restored, tree(mounted / "w")) == (True, before)
            commit(workspace, [edit], proposal="p")
            undo(workspace)
            assert tree(mounted / "w") == before
    finally:
        subprocess.run(["umount", str(mounted)], check=True)
