"""B06 and H04 in full numbers."""

from __future__ import annotations

import os
import random
import time
from contextlib import suppress

import pytest

from engine.errors import Conflict, HunkdeckError
from engine.rename import Flag, rename_with
from engine.transaction import commit
from tests.battery.bench import NEW, Bench
from tests.battery.slow import SLOW
from tests.battery.test_h_concurrency import exchange_works, replaced
from tests.faults.harness import QuietDisk

pytestmark = SLOW
SWAPS = 1_000_000
APPLIES = 50_000


def test_B06_a_million_swaps(bench: Bench) -> None:
    bench.seconds = 600
    if not exchange_works(bench.root):
        pytest.skip("this file system cannot exchange names")
    bench.put("src/file.py", NEW)
    bench.link("link", bench.outside / "deep")
    fd = os.open(bench.root, os.O_RDONLY)
    pid = os.fork()
    if pid == 0:
        for _ in range(SWAPS):
            rename_with(Flag.EXCHANGE, fd, "src", "link")
        os._exit(0)
    tries = 0
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        tries += 1
        with suppress(HunkdeckError):
            before = bench.workspace.read("src/file.py")
            if before:
                after = b"%d\n" % tries
                commit(
                    bench.workspace,
                    [bench.change("src/file.py", before.data, after)],
                    proposal="p",
                    disk=QuietDisk(),
                )
    os.close(fd)
    print(f"{tries} applies during {SWAPS} swaps")


def test_H04_fifty_thousand_applies(bench: Bench) -> None:
    bench.seconds = 900
    if not exchange_works(bench.root):
        pytest.skip("this file system cannot exchange names")
    file = bench.put("a.txt", b"shown")
    commands, command = os.pipe()
    answers, answer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(command)
        while count := os.read(commands, 1):
            for number in range(count[0]):
                replaced(file, b"save %d" % number)
            os.write(answer, b"k")
        os._exit(0)
    chance, conflicts, started = random.Random(1), 0, time.monotonic()
    for _ in range(APPLIES):
        file.write_bytes(b"shown")
        saves = chance.randrange(1, 12)
        os.write(command, bytes([saves]))
        try:
            commit(bench.workspace, [bench.change("a.txt", b"shown", NEW)], proposal="p", disk=QuietDisk())
        except Conflict:
            conflicts += 1
        os.read(answers, 1)
        assert file.read_bytes() == b"save %d" % (saves - 1)
    for end in (command, commands, answers, answer):
        os.close(end)
    os.waitpid(pid, 0)
    bench.knows("a.txt", file.read_bytes())
    print(f"{APPLIES} applies, {conflicts} conflicts, {time.monotonic() - started:.0f} s, 0 saves lost")
