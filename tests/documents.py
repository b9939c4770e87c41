"""The documentation's examples, run for real.

A fenced block that follows a line `<!-- example: NAME -->` is run in a fresh copy of docs/examples/NAME; further
blocks with `<!-- same -->` go on in the same copy. In a `console` block the lines behind `$ ` are commands and the rest
is what they print; a `python` block is run as it is, and a `text` block right behind it is what it prints.

`python -m tests.documents` writes what is printed now into the documents: read the diff like code.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(
    r"<!-- (?:example: (?P<name>[\w-]+)|(?P<same>same)) -->\n```(?P<kind>console|python)\n(?P<body>.*?)```\n"
    r"(?P<printed>\n```text\n(?P<output>.*?)```\n)?",
    re.DOTALL,
)


@dataclass(frozen=True)
class Example:
    """One runnable block of a document."""

    document: Path
    start: int
    end: int
    text: str
    actual: str
    """The block with what is really printed."""


def examples(document: Path) -> Iterator[Example]:
    """Run every example of a document, in order."""
    text = document.read_text()
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        for count, match in enumerate(_BLOCK.finditer(text)):
            if match["name"]:
                home = Path(directory, f"{count}-{match['name']}")
                shutil.copytree(ROOT / "docs" / "examples" / match["name"], home)
            run = _console if match["kind"] == "console" else _python
            yield Example(document, match.start(), match.end(), match[0], run(match, home))


def _console(match: re.Match[str], home: Path) -> str:
    commands = [line[2:] for line in match["body"].split("\n") if line.startswith("$ ")]
    printed = "".join(f"$ {command}\n{_shell(command, home)}" for command in commands)
    return match[0].replace(match["body"], printed)


def _python(match: re.Match[str], home: Path) -> str:
    output = _run([sys.executable, "-c", match["body"]], home)
    return (
        match[0]
        if match["output"] is None
        else match[0].replace(f"\n```text\n{match['output']}", f"\n```text\n{output}")
    )


def _shell(command: str, home: Path) -> str:
    return _run(["sh", "-c", command], home)


def _run(command: list[str], home: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.stdout.replace(str(home), "~/shop")


def with_keys(text: str) -> str:
    """The text with the table of keys as the app has it now, where it has one."""
    from tui.keymap import KEYS, shown_key

    rows = ["| keys | | |", "|---|---|---|"]
    rows += [f"| `{' '.join(shown_key(key) for key in one.keys)}` | {one.help} | {one.group} |" for one in KEYS]
    table = "\n".join(row.replace("`|`", "`\\|`") for row in rows)
    return re.sub(
        r"(<!-- keys -->\n).*?(<!-- /keys -->)", lambda match: f"{match[1]}{table}\n{match[2]}", text, flags=re.DOTALL
    )


def with_guide(text: str) -> str:
    """The text with the guide for agents as the command prints it, where it quotes it."""
    from tui.commands.guide import GUIDE

    quoted = "".join(f"> {line}".rstrip() + "\n" for line in GUIDE.read_text().splitlines())
    return re.sub(
        r"(<!-- guide -->\n).*?(<!-- /guide -->)", lambda match: f"{match[1]}{quoted}{match[2]}", text, flags=re.DOTALL
    )


def update(document: Path) -> None:
    text = with_guide(with_keys(document.read_text()))
    document.write_text(text)
    for example in reversed(list(examples(document))):
        text = text[: example.start] + example.actual + text[example.end :]
    document.write_text(text)


if __name__ == "__main__":
    for one in DOCUMENTS:
        update(one)
