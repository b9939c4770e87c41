"""Files that run later or steer tools: each of them needs a decision of its own, which names the risk.

The table below is the whole rule. A pattern without `/` is the name of a file in any directory, one that ends in `/`
is a directory at any depth with all that is below it, any other is the last components of a path. Paths are compared
in folded form (`paths.folded`), so `.CURSOR/MCP.JSON` is as sensitive as `.cursor/mcp.json`.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from engine.paths import folded

_EDITOR = "steers the editor: it can run commands when the folder is opened"
_AGENT = "steers coding agents: it can grant permissions or start programs"
_AGENT_TEXT = "is read by coding agents as instructions"
_SHELL = "is loaded into the shell when somebody enters the directory"
_SECRETS = "holds settings or secrets that other programs read"
_GIT = "steers git: it can run filters or fetch other repositories"
_CI = "runs in CI"
_HOOK = "runs as a hook on every commit"
_PYTEST = "is executed by pytest at import"
_PYTHON = "is executed by every Python start"
_BUILD = "is executed when the project is built or installed"
_TASKS = "is executed by the project's task runner"
_CONTAINER = "is executed when the container is built or opened"
_OWN = "is a configuration file of hunkdeck"

RISKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (_EDITOR, (".vscode/settings.json", ".vscode/tasks.json", ".vscode/launch.json", ".vscode/mcp.json")),
    (_EDITOR, ("*.code-workspace", ".idea/", ".zed/")),
    (_AGENT, (".cursor/", ".mcp.json", ".claude/", ".codex/", ".gemini/", ".agents/")),
    (_AGENT_TEXT, ("claude.md", "claude.local.md", "agents.md", "gemini.md", ".cursorrules")),
    (_SHELL, (".envrc",)),
    (_SECRETS, (".env*", ".npmrc", ".pypirc", ".netrc")),
    (_GIT, (".gitattributes", ".gitmodules", ".gitconfig")),
    (_CI, (".github/workflows/", ".github/actions/", ".gitlab-ci.yml", ".gitlab-ci.yaml", "jenkinsfile")),
    (_HOOK, (".pre-commit-config.yaml", ".pre-commit-config.yml", ".husky/", "lefthook.yml", "lefthook.yaml")),
    (_PYTEST, ("conftest.py",)),
    (_PYTHON, ("sitecustomize.py", "usercustomize.py", "*.pth")),
    (_BUILD, ("setup.py", "pyproject.toml", "package.json", "build.rs")),
    (_TASKS, ("noxfile.py", "makefile", "gnumakefile")),
    (_CONTAINER, ("dockerfile", "dockerfile.*", "containerfile", "devcontainer.json", ".devcontainer.json")),
    (_CONTAINER, (".devcontainer/",)),
    (_OWN, ("hunkdeck.toml", ".hunkdeck.toml", "hunkdeck/config.toml")),
)

_EXPANSION = re.compile(r"^~|^\$\w|\$\{|\$[A-Z_]{2}|%[A-Za-z_]+%")
"""What a shell would expand. `routes/$id.tsx` is an ordinary name, `notes.txt~` an ordinary backup."""


def risk(path: str) -> str | None:
    """The sentence that names what is special about this path, or None for an ordinary file."""
    if _EXPANSION.search(path):
        return "looks like a home directory or a variable, but is taken literally"
    parts = [folded(part) for part in path.split("/")]
    return next((reason for reason, patterns in RISKS if any(_fits(parts, pattern) for pattern in patterns)), None)


def _fits(parts: list[str], pattern: str) -> bool:
    if "/" not in pattern:
        return fnmatchcase(parts[-1], pattern)
    wanted = pattern.rstrip("/").split("/")
    if pattern.endswith("/"):
        return any(parts[at : at + len(wanted)] == wanted for at in range(len(parts) - len(wanted)))
    return parts[-len(wanted) :] == wanted
