"""I09: the power goes before every operation. What the medium holds then is a copy of the image it is on.

The file system is told to write nothing by itself (`commit=300`, no delayed-allocation flush), so that only what was
synced is in the image.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.disk import Disk
from engine.transaction import recover
from engine.workspace import Workspace
from tests.battery.machine import allowed, mounted, needs_root
from tests.faults.harness import ALL_NEW, ALL_OLD, Features, apply, assert_whole, workspace_at

OPTIONS = ("-o", "loop,noauto_da_alloc,commit=300")


class Photographer(Disk):
    """Copies the medium before every operation."""

    sequential = True

    def __init__(self, image: Path, features: Features) -> None:
        super().__init__(exchange=features.exchange, links=features.links)
        self.image, self.copies = image, list[Path]()

    def before(self, operation: str, name: str) -> None:
        self.photograph()

    def photograph(self) -> Path:
        copy = self.image.with_name(f"copy-{len(self.copies)}.img")
        subprocess.run(["cp", "--sparse=always", self.image, copy], check=True)
        self.copies.append(copy)
        return copy


@pytest.mark.parametrize("features", [Features(), Features(exchange=False)], ids=["exchange", "links"])
def test_I09_power_cut(tmp_path: Path, features: Features) -> None:
    needs_root()
    image, point = tmp_path / "medium.img", tmp_path / "mounted"
    point.mkdir()
    with open(image, "wb") as file:
        file.truncate(8 * 1024 * 1024)
    if not allowed("mkfs.ext4", "-q", "-F", image):
        pytest.skip("mkfs.ext4 is not here")
    disk = Photographer(image, features)
    with mounted(point, *OPTIONS, image):
        shutil.rmtree(point / "lost+found")
        with workspace_at(point / "w") as workspace:
            os.sync()
            apply(workspace, disk)
            applied = disk.photograph()
    seen = [after_the_cut(copy, point) for copy in disk.copies]
    assert set(seen) == {"old", "new"}
    assert seen == sorted(seen, reverse=True), "once new, always new"
    assert after_the_cut(applied, point) == "new"
    print(f"{len(seen)} power cuts")


def after_the_cut(copy: Path, point: Path) -> str:
    """All old or all new after the next start."""
    with mounted(point, *OPTIONS, copy), Workspace(point / "w") as workspace:
        recover(workspace)
        found = assert_whole(point / "w")
    assert found in (ALL_OLD, ALL_NEW)
    return "new" if found == ALL_NEW else "old"
