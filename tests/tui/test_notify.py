"""Bell, title, notifications: counts only, and not more often than wanted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tui import notify
from tui.notify import Notifier
from tui.settings import Settings, settings_from


class Listener:
    """A terminal and a clock that belong to the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
        self.now = 1_000.0
        self.heard: list[str] = []
        self._calls: list[tuple[float, Callable[[], None]]] = []
        monkeypatch.setattr(notify, "monotonic", lambda: self.now)
        self.notifier = Notifier(Settings(**settings), self.heard.append, self._later)  # type: ignore[arg-type]

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        self._calls.append((self.now + seconds, call))

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        due = [call for at, call in self._calls if at <= self.now]
        self._calls = [(at, call) for at, call in self._calls if at > self.now]
        for call in due:
            call()


def test_nothing_but_the_title_is_told_unless_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(monkeypatch)
    listener.notifier.show_waiting(2)
    assert listener.heard == []  # whoever has just opened it is looking
    listener.notifier.show_waiting(3)
    listener.notifier.came(1)
    listener.notifier.show_waiting(3)
    listener.notifier.show_waiting(0)
    listener.notifier.close()
    assert listener.heard == ["\x1b[22;0t\x1b]0;hunkdeck: 3 waiting\a", "\x1b]0;hunkdeck\a", "\x1b[23;0t"]


def test_the_title_can_be_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(monkeypatch, title=False)
    listener.notifier.show_waiting(3)
    listener.notifier.came(1)
    listener.notifier.close()
    assert listener.heard == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"bell": True}, "\a"),
        ({"notify": "osc9"}, "\x1b]9;1 new, 4 waiting\a"),
        ({"notify": "osc777"}, "\x1b]777;notify;hunkdeck;1 new, 4 waiting\a"),
    ],
)
def test_ways_to_be_told(monkeypatch: pytest.MonkeyPatch, settings: dict[str, object], told: str) -> None:
    listener = Listener(monkeypatch, title=False, **settings)
    listener.notifier.show_waiting(4)
    listener.notifier.came(1)
    assert listener.heard == [told]


def test_what_comes_in_quick_succession_is_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(monkeypatch, title=False, notify="osc9", notify_every=10)
    listener.notifier.came(1)
    for _ in range(500):
        listener.notifier.came(2)
    assert listener.heard == ["\x1b]9;1 new, 0 waiting\a"]
    listener.pass_time(10)
    assert listener.heard[1:] == ["\x1b]9;1000 new, 0 waiting\a"]
    listener.pass_time(20)
    assert len(listener.heard) == 2


def test_the_command_is_run_word_by_word_without_a_shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = "import sys; open(sys.argv[1], 'w').write('|'.join(sys.argv[2:]))"
    command = (sys.executable, "-c", script, str(told), "{new} of {waiting}", "$(touch pwned); `id`")
    listener = Listener(monkeypatch, title=False, notify_command=command)
    listener.notifier.show_waiting(7)
    listener.notifier.came(2)
    assert listener.notifier.finished() == 0
    assert told.read_text() == "2 of 7|$(touch pwned); `id`"


def test_a_command_that_is_not_there_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(monkeypatch, title=False, notify_command=("/nowhere/at-all",))
    listener.notifier.came(1)
    listener.pass_time(60)
    listener.notifier.came(1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("notify_command", "notify-send hello"),
        ("notify_command", []),
        ("notify_command", ["a", 1]),
        ("notify", "osc52"),
        ("notify_every", 0),
        ("notify_every", True),
        ("title", "yes"),
    ],
)
def test_what_is_misspelt_is_named_and_left_at_its_default(name: str, value: object) -> None:
    settings = settings_from({name: value})
    assert settings.complaints == (f"config.toml: {name} = {value!r} is not understood",)
    assert getattr(settings, name) == getattr(Settings(), name)


def test_settings_of_notifications() -> None:
    settings = settings_from({"notify": "osc9", "notify_command": ["x", "{new}"], "notify_every": 30, "title": False})
    assert (settings.notify, settings.notify_command, settings.notify_every) == ("osc9", ("x", "{new}"), 30)
    assert (settings.title, settings.complaints) == (False, ())
