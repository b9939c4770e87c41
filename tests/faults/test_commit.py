"""What a commit does where nothing goes wrong, and what it refuses before it writes anything."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.errors import Conflict, HunkdeckError, WorkspaceError, WriteFailed
from engine.transaction import Applied, Change, Promise, commit, history, promise, recover, undo
from engine.workspace import Workspace
from tests.faults.harness import Features, QuietDisk, digest, outcome, tree

OLD, NEW = b"old\n", b"new\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "w").mkdir()
    with Workspace(tmp_path / "w") as opened:
        yield opened


@pytest.fixture
def root(workspace: Workspace) -> Path:
    return Path(workspace.root)


def put(root: Path, path: str, content: bytes = OLD, mode: int = 0o644) -> Path:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(content)
    (root / path).chmod(mode)
    return root / path


def apply(workspace: Workspace, *changes: Change, disk: Disk | None = None) -> Applied:
    return commit(workspace, changes, proposal="p", disk=disk or QuietDisk())


def modified(path: str, after: bytes = NEW, *, executable: bool | None = None) -> Change:
    return Change(path, digest(OLD), after, executable=executable)


FEATURES = pytest.mark.parametrize(
    "features", [Features(), Features(exchange=False), Features(exchange=False, links=False)]
)


def test_the_real_disk_with_its_pool(workspace: Workspace, root: Path) -> None:
    seen: list[tuple[int, int]] = []
    changes = [Change(f"d{n % 3}/f{n}.py", None, b"%d" % n) for n in range(40)]
    applied = commit(workspace, changes, proposal="p", progress=lambda done, total: seen.append((done, total)))
    assert applied == Applied("000001", ())
    assert seen == [(n, 40) for n in range(1, 41)]
    files = {path: content for path, (content, _) in tree(root).items() if not path.endswith("/")}
    assert files == {change.path: change.after for change in changes}
    assert (root / ".hunkdeck/.gitignore").read_bytes() == b"*\n"
    assert stat.S_IMODE((root / ".hunkdeck").stat().st_mode) == 0o700


@FEATURES
@pytest.mark.parametrize("mode", [0o644, 0o755, 0o444, 0o660, 0o600])
def test_the_mode_is_kept(workspace: Workspace, root: Path, features: Features, mode: int) -> None:
    put(root, "a.py", mode=mode)
    apply(workspace, modified("a.py"), disk=QuietDisk(features))
    assert tree(root) == {"a.py": (NEW, mode)}
    undo(workspace, disk=QuietDisk(features))
    assert tree(root) == {"a.py": (OLD, mode)}


@FEATURES
@pytest.mark.parametrize(
    ("mode", "executable", "becomes"),
    [(0o644, True, 0o755), (0o640, True, 0o750), (0o744, True, 0o744), (0o755, False, 0o644), (0o644, False, 0o644)],
)
def test_the_mode_alone_can_change(
    workspace: Workspace, root: Path, features: Features, mode: int, executable: bool, becomes: int
) -> None:
    put(root, "a.sh", mode=mode)
    applied = apply(workspace, modified("a.sh", OLD, executable=executable), disk=QuietDisk(features))
    assert tree(root) == {"a.sh": (OLD, becomes)}
    assert (applied.id == "") == (mode == becomes)
    if applied.id:
        undo(workspace, disk=QuietDisk(features))
        assert tree(root) == {"a.sh": (OLD, mode)}


def test_new_files_follow_the_umask(workspace: Workspace, root: Path) -> None:
    before = os.umask(0o027)
    try:
        apply(workspace, Change("a.py", None, NEW), Change("b.sh", None, NEW, executable=True))
    finally:
        os.umask(before)
    assert tree(root) == {"a.py": (NEW, 0o640), "b.sh": (NEW, 0o750)}


def test_files_change_places(workspace: Workspace, root: Path) -> None:
    put(root, "a.py", b"A")
    put(root, "b.py", b"B", 0o755)
    swap = [Change("a.py", digest(b"A"), b"B", like="b.py"), Change("b.py", digest(b"B"), b"A", like="a.py")]
    apply(workspace, *swap)
    assert tree(root) == {"a.py": (b"B", 0o755), "b.py": (b"A", 0o644)}


def test_the_other_name_of_a_hard_link_keeps_the_old_text(workspace: Workspace, root: Path) -> None:
    os.link(put(root, "a.py"), root / "b.py")
    apply(workspace, modified("a.py"))
    assert tree(root) == {"a.py": (NEW, 0o644), "b.py": (OLD, 0o644)}
    (root / "b.py").write_bytes(b"edited in place through the other name")
    undo(workspace, disk=QuietDisk())
    assert (root / "a.py").read_bytes() == OLD


def test_extended_attributes_are_kept(workspace: Workspace, root: Path) -> None:
    file = put(root, "a.py")
    try:
        os.setxattr(file, "user.note", b"keep me")
    except OSError:
        pytest.skip("no extended attributes here")
    apply(workspace, modified("a.py"))
    assert os.getxattr(file, "user.note") == b"keep me"
    undo(workspace, disk=QuietDisk())
    assert os.getxattr(file, "user.note") == b"keep me"


def test_an_extended_attribute_that_cannot_be_kept_is_an_error(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(root, "a.py")
    try:
        os.setxattr(file, "user.note", b"keep me")
    except OSError:
        pytest.skip("no extended attributes here")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "setxattr", refuse)
    with pytest.raises(WriteFailed, match=r"a\.py: the extended attribute user\.note cannot be kept"):
        apply(workspace, modified("a.py"))
    assert tree(root) == {"a.py": (OLD, 0o644)}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (modified("missing.py"), "missing.py: does not exist any more"),
        (Change("here.py", None, NEW), "here.py: exists already"),
        (Change("here.py", digest(b"other"), NEW), "here.py: was changed since it was shown"),
        (modified("dir"), "dir: is not a regular file any more"),
        (modified("link.py"), "link.py: is not a regular file any more"),
        (Change("here.py/below.py", None, NEW), "here.py/below.py: a parent of it is a file, not a directory"),
        (Change("linked/x.py", None, NEW), "linked/x.py: lies beyond a symbolic link"),
        (Change("../x.py", None, NEW), "../x.py: not a path inside the workspace"),
        (Change(".git/hooks/x", None, NEW), ".git/hooks/x: belongs to git or to hunkdeck itself"),
        (Change(".hunkdeck/id", None, NEW), ".hunkdeck/id: belongs to git or to hunkdeck itself"),
        (modified("setuid"), "setuid: has the setuid or setgid bit"),
        (Change("new", None, NEW, like="setuid"), "setuid: has the setuid or setgid bit"),
        (Change("new", None, NEW, like="missing.py"), "missing.py: its mode and owner cannot be read"),
        (Change("x" * 256, None, NEW), "x" * 256 + ": File name too long"),
    ],
)
def test_nothing_is_written_where_one_file_cannot_be(
    workspace: Workspace, root: Path, change: Change, error: str
) -> None:
    put(root, "here.py")
    put(root, "setuid", mode=0o4755)
    put(root, "dir/file.py")
    (root / "link.py").symlink_to("here.py")
    (root / "linked").symlink_to("dir")
    before = tree(root)
    with pytest.raises((Conflict, WriteFailed)) as caught:
        apply(workspace, Change("first.py", None, NEW), change)
    assert str(caught.value) == error
    assert tree(root) == before
    assert os.listdir(root / ".hunkdeck/history") == []


def test_one_path_twice(workspace: Workspace) -> None:
    with pytest.raises(Conflict, match="changed twice"):
        apply(workspace, Change("a.py", None, OLD), Change("a.py", None, NEW))


def test_nothing_to_write(workspace: Workspace, root: Path) -> None:
    put(root, "a.py")
    assert apply(workspace, modified("a.py", OLD)) == Applied("", ("nothing to write",))
    assert history(workspace) == []


@FEATURES
@pytest.mark.parametrize("operation", ["exchange", "link", "copy", "rename", "place"])
def test_somebody_saves_at_the_last_moment(
    workspace: Workspace, root: Path, features: Features, operation: str
) -> None:
    """Whatever is there when a swap begins is somebody's: it is there afterwards, or it is what we were shown."""
    put(root, "edited.py")
    put(root, "deleted.py")

    class Editor(QuietDisk):
        saved: str | None = None

        def before(self, op: str, name: str) -> None:
            if self.saved is None and op == operation and name in ("edited.py", "deleted.py", "created.py"):
                self.saved = name
                save(root, name, b"saved")

    editor = Editor(features)
    changes = [modified("edited.py"), Change("deleted.py", digest(OLD), None), Change("created.py", None, NEW)]
    conflict = outcome(lambda w, disk: apply(w, *changes, disk=disk), workspace, editor)
    untouched = {"edited.py": (OLD, 0o644), "deleted.py": (OLD, 0o644)}
    if editor.saved is None:
        assert (conflict, tree(root)) == (None, {"edited.py": (NEW, 0o644), "created.py": (NEW, 0o644)})
    else:
        assert isinstance(conflict, Conflict)
        assert conflict.path == editor.saved
        assert tree(root) == {**untouched, editor.saved: (b"saved", 0o644)}


