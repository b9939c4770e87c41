"""Group A: what a path in a proposal may say."""

from __future__ import annotations

import json
import os

import pytest

from engine import workspace
from engine.errors import PathBlocked
from engine.model import Create, Move, TextEdit, Write
from engine.paths import canonical
from engine.planning.data import Fit
from engine.safe_text import elide_each, elide_middle, safe_text
from tests.battery.bench import NEW, OLD, Bench
from tests.battery.command import run

NEW_FILE = Create("new\n")
EDIT = TextEdit("old", "new")
MOVE_HERE = "source.py"


def assert_name_is_blocked(bench: Bench, path: str, reason: str) -> None:
    """No file is created, and none is moved, under this name."""
    bench.assert_blocks((path, NEW_FILE), reason)
    bench.put(MOVE_HERE)
    bench.assert_blocks((MOVE_HERE, Move(path)), reason)


@pytest.mark.parametrize("path", ["/etc/passwd", "//etc/passwd", "/../etc/passwd"])
def test_A01_absolute_path(bench: Bench, path: str) -> None:
    assert_name_is_blocked(bench, path, "absolute path outside")
    bench.assert_blocks((f"{bench.outside}/secret.txt", Write("x")), "absolute path outside")


def test_A01_absolute_path_inside_the_workspace(bench: Bench) -> None:
    bench.put("src/a.py")
    bench.assert_ok((f"{bench.root}/src/a.py", EDIT))
    assert bench.read("src/a.py") == NEW
    bench.assert_blocks((f"{bench.root}/../outside/secret.txt", Write("x")), "contains '..'")
    bench.assert_blocks((f"{bench.root}/.git/config", NEW_FILE), "git's own directory")
    bench.assert_blocks((f"{bench.root}-evil/x", NEW_FILE), "absolute path outside")


@pytest.mark.parametrize("path", ["../x", "a/../../x", "a/..", "..", "a/../b", "../outside/secret.txt"])
def test_A02_dot_dot(bench: Bench, path: str) -> None:
    assert_name_is_blocked(bench, path, "contains '..'")


@pytest.mark.parametrize("path", ["a/./b", "./a/b", "a//b", "././/a///b", "a/b"])
def test_A03_one_spelling(bench: Bench, path: str) -> None:
    bench.put("a/b")
    planned = bench.plan(("a/b", EDIT), (path, TextEdit("old", "other")))
    assert [file.path for file in planned.files] == ["a/b"]
    assert planned.hunks[1].conflicts == (0,)


@pytest.mark.parametrize("path", ["a/", "a/b/", "a/b/."])
def test_A03_trailing_slash(bench: Bench, path: str) -> None:
    if path.endswith("/"):
        bench.assert_blocks((path, NEW_FILE), "names a directory")
    else:
        assert canonical(path, bench.workspace.root) == "a/b"


@pytest.mark.parametrize("path", ["", ".", " ", "\t \n", "./", "./."])
def test_A04_empty(bench: Bench, path: str) -> None:
    with pytest.raises(PathBlocked, match=r"is empty|names no file"):
        canonical(path, bench.workspace.root)
    bench.assert_blocks((path, NEW_FILE), "")


@pytest.mark.parametrize("path", ["\0", "a\0.py", "a/\0/b", "ok.py\0.txt"])
def test_A05_nul(bench: Bench, path: str) -> None:
    assert_name_is_blocked(bench, path, "NUL")


@pytest.mark.parametrize("path", ["a\nb", "a\rb", "a\tb", "a\x1b[2Jb", "d\n/a.py", "a\x7f", "a\x85", "a\u2028b"])
def test_A06_control_character_in_a_name(bench: Bench, path: str) -> None:
    assert_name_is_blocked(bench, path, "control character")


def test_A06_existing_file_with_such_a_name(bench: Bench) -> None:
    name = "a\n\x1b[2Jb.py"
    bench.put(name)
    bench.assert_ok((name, EDIT))
    assert bench.read(name) == NEW
    assert "\n" not in safe_text(name)
    proposal = json.dumps({"file_path": name, "old_string": "new", "new_string": "newer"}).encode()
    bench.knows(name, b"newer\n")
    ran = run(bench.root, "apply", "-", "--all", "--diff", stdin=proposal)
    assert (ran.code, bench.read(name)) == (0, b"newer\n")
    assert "a␊␛[2Jb.py" in ran.out


@pytest.mark.parametrize(
    "path",
    ["n" * 256, "é" * 128, "d/" * 2048 + "x", "a/" * 3000 + "x", "d/" * 1001 + "x"],
    ids=["name", "bytes", "path", "both", "components"],
)
def test_A07_too_long(bench: Bench, path: str) -> None:
    bench.assert_blocks((path, NEW_FILE), "File name too long")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("x.py ", "ending in a dot or a space"),
        ("x.py.", "ending in a dot or a space"),
        ("d /x.py", "ending in a dot or a space"),
        (".git.", "git's own directory"),
        ("ab:c", "colon"),
        ("x.py::$DATA", "colon"),
        ("CON", "device on Windows"),
        ("nul.txt", "device on Windows"),
        ("Com1", "device on Windows"),
        ("lpt¹.log", "device on Windows"),
        ("GIT~1", "git's own directory"),
        ("git~2/config", "git's own directory"),
    ],
)
def test_A08_names_that_other_systems_read_differently(bench: Bench, path: str, reason: str) -> None:
    assert_name_is_blocked(bench, path, reason)


@pytest.mark.parametrize("path", ["..\\..\\x", "C:\\x", "C:x", "\\\\srv\\x", "a\\b", "c:/x"])
def test_A09_backslashes_and_drives(bench: Bench, path: str) -> None:
    assert_name_is_blocked(bench, path, "backslashes or a drive letter")


