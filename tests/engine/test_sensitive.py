from __future__ import annotations

import pytest

from engine.sensitive import RISKS, risk


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (".vscode/settings.json", "editor"),
        ("sub/.vscode/tasks.json", "editor"),
        ("shop.code-workspace", "editor"),
        (".idea/workspace.xml", "editor"),
        (".zed/a/b.json", "editor"),
        (".CURSOR/mcp.json", "agents"),
        (".Claude/Settings.json", "agents"),
        (".claude./x", "agents"),
        (".cla\u200bude/x", "agents"),
        (".mcp.json", "agents"),
        ("CLAUDE.md", "instructions"),
        ("pkg/AGENTS.md", "instructions"),
        (".cursorrules", "instructions"),
        (".envrc", "shell"),
        (".env", "secrets"),
        ("deploy/.env.production", "secrets"),
        (".npmrc", "secrets"),
        (".gitattributes", "git"),
        (".gitmodules", "git"),
        (".github/workflows/ci.yml", "runs in CI"),
        ("Jenkinsfile", "runs in CI"),
        (".husky/pre-commit", "hook"),
        ("lefthook.yml", "hook"),
        ("tests/unit/conftest.py", "executed by pytest at import"),
        ("src/sitecustomize.py", "every Python start"),
        ("a/b.pth", "every Python start"),
        ("setup.py", "built or installed"),
        ("pyproject.toml", "built or installed"),
        ("web/package.json", "built or installed"),
        ("build.rs", "built or installed"),
        ("Makefile", "task runner"),
        ("noxfile.py", "task runner"),
        ("Dockerfile", "container"),
        (".devcontainer/devcontainer.json", "container"),
        ("~/x", "literally"),
        ("~root/.bashrc", "literally"),
        ("$HOME/x", "literally"),
        ("a/${HOME}/x", "literally"),
        ("%APPDATA%", "literally"),
    ],
)
def test_sensitive(path: str, words: str) -> None:
    assert words in (risk(path) or "")


@pytest.mark.parametrize(
    "path",
    [
        "src/app.py",
        ".vscode/extensions.json",
        "idea/x",
        ".github/ISSUE_TEMPLATE.md",
        "my_conftest.py",
        "env",
        "makefile_parser.py",
        "routes/$id.tsx",
        "notes.txt~",
        ".idea",
        "100%.txt",
    ],
)
def test_ordinary(path: str) -> None:
    assert risk(path) is None


def test_patterns_are_written_in_folded_form() -> None:
    patterns = [pattern for _, group in RISKS for pattern in group]
    assert patterns == [pattern.casefold() for pattern in patterns]
