"""One hostile proposal: everything that a terminal could take amiss, wherever text can stand."""

from __future__ import annotations

import json
from pathlib import Path

from tests.battery.bench import Bench

C0 = "".join(map(chr, [*range(0x20), 0x7F]))
C1 = "".join(map(chr, range(0x80, 0xA0)))
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c\u200e\u200f"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\U000e0001\U000e0041\U000e007f\ufe0f\ufe00\U000e0100\u00ad\u034f"
BLANK = "\u3164\u115f\u1160\uffa0\u2800\u00a0\u2003\u3000"

SEQUENCES = {
    "F01": "\x1b[2J\x1b[31m\x1b[1;1H\x1bc",
    "F02": "\x1b]52;c;ZXZpbA==\x07",
    "F03": "\x1b]8;;http://evil\x1b\\x\x1b]0;title\x07\x1bPq#0\x1b\\\x1b_Gf=24;AAAA\x1b\\",
    "F04": C1,
    "F05": "evil\rgood" + C0.replace("\n", "").replace("\0", ""),
    "F06": BIDI,
    "F07": f"a{ZERO_WIDTH}b",
    "F08": f"a{BLANK}b",
    "F09": "p\u0430ssword",
    "F10": "a" + "\u0301" * 40 + "|" + "\U0001f469\u200d\U0001f4bb\u4e2d" * 3 + "|",
    "F11": "[/red][@click=app.accept_all]x[/][link=http://evil]y[/link]",
}
EVERYTHING = "".join(SEQUENCES.values())


def hostile_workspace(bench: Bench) -> Path:
    """Files and a proposal that hold all of it; one line for each item, so that a screen shows where it is."""
    rows = "".join(f"{item} {evil}\n" for item, evil in SEQUENCES.items())
    bench.put("a.txt", f"above {EVERYTHING}\nold\n{rows}".encode())
    bench.put("conftest.py", b"old = 1\n")
    bench.put("broken.py", b"old = 1\n")
    texts = [
        {"old_text": "old", "new_text": f"new\n{rows}", "why": f"why {EVERYTHING}"},
        {"old_text": f"gone {EVERYTHING}", "new_text": EVERYTHING, "why": "no such text"},
    ]
    changes = [
        {"change_type": "multi_patch", "id": EVERYTHING, "path": "a.txt", "patches": texts, "group": EVERYTHING},
        {"change_type": "new_file", "path": f"bad{EVERYTHING}.txt", "content": rows},
        {"change_type": "new_file", "path": "[@click=app.accept_all]x[/].txt", "content": rows},
        {"change_type": "patch", "path": "conftest.py", "old_content": "old", "new_content": f"new = '{EVERYTHING}'"},
        {"change_type": "patch", "path": "broken.py", "old_content": "old", "new_content": f"def {EVERYTHING}("},
    ]
    head = {"title": EVERYTHING, "description": f"{EVERYTHING}\n" * 5, "agent": {"name": EVERYTHING, "session": "s"}}
    file = bench.outside.parent / "proposal\x1b[2J\u202e[bold].json"
    file.write_text(json.dumps({**head, "changes": changes}))
    return file


def unreadable(bench: Bench) -> Path:
    """A proposal whose error message would love to quote it."""
    file = bench.outside.parent / "bad\x1b[31m.json"
    file.write_text(json.dumps({EVERYTHING: 1, "changes": [{"change_type": EVERYTHING, "path": 7}]}))
    return file