def save(root: Path, name: str, content: bytes) -> None:
    (root / "tmp").write_bytes(content)
    os.rename(root / "tmp", root / name)


def test_somebody_saves_twice_while_the_first_save_is_put_back(workspace: Workspace, root: Path) -> None:
    put(root, "a.py")
    saves = [b"first", b"second"]

    class Editor(QuietDisk):
        def before(self, op: str, name: str) -> None:
            if op == "exchange" and saves:
                save(root, "a.py", saves.pop(0))

    with pytest.raises(Conflict) as caught:
        apply(workspace, modified("a.py"), disk=Editor())
    assert tree(root) == {"a.py": (b"second", 0o644)}
    assert [path.read_bytes() for path in (root / ".hunkdeck/history").iterdir()] == [b"first"]
    assert "is kept as .hunkdeck/history/kept-" in caught.value.__notes__[-1]


def test_somebody_saves_a_created_file_while_it_is_taken_back(workspace: Workspace, root: Path) -> None:
    class Editor(QuietDisk):
        def before(self, op: str, name: str) -> None:
            if (op, name) == ("place", "b.py"):
                put(root, "b.py", b"in the way")
            if (op, name) == ("rename", "a.py"):
                save(root, "a.py", b"saved")

    with pytest.raises(Conflict, match=r"b\.py: was created by somebody else"):
        apply(workspace, Change("a.py", None, NEW), Change("b.py", None, NEW), disk=Editor())
    assert tree(root) == {"a.py": (b"saved", 0o644), "b.py": (b"in the way", 0o644)}


