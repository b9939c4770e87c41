"""The person's policies in the app: what they decide is not shown, or shown as theirs; a workspace adds none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.sensitive import risk
from tests.tui.reviewing import CART, edits
from tests.tui.terminal import Terminal
from tui.settings import settings_path

HUNKDECK = str(Path(sys.executable).with_name("hunkdeck"))
POLICY = """
[[policy]]
decide = "accept"
paths = "docs/**"
match = "exact"
"""
DOCS = edits(("docs/a.md", "helo", "hello"))
BOTH = edits(("docs/b.md", "helo", "hello"), ("cart.py", "return sum(items)", "return 0"))


def workspace_with(home: Path, **proposals: bytes) -> Path:
    root = home / "shop"
    queue = root / ".hunkdeck" / "queue"
    queue.mkdir(parents=True)
    (root / "docs").mkdir()
    (root / "cart.py").write_text(CART)
    for name in "ab":
        (root / "docs" / f"{name}.md").write_text("helo\n")
    for name, data in proposals.items():
        (queue / f"{name}.json").write_bytes(data)
    return root


def configured(home: Path, text: str = POLICY) -> dict[str, str]:
    (home / "hunkdeck").mkdir()
    (home / "hunkdeck" / "config.toml").write_text(text)
    return {"XDG_CONFIG_HOME": str(home)}


def test_what_a_policy_decides_entirely_is_answered_and_the_rest_is_shown_as_decided_by_it(tmp_path: Path) -> None:
    root = workspace_with(tmp_path, docs=DOCS, both=BOTH)
    with Terminal([HUNKDECK, "watch"], cwd=str(root), env=configured(tmp_path), columns=110) as terminal:
        terminal.wait_for(lambda text: "by policy" in text and "1 proposal" in text)
        terminal.press("q")
        assert terminal.wait() == 0
    told = json.loads((root / ".hunkdeck" / "queue" / "docs.result.json").read_text())
    assert (told["final"], told["applied"], told["results"][0]["decided_by"]) == (True, [0], "policy")
    assert ((root / "docs" / "a.md").read_text(), (root / "docs" / "b.md").read_text()) == ("hello\n", "helo\n")


def test_line_prompts_know_policies_too(tmp_path: Path) -> None:
    root = workspace_with(tmp_path, docs=DOCS, both=BOTH)
    done = subprocess.run(
        [HUNKDECK, "watch", "--plain"],
        cwd=root,
        env={**os.environ, **configured(tmp_path)},
        input="0\nq\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Accepted by policy." in done.stdout
    assert (root / ".hunkdeck" / "queue" / "done" / "docs.json").exists()


def test_a_configuration_home_that_is_not_absolute_is_not_looked_for_in_the_workspace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", ".")
    assert settings_path() == os.path.expanduser("~/.config/hunkdeck/config.toml")
    assert risk("dotfiles/.config/hunkdeck/config.toml") is not None


def test_a_workspace_adds_no_policies(tmp_path: Path) -> None:
    root = workspace_with(tmp_path, docs=DOCS)
    for name in ("hunkdeck.toml", ".hunkdeck.toml", ".hunkdeck/config.toml", "config.toml", "hunkdeck/config.toml"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(POLICY)
    none = tmp_path / "none"
    none.mkdir()
    with Terminal([HUNKDECK, "watch"], cwd=str(root), env={"XDG_CONFIG_HOME": str(none)}) as terminal:
        terminal.wait_for("[✓]")
        terminal.press("q")
        assert terminal.wait() == 0
    assert not (root / ".hunkdeck" / "queue" / "docs.result.json").exists()
