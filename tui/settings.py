"""The person's own configuration: `~/.config/hunkdeck/config.toml`. A workspace has no say in any of it.

    theme = "light"            # dark, light, blue-orange
    mouse = false
    context = 5
    wrap = true
    split = true
    sidebar = false
    title = false              # how many proposals wait, in the terminal's title
    bell = true                # when something comes
    notify = "osc9"            # or "osc777": a desktop notification by the terminal
    notify_command = ["notify-send", "hunkdeck", "{new} new, {waiting} waiting"]
    notify_every = 10          # seconds between two of them at least
    [keys]
    accept = ["y", "enter"]    # names of actions: see the help
    [[policy]]                 # what you never want to see: see `policy_settings`

What is misspelt is reported and ignored: a typing error must not keep anybody from a review.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tui.keymap import KEYS

if TYPE_CHECKING:
    from engine.policy import Policy

THEMES = ("dark", "light", "blue-orange")
NOTIFICATIONS = ("off", "osc9", "osc777")
_MOST_CONTEXT = 1_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How the app looks and behaves."""

    theme: str = "dark"
    mouse: bool = True
    context: int = 3
    wrap: bool = False
    split: bool = False
    sidebar: bool | None = None
    """None: shown where there is room."""
    title: bool = True
    """The terminal's title says how many proposals wait."""
    bell: bool = False
    notify: str = "off"
    """How the terminal is asked for a desktop notification."""
    notify_command: tuple[str, ...] = ()
    """Run when something comes, word by word; `{new}` and `{waiting}` stand for figures."""
    notify_every: float = 10.0
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    policies: tuple[Policy, ...] = ()
    complaints: tuple[str, ...] = ()
    """What in the file could not be used."""


def settings_path() -> str:
    home = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(home):  # a relative one would be looked for in the workspace
        home = os.path.expanduser("~/.config")
    return os.path.join(home, "hunkdeck", "config.toml")


def load_settings(path: str | None = None) -> Settings:
    """The configuration, or the defaults where there is none."""
    path = path or settings_path()
    if not os.path.lexists(path):
        return Settings()
    import tomllib

    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (OSError, ValueError) as error:
        return Settings(complaints=(f"{path} is not used: {error}",))
    return settings_from(data)


def settings_from(data: Mapping[str, Any]) -> Settings:
    """Settings from the tables of the file; each wrong value is named and left at its default."""
    good: dict[str, Any] = {}
    complaints: list[str] = []
    for name, value in data.items():
        if name == "keys" and isinstance(value, Mapping):
            good["keys"] = _keys(value, complaints)
        elif name == "policy":
            from tui.policy_settings import policies_from

            good["policies"] = policies_from(value, complaints)
        elif name in _CHECKS and _CHECKS[name](value):
            good[name] = tuple(value) if isinstance(value, list) else value
        else:
            complaints.append(f"config.toml: {name} = {value!r} is not understood")
    return Settings(**good, complaints=tuple(complaints))


def _keys(table: Mapping[str, Any], complaints: list[str]) -> dict[str, tuple[str, ...]]:
    known = {key.action for key in KEYS}
    found = {}
    for action, value in table.items():
        keys = [value] if isinstance(value, str) else value
        if action in known and isinstance(keys, list) and keys and all(isinstance(key, str) for key in keys):
            found[action] = tuple(keys)
        else:
            complaints.append(f"config.toml: [keys] {action} = {value!r} is not understood")
    return found


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not _is_flag(value) and least <= value <= most


def _are_words(value: Any) -> bool:
    """A list, so that no shell is needed to take it apart."""
    return isinstance(value, list) and bool(value) and all(isinstance(word, str) and "\0" not in word for word in value)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "theme": lambda value: value in THEMES,
    "mouse": _is_flag,
    "wrap": _is_flag,
    "split": _is_flag,
    "sidebar": _is_flag,
    "title": _is_flag,
    "bell": _is_flag,
    "notify": lambda value: value in NOTIFICATIONS,
    "notify_command": _are_words,
    "notify_every": lambda value: _is_number(value, 1, 3600),
    "context": lambda value: isinstance(value, int) and _is_number(value, 0, _MOST_CONTEXT),
}
