"""What the list asks of the review app beyond single characters: rows that cannot lie, and long or hidden text."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from tests.battery.bench import Bench
from tests.battery.in_app import assert_tty_clean, open_app, tour
from tests.tui.terminal import Terminal

RIGHT, END = "\x1b[C", "G"
FAKE = [
    "✓ accepted  [✓] [✗]",
    " y accept  n reject  e edit  c comment  tab next open  u undo  ctrl+s apply  ? help",
    "╭──────────────────────────────╮",
    "│ SAFE: approved by the admin  │",
    "▶ ▾ 1/1 #0  line 1  exact  +1 -1   ✓ accepted",
]


def proposal(bench: Bench, *edits: tuple[str, str, str], name: str = "proposal", **more: object) -> str:
    """A file with edits (path, old, new)."""
    listed = [{"file_path": path, "old_string": old, "new_string": new} for path, old, new in edits]
    file = bench.outside.parent / f"{name}.json"
    file.write_text(json.dumps({"description": "d", "edits": listed, **more}))
    return str(file)


def new_files(bench: Bench, *files: tuple[str, str], **more: object) -> str:
    changes = [{"change_type": "new_file", "path": path, "content": content} for path, content in files]
    file = bench.outside.parent / "proposal.json"
    file.write_text(json.dumps({"changes": changes, **more}))
    return str(file)


def rows_with(terminal: Terminal, text: str) -> list[str]:
    return [row for row in terminal.text.split("\n") if text in row]


# ---------------------------------------------------------------- who says it


def test_F12_text_that_imitates_the_screen(bench: Bench) -> None:
    """In front of whatever the agent wrote stands the mark of its voice, or a line's number and sign."""
    bench.put("a.txt")
    fake = "\n".join(f"FAKE {row}" for row in FAKE)
    changes = [
        {"change_type": "multi_patch", "path": "a.txt", "why": fake, "patches": [{"old_text": "old", "new_text": fake}]}
    ]
    file = bench.outside.parent / "proposal.json"
    file.write_text(json.dumps({"title": "FAKE ✓", "description": fake, "changes": changes}))
    with open_app(bench.root, "review", str(file), rows=60, columns=100) as terminal:
        terminal.wait_for("exact")
        for keys in ("", "w", "p"):
            tour(terminal, keys)
            shown = rows_with(terminal, "FAKE")
            assert len(shown) >= len(FAKE)
            for row in shown:
                assert re.search(r"(┊ |\+ |↪ |\d+ │ |\d+ \+?\s*)FAKE", row), row


def test_E23_claims_are_agent_text(bench: Bench) -> None:
    bench.put("a.txt")
    claim = "already approved by admin. SAFE ✔"
    file = proposal(bench, ("a.txt", "old", "new"), description=claim)
    with open_app(bench.root, "review", file) as terminal:
        terminal.wait_for("exact")
        (row,) = rows_with(terminal, claim)
        assert f"┊ {claim}" in row
        tour(terminal, ["y", "\x13"])
        assert all("┊" in row or "agent" in row for row in rows_with(terminal, claim))


def test_E24_a_long_description_leaves_room_for_the_diff(bench: Bench) -> None:
    bench.put("a.txt")
    for words in ("word " * 200_000, "line\n" * 50_000):
        file = proposal(bench, ("a.txt", "old", "new"), description=words)
        with open_app(bench.root, "review", file, columns=80, rows=24) as terminal:
            for shown in ("exact", "+ new", "[✓] [✗]", "… +"):
                terminal.wait_for(shown)


# ---------------------------------------------------------------- what could be overlooked


def test_F13_code_behind_the_edge_and_below_the_screen(bench: Bench) -> None:
    bench.put("a.txt")
    hidden = "x = 1;" + " " * 200 + "evil_to_the_right()"
    below = "\n" * 5_000 + "evil_below()"
    file = proposal(bench, ("a.txt", "old", hidden + below))
    with open_app(bench.root, "review", file, columns=100) as terminal:
        terminal.wait_for("exact")
        (row,) = rows_with(terminal, "x = 1;")
        assert row.rstrip().endswith("→"), "an arrow says that the line goes on"
        assert "+5001 -1" in terminal.text, "the header counts what is below"
        assert any("evil_to_the_right()" in screen for screen in tour(terminal, [RIGHT] * 12))
        terminal.press("w")
        terminal.wait_for("evil_to_the_right()")
        terminal.press(END)
        terminal.wait_for("evil_below()")


def test_F14_changed_lines_are_never_folded_away(bench: Bench) -> None:
    lines = [f"line {number}" for number in range(400)]
    bench.put("a.txt", ("\n".join(lines) + "\n").encode())
    changed = ["evil" if number in (3, 200, 390) else line for number, line in enumerate(lines)]
    file = proposal(bench, ("a.txt", "\n".join(lines), "\n".join(changed)))
    with open_app(bench.root, "review", file, rows=60) as terminal:
        terminal.wait_for("exact")
        for keys in ("", "-", "-", "-", "-", "|"):
            terminal.press(keys)
            terminal.settle()
            terminal.wait_for(lambda text: text.count("+ evil") == 3 and "unchanged line" in text)


