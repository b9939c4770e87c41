"""A batch of 100 files with 10 hunks each, in one process, beside reading and writing them durably with no engine.

python -m benchmarks.batch
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import hunkdeck
from benchmarks.timing import best_of

FILES, HUNKS, LINES, ROUNDS = 100, 10, 200, 5
TARGET = 3.0


def main() -> None:
    for ending in ("txt", "py"):
        _measure(ending)


def _measure(ending: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        proposal = _proposal(ending)
        best = best_of(
            ROUNDS,
            {
                "write": lambda: _fresh(home, ending),
                "plain": lambda: _plain(home, ending),
                "again": lambda: _fresh(home, ending),
                "engine": lambda: _engine(home, proposal),
            },
        )
    ratio = best["engine"] / best["plain"]
    print(f"{FILES} .{ending} files x {HUNKS} hunks: read and write durably {best['plain'] * 1000:.0f} ms, ", end="")
    print(f"hunkdeck {best['engine'] * 1000:.0f} ms, ratio {ratio:.2f} (target: at most {TARGET:.0f})")


def _line(file: int, line: int) -> str:
    return f"value_{file}_{line} = compute({line}, offset={file})"


def _proposal(ending: str) -> bytes:
    edits = [
        {
            "file_path": f"f{file}.{ending}",
            "old_string": _line(file, line),
            "new_string": _line(file, line).replace("compute", "recompute"),
        }
        for file in range(FILES)
        for line in range(5, LINES, LINES // HUNKS)
    ]
    return json.dumps({"description": "a large batch", "edits": edits}).encode()


def _fresh(home: Path, ending: str) -> None:
    for file in range(FILES):
        (home / f"f{file}.{ending}").write_text("".join(_line(file, n) + "\n" for n in range(LINES)))


def _plain(home: Path, ending: str) -> None:
    """What a careful script does: read, write a temporary file, sync it, rename it, sync the directory."""
    directory = os.open(home, os.O_RDONLY)
    for file in range(FILES):
        path = home / f"f{file}.{ending}"
        data = path.read_bytes().replace(b"compute", b"recompute")
        temporary = path.with_suffix(".tmp")
        with open(temporary, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
        os.fsync(directory)  # without it, the new name may not survive a power cut
    os.close(directory)


def _engine(home: Path, data: bytes) -> None:
    with hunkdeck.Workspace(home) as workspace:
        plan = hunkdeck.plan(hunkdeck.load(data), workspace)
        result = hunkdeck.apply(plan, hunkdeck.decide(plan, hunkdeck.AcceptAll()), workspace)
    assert len(result.to_dict()["applied"]) == FILES * HUNKS, result.error


if __name__ == "__main__":
    main()
