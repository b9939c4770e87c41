"""Group B: what stands in the workspace."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.errors import HunkdeckError, WorkspaceError, WriteFailed
from engine.model import Code, Copy, Create, Delete, Hunk, Move, Op, Proposal, SetMode, TextEdit, Write
from engine.planning import Limits, plan
from engine.planning.data import Fit
from engine.rename import Flag, rename_with
from engine.review import Accept, Confirm
from engine.session import apply, decide
from engine.settle import Status
from engine.transaction import Change, Promise, commit, promise, undo
from engine.workspace import Workspace
from tests.battery.bench import NEW, OLD, Bench, Sent, digest, snapshot
from tests.battery.machine import NOBODY, as_nobody, give_to_nobody, immutable, in_child, mounted, needs_root
from tests.faults.harness import Features, QuietDisk

EDIT = TextEdit("old", "new")
EVERY_OP: list[Op] = [EDIT, Write("new\n"), Create("new\n"), Delete(), Move("elsewhere.py"), SetMode(True)]


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A directory that an unprivileged user owns and can reach."""
    with tempfile.TemporaryDirectory(prefix="hunkdeck-test-") as name:
        give_to_nobody(Path(name))
        yield Path(name)


@pytest.mark.parametrize("op", EVERY_OP)
def test_B01_symbolic_link_to_a_file_inside(bench: Bench, op: Op) -> None:
    bench.put("real.py")
    bench.link("link.py", "real.py")
    bench.assert_blocks(("link.py", op), "is a symbolic link")


@pytest.mark.parametrize("op", EVERY_OP)
def test_B02_symbolic_link_to_a_file_outside(bench: Bench, op: Op) -> None:
    bench.link("link.py", bench.outside / "secret.txt")
    bench.assert_blocks(("link.py", op), "is a symbolic link")
    bench.put("mine.py")
    bench.assert_blocks(("mine.py", Move("link.py")), "is a symbolic link")
    bench.assert_blocks(("copy.py", Copy("link.py")), "is a symbolic link")


@pytest.mark.parametrize("where", ["inside", "../outside/deep"])
@pytest.mark.parametrize("op", EVERY_OP)
def test_B03_parent_is_a_symbolic_link(bench: Bench, op: Op, where: str) -> None:
    bench.put("inside/file.py")
    bench.link("linked", where)
    bench.assert_blocks(("linked/file.py", op), "beyond a symbolic link")
    bench.assert_blocks(("linked/new/file.py", Create("x")), "beyond a symbolic link")
    bench.put("mine.py")
    bench.assert_blocks(("mine.py", Move("linked/mine.py")), "beyond a symbolic link")


MAKES_A_LINK = """diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+../outside
\\ No newline at end of file
diff --git a/link/pwned b/link/pwned
new file mode 100644
--- /dev/null
+++ b/link/pwned
@@ -0,0 +1 @@
+x
"""


def test_B04_a_proposal_cannot_make_a_symbolic_link(bench: Bench) -> None:
    link, through = bench.load(MAKES_A_LINK).hunks
    assert (link.fit, link.code) == (Fit.FAILS, Code.BLOCKED_PATH)
    assert "symbolic link" in (link.error or "")
    result = bench.apply(bench.load(MAKES_A_LINK))
    assert [hunk.status for hunk in result.hunks] == [Status.FAILED, Status.PENDING]
    assert bench.files() == {}
    assert through.path == "link/pwned"


@pytest.mark.parametrize("target", ["loop.py", "missing.py"])
@pytest.mark.parametrize("op", EVERY_OP)
def test_B05_symbolic_link_that_leads_nowhere(bench: Bench, op: Op, target: str) -> None:
    bench.link("loop.py", target)
    bench.assert_blocks(("loop.py", op), "is a symbolic link")


def swapped(bench: Bench) -> None:
    """src/ becomes a link to the outside, which holds files of the same names."""
    (bench.root / "src").rename(bench.root / "aside")
    bench.knows("aside/file.py", OLD)
    bench.link("src", bench.outside / "deep")


def test_B06_directory_swapped_before_apply(bench: Bench) -> None:
    bench.put("src/file.py")
    planned = bench.plan(("src/file.py", EDIT), ("src/new.py", Create("x")))
    bench.assert_conflicts(planned, lambda: swapped(bench), "beyond a symbolic link")


