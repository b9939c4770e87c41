"""The peers' own tests, through our whole engine. Each row that we decide differently is listed with its reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hunkdeck
from engine.model import Mode
from engine.review import Accept, Confirm
from tests.conformance import DATA, Verdict, left_out, play, rows
from tests.scenario import plant, tree

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the conformance data is not beside the project")

BY_DESIGN = {
    "cline-001": "an empty old text creates a missing file, nothing else",
    "cline-006": "a replaced line keeps the file's indentation",
    "cline-010": "a file without a final newline stays without one",
    "cline-017": "a block that is not closed may have been cut off",
    "cline-018": "a block that is not closed may have been cut off",
    "codex-022": "which of two equal lines goes matters only for the line endings: refused",
    "codex-061": "a bare move is a rename",
    "git-037": "nothing but a line number says where an insertion goes",
    "git-039": "nothing but a line number says where an insertion goes",
    "git-044": "nothing but a line number says where an insertion goes",
    "git-046": "nothing but a line number says where an insertion goes",
    "git-082": "a name cannot be a file and a directory in one proposal",
    "git-083": "a name cannot be a file and a directory in one proposal",
    "git-084": "a name cannot be a file and a directory in one proposal",
    "git-085": "a name cannot be a file and a directory in one proposal",
    "git-182": "an added line without a hunk header is an error, not ignored",
    "git-214": "no file is created with a control character in its name",
    "git-217": "a backslash in a path may mean a directory elsewhere",
    "git-218": "a backslash in a path may mean a directory elsewhere",
    "git-219": "a backslash in a path may mean a directory elsewhere",
    "pi-029": "an empty patch is not a proposal",
    "roo-087": "models really end blocks with a second separator; it is left out, and noted",
    "roo-101": "a text without a single block is not a proposal",
    "roo-153": "an empty patch is not a proposal",
    "unidiff-016": "wrong counts are repaired, and noted",
    "unidiff-017": "wrong counts are repaired, and noted",
    "unidiff-021": "wrong counts are repaired, and noted",
    "unidiff-022": "wrong counts are repaired, and noted",
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    asked = rows("replace", "multi", "codex_patch", "udiff", "blocks", "lines", "schema")
    settled = [row for row in asked if not row.get("disputed") and not left_out(row)]
    return [play(row, tmp_path_factory.mktemp("fact")) for row in settled]


def test_nothing_is_written_that_should_be_refused(verdicts: list[Verdict]) -> None:
    refused = {
        row["id"] for row in rows("replace", "multi", "codex_patch", "udiff", "blocks") if row["expect"] == "refuse"
    }
    assert [one for one in verdicts if one.wrote_wrongly and one.id in refused] == []


def test_what_differs_is_known_and_at_most_one_in_twenty(verdicts: list[Verdict]) -> None:
    wrong = {one.id for one in verdicts if not one.right}
    assert wrong == set(BY_DESIGN)
    assert len(wrong) <= len(verdicts) / 20


def test_recommended_behaviour_where_the_peers_disagree(tmp_path_factory: pytest.TempPathFactory) -> None:
    asked = [row for row in rows("replace", "multi", "codex_patch", "udiff") if row.get("recommend")]
    asked = [{**row, **row["recommend"]} for row in asked if row["recommend"].get("expect") == "refuse"]
    verdicts = [play(row, tmp_path_factory.mktemp("fact"), confirm=False) for row in asked if not left_out(row)]
    differs = {
        "roo-055": "refuse or strip, it says: the line numbers are stripped",
        "roo-063": "an exact match far from its line hint: a hint settles ties, nothing else",
        "roo-075": "an exact match far from its line hint: a hint settles ties, nothing else",
    }
    assert {one.id for one in verdicts if one.wrote_wrongly} == set(differs)


SCENARIOS = DATA / "codex_scenarios"
INDEX = {row["name"]: row for row in json.loads((SCENARIOS / "index.json").read_text())} if SCENARIOS.exists() else {}
DIFFERS = {
    "010_move_overwrites_existing_destination": "a file that exists is overwritten only with a confirmation",
    "011_add_overwrites_existing_file": "a file that exists is overwritten only with a confirmation",
    "015_failure_after_partial_success_leaves_changes": "a failure leaves nothing written",
}


def play_scenario(name: str, root: Path, *, compat: bool) -> tuple[bool, dict[str, bytes]]:
    case = SCENARIOS / name
    plant(case / "input", root)
    try:
        proposal = hunkdeck.load(case / "patch.txt", format="codex")
    except hunkdeck.UnreadableProposal:
        return False, tree(root)
    with hunkdeck.Workspace(root) as workspace:
        plan = hunkdeck.plan(proposal, workspace, codex_compat=compat)
        state = hunkdeck.decide(plan, Accept(tuple(range(len(plan.hunks)))))
        result = hunkdeck.apply(plan, state, workspace, mode=Mode.STOP if compat else None)
    return result.success, tree(root)


def expected_tree(name: str) -> dict[str, bytes]:
    return tree(SCENARIOS / name / "expected")


@pytest.mark.parametrize("name", INDEX)
def test_codex_scenario_as_codex_does_it(name: str, tmp_path: Path) -> None:
    success, files = play_scenario(name, tmp_path, compat=True)
    assert success == (INDEX[name]["expect"] == "ok")
    assert files == expected_tree(name)


@pytest.mark.parametrize("name", INDEX)
def test_codex_scenario_as_we_do_it(name: str, tmp_path: Path) -> None:
    success, files = play_scenario(name, tmp_path, compat=False)
    if name in DIFFERS:
        assert (success, files) == (False, tree(SCENARIOS / name / "input"))
    else:
        assert success == (INDEX[name]["expect"] == "ok")
        assert files == expected_tree(name)


def test_what_is_overwritten_on_purpose_can_be_confirmed(tmp_path: Path) -> None:
    case = SCENARIOS / "011_add_overwrites_existing_file"
    plant(case / "input", tmp_path)
    with hunkdeck.Workspace(tmp_path) as workspace:
        plan = hunkdeck.plan(hunkdeck.load(case / "patch.txt"), workspace)
        state = hunkdeck.decide(plan, Confirm("duplicate.txt"), Accept((0,)))
        assert hunkdeck.apply(plan, state, workspace).success
    assert tree(tmp_path) == expected_tree(case.name)
