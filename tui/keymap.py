"""One table of keys: it makes the bindings, the help screen, the footer and the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Key(NamedTuple):
    """An action of the app, and what starts it. The first key is the one that is shown."""

    action: str
    """Also its name in the configuration file: `[keys]` `accept = "y"`."""
    keys: tuple[str, ...]
    help: str
    group: str


MOVE, DECIDE, REFINE, LOOK, APPLY = "Move", "Decide", "Refine", "Look", "Apply"

KEYS: tuple[Key, ...] = (
    Key("line_down", ("j", "down"), "next line", MOVE),
    Key("line_up", ("k", "up"), "previous line", MOVE),
    Key("next_hunk", ("right_square_bracket",), "next hunk", MOVE),
    Key("previous_hunk", ("left_square_bracket",), "previous hunk", MOVE),
    Key("next_file", ("right_curly_bracket",), "next file", MOVE),
    Key("previous_file", ("left_curly_bracket",), "previous file", MOVE),
    Key("next_open", ("tab",), "next open hunk", MOVE),
    Key("first", ("g", "home"), "first hunk", MOVE),
    Key("last", ("G", "end"), "end of the last hunk", MOVE),
    Key("page_down", ("pagedown", "ctrl+f", "ctrl+d"), "page down", MOVE),
    Key("page_up", ("pageup", "ctrl+b", "ctrl+u"), "page up", MOVE),
    Key("search", ("slash",), "search; then n and N, esc closes", MOVE),
    Key("jump", ("f",), "jump to a file or proposal", MOVE),
    Key("accept", ("y",), "accept, and go on", DECIDE),
    Key("reject", ("n",), "reject, and go on", DECIDE),
    Key("cycle", ("space",), "accept, reject, open again", DECIDE),
    Key("accept_file", ("Y",), "accept what is open in the file", DECIDE),
    Key("reject_file", ("N",), "reject what is open in the file", DECIDE),
    Key("accept_proposal", ("A",), "accept what is open in the proposal", DECIDE),
    Key("reject_proposal", ("R",), "reject what is open in the proposal", DECIDE),
    Key("same", ("equals_sign",), "decide the same changes alike", DECIDE),
    Key("reject_why", ("r",), "reject with a reason", DECIDE),
    Key("comment", ("c",), "comment on the hunk", DECIDE),
    Key("feedback", ("C",), "comment on the whole proposal", DECIDE),
    Key("undo", ("u",), "undo a decision", DECIDE),
    Key("redo", ("ctrl+r",), "redo a decision", DECIDE),
    Key("edit", ("e",), "edit the new text, and accept it", REFINE),
    Key("edit_outside", ("E",), "edit the new text in $EDITOR", REFINE),
    Key("split_hunk", ("s",), "split: decide its parts one by one", REFINE),
    Key("select", ("v",), "select lines; y takes only these", REFINE),
    Key("place", ("m",), "choose the place of a hunk that does not fit", REFINE),
    Key("fold", ("z", "enter"), "fold or unfold the hunk", LOOK),
    Key("fold_all", ("Z",), "fold or unfold all", LOOK),
    Key("more_context", ("plus",), "more lines around changes", LOOK),
    Key("less_context", ("minus",), "fewer lines around changes", LOOK),
    Key("side_by_side", ("vertical_line",), "old and new side by side", LOOK),
    Key("wrap", ("w",), "wrap long lines", LOOK),
    Key("scroll_right", ("right",), "right, in long lines", LOOK),
    Key("scroll_left", ("left",), "left again, in long lines", LOOK),
    Key("preview", ("p",), "the whole file as it would be", LOOK),
    Key("revision", ("i",), "what changed since the revision before", LOOK),
    Key("sidebar", ("b",), "show or hide the queue", LOOK),
    Key("theme", ("t",), "next theme", LOOK),
    Key("apply", ("ctrl+s",), "apply what was decided in the proposal", APPLY),
    Key("undo_apply", ("ctrl+z",), "take back the last apply", APPLY),
    Key("command_palette", ("ctrl+p",), "all commands, also: apply all decided", APPLY),
    Key("help", ("question_mark",), "this help", APPLY),
    Key("close", ("escape",), "close the search, end the selection", APPLY),
    Key("leave", ("q",), "leave; every decision is kept", APPLY),
)

_NAMES = {
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "right_curly_bracket": "}",
    "left_curly_bracket": "{",
    "slash": "/",
    "equals_sign": "=",
    "plus": "+",
    "minus": "-",
    "vertical_line": "|",
    "question_mark": "?",
    "escape": "esc",
}


def shown_key(key: str) -> str:
    """A key as people write it."""
    return _NAMES.get(key, key)


def key_for(keys: Sequence[Key], action: str) -> str:
    """What to press for an action, as people write it; its name where no key is left for it."""
    return next((shown_key(entry.keys[0]) for entry in keys if entry.action == action and entry.keys), f"[{action}]")


_FOOTER = ("accept", "reject", "edit", "comment", "next_open", "undo", "apply", "help", "preview", "leave")
"""Most important first: a narrow line shows the beginning."""


def footer_keys(keys: Sequence[Key]) -> list[Key]:
    """The keys of the bottom line, in its order."""
    by_action = {key.action: key for key in keys}
    return [by_action[action] for action in _FOOTER if by_action[action].keys]


def remapped(changes: dict[str, tuple[str, ...]]) -> tuple[Key, ...]:
    """The table with the person's own keys. A key that was given away no longer does what it did."""
    taken = {key for keys in changes.values() for key in keys}
    table = []
    for entry in KEYS:
        kept = changes.get(entry.action) or tuple(key for key in entry.keys if key not in taken)
        table.append(entry._replace(keys=kept))
    return tuple(table)
