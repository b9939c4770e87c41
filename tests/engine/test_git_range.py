"""A branch as one proposal: everything that git can say about it arrives, and no setting changes it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hunkdeck
from engine.formats.limits import Limits as ReadLimits
from engine.git_range import BadRange, range_diff
from engine.model import Create, Delete, Move, SetMode, TextEdit, Unsupported
from engine.review import Intent
from engine.workspace import Workspace

Git = Callable[..., str]
NAMES = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
LINES = "".join(f"line {number}\n" for number in range(30))


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """`git("commit", …)` in a repository with one commit on `main`, checked out in tmp_path/shop."""
    for name in NAMES:
        monkeypatch.setenv(name, "n@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    root = tmp_path / "shop"

    def run(*arguments: str, cwd: Path = root) -> str:
        done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=True)
        return done.stdout

    root.mkdir()
    run("init", "-q", "-b", "main")
    for name, text in {"a.txt": LINES, "old.txt": LINES.upper(), "gone.txt": "1\n2\n", "run.sh": "echo\n"}.items():
        (root / name).write_text(text)
    (root / "sub").mkdir()
    (root / "sub" / "b.txt").write_text("one\r\ntwo\r\n", newline="")
    (root / "blob").write_bytes(b"\0\1\2")
    run("add", "-A")
    run("commit", "-qm", "first")
    return run


def diff(tmp_path: Path, text: str, workspace: str = "shop", directory: str = "shop") -> bytes:
    return range_diff(text, workspace=str(tmp_path / workspace), directory=str(tmp_path / directory))


def change_everything(root: Path, git: Git) -> None:
    git("checkout", "-qb", "feature")
    (root / "a.txt").write_text(LINES.replace("line 3\n", "LINE 3\n").replace("line 25\n", ""))
    git("mv", "old.txt", "new name.txt")
    (root / "new name.txt").write_text(LINES.upper().replace("LINE 7\n", "line seven\n"))
    git("rm", "-q", "gone.txt")
    (root / "fresh.txt").write_text("no newline at the end")
    (root / "empty.txt").touch()
    (root / "run.sh").chmod(0o755)
    (root / "sub" / "b.txt").write_text("one\r\n2\r\n", newline="")
    (root / "söme\tname.txt").write_text("odd\n")
    git("add", "-A")
    git("commit", "-qm", "second")


def files(root: Path) -> dict[str, tuple[bytes, bool]]:
    found = (path for path in root.rglob("*") if path.is_file() and not {".git", ".hunkdeck"} & set(path.parts))
    return {str(path.relative_to(root)): (path.read_bytes(), os.access(path, os.X_OK)) for path in found}


def test_what_is_accepted_makes_the_workspace_equal_to_the_branch(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "shop"
    change_everything(root, git)
    (root / "söme\tname.txt").unlink()  # a name that no proposal may write
    wanted = files(root)
    git("checkout", "-q", "-f", "main")
    proposal = hunkdeck.load(diff(tmp_path, "main...feature"))
    kinds = [type(hunk.op) for hunk in proposal.hunks]
    assert {kind: kinds.count(kind) for kind in kinds} == {TextEdit: 4, Move: 1, Delete: 1, Create: 3, SetMode: 1}
    with Workspace(root) as workspace:
        plan = hunkdeck.plan(proposal, workspace)
        odd = [hunk.index for hunk in plan.hunks if "name.txt" in hunk.path and hunk.fit is hunkdeck.Fit.FAILS]
        risky = [hunkdeck.Confirm(hunk.path) for hunk in plan.hunks if hunk.risks]
        intents: list[Intent] = [hunkdeck.Reject(tuple(odd)), *risky, hunkdeck.AcceptAll(unfit_too=True)]
        result = hunkdeck.apply(plan, hunkdeck.decide(plan, *intents), workspace)
    assert (len(odd), result.final, result.success) == (1, True, True)
    assert files(root) == wanted


def test_three_dots_leave_out_what_the_other_side_did_since(tmp_path: Path, git: Git) -> None:
    change_everything(tmp_path / "shop", git)
    git("checkout", "-q", "main")
    (tmp_path / "shop" / "later.txt").write_text("on main\n")
    git("add", "-A")
    git("commit", "-qm", "third")
    assert b"later.txt" not in diff(tmp_path, "main...feature")
    assert b"later.txt" in diff(tmp_path, "main..feature")
    assert diff(tmp_path, "...feature") == diff(tmp_path, "HEAD...feature") == diff(tmp_path, "main...feature")


def test_what_text_cannot_say_is_shown_and_never_applied(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "shop"
    git("checkout", "-qb", "feature")
    (root / "blob").write_bytes(b"\0\3")
    (root / "link").symlink_to("a.txt")
    git("update-index", "--add", "--cacheinfo", f"160000,{git('rev-parse', 'HEAD').strip()},module")
    git("add", "blob", "link")
    git("commit", "-qm", "second")
    hunks = hunkdeck.load(diff(tmp_path, "main..feature")).hunks
    assert [(hunk.path, type(hunk.op)) for hunk in hunks] == [
        ("blob", Unsupported),
        ("link", Unsupported),
        ("module", Unsupported),
    ]


def test_no_setting_no_program_and_no_hook_has_a_say(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "shop"
    change_everything(root, git)
    plain = diff(tmp_path, "main...feature")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\necho sprung\n")
    trap.chmod(0o755)
    for name, value in {
        "diff.external": str(trap), "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "color.ui": "always",
        "diff.context": "9", "diff.interHunkContext": "50", "diff.renames": "false", "diff.algorithm": "minimal",
        "diff.orderFile": str(tmp_path / "gitconfig"), "diff.relative": "true", "diff.suppressBlankEmpty": "true",
        "diff.trap.command": str(trap), "diff.trap.textconv": str(trap), "core.quotePath": "false",
        "core.fsmonitor": str(trap), "core.hooksPath": str(tmp_path), "core.pager": str(trap),
        "diff.submodule": "log", "diff.wordRegex": ".", "diff.ignoreSubmodules": "all",
    }.items():  # fmt: skip
        git("config", name, value)
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("*.txt diff=trap\n")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=0")
    assert diff(tmp_path, "main...feature") == plain
    assert not (tmp_path / "sprung").exists()


def test_a_part_of_the_repository_as_the_workspace(tmp_path: Path, git: Git) -> None:
    change_everything(tmp_path / "shop", git)
    hunks = hunkdeck.load(diff(tmp_path, "main...feature", workspace="shop/sub")).hunks
    assert [hunk.path for hunk in hunks] == ["b.txt"]


def test_head_is_that_of_the_directory_one_is_in(tmp_path: Path, git: Git) -> None:
    """An agent in a linked worktree of its own proposes what it has committed there."""
    git("worktree", "add", "-q", "-b", "feature", str(tmp_path / "wt"))
    (tmp_path / "wt" / "a.txt").write_text("changed\n")
    git("commit", "-qam", "second", cwd=tmp_path / "wt")
    hunks = hunkdeck.load(diff(tmp_path, "main...HEAD", directory="wt")).hunks
    assert [hunk.path for hunk in hunks] == ["a.txt"]
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    assert diff(tmp_path, "main...feature", directory="elsewhere") == diff(tmp_path, "main...feature")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("main", "write it as A...B"),
        ("..", "write it as A...B"),
        ("...", "write it as A...B"),
        ("a....b", "write it as A...B"),
        ("a..b..c", "write it as A...B"),
        ("main...nowhere", "there is no commit called nowhere"),
        ("--output=/tmp/x...main", "there is no commit called --output=/tmp/x"),
        ("main...main", "there is no difference"),
        ("main...other", "no commit in common"),
        ("main^{tree}..main", "there is no commit called"),
    ],
)
def test_bad_ranges_are_refused(tmp_path: Path, git: Git, text: str, problem: str) -> None:
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "unrelated")
    with pytest.raises(BadRange, match=problem):
        diff(tmp_path, text)


def test_where_there_is_no_repository_or_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(BadRange, match="there is no repository here"):
        diff(tmp_path, "a...b", workspace="plain", directory="plain")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadRange, match="git is not installed"):
        diff(tmp_path, "a...b", workspace="plain", directory="plain")


def test_a_difference_that_is_too_large_is_refused(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    change_everything(tmp_path / "shop", git)
    monkeypatch.setattr("engine.git_range.Limits", lambda: ReadLimits(max_bytes=100))
    with pytest.raises(BadRange, match="larger than 100 bytes"):
        diff(tmp_path, "main...feature")
