"""The words in headers: what a hunk, file or proposal is called, and how far its review is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from engine.model import Code, Copy, Delete, Move, NotebookEdit, SetMode
from engine.planning.data import Fit
from engine.policy import BY as BY_POLICY
from engine.review import Verdict
from engine.safe_text import elide_middle, safe_text
from tui.view_model.blocks import FileBlock, HunkBlock, Section
from tui.view_model.cells import cell_width
from tui.view_model.marks import Standing, badge, line_range

_ARROW = " → "
_REFUSED = (Code.BLOCKED_PATH, Code.LIMIT, Code.IO)
"""No other place would help."""


class Tally(NamedTuple):
    """How far a review is."""

    hunks: int = 0
    accepted: int = 0
    rejected: int = 0
    open: int = 0

    @property
    def decided(self) -> int:
        return self.accepted + self.rejected

    def __str__(self) -> str:
        return f"{self.accepted} ✓ {self.rejected} ✗ {self.open} ?"


def tally(section: Section) -> Tally:
    """Counted by decisions, which are few, and not by hunks, which may be many."""
    total = section.hunk_count
    decisions = section.state.decisions.values()
    rejected = sum(decision.verdict is Verdict.REJECT for decision in decisions)
    undecidable = len(section.skipped - section.state.decisions.keys())
    accepted = len(decisions) - rejected
    return Tally(total, accepted, rejected, max(total - accepted - rejected - undecidable, 0))


def hunk_place(block: HunkBlock) -> str:
    """`lines 12-20`, `new file`, `whole file`."""
    op = block.planned.hunk.op
    if block.section.provisional:
        return "being placed …"
    if isinstance(op, Delete):
        return "delete"
    if isinstance(op, Move):
        return "move"
    if isinstance(op, SetMode):
        return "mode"
    if isinstance(op, Copy):
        return "copy"
    if isinstance(op, NotebookEdit):
        return "notebook cell"
    match = block.planned.match
    if match is not None:
        return line_range(match.first, match.last)
    if block.planned.fit is Fit.FAILS:
        return "" if block.planned.code in _REFUSED else "no place"
    if block.file.plan and block.file.plan.before is None:
        return "new file"
    return "whole file" if block.planned.fit is Fit.FITS else ""


def hunk_facts(block: HunkBlock) -> list[str]:
    """What stands behind the place: how it was found, what it depends on."""
    facts = ["stale", badge(block.planned)] if block.is_stale else [badge(block.planned)]
    if block.moved:
        facts.append(f"moved {block.moved:+}")
    if block.same > 1:
        facts.append(f"same change ×{block.same}")
    if block.planned.needs:
        facts.append("needs " + ", ".join(f"#{index}" for index in block.planned.needs[:3]))
    if block.decision and block.decision.by == BY_POLICY:
        facts.append("by policy")
    return [fact for fact in facts if fact]


def hunk_word(block: HunkBlock) -> str:
    """What became of it, beside the buttons."""
    word = block.standing.word
    out_of_reach = block.standing is Standing.MISFIT and block.planned.code in _REFUSED
    return "refused" if out_of_reach else word


def hunk_warnings(block: HunkBlock) -> str:
    """Short, for the header; the notes say it at length."""
    words = []
    if block.planned.risks:
        words.append("confirmed" if block.file.path in block.section.state.confirmed else "needs confirmation")
    words += dict.fromkeys(warning.partition(":")[0] for warning in block.planned.warnings)
    if block.planned.conflicts:
        words.append(f"conflicts with #{block.planned.conflicts[0]}")
    if block.warning:
        words.append(block.warning.partition(":")[0])
    return "⚠ " + " · ".join(words) if words else ""


def file_facts(file: FileBlock) -> str:
    """`[4 changes]  +18 -7`, with a sign where a hunk has something to look at twice."""
    added, removed = file.changed_lines
    count = len(file.hunks)
    sign = "⚠ " if any(hunk.planned.warnings for hunk in file.hunks) else ""
    return f"{sign}[{count} change{'s' if count != 1 else ''}]  +{added} -{removed}"


def file_title(file: FileBlock, room: int) -> str:
    """The path, and where it goes if it moves, in at most `room` cells; neither hides the other."""
    sent = (hunk.planned.hunk for hunk in file.hunks)
    moved = next(((hunk.path, hunk.op.new_path) for hunk in sent if isinstance(hunk.op, Move)), (file.path,))
    names = [safe_text(path) for path in moved]
    if cell_width(_ARROW.join(names)) > room:
        each = (room - len(_ARROW) * (len(names) - 1)) // len(names)
        names = [elide_middle(name, max(each, 1), measure=cell_width) for name in names]
    return _ARROW.join(names)


def proposal_facts(section: Section, *, short: bool = False) -> str:
    """How much there is, how far the review is, and (where there is room) who sent it in which form."""
    item = section.item
    if item.proposal is None:
        return "unreadable" if item.error else "being read …"
    words = [f"{section.hunk_count} hunks" if section.hunk_count != 1 else "1 hunk"]
    if section.provisional:
        words.append("being placed …")
    else:
        words.append(str(tally(section)))
    if not short:
        words.append(item.proposal.format.replace("_", " "))
    if item.proposal.agent.name and not short and not item.arrived:  # else a line of its own says it
        words.append(f"from {safe_text(item.proposal.agent.name)[:40]}")
    return " · ".join(words)


def left_open(reasons: Mapping[int, str]) -> str:
    """Why a bulk accept left hunks open: one reason in full; several in short, each with its hunks."""
    if len(reasons) == 1:
        return "".join(f"#{index} {reason}" for index, reason in reasons.items())
    alike: dict[str, list[str]] = {}
    for index, reason in sorted(reasons.items()):
        alike.setdefault(re.split("[:;,\n]", reason, maxsplit=1)[0], []).append(f"#{index}")
    return " · ".join(f"{', '.join(hunks[:3])}{' …' if len(hunks) > 3 else ''} {why}" for why, hunks in alike.items())
