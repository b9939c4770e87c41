"""Completion, asked of the shells themselves; a shell that is not installed is skipped by name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal
from tui.cli import COMMANDS

HUNKDECK = str(Path(sys.executable).with_name("hunkdeck"))


def script_for(shell: str, home: Path) -> Path:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run([HUNKDECK, "completion", shell], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    name = {"bash": "hunkdeck.bash", "zsh": "_hunkdeck", "fish": "hunkdeck.fish"}[shell]
    (home / name).write_text(done.stdout)
    return home / name


def bash(line: str, home: Path) -> set[str]:
    script = script_for("bash", home)
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    ask = f"source '{script}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _shtab_hunkdeck"
    show = "printf '%s\\n' \"${COMPREPLY[@]}\""
    done = subprocess.run(["bash", "-c", f"{ask}; {show}"], cwd=home, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def fish(line: str, home: Path) -> set[str]:
    script = script_for("fish", home)
    done = subprocess.run(
        ["fish", "-c", f"source '{script}'; complete -C '{line}'"],
        cwd=home,
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {row.partition("\t")[0] for row in done.stdout.splitlines()}


ASK = {"bash": bash, "fish": fish}


@pytest.mark.parametrize("shell", ASK)
def test_commands_options_choices_and_files_are_completed(shell: str, tmp_path: Path) -> None:
    ask = ASK[shell]
    (tmp_path / "proposal.json").touch()
    (tmp_path / "folder").mkdir()
    assert set(COMMANDS) <= ask("hunkdeck ", tmp_path)
    assert ask("hunkdeck ch", tmp_path) == {"check"}
    assert ask("hunkdeck apply --re", tmp_path) == {"--reject"}
    assert ask("hunkdeck apply --mode ro", tmp_path) == {"rollback"}
    assert "multi_edit" in ask("hunkdeck schema m", tmp_path)
    assert ask("hunkdeck check prop", tmp_path) == {"proposal.json"}
    assert {word.rstrip("/") for word in ask("hunkdeck watch fo", tmp_path)} == {"folder"}
    assert ask("hunkdeck watch prop", tmp_path) == set()


def test_zsh_completes_as_a_person_types(tmp_path: Path) -> None:
    script_for("zsh", tmp_path)
    (tmp_path / "proposal.json").touch()
    (tmp_path / ".zshrc").write_text(
        f"PS1='ready> '\nfpath=('{tmp_path}' $fpath)\nautoload -Uz compinit\ncompinit -u\n"
    )
    env = {"ZDOTDIR": str(tmp_path), "HOME": str(tmp_path)}
    with Terminal(["zsh", "-i"], cwd=str(tmp_path), env=env) as terminal:
        terminal.wait_for("ready>")
        for typed, completed in (
            ("hunkdeck ch\t", "hunkdeck check "),
            ("prop\t", "hunkdeck check proposal.json "),
            ("--works\t", "hunkdeck check proposal.json --workspace "),
            ("\x15hunkdeck apply --mode ro\t", "hunkdeck apply --mode rollback "),
        ):
            terminal.press(typed)
            terminal.wait_for(lambda text, wanted=completed: wanted.rstrip() in text)  # type: ignore[misc]


def test_another_shell_is_refused() -> None:
    done = subprocess.run([HUNKDECK, "completion", "tcl"], capture_output=True, text=True, check=False)
    assert (done.returncode, "invalid choice" in done.stderr) == (2, True)
