"""Group E in `hunkdeck watch` on a real terminal: proposals that grow, go or change while somebody looks at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.battery.bench import Bench
from tests.battery.in_app import assert_tty_clean, open_app, text_written, tour
from tests.engine.queue.support import edits
from tests.tui.terminal import Terminal

TEXT = b"one\ntwo\nthree\n"
TWO = edits(("one", "first"), ("two", "second"))
EVIL = edits(("one", "first"), ("two", "evil"))
CTRL_S = "\x13"


@pytest.fixture
def queue(bench: Bench) -> Path:
    bench.seconds = 60
    bench.put("a.txt", TEXT)
    queue = bench.root / ".hunkdeck" / "queue"
    queue.mkdir(parents=True)
    queue.parent.chmod(0o700)
    return queue


@pytest.fixture
def terminal(bench: Bench, queue: Path) -> Iterator[Terminal]:
    """The app, watching; whatever it wrote is clean."""
    with open_app(bench.root, "watch") as terminal:
        yield terminal
        tour(terminal, ["q"])
        assert_tty_clean(terminal.seen)


def drop(queue: Path, data: bytes, name: str = "p.json") -> None:
    (queue / ".new").write_bytes(data)
    (queue / ".new").rename(queue / name)


def shown(terminal: Terminal, text: str) -> None:
    """On the screen, and the app is done with it: a key that comes while the cursor moves by itself is dropped."""
    terminal.wait_for(text)
    terminal.settle(0.3)


def answer(queue: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((queue / "p.result.json").read_bytes())
    return found


def apply(terminal: Terminal) -> None:
    terminal.press(CTRL_S)
    terminal.wait_for("Apply")
    terminal.press("\r")


def test_E13_half_written_in_the_app(terminal: Terminal, queue: Path) -> None:
    """While it grows another one comes and is shown: the half is not, nor any word about it."""
    drop(queue, edits(("three", "third")), "other.json")
    terminal.wait_for("third")
    with open(queue / "p.json", "wb", buffering=0) as file:
        file.write(TWO[: len(TWO) // 2])
        drop(queue, edits(("three", "drei")), "later.json")
        terminal.wait_for("later")
        terminal.settle(0.5)
        written = text_written(terminal.seen)
        assert "second" not in written
        assert "cannot be read" not in written
        assert "unreadable" not in written.lower()
        file.write(TWO[len(TWO) // 2 :])
    terminal.wait_for("3 proposals")
    assert "unreadable" not in text_written(terminal.seen).lower()


def test_E15_deleted_before_a_decision_in_the_app(terminal: Terminal, queue: Path, bench: Bench) -> None:
    drop(queue, TWO)
    shown(terminal, "second")
    (queue / "p.json").unlink()
    terminal.wait_for("No longer asked for: p")
    terminal.wait_for(lambda text: "second" not in text)
    tour(terminal, ["y", "A", CTRL_S, "\r"])
    assert answer(queue)["code"] == "withdrawn"
    assert bench.read("a.txt") == TEXT


def test_E15_deleted_after_a_decision_in_the_app(terminal: Terminal, queue: Path, bench: Bench) -> None:
    bench.knows("a.txt", b"first\nsecond\nthree\n")
    drop(queue, TWO)
    shown(terminal, "second")
    terminal.press("y")
    terminal.wait_for("accepted")
    (queue / "p.json").unlink()
    terminal.wait_for("its file was taken away")
    terminal.press("A")
    apply(terminal)
    terminal.wait_for(lambda text: bench.read("a.txt") != TEXT)
    terminal.wait_for(lambda text: (queue / "p.result.json").exists())
    assert answer(queue)["applied"] == [0, 1]
    assert bench.read("a.txt") == b"first\nsecond\nthree\n"


def test_E16_rewritten_under_review_in_the_app(terminal: Terminal, queue: Path, bench: Bench) -> None:
    """Both were accepted; only the hunk that is the same still is, and nothing of the old version is applied."""
    bench.knows("a.txt", b"first\ntwo\nthree\n")
    drop(queue, TWO)
    shown(terminal, "second")
    tour(terminal, ["A"])
    drop(queue, EVIL)
    terminal.wait_for("Revised: p")
    shown(terminal, "evil")
    apply(terminal)
    terminal.wait_for(lambda text: bench.read("a.txt") != TEXT)
    terminal.wait_for(lambda text: (queue / "p.result.json").exists())
    assert bench.read("a.txt") == b"first\ntwo\nthree\n"
    said = answer(queue)
    assert (said["final"], said["applied"], said["pending"]) == (False, [0], [1])