def test_B06_directory_swapped_during_apply(bench: Bench) -> None:
    """A swap before every single operation of the commit, each in a run of its own."""
    for at in range(1, 400):
        bench.put("src/file.py")
        disk = SwappingDisk(bench, at)
        with suppress(HunkdeckError):
            commit(bench.workspace, [bench.change("src/file.py", OLD, NEW)], proposal="p", disk=disk)
        if disk.count < at:
            return
        disk.swap_back()
        assert bench.read("src/file.py") in (OLD, NEW)
        bench.check_invariants()
    pytest.fail("the commit never ends")


class SwappingDisk(QuietDisk):
    def __init__(self, bench: Bench, at: int) -> None:
        super().__init__()
        self.bench, self.at = bench, at

    def before(self, operation: str, name: str) -> None:
        super().before(operation, name)
        if self.count == self.at:
            swapped(self.bench)

    def swap_back(self) -> None:
        (self.bench.root / "src").unlink()
        (self.bench.root / "aside").rename(self.bench.root / "src")


def test_B06_directory_swapped_in_a_loop(bench: Bench) -> None:
    bench.put("src/file.py", b"0")
    bench.link("link", bench.outside / "deep")
    fd = os.open(bench.root, os.O_RDONLY)
    if not rename_with(Flag.EXCHANGE, fd, "src", "link"):
        pytest.skip("this file system cannot exchange names")
    pid = os.fork()
    if pid == 0:
        while True:
            rename_with(Flag.EXCHANGE, fd, "src", "link")
    try:
        deadline = time.monotonic() + 1
        while time.monotonic() < deadline:
            with suppress(HunkdeckError):
                before = bench.workspace.read("src/file.py")
                if before:
                    commit(bench.workspace, [bench.change("src/file.py", before.data, NEW)], proposal="p")
                    undo(bench.workspace)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    if (bench.root / "src").is_symlink():
        rename_with(Flag.EXCHANGE, fd, "src", "link")
    os.close(fd)


@pytest.mark.parametrize("op", EVERY_OP)
def test_B07_fifo(bench: Bench, op: Op) -> None:
    bench.seconds = 1
    os.mkfifo(bench.root / "pipe")
    bench.assert_blocks(("pipe", op), "named pipe")


def test_B08_socket(bench: Bench) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        directory = os.open(bench.root, os.O_RDONLY)
        listening.bind(f"/proc/self/fd/{directory}/socket")
        os.close(directory)
        bench.assert_blocks(("socket", Write("x")), "is a socket")


@pytest.mark.parametrize("path", ["/dev/stdin", "/dev/full", "/proc/self/mem", "/dev/null"])
def test_B08_device_by_its_path(bench: Bench, path: str) -> None:
    bench.assert_blocks((path, Write("x")), "absolute path outside")
    bench.link("device", path)
    bench.assert_blocks(("device", Write("x")), "is a symbolic link")


