"""Group F in the review app: one tour through every widget, dialog and message with a hostile proposal.

What the terminal got in the whole tour is looked at byte by byte; what stood on the screens, by the items.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.safe_text import safe_text
from tests.battery.bench import Bench
from tests.battery.command import RAW_WIDGETS
from tests.battery.hostile import EVERYTHING, SEQUENCES, hostile_workspace, unreadable
from tests.battery.in_app import assert_tty_clean, open_app, text_written, tour

ESC, ENTER, CTRL_P, CTRL_S, CTRL_Z = "\x1b", "\r", "\x10", "\x13", "\x1a"
LOOKING = ["j", "]", "]", "}", "G", "g", "w", "|", "|", "w", "Z", "Z", "+", "b", "b", "t", "t", "t", "t"]
DIALOGS = [
    *("p", ESC, "f", "a", ESC, "e", ESC, "m", ESC, "r", ESC, "c", f"note{ENTER}", "C", ESC, "?", ESC),
    *("/", f"evil{ENTER}", "n", ESC, "s", ESC, "v", "j", ESC, CTRL_P, "accept", ESC),
]
DECIDING = ["g", "y", "A", "}", "}", "}", "y", ENTER, "G", "y", CTRL_S, ENTER, ESC, CTRL_Z, ENTER]
_COLOUR = re.compile(rb"[34]8;2;(\d+);(\d+);(\d+)[;m]")
LEAVING = ["\x1b\x1b", "q"]


@dataclass(frozen=True)
class Toured:
    """What a tour left behind."""

    bench: Bench
    screens: str
    seen: bytes
    code: int


def go_on_tour(bench: Bench, env: dict[str, str] | None = None) -> Toured:
    proposals = [str(hostile_workspace(bench)), str(unreadable(bench))]
    with open_app(bench.root, "review", *proposals, rows=50, env=env) as terminal:
        terminal.wait_for("exact")
        screens = tour(terminal, [*LOOKING, *DIALOGS, *DECIDING, *LEAVING])
        code = terminal.wait()
        return Toured(bench, "\n".join(screens), terminal.seen, code)


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toured]:
    bench = Bench(tmp_path_factory.mktemp("tour"))
    bench.seconds = 60
    yield go_on_tour(bench)
    bench.workspace.close()


def test_F16_nothing_that_steers_reaches_the_terminal(toured: Toured) -> None:
    """Widgets, dialogs, messages, the summary after the screen is closed: all of it in one stream of bytes."""
    assert_tty_clean(toured.seen)
    assert toured.code in (1, 2, 4)
    summary = text_written(toured.seen)[-3000:]
    assert "left; the same command goes on where you stopped" in summary


@pytest.mark.parametrize("item", ["F01", "F02", "F03", "F05", "F11"])
def test_F20_sequences_are_shown(toured: Toured, item: str) -> None:
    shown = safe_text(SEQUENCES[item].partition("\x1b\\")[0].partition("\r")[0])
    assert shown in toured.screens


def test_F01_in_the_app(toured: Toured) -> None:
    assert "␛[2J␛[31m␛[1;1H␛c" in toured.screens
    assert b"\x1bc" not in toured.seen


def test_F02_in_the_app(toured: Toured) -> None:
    assert "␛]52;c;ZXZpbA==␇" in toured.screens
    assert b"\x1b]52" not in toured.seen


def test_F03_in_the_app(toured: Toured) -> None:
    assert "␛]8;;http://evil␛\\x␛]0;title␇" in toured.screens
    assert all(start not in toured.seen for start in (b"\x1b]8", b"\x1b]0", b"\x1bP", b"\x1b_"))


@pytest.mark.parametrize(("item", "first"), [("F04", "<U+0080>"), ("F06", "<U+202A>"), ("F07", "a<U+200B>")])
def test_F06_marks_in_the_app(toured: Toured, item: str, first: str) -> None:
    assert f"{item} {first}" in toured.screens


def test_F08_in_the_app(toured: Toured) -> None:
    assert "F08 a<U+3164><U+115F><U+1160><U+FFA0><U+2800><U+00A0>" in toured.screens


def test_F09_badges_in_the_app(toured: Toured) -> None:
    assert "mixed scripts: p\u0430ssword is not all Latin (U+0430 Cyrillic)" in toured.screens
    assert "⚠ reordered text · mixed scripts" in toured.screens


def test_F11_markup_in_the_app(toured: Toured) -> None:
    assert "[/red][@click=app.accept_all]x[/][link=http://evil]y[/link]" in toured.screens


def test_A17_markup_in_a_path_in_the_app(toured: Toured) -> None:
    assert "A [@click=app.accept_all]x[/].txt" in toured.screens


def test_F18_control_characters_of_a_file_in_the_app(toured: Toured) -> None:
    assert f"above {safe_text(EVERYTHING)[:30]}" in toured.screens


def test_F20_the_last_guard(bench: Bench) -> None:
    """Nothing is made safe where it becomes a row: what the guard of the screen sees is all that is left."""
    bench.seconds = 60
    raw = go_on_tour(bench, {RAW_WIDGETS: "1"})
    on_screen = raw.seen.split(b"\x1b[?1049l")[0]
    assert_tty_clean(on_screen)
    assert "�" in raw.screens
    for path in ("a.txt", "[@click=app.accept_all]x[/].txt", "conftest.py", "broken.py"):
        if (bench.root / path).exists():
            bench.knows(path, bench.read(path))


def test_F17_copying_is_a_deliberate_act(bench: Bench) -> None:
    """The clipboard gets exactly the text that somebody marks and copies in a field, and nothing by itself."""
    bench.put("a.txt")
    text = "new \x1b]52;c;ZXZpbA==\x07 text"
    file = bench.outside.parent / "proposal.json"
    file.write_text(json.dumps({"file_path": "a.txt", "old_string": "old", "new_string": text}))
    with open_app(bench.root, "review", str(file)) as terminal:
        terminal.wait_for("exact")
        tour(terminal, ["j", "j", "e"])
        terminal.wait_for("your version")
        terminal.settle(0.2)
        assert b"\x1b]52" not in terminal.seen
        tour(terminal, ["\x1b[18~", "\x03"])  # F7 marks all, ctrl+c copies
        terminal.wait_for(lambda _: b"\x07" in terminal.seen.partition(b"\x1b]52;c;")[2])
        copied = [part.partition(b"\x07")[0] for part in terminal.seen.split(b"\x1b]52;c;")[1:]]
    assert [base64.b64decode(one).decode().strip() for one in copied] == [text]


def test_F19_without_colours_added_and_removed_are_told_apart(bench: Bench) -> None:
    bench.put("a.txt")
    file = _edit(bench, "old", "new")
    for env in ({"NO_COLOR": "1"}, {"COLORTERM": "", "TERM": "xterm"}):
        with open_app(bench.root, "review", str(file), env=env) as terminal:
            terminal.wait_for("exact")
            assert any(line.rstrip().endswith("- old") for line in terminal.text.split("\n"))
            assert any(line.rstrip().endswith("+ new") for line in terminal.text.split("\n"))
            if "NO_COLOR" in env:
                painted = {match.groups() for match in _COLOUR.finditer(terminal.seen)}
                assert all(red == green == blue for red, green, blue in painted), painted


def _edit(bench: Bench, old: str, new: str, **more: object) -> Path:
    file = bench.outside.parent / "proposal.json"
    file.write_text(
        json.dumps(
            {"description": "d", "edits": [{"file_path": "a.txt", "old_string": old, "new_string": new}], **more}
        )
    )
    return file
