"""The same faults against `git apply` and hunkdeck, on the same five files, in the same run.

strace makes the k-th call of a kind fail, or kills the process there, for every k. What counts is what the files are
afterwards (for hunkdeck: after its next start, which is part of the promise; `git apply` has no such thing).
"""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.transaction import recover
from tests.battery.slow import SLOW
from tests.battery.slow.test_strace import first_of_interest, injected
from tests.faults.harness import CHANGES, NEW, OLD, Tree, tree, workspace_at

pytestmark = SLOW
FAULTS = ["error=ENOSPC", "error=EIO", "signal=KILL"]
GIT_CALLS = ["openat", "write", "unlink", "rename", "mkdir"]
OUR_CALLS = ["openat", "write", "fsync", "unlinkat", "renameat", "renameat2", "mkdirat"]
MOST = 80


def contents(files: Tree) -> dict[str, bytes]:
    """Modes and empty directories are left out: `git apply` keeps neither."""
    return {path: content for path, (content, _) in files.items() if not path.endswith("/")}


def outcome(root: Path) -> str:
    found = contents(tree(root))
    return "all old" if found == contents(OLD) else "all new" if found == contents(NEW) else "mixed or torn"


def patch_of_the_changes(directory: Path) -> Path:
    """What hunkdeck is asked to do, as a patch of git's own making."""
    patch = directory / "changes.patch"
    with workspace_at(directory / "p") as workspace:
        root = Path(workspace.root)
        run = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@t"]
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "old"]):
            subprocess.run([*run, *arguments], check=True)
        for change in CHANGES:
            target = root / change.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(change.content()) if change.after is not None else target.unlink()
        subprocess.run([*run, "add", "-A"], check=True)
        patch.write_bytes(
            subprocess.run([*run, "diff", "--cached", "--binary", "HEAD"], check=True, capture_output=True).stdout
        )
    return patch


def git_outcomes(directory: Path, patch: Path, call: str, fault: str) -> Iterator[str]:
    """Until git makes no k-th call of this kind any more."""
    log = directory / "strace.log"
    for at in range(1, MOST):
        with workspace_at(directory / "g") as workspace:
            strace = ["strace", "-f", "-o", str(log), "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={at}"]
            command = [*strace, "git", "apply", str(patch)]
            subprocess.run(command, cwd=workspace.root, capture_output=True, timeout=60, check=False)
            result = outcome(Path(workspace.root))
        if not _happened(log):
            return
        yield result


def _happened(log: Path) -> bool:
    """There was a k-th call of this kind."""
    said = log.read_text(errors="replace")
    return "INJECTED" in said or "killed by SIGKILL" in said


def our_outcomes(directory: Path, call: str, fault: str) -> Iterator[str]:
    log = directory / "strace.log"
    for at in first_of_interest(directory, call):
        with workspace_at(directory / "w") as workspace:
            said = injected(directory / "w", call, fault, at, log=log)
            if not _happened(log):
                return
            recover(workspace)
            result = outcome(directory / "w")
        if "applied" in said and result != "all new":
            result = "mixed or torn"
        yield result


def test_I03_beside_git_apply(tmp_path: Path) -> None:
    for tool in ("strace", "git"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not here")
    patch = patch_of_the_changes(tmp_path)
    print(f"\n{'fault at every k-th call':26} {'':10} {'runs':>5} {'all old':>8} {'all new':>8} {'mixed or torn':>14}")
    mixed = Counter[str]()
    for fault in FAULTS:
        ours = Counter(one for call in OUR_CALLS for one in our_outcomes(tmp_path, call, fault))
        theirs = Counter(one for call in GIT_CALLS for one in git_outcomes(tmp_path, patch, call, fault))
        for who, counts in (("git apply", theirs), ("hunkdeck", ours)):
            mixed[who] += counts["mixed or torn"]
            row = [sum(counts.values()), counts["all old"], counts["all new"], counts["mixed or torn"]]
            print(f"{fault:26} {who:10} {row[0]:5} {row[1]:8} {row[2]:8} {row[3]:14}", flush=True)
    assert mixed["hunkdeck"] == 0
