"""What a machine may allow or not: other users, mounts, immutable files. What is missing skips, and says so."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


def needs_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root")


def allowed(*command: str | Path) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@contextmanager
def mounted(target: Path, *options: str | Path) -> Iterator[None]:
    """`mount OPTIONS target`, or a visible skip."""
    needs_root()
    if not allowed("mount", *options, target):
        pytest.skip(f"mount {' '.join(map(str, options))} is not possible here")
    try:
        yield
    finally:
        subprocess.run(["umount", target], check=True)


@contextmanager
def immutable(path: Path) -> Iterator[None]:
    if not allowed("chattr", "+i", path):
        pytest.skip("files cannot be made immutable here")
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", path], check=True)


def in_child(work: Callable[[], object]) -> int:
    """Run in a process of its own; its wait status."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def as_nobody(work: Callable[[], object]) -> None:
    """As a user for whom permissions mean something: root ignores them."""

    def reduced() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        work()

    assert in_child(reduced if os.geteuid() == 0 else work) == 0


def give_to_nobody(*paths: Path) -> None:
    if os.geteuid() == 0:
        for path in paths:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
