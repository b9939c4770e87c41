"""Group F, as far as the command line goes: every way by which untrusted text could reach a terminal.

`tests.battery.command` fails by itself where a forbidden character was printed, or a traceback.
"""

from __future__ import annotations

import json

import pytest

from engine.safe_text import safe_block, safe_text
from tests.battery.bench import Bench
from tests.battery.command import Ran, assert_clean, run, run_in_terminal

C0 = "".join(map(chr, [*range(0x20), 0x7F]))
C1 = "".join(map(chr, range(0x80, 0xA0)))
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c\u200e\u200f"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\U000e0001\U000e0041\U000e007f\ufe0f\ufe00\U000e0100\u00ad\u034f"
BLANK = "\u3164\u115f\u1160\uffa0\u2800\u00a0\u2003\u3000"


def shown_everywhere(bench: Bench, evil: str) -> str:
    """What all commands print for a proposal and a file that hold `evil` wherever text can stand; always clean."""
    bench.put("a.txt", f"x {evil} x\nold\n".encode())
    change = {
        "change_type": "multi_patch",
        "path": "a.txt",
        "why": f"why {evil}",
        "group": evil,
        "patches": [{"old_text": "old", "new_text": f"new {evil}"}, {"old_text": f"gone {evil}", "new_text": "y"}],
    }
    new = {"change_type": "new_file", "path": f"n{evil}.py", "content": f"def {evil}(\n"}
    proposal = json.dumps({"title": evil, "description": evil, "agent": {"name": evil}, "changes": [change, new]})
    file = bench.outside.parent / "proposal.json"
    file.write_text(proposal)
    ran = [
        run_in_terminal(bench.root, "check", str(file), "--diff"),
        run_in_terminal(bench.root, "check", str(file), "--diff", colours=True),
        run_in_terminal(bench.root, "check", str(file), "--json"),
        run(bench.root, "show", "a.txt"),
        run(bench.root, "check", "-", stdin=f'{{"a{evil}": 1}}'.encode("utf-8", "surrogatepass")),
    ]
    return "\n".join(one.said for one in ran)


@pytest.mark.parametrize("evil", ["\x1b[2J", "\x1b[31m", "\x1b[1;1H", "\x1bc"])
def test_F01_escape_sequences(bench: Bench, evil: str) -> None:
    assert safe_text(evil) in shown_everywhere(bench, evil)
    assert safe_text(evil) == "␛" + evil[1:]


def test_F02_clipboard(bench: Bench) -> None:
    said = shown_everywhere(bench, "\x1b]52;c;ZXZpbA==\x07")
    assert "␛]52;c;ZXZpbA==␇" in said


@pytest.mark.parametrize(
    "evil",
    [
        "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\",
        "\x1b]0;title\x07",
        "\x1b]2;title\x9c",
        "\x1bPq#0;2;0\x1b\\",
        "\x1b_Gf=24;AAAA\x1b\\",
        "\x90q\x9c",
    ],
    ids=["hyperlink", "title", "title-8-bit", "sixel", "kitty", "sixel-8-bit"],
)
def test_F03_other_sequences(bench: Bench, evil: str) -> None:
    assert safe_text(evil) in shown_everywhere(bench, evil)


def test_F04_c1(bench: Bench) -> None:
    said = shown_everywhere(bench, C1)
    assert all(f"<U+00{number:02X}>" in said for number in range(0x80, 0xA0))


def test_F05_control_characters(bench: Bench) -> None:
    said = shown_everywhere(bench, "evil\rgood" + C0.replace("\n", ""))
    assert "evil␍good" in said
    assert all(chr(0x2400 + number) in said for number in range(0x20) if number != 10)
    assert "␡" in said
    assert len(safe_text(C0)) == len(C0)


def test_F06_bidi(bench: Bench) -> None:
    said = shown_everywhere(bench, BIDI)
    assert all(f"<U+{ord(char):04X}>" in said for char in BIDI)


def test_F07_zero_width(bench: Bench) -> None:
    said = shown_everywhere(bench, f"a{ZERO_WIDTH}b")
    assert all(f"<U+{ord(char):04X}>" in said for char in ZERO_WIDTH)


def test_F08_blank_letters(bench: Bench) -> None:
    said = shown_everywhere(bench, f"a{BLANK}b")
    assert all(f"<U+{ord(char):04X}>" in said for char in BLANK)