def test_B08_device_in_the_workspace(bench: Bench) -> None:
    needs_root()
    try:
        os.mknod(bench.root / "null", 0o20666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("devices cannot be made here")
    bench.assert_blocks(("null", Write("x")), "is a device")


def test_B08_device_by_a_bind_mount(bench: Bench) -> None:
    target = bench.put("bound")
    with mounted(target, "--bind", "/dev/full"):
        bench.assert_blocks(("bound", Write("x")), "is a device")


def test_B09_directory_as_a_file_and_file_as_a_directory(bench: Bench) -> None:
    bench.put("dir/file.py")
    for op in EVERY_OP:
        bench.assert_blocks(("dir", op), "is a directory")
    bench.assert_blocks(("dir/file.py/x.py", Create("x")), "a parent of it is a file")
    bench.put("mine.py")
    bench.assert_blocks(("mine.py", Move("dir")), "is a directory")
    bench.assert_blocks(("mine.py", Move("dir/file.py/x.py")), "a parent of it is a file")


def test_B10_hard_link(bench: Bench) -> None:
    os.link(bench.put("a.py"), bench.root / "b.py")
    bench.knows("b.py", OLD)
    bench.assert_asks(("a.py", EDIT), "2 names share this file; the others keep the old text")
    assert (bench.read("a.py"), bench.read("b.py")) == (NEW, OLD)
    undo(bench.workspace)
    assert (bench.read("a.py"), bench.read("b.py")) == (OLD, OLD)


def test_B10_hard_link_to_the_outside(bench: Bench) -> None:
    os.link(bench.outside / "secret.txt", bench.root / "a.py")
    bench.knows("a.py", b"outside\n")
    bench.assert_asks(("a.py", Write("new\n")), "2 names share this file")


def test_B11_read_only_file(bench: Bench) -> None:
    bench.put("a.py", mode=0o444)
    bench.assert_asks(("a.py", EDIT), "is read-only")
    assert bench.files()["a.py"] == ("file", 0o444, NEW)


def test_B12_read_only_directory(reachable: Path) -> None:
    def work() -> None:
        (reachable / "workspace").mkdir()
        locked = reachable / "workspace/locked"
        locked.mkdir()
        (locked / "a.py").write_bytes(OLD)
        locked.chmod(0o555)
        with Workspace(reachable / "workspace") as workspace:
            sent = Proposal("test", (Hunk("locked/a.py", EDIT), Hunk("locked/b.py", Create("x"))))
            hunks = plan(sent, workspace).hunks
            assert {(hunk.fit, hunk.error) for hunk in hunks} == {(Fit.FAILS, "its directory is not writable")}
        assert not (reachable / "workspace/.hunkdeck").exists()
        locked.chmod(0o755)

    as_nobody(work)


def test_B13_immutable_file(bench: Bench) -> None:
    bench.put("a.py")
    with immutable(bench.put("z.py")):
        planned = bench.plan(("a.py", EDIT), ("new.py", Create("x")), ("z.py", EDIT))
        before = bench.files()
        result = bench.apply(planned)
        assert [hunk.status for hunk in result.hunks] == [Status.PENDING, Status.PENDING, Status.FAILED]
        assert (result.hunks[2].code, result.hunks[2].error) == (Code.IO, "z.py: Operation not permitted")
        assert bench.files() == before


@pytest.mark.parametrize("mode", [0o755, 0o664, 0o600, 0o640, 0o777])
def test_B14_mode_is_kept(bench: Bench, mode: int) -> None:
    bench.put("a.py", mode=mode)
    bench.assert_ok(("a.py", EDIT))
    assert bench.files()["a.py"] == ("file", mode, NEW)
    bench.assert_ok(("a.py", Move("b.py")))
    assert bench.files()["b.py"] == ("file", mode, NEW)


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o6755])
@pytest.mark.parametrize("op", EVERY_OP)
def test_B14_setuid(bench: Bench, mode: int, op: Op) -> None:
    bench.put("a.py", mode=mode)
    bench.assert_blocks(("a.py", op), "setuid or setgid")


def test_B14_move_over_setuid(bench: Bench) -> None:
    bench.put("suid", mode=0o4755)
    bench.put("mine.py")
    planned = bench.plan(("mine.py", Move("suid")))
    before = bench.files()
    result = bench.apply(planned, Confirm("mine.py"), Accept((0,)))
    assert result.hunks[0].status is Status.FAILED
    assert "setuid" in (result.hunks[0].error or "")
    assert bench.files() == before


def test_B15_extended_attributes(bench: Bench) -> None:
    file = bench.put("a.py")
    try:
        os.setxattr(file, "user.note", b"keep me")
    except OSError:
        pytest.skip("no extended attributes here")
    bench.assert_ok(("a.py", EDIT))
    assert os.getxattr(file, "user.note") == b"keep me"
    undo(bench.workspace)
    assert os.getxattr(file, "user.note") == b"keep me"


def test_B15_owner(bench: Bench) -> None:
    needs_root()
    os.chown(bench.put("a.py"), NOBODY, NOBODY)
    bench.assert_ok(("a.py", EDIT))
    status = (bench.root / "a.py").stat()
    assert (status.st_uid, status.st_gid) == (NOBODY, NOBODY)


