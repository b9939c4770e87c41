"""How long `hunkdeck check --json` takes for one small proposal, beside a bare interpreter with the same imports.

python -m benchmarks.startup
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import best_of

ROUNDS = 25
TARGET = 3.0
_OURS = ("engine", "tui", "hunkdeck")
_LIST_IMPORTS = """
import json, sys
before = set(sys.modules)
import hunkdeck
sys.argv = ["hunkdeck", "check", "p.json", "--json", "--workspace", "."]
hunkdeck.main()
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        (home / "a.py").write_text("x = 1\n")
        (home / "p.json").write_text('{"file_path": "a.py", "old_string": "x = 1", "new_string": "x = 2"}')

        def run(*command: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(command, cwd=home, capture_output=True, text=True, check=True)

        loaded = json.loads(run(sys.executable, "-c", _LIST_IMPORTS).stderr.splitlines()[-1])
        theirs = [name for name in loaded if name.partition(".")[0] not in _OURS and not name.startswith("_")]
        imports = "import " + ", ".join(["json", *theirs])
        command = str(Path(sys.executable).with_name("hunkdeck"))
        best = best_of(
            ROUNDS,
            {
                "python -c pass": lambda: run(sys.executable, "-c", "pass"),
                "python with the imports it needs": lambda: run(sys.executable, "-c", imports),
                "hunkdeck check --json": lambda: run(command, "check", "p.json", "--json", "--workspace", "."),
            },
        )
    for name, seconds in best.items():
        print(f"{name:34} {seconds * 1000:7.1f} ms")
    ratio = best["hunkdeck check --json"] / best["python with the imports it needs"]
    print(f"ratio: {ratio:.2f} (target: at most {TARGET:.0f})")


if __name__ == "__main__":
    main()
