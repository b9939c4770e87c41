"""Group C: files that run later or steer tools. To create one is the same as to change one."""

from __future__ import annotations

import json

import pytest

from engine.bulk import bulk_choice
from engine.model import Create, Delete, Mode, Move, SetMode, TextEdit, Write
from engine.review import AcceptAll, Confirm, ReviewState
from engine.settle import Status
from tests.battery.bench import Bench, Sent
from tests.battery.command import run

CREATE = Create("new\n")
EDIT = TextEdit("old", "new")


def assert_sensitive(bench: Bench, path: str, risk: str) -> None:
    """It asks when the file is new, when it exists, and when it is deleted."""
    bench.assert_asks((path, CREATE), risk)
    bench.put(path)
    bench.assert_asks((path, EDIT), risk)
    bench.assert_asks((path, Delete()), risk)


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".git/hooks/pre-commit",
        ".GIT/config",
        ".Git/HEAD",
        ".git./config",
        ".git /config",
        ".git . ./config",
        ".g\u200cit/config",
        ".git\u200b/config",
        "\ufeff.git/config",
        "git~1/config",
        "GIT~1/config",
        "sub/.git/config",
        ".git",
        ".git::$INDEX_ALLOCATION/config",
    ],
)
def test_C01_git_itself(bench: Bench, path: str) -> None:
    bench.put("mine.py")
    for op in (CREATE, Write("x"), EDIT, Delete(), SetMode(True)):
        bench.assert_blocks((path, op), "git's own directory")
    bench.assert_blocks(("mine.py", Move(path)), "git's own directory")


@pytest.mark.parametrize(
    "path",
    [
        ".hunkdeck/id",
        ".hunkdeck/journal-swapping",
        ".hunkdeck/queue/p.json",
        ".hunkdeck/history/000001.json",
        ".HunkDeck/lock",
        ".hunkdeck./x",
        ".hunk\u200bdeck/x",
        ".hunkdeck-0123456789abcdef.new",
        "src/.hunkdeck-0.old",
        "src/.hunkdeck/x",
    ],
)
def test_C02_our_own_state(bench: Bench, path: str) -> None:
    bench.put("mine.py")
    for op in (CREATE, Write("x"), EDIT, Delete()):
        bench.assert_blocks((path, op), "hunkdeck's own state")
    bench.assert_blocks(("mine.py", Move(path)), "hunkdeck's own state")


@pytest.mark.parametrize(
    "path",
    [
        ".vscode/settings.json",
        ".vscode/tasks.json",
        ".vscode/launch.json",
        ".vscode/mcp.json",
        "sub/.vscode/settings.json",
        "x.code-workspace",
        ".idea/workspace.xml",
        ".idea/deep/er.xml",
        ".zed/settings.json",
    ],
)
def test_C03_editor_settings(bench: Bench, path: str) -> None:
    assert_sensitive(bench, path, "steers the editor")


@pytest.mark.parametrize(
    ("path", "risk"),
    [
        (".cursor/mcp.json", "steers coding agents"),
        (".cursor/rules/x.mdc", "steers coding agents"),
        (".mcp.json", "steers coding agents"),
        (".claude/settings.json", "steers coding agents"),
        (".codex/config.toml", "steers coding agents"),
        (".gemini/settings.json", "steers coding agents"),
        (".agents/x", "steers coding agents"),
        ("CLAUDE.md", "instructions"),
        ("AGENTS.md", "instructions"),
        ("pkg/AGENTS.md", "instructions"),
        (".cursorrules", "instructions"),
    ],
)
def test_C04_agent_settings(bench: Bench, path: str, risk: str) -> None:
    assert_sensitive(bench, path, risk)


@pytest.mark.parametrize(
    "path", [".CURSOR/mcp.json", ".Claude/Settings.json", ".cursor\u200b/mcp.json", ".MCP.JSON", ".Codex/x"]
)
def test_C05_other_spellings(bench: Bench, path: str) -> None:
    bench.assert_asks((path, CREATE), "steers coding agents")


@pytest.mark.parametrize(
    "path",
    [".envrc", ".env", ".env.local", ".npmrc", ".pypirc", ".netrc", ".gitattributes", ".gitmodules", ".gitconfig"],
)
def test_C06_shell_and_git_settings(bench: Bench, path: str) -> None:
    assert_sensitive(bench, path, "")
    assert_sensitive(bench, f"sub/{path}", "")


