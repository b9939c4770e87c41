"""Reading: nothing outside, nothing but regular files, nothing above the limit."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PathBlocked, WorkspaceError
from engine.workspace import Found, Stat, Workspace, check_path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_bytes(b"text\r\n")
    (root / "src/a.py").chmod(0o640)
    return root


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    with Workspace(root) as opened:
        yield opened


def test_read_and_stat(workspace: Workspace) -> None:
    uid, gid = os.getuid(), os.getgid()
    digest = hashlib.sha256(b"text\r\n").hexdigest()
    assert workspace.read("src/a.py") == Found("src/a.py", b"text\r\n", digest, 0o640, 1, uid, gid, xattrs=False)
    assert workspace.stat("src/a.py") == Stat("src/a.py", 6, 0o640, 1, uid, gid, xattrs=False)


@pytest.mark.parametrize("path", ["missing.py", "src/missing.py", "no/such/directory.py"])
def test_what_does_not_exist(workspace: Workspace, path: str) -> None:
    assert (workspace.read(path), workspace.stat(path), workspace.writable(path)) == (None, None, None)


def test_a_name_that_is_not_utf8(workspace: Workspace, root: Path) -> None:
    name = os.fsdecode(b"\xff\n.py")
    (root / name).write_bytes(b"x")
    found = workspace.read(name)
    assert found is not None
    assert (found.path, found.data) == (name, b"x")
    assert name in workspace.entries("")


BLOCKED = {
    "link.py": "is a symbolic link",
    "dangling.py": "is a symbolic link",
    "loop.py": "is a symbolic link",
    "linked/a.py": "lies beyond a symbolic link",
    "outside/secret": "lies beyond a symbolic link",
    "src": "is a directory",
    "src/a.py/b.py": "a parent of it is a file, not a directory",
    "pipe": "is a named pipe (FIFO)",
    "socket": "is a socket",
    "x" * 256: "the name is too long",
    "d/" * 2100 + "x": "the path is too long",
    "": "not a path inside the workspace",
    ".": "not a path inside the workspace",
    "..": "not a path inside the workspace",
    "src/../../x": "not a path inside the workspace",
    "/etc/passwd": "not a path inside the workspace",
    "src//a.py": "not a path inside the workspace",
    "./src/a.py": "not a path inside the workspace",
    "src/": "not a path inside the workspace",
    "a\0b": "the path contains a NUL character",
    "\ud800": "the path cannot be encoded as a file name",
}


@pytest.mark.parametrize(("path", "reason"), BLOCKED.items(), ids=range(len(BLOCKED)))
def test_what_is_blocked(
    workspace: Workspace, root: Path, path: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root.parent / "elsewhere").mkdir()
    (root.parent / "elsewhere/secret").write_bytes(b"secret")
    for name, target in {
        "link.py": "src/a.py",
        "dangling.py": "nowhere",
        "loop.py": "loop.py",
        "linked": "src",
        "outside": "../elsewhere",
    }.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(root)  # the address of a socket has room for about 100 bytes
        server.bind("socket")
        for look in (workspace.read, workspace.stat):
            with pytest.raises(PathBlocked) as caught:
                look(path)
            assert (caught.value.path, caught.value.reason) == (path, reason)


def test_a_device() -> None:
    with Workspace("/dev") as workspace, pytest.raises(PathBlocked, match="null: is a device"):
        workspace.read("null")


def test_size_is_checked_before_reading(workspace: Workspace, root: Path) -> None:
    os.truncate(root / "src/a.py", 10_000_000_000)
    with pytest.raises(PathBlocked, match=r"src/a\.py: too large: 10,000,000,000 bytes, the limit is 1,000,000"):
        workspace.read("src/a.py", max_bytes=1_000_000)
    os.truncate(root / "src/a.py", 3)
    found = workspace.read("src/a.py", max_bytes=3)
    assert found is not None
    assert found.data == b"tex"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("src/new.py", None),
        ("not/there/yet.py", None),
        ("src/a.py/b.py", "a parent of it is a file, not a directory"),
        ("linked/b.py", "lies beyond a symbolic link"),
        ("src/" + "x" * 256, "the name is too long"),
        ("../x", "not a path inside the workspace"),
    ],
)
def test_whether_a_file_can_be_written(workspace: Workspace, root: Path, path: str, reason: str | None) -> None:
    (root / "linked").symlink_to("src")
    assert workspace.writable(path) == reason


def test_entries_and_missing_directories(workspace: Workspace) -> None:
    assert workspace.entries("") == ["src"]
    assert workspace.entries("src") == ["a.py"]
    assert workspace.entries("nowhere/at/all") == []
    assert workspace.missing_directories("src/x/y/z.py") == ["src/x", "src/x/y"]
    assert workspace.missing_directories("src/z.py") == []


@pytest.mark.parametrize("root", ["/", "~"])
def test_roots_that_are_too_broad(root: str) -> None:
    with pytest.raises(WorkspaceError, match="choose the directory of one project"):
        Workspace(os.path.expanduser(root))


def test_roots_that_are_none(root: Path) -> None:
    (root / ".hunkdeck").mkdir()
    with pytest.raises(WorkspaceError, match="not a directory that can be opened"):
        Workspace(root / "missing")
    with pytest.raises(WorkspaceError, match="not a directory that can be opened"):
        Workspace(root / "src/a.py")
    with pytest.raises(WorkspaceError, match="hunkdeck's own state"):
        Workspace(root / ".hunkdeck")


def test_a_root_behind_a_link_is_resolved_once(root: Path) -> None:
    (root.parent / "link").symlink_to(root)
    with Workspace(root.parent / "link") as workspace:
        assert workspace.root == str(root)
        (root.parent / "link").unlink()
        assert workspace.read("src/a.py") is not None
        assert workspace.still_there()
        os.rename(root, root.with_name("moved"))
        assert not workspace.still_there()


def test_descriptors_are_closed(workspace: Workspace) -> None:
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    for path in ("src/a.py", "missing.py", "src", "src/a.py/b.py"):
        try:
            workspace.read(path)
        except PathBlocked:
            continue
    assert (os.listdir("/proc/self/fd") if before else []) == before
    assert not os.get_inheritable(workspace.fd)


@given(st.text(alphabet="./a\0\ud800", max_size=12))
def test_a_path_that_passes_stays_inside(path: str) -> None:
    try:
        check_path(path)
    except PathBlocked:
        return
    assert os.path.normpath(path) == path
    assert not os.path.isabs(path)
    assert path.split("/")[0] != ".."
