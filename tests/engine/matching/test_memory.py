"""Memory for one edit stays within ten times the file, whatever its lines are like."""

from __future__ import annotations

import tracemalloc

import pytest

from engine.matching import locate_all
from engine.model import TextEdit
from engine.text import FileText

_MOST = 10
LONG = [f"    value_{n} = compute_{n}(first, second, {n})" for n in range(1500)]
SHORT = [line for n in range(1500) for line in (f'    "name-{n}": {{', f'        "size": "{n % 90}",', "    },")]


def peak(content: str, edit: TextEdit) -> float:
    """At the second time, when every module is loaded, as a multiple of the file."""
    locate_all(FileText(content), [edit])
    file = FileText(content)
    tracemalloc.start()
    try:
        locate_all(file, [edit])
        return tracemalloc.get_traced_memory()[1] / len(content.encode())
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("lines", [LONG, SHORT, [*LONG, "    # \N{PARTY POPPER}"]], ids=["long", "short", "emoji"])
@pytest.mark.parametrize("damage", ["drift", "indent", "absent"])
def test_an_edit_takes_at_most_ten_times_its_file(damage: str, lines: list[str], ending: str) -> None:
    block = list(lines[600:612])
    if damage == "drift":
        block[2] = "misremembered(it)"
    elif damage == "indent":
        block = [line.strip() for line in block]
    else:
        block = [f"nothing like {n}" for n in range(12)]
    old = "\n".join(block) + "\n"
    assert peak(ending.join(lines) + ending, TextEdit(old, old + "added()\n")) <= _MOST