def test_F09_mixed_scripts(bench: Bench) -> None:
    bench.put("a.py", b"old = 1\n")
    mixed = json.dumps({"file_path": "a.py", "old_string": "old", "new_string": "p\u0430ssword"}).encode()
    said = run(bench.root, "check", "-", "--diff", stdin=mixed).out
    assert "! mixed scripts: p\u0430ssword is not all Latin (U+0430 Cyrillic)" in said
    formula = json.dumps({"file_path": "a.py", "old_string": "old", "new_string": "\u0394x"}).encode()
    assert "scripts" not in run(bench.root, "check", "-", "--diff", stdin=formula).out


def test_F06_badge(bench: Bench) -> None:
    bench.put("a.py", b"old = 1\n")
    trojan = json.dumps({"file_path": "a.py", "old_string": "old", "new_string": "n\u202eew"}).encode()
    assert "! reordered text: U+202E" in run(bench.root, "check", "-", stdin=trojan).out


@pytest.mark.parametrize(
    "markup", ["[/red]", "[@click=app.accept_all]x[/]", "[link=http://evil]x[/link]", "[bold]", "\\[x]", ":smile:"]
)
def test_F11_markup(bench: Bench, markup: str) -> None:
    bench.put("a.txt")
    proposal = json.dumps({"file_path": "a.txt", "old_string": "old", "new_string": markup}).encode()
    file = bench.outside.parent / "proposal.json"
    file.write_bytes(proposal)
    for ran in (run(bench.root, "check", str(file), "--diff"), _colourful(bench, "check", str(file), "--diff")):
        assert f"+{markup}" in ran.out


def _colourful(bench: Bench, *args: str) -> Ran:
    return run_in_terminal(bench.root, *args, colours=True)


EVIL_ARGUMENTS = [
    ("show", "missing\x1b[2J.py"),
    ("show", "../\x1b]0;x\x07"),
    ("show", "a.txt:9\u202e"),
    ("check", "missing\x1b[2J.json"),
    ("apply", "missing\x1b[2J.json", "--all"),
    ("undo", "000\x1b[2J"),
    ("undo", "--json", "000\x1b[2J"),
    ("log", "--workspace", "no\x1b[2J\u202esuch"),
]


@pytest.mark.parametrize("arguments", EVIL_ARGUMENTS, ids=lambda arguments: arguments[0])
def test_F16_errors(bench: Bench, arguments: tuple[str, ...]) -> None:
    bench.put("a.txt")
    assert run(bench.root, *arguments).code in (1, 2)
    assert run_in_terminal(bench.root, *arguments).code in (1, 2)


def test_F16_usage_errors(bench: Bench) -> None:
    assert run(bench.root, "check", "a.json", "--\x1b[2J").code == 2


def test_F16_log_and_undo(bench: Bench) -> None:
    name = "p\x1b[2J\u202e.json"
    (bench.outside.parent / name).write_text(json.dumps({"file_path": "a.txt", "content": "new\n"}))
    bench.knows("a.txt", b"new\n")
    assert run_in_terminal(bench.root, "apply", "--all", str(bench.outside.parent / name)).code == 0
    for arguments in (("log",), ("log", "--json"), ("undo", "--json"), ("undo", "000002"), ("undo",)):
        assert run_in_terminal(bench.root, *arguments).code == 0


@pytest.mark.parametrize(
    "evil", [C0.translate(dict.fromkeys(b"\0\t\n\r")), C1, BIDI, ZERO_WIDTH, BLANK, "\x1b]52;c;x\x07"]
)
def test_F18_control_characters_in_files(bench: Bench, evil: str) -> None:
    bench.put("a.txt", f"x{evil}x\nold\nx{evil}x\n".encode())
    edit = json.dumps({"file_path": "a.txt", "old_string": "old", "new_string": "new"}).encode()
    assert safe_text(f"x{evil}x") in run(bench.root, "show", "a.txt").out
    assert safe_text(f"x{evil}x") in run(bench.root, "check", "-", "--diff", stdin=edit).out


def test_F10_marks_on_one_cell_are_bounded() -> None:
    assert safe_text("a" + "\u0301" * 1000).count("\u0301") == 4


def test_F05_every_code_point() -> None:
    """Nothing forbidden comes out, whatever goes in; what is shown already is left alone."""
    for start in range(0, 0x110000, 0x1000):
        block = "".join(map(chr, range(start, start + 0x1000)))
        shown = safe_block(block)
        assert_clean(shown)
        assert safe_block(shown) == shown
