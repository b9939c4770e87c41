"""The person's editor, played by small Python programs."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from pathlib import Path

import pytest

from tui.editor import EditorUnavailable, edit_text, editor_command


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that is $VISUAL; it notes what it was given."""
    script = tmp_path / "my editor.py"
    monkeypatch.setenv("VISUAL", f"{shlex.quote(sys.executable)} {shlex.quote(str(script))} --wait")
    monkeypatch.setenv("EDITOR", "false")
    return script


def test_what_is_saved_comes_back_and_nothing_stays_behind(editor: Path, tmp_path: Path) -> None:
    editor.write_text(
        "import os, pathlib, sys\n"
        "path = pathlib.Path(sys.argv[2])\n"
        "modes = oct(path.stat().st_mode), oct(path.parent.stat().st_mode)\n"
        f"pathlib.Path({str(tmp_path / 'seen')!r}).write_text('\\n'.join([sys.argv[1], str(path), *modes]))\n"
        "path.write_bytes(path.read_bytes() + b'more\\xff\\n')\n"
    )
    assert edit_text("text\r\n\udcfe", ".py") == "text\r\n\udcfemore\udcff\n"
    flag, path, mode, directory = (tmp_path / "seen").read_text().split("\n")
    assert (flag, path.endswith(".py"), stat.S_IMODE(int(mode, 8)), stat.S_IMODE(int(directory, 8))) == (
        "--wait",
        True,
        0o600,
        0o700,
    )
    assert not os.path.exists(os.path.dirname(path))


@pytest.mark.parametrize("program", ["raise SystemExit(1)", "import os, sys; os.unlink(sys.argv[2])"])
def test_an_editor_that_gives_up_changes_nothing(program: str, editor: Path) -> None:
    editor.write_text(program)
    assert edit_text("text", ".md") is None


@pytest.mark.parametrize("suffix", [".p y", ".$(x)", "..", "/x", ".py\n", "." + "a" * 99, ""])
def test_a_suffix_from_a_path_never_reaches_the_command_line_raw(suffix: str, editor: Path) -> None:
    editor.write_text("import sys; open(sys.argv[2], 'w').write(sys.argv[2])")
    assert (edit_text("", suffix) or "").endswith("/text.txt")


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"VISUAL": "code --wait", "EDITOR": "vi"}, ["code", "--wait"]),
        ({"VISUAL": " ", "EDITOR": "'my vi' -x; rm *"}, ["my vi", "-x;", "rm", "*"]),
    ],
)
def test_visual_comes_before_editor(environment: dict[str, str], command: list[str]) -> None:
    assert editor_command(environment) == command


@pytest.mark.parametrize(
    ("environment", "said"),
    [({}, "No editor is set"), ({"EDITOR": "'vi"}, "$EDITOR cannot be understood"), ({"VISUAL": "''"}, "cannot be")],
)
def test_no_editor_is_said_clearly(environment: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.setenv(name, environment.get(name, ""))
    with pytest.raises(EditorUnavailable, match=said.replace("$", r"\$")):
        edit_text("", ".txt")
