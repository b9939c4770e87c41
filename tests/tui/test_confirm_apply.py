"""What will be applied is worked out while the dialog is open, and nothing is agreed to before it is shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import pytest

from engine.model import Mode
from engine.queue.desk import desk_of
from engine.queue.item import Item
from engine.review import Accept, AcceptAll, Confirm, Intent, Reject
from engine.settle import Settlement
from engine.workspace import Workspace
from tests.tui.dialogs import Stage, answers, settled, shown
from tui.screens.apply_rows import effect_of
from tui.screens.confirm_apply import ApplyChoice, ConfirmApply
from tui.screens.rows import Row

FILES = {"a.py": "x = 1\ny = 2\nz = 3\n", ".github/workflows/ci.yml": "on: push\n"}
EDITS = [
    ("a.py", "x = 1", "x = 10\nxx = 11"),
    ("a.py", "y = 2", "y = (2"),
    ("a.py", "nothing like this", "q"),
    (".github/workflows/ci.yml", "on: push", "on: [push]"),
    ("a.py", "z = 3", "z = 4"),
]


Make = Callable[..., Item]


@pytest.fixture
def make(workspace: Workspace) -> Iterator[Make]:
    """`make(intent, …)`: the proposal on a desk, planned and decided about."""
    for path, text in FILES.items():
        target = Path(workspace.root, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    with ExitStack() as desks:

        def item(*intents: Intent, mode: Mode = Mode.CONTINUE) -> Item:
            desk = desks.enter_context(desk_of(workspace, [("test", payload(mode))]))
            desk.plan(desk.items[0])
            for intent in intents:
                desk.items[0].act(intent)
            return desk.items[0]

        yield item


def payload(mode: Mode) -> bytes:
    changes = [
        {"change_type": "patch", "path": path, "old_content": old, "new_content": new} for path, old, new in EDITS
    ]
    return json.dumps({"changes": changes, "on_failure": mode.value}).encode()


def words(rows: tuple[Row, ...]) -> list[str]:
    return ["".join(text for text, _ in (row.lead, *row.spans)) for row in rows]


def test_the_exact_effect(make: Make) -> None:
    ci = ".github/workflows/ci.yml"
    item = make(Accept((0, 1)), Confirm(ci), Accept((3,)), Reject((4,)))
    effect = effect_of(item)
    assert (effect.title, effect.sendable, effect.breaks_syntax) == ("Apply 2 of 5 hunks to 2 files", True, True)
    said = words(effect.rows)
    assert said[:5] == [
        "1 will fail  1 left open  1 rejected  ",
        "Mode continue: all that can be applied are written",
        "",
        "M a.py  +2 -1  1 hunk",
        f"M {ci}  +1 -1  1 hunk",
    ]
    assert said[6:8] == ["Will fail", "  ✗ a.py  hunk 1: would create a syntax error, so it is not applied"]
    assert any(line.endswith("^") for line in said)
    assert any(line.startswith("  ? hunk 2: old text not found") for line in said)
    assert said[-2:] == ["Confirmed by you", f"  ⚠ {ci}  runs in CI"]


@pytest.mark.parametrize(
    ("intents", "mode", "title"),
    [
        ([], Mode.CONTINUE, "Nothing is decided yet, so there is nothing to apply"),
        ([Accept((0,))], Mode.CONTINUE, "Apply 1 of 5 hunks to 1 file"),
        ([Reject((0, 1))], Mode.CONTINUE, "Send the verdict: 2 hunks rejected, so nothing is written"),
        ([Accept((3,))], Mode.CONTINUE, "Send the verdict: what is accepted has to wait, so nothing is written"),
        ([Accept((0, 1))], Mode.ROLLBACK, "Send the verdict: 1 hunk cannot be applied, so nothing is written"),
    ],
)
def test_the_title_says_what_enter_does(intents: list[Intent], mode: Mode, title: str, make: Make) -> None:
    assert effect_of(make(*intents, mode=mode)).title == title


def test_enter_applies_and_escape_does_not(make: Make) -> None:
    item = make(AcceptAll())
    assert answers(ConfirmApply(item), "enter") == [ApplyChoice(go=True)]
    assert answers(ConfirmApply(item), "escape") == [ApplyChoice(go=False)]
    assert not ApplyChoice(go=False)


def test_with_nothing_decided_there_is_nothing_to_send(make: Make) -> None:
    assert answers(ConfirmApply(make()), "enter") == [ApplyChoice(go=False)]


def test_syntax_errors_are_allowed_by_a_key_of_their_own(make: Make) -> None:
    item = make(Accept((0, 1)))
    assert "Apply 1 of 5 hunks" in shown(ConfirmApply(item))
    allowed = shown(ConfirmApply(item), "f")
    assert "Apply 2 of 5 hunks" in allowed
    assert "Syntax errors are allowed this time." in allowed
    assert answers(ConfirmApply(item), "f", "enter") == [ApplyChoice(go=True, allow_syntax_errors=True)]
    assert answers(ConfirmApply(item), "f", "f", "enter") == [ApplyChoice(go=True)]


def test_where_nothing_breaks_the_key_does_nothing(make: Make) -> None:
    item = make(Accept((0,)))
    assert "Allow syntax errors" not in shown(ConfirmApply(item))
    assert answers(ConfirmApply(item), "f", "enter") == [ApplyChoice(go=True)]


def test_it_opens_at_once_and_agrees_to_nothing_before_it_is_shown(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    item = make(Accept((0,)))
    go_on, preview = Event(), item.preview

    def slow(*, allow_syntax_errors: bool = False) -> Settlement:
        go_on.wait(10)
        return preview(allow_syntax_errors=allow_syntax_errors)

    monkeypatch.setattr(item, "preview", slow)

    async def run() -> list[ApplyChoice]:
        stage = Stage(ConfirmApply(item))
        async with stage.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert "Working out what would be applied" in stage.text
            await pilot.press("enter", "f")
            assert stage.answers == []
            go_on.set()
            await settled(pilot)
            assert "Apply 1 of 5 hunks" in stage.text
            await pilot.press("enter")
            await pilot.pause()
        return stage.answers

    assert asyncio.run(run()) == [ApplyChoice(go=True)]


def test_a_proposal_that_is_not_planned(workspace: Workspace) -> None:
    with desk_of(workspace, [("test", payload(Mode.STOP))]) as desk:
        item = desk.items[0]
    assert "Nothing can be applied now" in shown(ConfirmApply(item))
    assert answers(ConfirmApply(item), "enter") == [ApplyChoice(go=False)]