@pytest.mark.parametrize(
    ("path", "risk"),
    [
        (".github/workflows/ci.yml", "runs in CI"),
        (".github/workflows/deep/ci.yml", "runs in CI"),
        (".gitlab-ci.yml", "runs in CI"),
        ("Jenkinsfile", "runs in CI"),
        (".pre-commit-config.yaml", "hook"),
        (".husky/pre-commit", "hook"),
        ("lefthook.yml", "hook"),
    ],
)
def test_C07_ci_and_hooks(bench: Bench, path: str, risk: str) -> None:
    assert_sensitive(bench, path, risk)


@pytest.mark.parametrize(
    "path",
    [
        "tests/conftest.py",
        "sitecustomize.py",
        "evil.pth",
        "setup.py",
        "pyproject.toml",
        "noxfile.py",
        "package.json",
        "build.rs",
        "Makefile",
        "Dockerfile",
        ".devcontainer/devcontainer.json",
    ],
)
def test_C08_build_and_test_scripts(bench: Bench, path: str) -> None:
    bench.assert_asks((path, Create("")), "is executed")


def test_C09_executable(bench: Bench) -> None:
    bench.assert_asks(("run.sh", Create("x\n", executable=True)), "makes the file executable")
    assert bench.files()["run.sh"][1] == 0o755
    bench.put("plain.sh")
    bench.assert_asks(("plain.sh", SetMode(True)), "makes the file executable")
    assert bench.files()["plain.sh"][1] == 0o755
    diff = "diff --git a/plain2.sh b/plain2.sh\nold mode 100644\nnew mode 100755\n"
    bench.put("plain2.sh")
    ran = run(bench.root, "check", "-", stdin=diff.encode())
    assert "    ! makes the file executable\n" in ran.out


def test_C10_bulk_accept_leaves_what_asks(bench: Bench) -> None:
    bench.put("a.py")
    sent: list[Sent] = [("a.py", EDIT), ("Makefile", CREATE), (".envrc", CREATE), ("b.py", Create("x = 1\n"))]
    planned = bench.plan(*sent)
    taken, left = bulk_choice(planned, ReviewState())
    assert (taken, sorted(left)) == ([0, 3], [1, 2])
    assert all(reason.startswith("needs its own confirmation: ") for reason in left.values())
    result = bench.apply(planned, AcceptAll(), mode=Mode.CONTINUE)
    assert [hunk.status for hunk in result.hunks] == [Status.APPLIED, Status.PENDING, Status.PENDING, Status.APPLIED]
    assert (result.exit_code, not (bench.root / "Makefile").exists()) == (4, True)


def test_C10_bulk_accept_on_the_command_line(bench: Bench) -> None:
    proposal = json.dumps({"changes": [_new_file("Makefile"), _new_file("a.txt")]}).encode()
    bench.knows("a.txt", b"new\n")
    ran = run(bench.root, "apply", "-", "--all", stdin=proposal)
    assert (ran.code, list(bench.files())) == (4, ["a.txt"])
    assert "1 pending: 0" in ran.out
    ran = run(bench.root, "apply", "-", "--accept", "0", stdin=proposal)
    assert (ran.code, list(bench.files())) == (4, ["a.txt"])
    bench.knows("Makefile", b"new\n")
    ran = run(bench.root, "apply", "-", "--accept", "0", "--confirm", "Makefile", stdin=proposal)
    assert sorted(bench.files()) == ["Makefile", "a.txt"]


def _new_file(path: str) -> dict[str, str]:
    return {"change_type": "new_file", "path": path, "content": "new\n"}


@pytest.mark.parametrize("path", [".github/workflows/x.yml", "Makefile", ".claude/settings.json", "sub/conftest.py"])
def test_C11_rename_into_a_sensitive_place(bench: Bench, path: str) -> None:
    bench.put("plain.txt")
    planned = bench.plan(("plain.txt", Move(path)))
    assert planned.hunks[0].risks
    assert bench.apply(planned, AcceptAll(unfit_too=True)).hunks[0].status is Status.PENDING
    assert bench.apply(planned, Confirm("plain.txt"), AcceptAll(unfit_too=True)).hunks[0].status is Status.APPLIED
    assert bench.read(path) == b"old\n"
