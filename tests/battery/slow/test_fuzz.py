"""Every parser and `safe_text` under atheris, for a bounded time each: no traceback, hang or forbidden character."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.formats import FORMATS
from tests.battery.command import PROJECT
from tests.battery.slow import SLOW

pytestmark = SLOW
SECONDS = int(os.environ.get("HUNKDECK_FUZZ_SECONDS", "15"))
TARGETS = ["any", *FORMATS, "safe_text"]


@pytest.mark.parametrize("target", TARGETS)
def test_E01_fuzzed(target: str, tmp_path: Path) -> None:
    if find_spec("atheris") is None:
        pytest.skip("atheris is not here (no wheel for this Python)")
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    for number, file in enumerate(sorted((PROJECT / "tests/scenarios").glob("*/proposal*"))):
        (seeds / str(number)).write_bytes(file.read_bytes())
    options = [f"-max_total_time={SECONDS}", "-timeout=5", "-max_len=4096", f"-artifact_prefix={tmp_path}/", str(seeds)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.battery.slow.fuzz", target, *options],
        cwd=PROJECT,
        capture_output=True,
        timeout=SECONDS + 120,
        check=False,
    )
    said = done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-3000:]
    runs = re.findall(r"Done (\d+) runs", said)
    print(f"{target}: {runs[-1] if runs else '?'} inputs in {SECONDS} s")
    assert runs
