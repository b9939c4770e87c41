"""The documentation is true: its examples print what it says, its links lead somewhere, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import DOCUMENTS, ROOT, examples, with_guide, with_keys
from tui.cli import COMMANDS
from tui.commands.guide import GUIDE


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples_print_what_the_document_says(document: Path) -> None:
    for example in examples(document):
        assert example.actual == example.text


@pytest.mark.parametrize(
    "document", [*DOCUMENTS, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda path: path.name
)
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_the_table_of_keys_is_the_one_of_the_app() -> None:
    text = (ROOT / "docs" / "app.md").read_text()
    assert with_keys(text) == text


def test_the_guide_is_the_one_that_the_command_prints() -> None:
    text = (ROOT / "docs" / "agents.md").read_text()
    assert with_guide(text) == text
    assert "## Changing files" in text
    assert len(GUIDE.read_text()) < 2_500  # it is pasted into other people's instructions


def test_the_readme_starts_with_the_two_commands_and_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text()
    assert readme.index("make demo") < readme.index("## ")
    assert readme.index("make test") < readme.index("## ")
    assert [command for command in COMMANDS if f"hunkdeck {command}" not in readme] == []
