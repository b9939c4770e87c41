"""Rows → segments. Colours only: what a row says was decided by the view model, and every text is safe already.

Buttons are segments with click metadata. Untrusted text never passes through markup, so it cannot become a button.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from engine.safe_text import safe_text
from tui.look import Look, style
from tui.view_model import labels
from tui.view_model.blocks import Block, FileBlock, HunkBlock, ProposalBlock
from tui.view_model.body_view import ViewOptions
from tui.view_model.cells import cell_width, cut, pad
from tui.view_model.marks import Standing
from tui.view_model.rows import BlankRow, FileRow, GapRow, HunkRow, LineRow, NoteRow, ProposalRow, Row, Voice, WhenceRow
from tui.view_model.whence import whence
from tui.widgets.paint_line import LinePainter
from tui.widgets.syntax import Highlights

_VOICES = {
    Voice.AGENT: "┊ ",
    Voice.TOOL: "  ",
    Voice.WARNING: "⚠ ",
    Voice.PROBLEM: "✗ ",
    Voice.REVIEWER: "» ",
}

_NARROW = 100


@dataclass(frozen=True, slots=True)
class Focus:
    """How the cursor touches a row."""

    in_hunk: bool = False
    on_row: bool = False
    selected: bool = False


@dataclass(slots=True)
class Painter:
    """Everything that the colours of a row depend on besides the row itself."""

    look: Look
    options: ViewOptions
    highlights: Highlights
    generation: int = 0
    """Of the stream's structure: a click on an older picture is ignored."""
    left: int = 0
    """Cells of code scrolled out to the left."""
    find: Callable[[str], list[tuple[int, int]]] | None = None

    def paint(self, block: Block, row: Row, focus: Focus) -> list[Segment]:
        match row:
            case LineRow():
                assert isinstance(block, HunkBlock)
                return LinePainter(self, block, focus).segments(row)
            case HunkRow():
                return self._hunk(row.block, focus)
            case NoteRow():
                return self._note(row, focus)
            case GapRow():
                return self._gap(row, focus)
            case FileRow():
                return self._file(row.block)
            case ProposalRow():
                return self._proposal(row.block)
            case WhenceRow():
                return self._whence(row.block)
            case BlankRow():
                return [Segment(" " * self.options.width, self.plain())]
        raise TypeError(row)

    def plain(self, fore: str | None = None, **more: bool) -> Style:
        return style(fore or self.look.foreground, self.look.background, **more)

    def bar(self, focus: Focus) -> Segment:
        """The mark at the left edge of the hunk under the cursor."""
        if focus.on_row:
            return Segment("▶", self.plain(self.look.cursor))
        return Segment("▌" if focus.in_hunk else " ", self.plain(self.look.cursor))

    # ------------------------------------------------------------ headers

    def _hunk(self, block: HunkBlock, focus: Focus) -> list[Segment]:
        look = self.look
        back = look.cursor_line if focus.in_hunk else look.background
        standing = block.standing
        arrow = "▸" if block.folded else "▾"
        size = block.size
        left = [
            (f" {arrow} ", style(look.dim, back) + self._press("fold", block)),
            (f"{block.number}/{len(block.file.hunks)} ", style(look.foreground, back, bold=True)),
            (f"#{block.index}  ", style(look.dim, back)),
            (f"{labels.hunk_place(block)}  ", style(look.foreground, back)),
            (" · ".join(labels.hunk_facts(block)) + "  ", style(self._badge_colour(block), back)),
            (labels.hunk_warnings(block) + "  ", style(look.warning, back)),
        ]
        said = labels.hunk_word(block)
        word = [(f" {standing.mark} {said}  ", style(self._standing_colour(standing), back, bold=True))]
        right = (word if said else []) + self._buttons("hunk", block, back, "✓", "✗")
        counts = (f"+{size.added} -{size.removed} ", style(look.dim, back))
        if _width_of([*left, counts]) + _width_of(right) < self.options.width:
            left.append(counts)
        return [self.bar(focus), *self._spread(left, right, back, self.options.width - 1)]

    def _file(self, block: FileBlock) -> list[Segment]:
        look, back = self.look, self.look.panel
        facts = labels.file_facts(block)
        right = [(f"{facts}  ", style(look.dim, back)), *self._buttons("file", block, back, "✓ all", "✗ all")]
        title = labels.file_title(block, max(self.options.width - 5 - _width_of(right), 8))
        left = [
            (f" {block.action} ", style(self._action_colour(block.action), back, bold=True)),
            (title, style(look.foreground, back, bold=True)),
        ]
        return self._spread(left, right, back, self.options.width)

    def _proposal(self, block: ProposalBlock) -> list[Segment]:
        look, back = self.look, self.look.accent
        fore = look.background
        section = block.section
        left = [(f" {safe_text(section.name)}  ", style(fore, back, bold=True))]
        short = self.options.width < _NARROW
        right = [(f"{labels.proposal_facts(section, short=short)}  ", style(fore, back))]
        if section.hunks and not section.provisional:
            right += self._buttons("proposal", block, back, "✓ all", "✗ all", fore=fore)
        return self._spread(left, right, back, self.options.width)

    def _whence(self, block: ProposalBlock) -> list[Segment]:
        """The agent's name for itself looks like agent text, whatever it is."""
        agent, facts = whence(block.section.item).fitting(self.options.width - 8)
        said = pad(f"{facts}", max(self.options.width - 8 - cell_width(agent), 0))
        name = Segment(f"      ┊ {agent}", self.plain(self.look.agent, italic=True))
        return [name, Segment(said, self.plain(self.look.dim))]

    def _buttons(
        self, scope: str, block: Block, back: str, yes: str, no: str, *, fore: str | None = None
    ) -> list[tuple[str, Style]]:
        look = self.look
        return [
            (f"[{yes}]", style(fore or look.added, back, bold=True) + self._press(f"accept_{scope}", block)),
            (" ", style(None, back)),
            (f"[{no}]", style(fore or look.removed, back, bold=True) + self._press(f"reject_{scope}", block)),
            (" ", style(None, back)),
        ]

    def _press(self, action: str, block: Block) -> Style:
        return Style.from_meta({"press": (action, self.generation, block.place)})

    def _spread(
        self, left: Sequence[tuple[str, Style]], right: Sequence[tuple[str, Style]], back: str, width: int
    ) -> list[Segment]:
        """Words at the left, buttons at the right; the words give way."""
        room = max(width - _width_of(right) - 1, 0)
        segments = []
        for text, look in left:
            if text.strip() and room > 0:
                shown = text if cell_width(text) <= room else cut(text.rstrip(), room)
                segments.append(Segment(shown, look))
                room -= cell_width(shown)
        segments.append(Segment(" " * (room + 1), style(None, back)))
        return segments + [Segment(text, look) for text, look in right]

    # ------------------------------------------------------------ notes

    def _note(self, row: NoteRow, focus: Focus) -> list[Segment]:
        colour = {
            Voice.AGENT: self.look.agent,
            Voice.TOOL: self.look.dim,
            Voice.WARNING: self.look.warning,
            Voice.PROBLEM: self.look.problem,
            Voice.REVIEWER: self.look.accent,
        }[row.voice]
        sign = _VOICES[row.voice] if row.first or row.voice is Voice.AGENT else "  "
        look = self.plain(colour, italic=row.voice is Voice.AGENT)
        return [self.bar(focus), Segment(pad(f"     {sign}{row.text}", self.options.width - 1), look)]

    def _gap(self, row: GapRow, focus: Focus) -> list[Segment]:
        text = f"      ⋯ {row.hidden} unchanged line{'s' if row.hidden != 1 else ''}"
        return [self.bar(focus), Segment(pad(text, self.options.width - 1), self.plain(self.look.dim))]

    # ------------------------------------------------------------ colours

    def _badge_colour(self, block: HunkBlock) -> str:
        if block.standing is Standing.MISFIT:
            return self.look.problem
        return self.look.warning if block.planned.approximate else self.look.dim

    def _standing_colour(self, standing: Standing) -> str:
        if standing is Standing.REJECTED:
            return self.look.removed
        if standing is Standing.MISFIT:
            return self.look.problem
        return self.look.dim if standing is Standing.NOTHING else self.look.added

    def _action_colour(self, action: str) -> str:
        return {"A": self.look.added, "D": self.look.removed, "R": self.look.agent}.get(action, self.look.accent)


def _width_of(words: Sequence[tuple[str, Style]]) -> int:
    return sum(cell_width(text) for text, _ in words)