@pytest.mark.parametrize("path", ["~/x", "$HOME/x", "%APPDATA%/x", "a/${HOME}/x", "~root/x"])
def test_A10_nothing_is_expanded(bench: Bench, path: str) -> None:
    bench.assert_asks((path, NEW_FILE), "is taken literally")
    assert bench.read(path) == NEW


def test_A11_name_that_is_not_utf8(bench: Bench) -> None:
    name = os.fsdecode(b"\xff.py")
    bench.put(name)
    bench.assert_ok((name, EDIT))
    assert b"\xff.py" in os.listdir(os.fsencode(bench.root))
    assert bench.read(name) == NEW
    assert safe_text(name) == "\\xff.py"
    ran = run(bench.root, "show", name)
    assert (ran.code, ran.out) == (0, "   1: new\n")


@pytest.mark.parametrize("path", ["\\ud800", "a\\udfff.py", "\\udc80.py"])
def test_A12_lone_surrogate_in_json(bench: Bench, path: str) -> None:
    bench.assert_refuses(f'{{"file_path": "{path}", "content": "x"}}', "lone surrogate")


@pytest.mark.parametrize(("here", "sent"), [("\u00e9.py", "e\u0301.py"), ("e\u0301.py", "\u00e9.py")])
def test_A13_nfc_and_nfd(bench: Bench, here: str, sent: str) -> None:
    first, second = bench.plan((here, NEW_FILE), (sent, NEW_FILE)).hunks
    assert (first.fit, second.fit) == (Fit.FITS, Fit.FAILS)
    bench.put(here)
    assert_name_is_blocked(bench, sent, "only in case or spelling")


@pytest.mark.parametrize(("here", "sent"), [("README", "readme"), ("straße", "STRASSE"), ("src/A.py", "src/a.py")])
def test_A14_case_clash(bench: Bench, here: str, sent: str) -> None:
    first, second = bench.plan((here, NEW_FILE), (sent, NEW_FILE)).hunks
    assert (first.fit, second.fit) == (Fit.FITS, Fit.FAILS)
    bench.put(here)
    assert_name_is_blocked(bench, sent, "only in case or spelling")


@pytest.mark.parametrize(("here", "sent"), [("src/app.py", "SRC/app.py"), ("lib/app.py", "LIB/other.py")])
def test_A14_case_clash_of_a_directory(bench: Bench, here: str, sent: str) -> None:
    bench.put(here)
    assert_name_is_blocked(bench, sent, "only in case or spelling")


def test_A14_file_system_that_ignores_case(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file answers to other spellings there: it is found by them, and still planned under its own name only."""
    real = workspace.open_regular

    def ignoring_case(directory: int, name: str, path: str) -> int:
        names = {entry.casefold(): entry for entry in os.listdir(directory)}
        return real(directory, names.get(name.casefold(), name), path)

    bench.put("README")
    monkeypatch.setattr(workspace, "open_regular", ignoring_case)
    right, wrong = bench.plan(("README", EDIT), ("readme", TextEdit("old", "other"))).hunks
    assert (right.fit, wrong.fit) == (Fit.FITS, Fit.FAILS)
    assert wrong.error == "differs from README only in case or spelling; use that name"


@pytest.mark.parametrize("name", ["\u0430pp.py", "app\u200b.py", "\u0430\u0440\u0440.py", "app.p\uff59"])
def test_A15_look_alike(bench: Bench, name: str) -> None:
    bench.put("app.py")
    bench.assert_asks((name, NEW_FILE), "looks like app.py")
    assert bench.read("app.py") == OLD
    shown = safe_text(bench.one(name, TextEdit("new", "x")).path)
    assert "\u200b" not in shown


@pytest.mark.parametrize("path", ["\u202egpj.sh", "a\u2066b.py", "\u200f/x.py", "x\u061c"])
def test_A16_bidi_in_a_name(bench: Bench, path: str) -> None:
    assert_name_is_blocked(bench, path, "reverses the direction")


@pytest.mark.parametrize("path", ["[/red]", "[@click=app.quit]x[/]y", ":smile:", "[bold]x"])
def test_A17_markup_is_literal(bench: Bench, path: str) -> None:
    proposal = json.dumps({"file_path": path, "content": "new\n"}).encode()
    assert path in run(bench.root, "check", "-", stdin=proposal).out


@pytest.mark.parametrize("path", ["-rf", "--help", "a;b", "$(touch x)", "`id`", "a|b", "a b'c\"d", "*"])
def test_A18_never_a_shell(bench: Bench, path: str) -> None:
    planned = bench.plan((path, NEW_FILE))
    assert planned.hunks[0].path == path
    bench.assert_ok((path, NEW_FILE), confirm=[path])
    assert [name for name in os.listdir(bench.root) if name != ".hunkdeck"] == [path]


def test_A19_long_name_is_elided_in_the_middle() -> None:
    name = "a" * 1000 + "_the_end.py"
    shown = elide_middle(name, 40)
    assert len(shown) == 40
    assert shown.startswith("aaaa")
    assert shown.endswith("_the_end.py")
    assert "…" in shown
    assert elide_middle("src/" + "deep/" * 50 + "file.py", 30).endswith("/file.py")


def test_A20_elided_paths_stay_distinguishable() -> None:
    paths = [f"src/{'x' * 100}{n}{'y' * 100}/file.py" for n in range(12)]
    shown = elide_each(paths, 40)
    assert len(set(shown)) == len(paths)
    assert max(map(len, shown)) <= 40
