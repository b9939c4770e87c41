"""The branch in the top line: read from the repository's files, whatever lies there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.branch import branch_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/main\n", "main"),
        ("ref: refs/heads/fix/the-cart\n", "fix/the-cart"),
        (f"{COMMIT}\n", "0123456"),
        ("ref: refs/heads/evil\x1b[2J\n", "evil\x1b[2J"),
        ("", None),
        ("root:x:0:0:root:/root:/bin/bash\n", None),
    ],
)
def test_what_head_says(tmp_path: Path, head: str, branch: str | None) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text(head)
    assert branch_of(str(tmp_path)) == branch


def test_a_directory_inside_the_repository_has_its_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "src/shop").mkdir(parents=True)
    assert branch_of(str(tmp_path / "src/shop")) == "main"


@pytest.mark.parametrize("relative", [True, False])
def test_a_linked_worktree_points_to_its_own_head(tmp_path: Path, relative: bool) -> None:
    home = tmp_path / "shop/.git/worktrees/side"
    home.mkdir(parents=True)
    (home / "HEAD").write_text("ref: refs/heads/side\n")
    (tmp_path / "side").mkdir()
    (tmp_path / "side/.git").write_text(f"gitdir: {'../shop/.git/worktrees/side' if relative else home}\n")
    assert branch_of(str(tmp_path / "side")) == "side"


def test_outside_a_repository_there_is_none() -> None:
    assert branch_of("/") is None


def test_what_cannot_be_read_is_no_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert branch_of(str(tmp_path)) is None
    os.mkfifo(tmp_path / ".git/HEAD")  # would block a reader that waits
    assert branch_of(str(tmp_path)) is None
    (tmp_path / ".git/HEAD").unlink()
    (tmp_path / ".git/HEAD").symlink_to("/etc/passwd")
    assert branch_of(str(tmp_path)) is None