def test_B15_owner_that_cannot_be_kept(reachable: Path) -> None:
    needs_root()
    (reachable / "a.py").write_bytes(OLD)

    def work() -> None:
        with Workspace(reachable) as workspace, pytest.raises(WriteFailed, match="owner cannot be kept"):
            commit(workspace, [Change("a.py", digest(OLD), NEW)], proposal="p")

    as_nobody(work)
    assert (reachable / "a.py").read_bytes() == OLD


def test_B16_root_is_a_symbolic_link(bench: Bench, tmp_path: Path) -> None:
    bench.put("a.py")
    (tmp_path / "alias").symlink_to(bench.root)
    with Workspace(tmp_path / "alias") as workspace:
        assert workspace.root == os.path.realpath(bench.root)
        (tmp_path / "alias").unlink()
        (tmp_path / "alias").symlink_to(bench.outside)
        commit(workspace, [bench.change("a.py", OLD, NEW)], proposal="p")
    assert bench.read("a.py") == NEW


@pytest.mark.parametrize("how", ["renamed", "replaced", "deleted"])
def test_B17_root_goes_away(bench: Bench, tmp_path: Path, how: str) -> None:
    bench.put("a.py")
    planned = bench.plan(("a.py", EDIT))
    bench.root.rename(tmp_path / "moved")
    if how == "replaced":
        bench.put("a.py")
    elif how == "deleted":
        (tmp_path / "moved/a.py").unlink()
        (tmp_path / "moved").rmdir()
    with pytest.raises(WorkspaceError, match=r"moved, deleted or replaced|cannot be"):
        apply(planned, decide(planned, Accept((0,))), bench.workspace)
    assert not (bench.root / ".hunkdeck").exists()
    if how != "deleted":
        assert (tmp_path / "moved/a.py").read_bytes() == OLD


def test_B18_another_device_inside(bench: Bench) -> None:
    (bench.root / "other").mkdir()
    bench.put("a.py")
    with mounted(bench.root / "other", "-t", "tmpfs", "-o", "size=1m", "tmpfs"):
        bench.put("other/b.py")
        bench.put("other/c.py")
        bench.put("other/m.py")
        sent: list[Sent] = [
            ("a.py", EDIT),
            ("other/b.py", EDIT),
            ("other/c.py", Delete()),
            ("other/m.py", Move("m.py")),
        ]
        before = bench.files()
        bench.assert_ok(*sent)
        assert (bench.read("a.py"), bench.read("other/b.py"), bench.read("m.py")) == (NEW, NEW, OLD)
        undo(bench.workspace)
        assert bench.files() == before
        bench.check_invariants()


def test_B19_git_of_a_worktree_and_of_a_submodule(bench: Bench) -> None:
    bench.put(".git", b"gitdir: elsewhere\n")
    bench.put("module/.git", b"gitdir: ../.git/modules/module\n")
    bench.put("module/src/a.py")
    for path in (".git", ".git/config", "module/.git", "module/.git/hooks/x"):
        bench.assert_blocks((path, Write("x")), "git's own directory")
    bench.assert_asks(("module/src/a.py", EDIT), "is inside module, a repository of its own")
    bench.assert_asks(("module/new.py", Create("x")), "is inside module, a repository of its own")


def sparse(bench: Bench, path: str) -> Path:
    with open(bench.root / path, "wb") as file:
        file.truncate(10 * 1024**3)
    return bench.root / path


def test_B20_sparse_file(bench: Bench) -> None:
    bench.seconds = 2
    huge = sparse(bench, "huge")
    for op in EVERY_OP:
        hunk = bench.one("huge", op)
        assert (hunk.fit, hunk.code) == (Fit.FAILS, Code.LIMIT)
    bench.put("mine.py")
    hunk = bench.one("mine.py", Move("huge"))
    assert (hunk.fit, hunk.error) == (Fit.FAILS, "too large: 10,737,418,240 bytes, the limit is 52,428,800")
    huge.unlink()


def test_B20_sparse_file_as_the_source_of_a_copy(bench: Bench) -> None:
    huge = sparse(bench, "huge")
    huge.unlink()
    bench.put("huge", b"x" * 2_000_000)
    (hunk,) = bench.plan(("copy", Copy("huge")), limits=Limits(max_bytes=1_000_000)).hunks
    assert hunk.fit is Fit.FAILS