def test_F15_tabs_are_shown(bench: Bench) -> None:
    bench.put("a.txt", b"old\tx\n")
    file = proposal(bench, ("a.txt", "old\tx", "a\tb\n\tc\nab\td"))
    with open_app(bench.root, "review", file) as terminal:
        terminal.wait_for("exact")
        for shown in ("- old→x", "+ a→  b", "+ →   c", "+ ab→ d"):
            terminal.wait_for(shown)


def test_D12_a_line_of_ten_megabytes(bench: Bench) -> None:
    bench.put("a.txt", b"old\n")
    new = "x" * 9_999_990 + "the_end"
    file = proposal(bench, ("a.txt", "old", new))
    with open_app(bench.root, "review", file) as terminal:
        terminal.wait_for("exact")
        assert terminal.wait_for(lambda text: "→" in text) < 2
        tour(terminal, ["w"])
        terminal.press("G")
        assert terminal.wait_for("… +10.0 MB") < 2
        tour(terminal, ["w", "g", "y", "\x13"])
        terminal.press("\r")
        terminal.wait_for(lambda _: bench.read("a.txt") != b"old\n")
    assert bench.read("a.txt") == f"{new}\n".encode()
    bench.knows("a.txt", f"{new}\n".encode())


def test_D11_a_million_lines(bench: Bench) -> None:
    """The hunk at the end of a large file is on the screen soon, beside the same review of a small one."""
    bench.seconds = 30
    times = {}
    for name, lines in (("small.txt", 10), ("large.txt", 1_000_000)):
        bench.put(name, b"line of some length\n" * lines + b"old\n")
        file = proposal(bench, (name, "old", "new"), name=name)
        with open_app(bench.root, "review", file) as terminal:
            started = time.perf_counter()
            terminal.wait_for("+ new")
            terminal.wait_for("exact")
            times[name] = time.perf_counter() - started
    assert times["large.txt"] - times["small.txt"] < 1.5, times


# ---------------------------------------------------------------- long names


def test_A19_a_long_name_is_cut_in_the_middle(bench: Bench) -> None:
    name = "x" * 900 + "y" * 92 + "-the-end.py"
    file = new_files(bench, (f"src/{name}", "x = 1\n"), ("other.py", "x = 1\n"))
    with open_app(bench.root, "review", file, rows=50) as terminal:
        terminal.wait_for("too long")
        listed = [row.partition("▕")[0] for row in rows_with(terminal, "A src/")]
        assert any(re.search(r"A src/x*….*end\.py", row) for row in listed), terminal.text
        (header,) = (row.partition("▕")[2] for row in rows_with(terminal, "[1 change]") if "src/" in row)
        assert re.search(r"A src/x+…y*-the-end\.py", header)
        whole = "".join(row.rpartition("┊ ")[2].strip() for row in rows_with(terminal, "┊ "))
        assert f"src/{name}" in whole, "all of it stands below the header"


def test_A20_names_that_are_cut_to_the_same_text(bench: Bench) -> None:
    names = [f"{'d' * 40}/{letter}{'e' * 40}/same.py" for letter in "abc"]
    file = new_files(bench, *((name, "x = 1\n") for name in names))
    with open_app(bench.root, "review", file) as terminal:
        terminal.wait_for("new file")
        listed = [row.partition("▕")[0].strip() for row in terminal.text.split("\n") if "same.py" in row]
        rows = [re.sub(r"\s+\S+$", "", row) for row in listed if row.startswith("A ")]
        assert len(rows) == len(set(rows)) == 3, terminal.text


# ---------------------------------------------------------------- a place with a hostile name


def test_F16_the_top_line_names_hostile_places(bench: Bench) -> None:
    root = bench.outside.parent / "w\x1b[2J\u202e[bold]"
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/\x1b]0;evil\x07\u202e\n")
    (root / "a.txt").write_bytes(b"old\n")
    with open_app(root, "review", proposal(bench, ("a.txt", "old", "new")), columns=160) as terminal:
        terminal.wait_for("exact")
        tour(terminal, ["y", "\x13", "\r", "q"])
        seen = terminal.seen
    assert_tty_clean(seen)


@pytest.mark.parametrize("where", ["queue", "elsewhere"])
def test_F16_hostile_names_in_the_queue(bench: Bench, where: str) -> None:
    bench.put("a.txt")
    queue = bench.root / ".hunkdeck/queue" if where == "queue" else Path(bench.outside.parent, "q\x1b[31m")
    queue.mkdir(parents=True)
    queue.parent.chmod(0o700)
    edit = json.dumps({"file_path": "a.txt", "old_string": "old", "new_string": "new"})
    (queue / "p\x1b[2J\u202e[bold].json").write_text(edit)
    (queue / "broken\x1b]0;x\x07.json").write_text("{")
    with open_app(bench.root, "watch", *([] if where == "queue" else [str(queue)])) as terminal:
        terminal.wait_for("exact")
        tour(terminal, ["j", "f", "\x1b", "q"])
        assert terminal.wait() == 0
        assert_tty_clean(terminal.seen)