def test_a_created_file_of_the_same_content_is_not_ours_to_remove(workspace: Workspace, root: Path) -> None:
    class Twin(QuietDisk):
        def before(self, op: str, name: str) -> None:
            if op == "place":
                put(root, "a.py", NEW)

    with pytest.raises(Conflict, match="created by somebody else"):
        apply(workspace, Change("a.py", None, NEW), disk=Twin())
    assert tree(root) == {"a.py": (NEW, 0o644)}


def test_a_writer_with_the_old_file_open(workspace: Workspace, root: Path) -> None:
    """Written after the commit point: applied, and what was written is kept and named."""
    fd = os.open(put(root, "a.py"), os.O_WRONLY)

    class Late(QuietDisk):
        def before(self, op: str, name: str) -> None:
            if (op, name) == ("rename", "journal-swapping"):
                os.write(fd, b"late")

    applied = apply(workspace, modified("a.py"), disk=Late())
    os.close(fd)
    assert tree(root) == {"a.py": (NEW, 0o644)}
    (note,) = applied.notes
    assert note.startswith("a.py: somebody wrote to the old file while it was replaced")
    assert (root / note.rpartition(" ")[2]).read_bytes() == b"late"
    with pytest.raises(HunkdeckError, match=r"a\.py: its old content was altered"):
        undo(workspace, disk=QuietDisk())


