"""The dialogs, played by keyboard and by mouse."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Input

from engine.matching.answer import Candidate
from engine.model import Code
from engine.result import HunkResult, Result
from engine.safe_text import is_safe
from engine.settle import Status
from tests.tui.dialogs import Stage, answers, play, settled, shown
from tui.keymap import KEYS, Key
from tui.preview_rows import PreviewRow, RowKind
from tui.screens import dialog as dialog_module
from tui.screens.ask_text import AskText
from tui.screens.confirm import Confirm
from tui.screens.confirm_risk import ConfirmRisk
from tui.screens.edit_hunk import EditHunk
from tui.screens.help import Help
from tui.screens.jump import Jump, matches
from tui.screens.place_by_hand import PlaceByHand
from tui.screens.preview import Preview
from tui.screens.rows import Tone, block
from tui.screens.safe_fields import SafeTextArea
from tui.screens.show_result import Next, ShowResult
from tui.screens.show_revision import ShowRevision

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07 \u202eevil\r\x9b31m [@click=app.quit]x[/] [/red] \u200b\u3164\udcff"
FAILED = HunkResult(
    1, HOSTILE, Status.FAILED, code=Code.NOT_FOUND, error=HOSTILE, candidates=(Candidate(3, 4, 0.7, HOSTILE),)
)
RESULT = Result(
    "p",
    "sha256:0",
    (
        HunkResult(0, "a.py", Status.APPLIED, replacements=2),
        FAILED,
        HunkResult(2, "b.py", Status.REJECTED, comment="it is\npublic API"),
    ),
    transaction="t1",
    failures_open=True,
)
LINES = [f"line {number}" for number in range(1, 41)]
PLACES = (Candidate(12, 13, 0.87, "line 2 differs"), Candidate(30, 31, 0.71))
ROWS = [
    PreviewRow(RowKind.ADDED, 1, HOSTILE),
    *(PreviewRow(RowKind.SAME, n, f"line {n}") for n in range(2, 101)),
    PreviewRow(RowKind.GONE, None, "old"),
    PreviewRow(RowKind.ADDED, 101, "new"),
]

DIALOGS: dict[str, Callable[[], ModalScreen[Any]]] = {
    "ask": lambda: AskText(HOSTILE, HOSTILE),
    "ask several lines": lambda: AskText("Say", f"one\n{HOSTILE}"),
    "confirm": lambda: Confirm(HOSTILE, HOSTILE),
    "risk": lambda: ConfirmRisk(HOSTILE, [HOSTILE, "runs in CI"]),
    "result": lambda: ShowResult(RESULT),
    "help": lambda: Help([Key("x", ("x",), HOSTILE, "Decide"), *KEYS]),
    "jump": lambda: Jump([(HOSTILE, "1")]),
    "preview": lambda: Preview(HOSTILE, ROWS),
    "revision": lambda: ShowRevision(HOSTILE, lambda: block(HOSTILE, Tone.GOOD)),
    "edit": lambda: EditHunk(HOSTILE, f"a\n\t{HOSTILE}", "python"),
    "place": lambda: PlaceByHand(HOSTILE, PLACES, [HOSTILE] * 40),
}


def test_a_click_on_a_key_in_the_help_answers_its_action() -> None:
    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        lines = stage.text.split("\n")
        row = next(number for number, line in enumerate(lines) if "reject with a reason" in line)
        await pilot.click(offset=(lines[row].index("reject with a reason"), row))
        await settled(pilot)

    assert play(Help(KEYS), script).answers == ["reject_why"]


def test_places_that_read_the_same_are_told_apart_by_what_stands_around_them() -> None:
    file = ["def cost():", "    if heavy:", "        fail()", "", "def express():", "    if huge:", "        fail()"]
    text = shown(PlaceByHand("hunk 0", (Candidate(3, 3, 1.0), Candidate(7, 7, 1.0)), file))
    assert [words in text for words in ("line 3  100% alike", "if heavy:", "if huge:")] == [True, True, True]


def test_a_long_place_is_shown_by_its_beginning_and_what_follows_it() -> None:
    text = shown(PlaceByHand("hunk 0", (Candidate(3, 20, 0.9),), LINES), size=(80, 40))
    seen = [f"│ line {number} " in text for number in (1, 10, 11, 20, 21, 22, 23)]
    assert (seen, "… 10 more lines" in text) == ([True, True, False, False, True, True, False], True)


@pytest.mark.parametrize("name", DIALOGS)
def test_nothing_untrusted_reaches_the_terminal_raw(name: str) -> None:
    text = shown(DIALOGS[name]())
    assert all(is_safe(line) for line in text.split("\n"))
    assert "␛" in text


@pytest.mark.parametrize("name", DIALOGS)
def test_any_size_is_survived_and_the_default_is_visible_where_there_is_room(name: str) -> None:
    default = "ctrl+s" if name == "edit" else "enter"

    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        for size in ((3, 2), (31, 8), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert size[0] < 80 or default in stage.text.rpartition("╰")[0].split("\n")[-2]

    play(DIALOGS[name](), script, (120, 40))


@pytest.mark.parametrize(
    ("make", "keys", "answer"),
    [
        (lambda: AskText("Why?"), ["n", "o", "enter"], "no"),
        (lambda: AskText("Why?", "no"), ["enter"], "no"),
        (lambda: AskText("Why?", "no\nnever"), ["enter"], "no\nnever"),
        (lambda: AskText("Why?", "no"), ["x", "escape"], None),
        (lambda: Confirm("Undo?", "a.py"), ["enter"], True),
        (lambda: Confirm("Undo?", "a.py"), ["escape"], False),
        (lambda: ConfirmRisk("ci.yml", ["runs in CI"]), ["enter"], True),
        (lambda: ConfirmRisk("ci.yml", ["runs in CI"]), ["escape"], False),
        (lambda: ShowResult(RESULT), ["enter"], Next.SENT),
        (lambda: ShowResult(RESULT), ["escape"], Next.KEEP),
        (lambda: ShowResult(RESULT), ["u"], Next.UNDO),
        (lambda: ShowResult(RESULT), ["m"], Next.PLACE),
        (lambda: Help(KEYS), ["escape"], None),
        (lambda: Jump([("cart.py", "a"), ("user.py", "b")]), ["enter"], "a"),
        (lambda: Jump([("cart.py", "a"), ("user.py", "b")]), ["down", "enter"], "b"),
        (lambda: Jump([("cart.py", "a"), ("user.py", "b")]), ["down", "up", "down", "enter"], "b"),
        (lambda: Jump([("cart.py", "a"), ("user.py", "b")]), ["u", "s", "r", "enter"], "b"),
        (lambda: Jump([("cart.py", "a")]), ["escape"], None),
        (lambda: Preview("a.py", ROWS), ["n", "enter"], None),
        (lambda: EditHunk("Edit", "a\n", None), ["x", "ctrl+s"], "xa\n"),
        (lambda: EditHunk("Edit", "\ta", None), ["tab", "f2"], "\t\ta"),
        (lambda: EditHunk("Edit", "a", None), ["x", "escape"], None),
        (lambda: PlaceByHand("hunk 1", PLACES, LINES), ["enter"], (12, 13)),
        (lambda: PlaceByHand("hunk 1", PLACES, LINES), ["j", "j", "enter"], (30, 31)),
        (lambda: PlaceByHand("hunk 1", PLACES, LINES), ["escape"], None),
    ],
)
def test_keys(make: Callable[[], ModalScreen[Any]], keys: list[str], answer: object) -> None:
    assert answers(make(), *keys) == [answer]


@pytest.mark.parametrize(
    ("make", "choice", "answer"),
    [
        (lambda: AskText("Why?", "no"), "#choice-accept", "no"),
        (lambda: Confirm("Undo?", "a.py"), "#choice-accept", True),
        (lambda: Confirm("Undo?", "a.py"), "#choice-go_back", False),
        (lambda: ShowResult(RESULT), "#choice-undo", Next.UNDO),
        (lambda: ShowResult(RESULT), "#choice-place", Next.PLACE),
        (lambda: Help(KEYS), "#choice-accept", None),
    ],
)
def test_the_same_by_mouse(make: Callable[[], ModalScreen[Any]], choice: str, answer: object) -> None:
    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        await pilot.click(choice)
        await settled(pilot)

    assert play(make(), script).answers == [answer]


def test_rows_are_chosen_by_mouse() -> None:
    async def twice(stage: Stage, pilot: Pilot[None]) -> None:
        await pilot.click("RowsView", offset=(4, 9), times=2)
        await settled(pilot)

    async def once(stage: Stage, pilot: Pilot[None]) -> None:
        await pilot.click("RowsView", offset=(4, 1))
        await settled(pilot)

    assert play(PlaceByHand("hunk 1", PLACES, LINES), twice).answers == [(30, 31)]
    assert play(PlaceByHand("hunk 1", PLACES, LINES), once).answers == []
    assert play(Jump([("cart.py", "a"), ("user.py", "b")]), once).answers == ["b"]


@pytest.mark.parametrize("name", DIALOGS)
def test_pasting_never_decides(name: str) -> None:
    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        stage.post_message(Paste("yyy\nyyy\n"))
        await settled(pilot)

    assert play(DIALOGS[name](), script).answers == []


# ---------------------------------------------------------------- a longer text


def test_a_longer_text_comes_from_the_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stage, "suspend", lambda self: nullcontext())
    monkeypatch.setattr(dialog_module, "edit_text", lambda text, suffix: f"{text}and {suffix}\n")
    assert answers(AskText("Why?", "no"), "ctrl+e", "enter") == ["no\nand .md"]
    assert answers(AskText("Search", "no", editor_ok=False), "ctrl+e", "enter") == ["no"]
    assert answers(EditHunk("Edit", "a\n", "python"), "ctrl+e", "ctrl+s") == ["a\nand .py\n"]


def test_without_an_editor_the_dialog_says_so_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stage, "suspend", lambda self: nullcontext())
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    assert "No editor is set" in shown(AskText("Why?", "no"), "ctrl+e")


def test_a_terminal_that_cannot_be_handed_over() -> None:
    assert "cannot be handed to an editor" in shown(AskText("Why?", "no"), "ctrl+e")


# ---------------------------------------------------------------- one by one


def test_the_result_names_every_hunk_the_failures_first() -> None:
    text = shown(ShowResult(RESULT), size=(160, 40))
    order = ["Send the verdict as it is: 1 applied, 1 failed, 1 rejected", "▸ ✗ failed", "near: lines 3-4, 70% alike",
             "– rejected b.py  hunk 2", "▎ it is", "▎ public API", "✓ applied  a.py  hunk 0, 2 places"]  # fmt: skip
    assert sorted(order, key=text.index) == order


def test_a_result_without_failures_is_simply_closed() -> None:
    done = Result("p", "sha256:0", (HunkResult(0, "a.py", Status.APPLIED, replacements=1),))
    assert "Done: 1 applied" in shown(ShowResult(done))
    assert answers(ShowResult(done), "u", "m") == []


def test_the_failed_hunk_to_place_is_named() -> None:
    dialog = ShowResult(RESULT)
    assert (answers(dialog, "m"), dialog.hunk) == ([Next.PLACE], 1)
    nowhere = replace(RESULT, hunks=(replace(FAILED, candidates=()),))
    assert "No place in the file resembles this hunk." in shown(ShowResult(nowhere), "m")


def test_a_verdict_that_is_out_has_nothing_left_to_choose() -> None:
    final = replace(RESULT, failures_open=False)
    assert "Done: 1 applied, 1 failed, 1 rejected" in shown(ShowResult(final))
    assert answers(ShowResult(final), "m") == []


def test_jump_finds_names_by_a_few_letters_and_caps_the_list() -> None:
    names = [f"src/module_{n}/cart_{n}.py" for n in range(10_000)]
    assert matches("cart_4321", names)[0] == 4321
    assert matches("crt_77.py", names)[0] == 77
    assert (len(matches("", names)), len(matches("cart", names)), matches("zzqqxx", names)) == (50, 50, [])
    text = shown(Jump([(name, name) for name in names]), "end", *"cart")
    assert "▸ src/module_0/cart_0.py" in text


def test_nothing_found_stays_open() -> None:
    assert answers(Jump([("cart.py", "a")]), *"zzqq", "enter") == []


def test_preview_goes_from_change_to_change() -> None:
    assert "change 1 of 2" in shown(Preview("a.py", ROWS))
    after = shown(Preview("a.py", ROWS), "n")
    assert "change 2 of 2" in after
    assert "    - old" in after
    assert "101 + new" in after
    assert "change 1 of 2" in shown(Preview("a.py", ROWS), "n", "n")
    assert "change 2 of 2" in shown(Preview("a.py", ROWS), "N")
    assert "change 2 of 2" in shown(Preview("a.py", ROWS), "G", "g", "n")


def test_preview_opens_before_its_rows_are_made_and_has_no_widget_per_line() -> None:
    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        assert "change 1 of 2" in stage.text
        assert len(list(stage.screen.walk_children())) < 20

    play(Preview("a.py", lambda: ROWS), script)


def test_preview_shows_that_a_line_goes_on_and_what_is_there() -> None:
    rows = [PreviewRow(RowKind.ADDED, 1, "x" * 90 + "END")]
    assert "x→" in shown(Preview("a.py", rows))
    assert "END" in shown(Preview("a.py", rows), "l", "l", "l", "l")


def test_an_unchanged_text_is_accepted_only_when_asked_twice() -> None:
    assert answers(EditHunk("Edit", "a", None), "ctrl+s") == []
    assert "Nothing is changed" in shown(EditHunk("Edit", "a", None), "ctrl+s")
    assert answers(EditHunk("Edit", "a", None), "ctrl+s", "ctrl+s") == ["a"]
    assert answers(EditHunk("Edit", "a", None), "ctrl+s", "x", "backspace", "ctrl+s") == []


@pytest.mark.parametrize("text", ["a\tb\n\n", "\x1b\u202e\n", "a\r\nb\r\n", "mixed\r\nends\n", "none", "\udcff"])
def test_a_text_that_is_only_looked_at_stays_as_it_is(text: str) -> None:
    assert answers(EditHunk("Edit", text, None), "ctrl+s", "ctrl+s") == [text]


@pytest.mark.parametrize("text", ["form\x0cfeed\n", "line\u2028separator\n"])
def test_a_text_that_the_field_would_change_is_read_only(text: str) -> None:
    assert "only an editor keeps" in shown(EditHunk("Edit", text, None))
    assert answers(EditHunk("Edit", text, None), "x", "ctrl+s", "ctrl+s") == [text]


def test_editing_shows_what_was_sent_beside_it_where_there_is_room() -> None:
    wide = shown(EditHunk("Edit", "mine\n", None, original="theirs\n"), size=(160, 40)).split("\n")
    assert any("▎ theirs" in line and "mine" in line for line in wide)
    assert "▎ theirs" in shown(EditHunk("Edit", "mine\n", None, original="theirs\n"))


def test_typing_goes_into_the_field_only() -> None:
    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        await pilot.press("j", "k", "space", "f")
        assert stage.screen.query_one(Input).value == "jk f"

    assert play(AskText("Why?"), script).answers == []


def test_help_is_grouped_and_scrolls() -> None:
    first, end = shown(Help(KEYS)), shown(Help(KEYS), *["pagedown"] * 4)
    assert "Decide" in first
    assert "Apply" in first
    assert "next theme" in end
    assert "leave; every decision is" in shown(Help(KEYS), size=(200, 60))


def test_the_text_that_is_edited_has_its_colours() -> None:
    dialog = EditHunk("Edit", "def total():\n\treturn 1\n", "python")
    found: list[list[str]] = []

    async def script(stage: Stage, pilot: Pilot[None]) -> None:
        field = dialog.query_one(SafeTextArea)
        for _ in range(2):
            lines = [field.get_line(number) for number in (0, 1)]
            found.append([line.plain[span.start : span.end] for line in lines for span in line.spans])
            await pilot.press("ctrl+home", "p", "a", "s", "s", "enter")
            await settled(pilot)

    play(dialog, script)
    assert found == [["def", "total", "return", "1"], ["pass", "def", "total"]]
