"""Each rule that keeps a promise, switched off at one named point: the items that rest on it must fail then.

`HUNKDECK_BATTERY_WITHOUT=RULE` switches one off in this process and in the commands that the tests start.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

VARIABLE = "HUNKDECK_BATTERY_WITHOUT"
HUGE = 10**12


@dataclass(frozen=True)
class Rule:
    """Where a rule is switched off, by what, and which items rest on it."""

    point: str
    """module:name; a rule that is kept twice over has two, with a space between."""
    instead: Callable[[Any], Any]
    """From what stands there to what stands there when the rule is off."""
    items: str
    """Numbers with spaces between."""


def _nothing(_: object) -> Callable[..., None]:
    return lambda *_, **__: None


def _the_same(_: object) -> Callable[..., Any]:
    return lambda text, **__: text


def _huge(_: object) -> int:
    return HUGE


def _huge_limits(_: object) -> Any:
    from engine.formats.limits import Limits

    return Limits(max_bytes=HUGE, max_hunks=HUGE)


def _without_risks(problem: Callable[..., Any]) -> Callable[..., Any]:
    return lambda hunk, decision, state: problem(replace(hunk, risks=()), decision, state)


def _raw_to_stderr(text: str) -> None:
    sys.stderr.write(text)


RULES: dict[str, Rule] = {
    "path strings": Rule("engine.paths:_unusable_name", _nothing, "A02 A07 B19 C01 C02"),
    "path walk": Rule("engine.workspace:DIRECTORY_FLAGS", lambda flags: flags & ~os.O_NOFOLLOW, "B03 B06 I12"),
    "regular files only": Rule("engine.workspace:_refuse_kind", _nothing, "B07 B08 B09 G09"),
    "new names": Rule("engine.paths:_name_problem", _nothing, "A06 A08 A16"),
    "twins": Rule("engine.paths:_twin_key", _the_same, "A13 A14"),
    "look-alikes": Rule("engine.paths:_look", _the_same, "A15"),
    "sensitive list": Rule("engine.sensitive:RISKS", lambda _: (), "C03 C04 C05 C06 C07 C08 C10 C11"),
    "own confirmation": Rule(
        "engine.settle:_problem", _without_risks, "A10 A15 B10 B11 B19 C03 C04 C05 C06 C07 C08 C09 G05 G08"
    ),
    "safe_text": Rule("engine.safe_text:safe_text", _the_same, "A06 E24 F01 F02 F03 F04 F05 F06 F07 F08 F16 F18"),
    "last guard of the screen": Rule("tui.guard:SafeLines.apply", lambda _: lambda self, segments, _: segments, "F20"),
    "late keys are dropped": Rule("tui.actions.base:ReviewBase.moved_by_itself", _nothing, "H16"),
    "badges": Rule("engine.planning.one_file:with_warnings", _the_same, "F06 F09"),
    "errors of our own are told safely": Rule("tui.crash:complain", lambda _: _raw_to_stderr, "F16 I24"),
    "digest check": Rule(
        "engine.transaction.preflight:_refuse_other_content engine.transaction.perform:_expect_old",
        _nothing,
        "G06 H03 H05 H07 H08 H09 H10",
    ),
    "what came out of the exchange": Rule("engine.transaction.perform:_expect_old", _nothing, "H05 H10"),
    "journal checksum": Rule("engine.transaction.journal:_checksum", lambda _: lambda body: b"0" * 64, "I11"),
    "journal paths": Rule("engine.transaction.journal:refuse_reserved", _nothing, "I12"),
    "temporary names": Rule("engine.transaction.preflight:_is_taken", _nothing, "B23"),
    "syncing": Rule("engine.disk:Disk.flush", _nothing, "I09"),
    "roll back": Rule("engine.transaction.perform:roll_back", lambda _: lambda *_: (), "B13 I03 I04 I06 I08"),
    "recovery": Rule("engine.transaction.recovery:_finish", lambda _: lambda *_: (), "I01 I02 I26 I27"),
    "locks": Rule("engine.locks:fcntl.flock", _nothing, "H01 H11"),
    "signals put off": Rule("engine.transaction.state:_DEFERRED", lambda _: set(), "I17 I18"),
    "duplicate keys": Rule("engine.formats.strict_json:_object", lambda _: dict, "E02"),
    "cap on a proposal's file": Rule("engine.reading:Limits", lambda _: lambda: _huge_limits(None), "E06"),
    "cap on a proposal": Rule(
        "engine.formats:parse.__kwdefaults__", lambda d: {**d, "limits": _huge_limits(None)}, "E06 G18"
    ),
    "cap on files and bytes": Rule("engine.planning.whole:_over_limits", _nothing, "B20 J12"),
    "cap on what is overwritten": Rule("engine.planning.names:_MOST_OVERWRITTEN", _huge, "B20"),
    "cap on nesting": Rule("engine.formats.strict_json:MAX_DEPTH", _huge, "E04"),
    "cap on digits": Rule("engine.formats.strict_json:_MAX_DIGITS", _huge, "E05"),
    "cap on names": Rule("engine.paths:MAX_NAME_BYTES", _huge, "A07"),
    "cap on marks": Rule("engine.safe_text:_TOO_MANY", lambda _: re.compile("(?!)"), "F10"),
}


def switch_off_as_asked() -> None:
    asked = os.environ.get(VARIABLE)
    if asked:
        switch_off(RULES[asked])


def switch_off(rule: Rule) -> None:
    for owner, name in points(rule):
        setattr(owner, name, rule.instead(getattr(owner, name)))


def points(rule: Rule) -> Iterator[tuple[Any, str]]:
    """What holds each of a rule's names, and the name."""
    for point in rule.point.split():
        module, _, names = point.partition(":")
        owner: Any = import_module(module)
        *outer, name = names.split(".")
        for part in outer:
            owner = getattr(owner, part)
        yield owner, name