def test_a_workspace_that_was_replaced(workspace: Workspace, root: Path) -> None:
    put(root, "a.py")
    os.rename(root, root.with_name("moved"))
    put(root, "a.py")
    with pytest.raises(WorkspaceError, match="moved, deleted or replaced"):
        apply(workspace, modified("a.py"))
    assert tree(root) == tree(root.with_name("moved")) == {"a.py": (OLD, 0o644)}


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_state_directory_that_is_not_one(workspace: Workspace, root: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "outside").mkdir()
    if kind == "link":
        (root / ".hunkdeck").symlink_to(tmp_path / "outside")
    else:
        (root / ".hunkdeck").write_bytes(b"")
    for work in (lambda: apply(workspace, Change("a.py", None, NEW)), lambda: recover(workspace)):
        with pytest.raises(WorkspaceError, match=r"\.hunkdeck: not a directory of hunkdeck's own"):
            work()
    assert tree(tmp_path / "outside") == {}


def test_the_state_directory_vanishes_in_the_middle(workspace: Workspace, root: Path) -> None:
    put(root, "a.py")

    class Vanishing(QuietDisk):
        def before(self, op: str, name: str) -> None:
            if (op, name) == ("rename", "journal-swapping"):
                with suppress(FileNotFoundError):
                    os.unlink(root / ".hunkdeck/journal-swapping")

    with pytest.raises(WriteFailed, match="the journal: No such file or directory") as caught:
        apply(workspace, modified("a.py"), Change("b.py", None, NEW), disk=Vanishing())
    assert caught.value.restored
    assert tree(root) == {"a.py": (OLD, 0o644)}


def test_an_error_in_the_clean_up_is_not_a_failure(workspace: Workspace, root: Path) -> None:
    put(root, "a.py")

    class Broken(QuietDisk):
        def before(self, op: str, name: str) -> None:
            if (op, name) == ("rename", "journal-applied"):
                raise OSError(5, "Input/output error")

    applied = apply(workspace, modified("a.py"), disk=Broken())
    assert applied == Applied("000001", ("applied, clean-up pending ([Errno 5] Input/output error)",))
    assert recover(workspace, disk=QuietDisk()) == ()
    assert [entry.id for entry in history(workspace)] == ["000001"]


@FEATURES
def test_what_can_be_promised(workspace: Workspace, root: Path, features: Features) -> None:
    assert promise(workspace, disk=QuietDisk(features)) == Promise(features.exchange, features.links)
    assert os.listdir(root / ".hunkdeck/history") == []


def test_a_default_acl_of_the_directory_does_not_open_a_file(workspace: Workspace, root: Path) -> None:
    entries = [(0x01, 7, -1), (0x02, 7, 12345), (0x04, 7, -1), (0x10, 7, -1), (0x20, 0, -1)]
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
    file = put(root, "a.py", mode=0o644)
    try:
        os.setxattr(root, "system.posix_acl_default", acl)
    except OSError:
        pytest.skip("no access control lists here")
    apply(workspace, modified("a.py"))
    assert (os.listxattr(file), tree(root)) == ([], {"a.py": (NEW, 0o644)})


def test_recovery_with_nothing_to_do_leaves_no_trace(workspace: Workspace, root: Path) -> None:
    disk = QuietDisk()
    assert recover(workspace, disk=disk) == ()
    assert (disk.count, os.listdir(root)) == (0, [])