@pytest.mark.parametrize("features", [Features(exchange=False), Features(exchange=False, links=False)])
def test_B21_no_exchange_and_no_hard_links(bench: Bench, features: Features) -> None:
    bench.put("a.py", mode=0o755)
    bench.put("gone.py")
    disk = Disk(exchange=features.exchange, links=features.links)
    changes = [bench.change("a.py", OLD, NEW), bench.change("gone.py", OLD, None), bench.change("new.py", None, NEW)]
    before = bench.files()
    commit(bench.workspace, changes, proposal="p", disk=disk)
    assert bench.files() == {"a.py": ("file", 0o755, NEW), "new.py": ("file", 0o644, NEW)}
    undo(bench.workspace, disk=disk)
    assert bench.files() == before
    assert promise(bench.workspace, disk=disk) == Promise(features.exchange, features.links)


def test_B22_rename_that_changes_only_the_case(bench: Bench) -> None:
    bench.put("a.py")
    bench.assert_ok(("a.py", Move("A.py")))
    assert [path for path in bench.files() if path.casefold() == "a.py"] == ["A.py"]
    assert bench.read("A.py") == OLD


@pytest.mark.parametrize("plant", ["file", "link", "directory"])
def test_B23_something_stands_at_our_temporary_name(bench: Bench, monkeypatch: pytest.MonkeyPatch, plant: str) -> None:
    bench.put("a.py")
    guessed, next_token = b"\x01" * 8, b"\x02" * 8
    planted = bench.root / f".hunkdeck-{guessed.hex()}.new"
    makers: dict[str, Callable[[], object]] = {
        "file": lambda: planted.write_bytes(b"planted"),
        "link": lambda: planted.symlink_to(bench.outside / "secret.txt"),
        "directory": planted.mkdir,
    }
    makers[plant]()
    before = snapshot(bench.root)[planted.name]
    tokens, real = [guessed, next_token], os.urandom
    monkeypatch.setattr("os.urandom", lambda size: tokens.pop(0) if size == 8 and tokens else real(size))
    commit(bench.workspace, [bench.change("a.py", OLD, NEW)], proposal="p")
    assert (bench.read("a.py"), snapshot(bench.root)[planted.name]) == (NEW, before)
    planted.rmdir() if plant == "directory" else planted.unlink()


def test_B24_read_only_mount(bench: Bench, tmp_path: Path) -> None:
    bench.put("a.py")
    view = tmp_path / "view"
    view.mkdir()
    with mounted(view, "--bind", "-o", "ro", bench.root):
        if os.access(view, os.W_OK):
            pytest.skip("read-only bind mounts are not possible here")
        with Workspace(view) as workspace:
            (hunk,) = plan(Proposal("test", (Hunk("a.py", EDIT),)), workspace).hunks
            assert (hunk.code, hunk.error) == (Code.IO, "the workspace directory is on a read-only file system")
            with pytest.raises(HunkdeckError, match="Read-only file system"):
                commit(workspace, [bench.change("a.py", OLD, NEW)], proposal="p")
    assert not (bench.root / ".hunkdeck").exists()


def test_B25_root_that_is_no_project(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(bench.outside))
    (bench.root / ".hunkdeck").mkdir()
    for root, reason in (
        ("/", "whole file system"),
        (bench.outside, "home directory"),
        (bench.root / ".hunkdeck", "hunkdeck's own state"),
    ):
        with pytest.raises(WorkspaceError, match=reason):
            Workspace(root)


def test_B25_state_directory_below(bench: Bench) -> None:
    (bench.root / ".hunkdeck/history").mkdir(parents=True)
    with pytest.raises(WorkspaceError, match="hunkdeck's own state"):
        Workspace(bench.root / ".hunkdeck/history")


def test_B07_fifo_is_not_opened_by_a_reader(bench: Bench) -> None:
    """Nobody who waits for a writer is woken up: the kind is looked at before the pipe is opened."""
    os.mkfifo(bench.root / "pipe")

    def work() -> None:
        reader = os.open(bench.root / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        bench.one("pipe", EDIT)
        assert os.read(reader, 1) == b""

    assert in_child(work) == 0
