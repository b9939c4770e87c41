"""The boundaries of docs/architecture.md, proved at run time: a fresh interpreter, and a look at what it loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"textual", "rich", "watchfiles", "unidiff", "rapidfuzz", "ast_grep_py", "asyncio"}


def loaded_after(code: str) -> set[str]:
    """The top-level modules that `code` has loaded."""
    script = f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


def engine_modules() -> list[str]:
    files = sorted((ROOT / "engine").rglob("*.py"))
    return [".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for file in files]


def test_importing_every_module_of_the_engine_loads_nothing_heavy_and_no_terminal() -> None:
    loaded = loaded_after("\n".join(f"import {module}" for module in engine_modules()))
    assert not loaded & (HEAVY | {"tui"})


def test_the_engine_writes_through_one_module_only() -> None:
    writers = {"os.write", "os.rename", "os.replace", "os.unlink", "os.mkdir", "os.rmdir", "os.link", "write_text",
               "write_bytes", "os.remove", "os.ftruncate", "shutil"}  # fmt: skip
    allowed = {"disk.py", "rename.py"}
    found = {
        file.name
        for file in (ROOT / "engine").rglob("*.py")
        if any(f"{writer}(" in file.read_text() or f"import {writer}" in file.read_text() for writer in writers)
    }
    assert found <= allowed


def test_import_hunkdeck_is_lazy() -> None:
    code = "import hunkdeck, sys\nassert 'engine.session' not in sys.modules\nhunkdeck.load"
    assert not loaded_after(code) & HEAVY


def test_a_workspace_with_its_own_engine_package_is_not_imported(tmp_path: Path) -> None:
    for name in ("engine", "tui"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong package')")
    paths = f"sys.path.insert(0, {str(tmp_path)!r}); sys.path.append({str(ROOT)!r})"
    code = f"import sys; {paths}; import hunkdeck; hunkdeck.load"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["check", "apply"])
def test_the_json_path_loads_no_colours_and_no_screen(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "p.json").write_text('{"file_path": "a.txt", "old_string": "one", "new_string": "two"}')
    argv = [command, "p.json", "--json", "--workspace", str(tmp_path)] + (["--all"] if command == "apply" else [])
    setup = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); os.chdir({str(tmp_path)!r})"
    code = f"{setup}\nfrom tui.cli import main\nassert main({argv!r}) == 0"
    assert not loaded_after(code) & HEAVY
