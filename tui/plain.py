"""The review as numbered line prompts: for screen readers, dumb terminals and logs. Same desk, same journal.

A command is one letter, some with a text or number behind it. The end of the input leaves, and keeps everything.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple, TextIO

from engine.bulk import bulk_choice
from engine.compose import block_text
from engine.errors import HunkdeckError
from engine.planning.data import Fit, PlannedHunk
from engine.queue.desk import Desk, Item
from engine.review import (
    Accept,
    AcceptAll,
    AcceptParts,
    Comment,
    Confirm,
    Edit,
    Intent,
    Redo,
    Reject,
    RejectAll,
    Reopen,
    Undo,
)
from engine.settle import Status
from tui.out import Out, safe
from tui.plain_parts import chosen_cuts, parts_of, show_parts
from tui.plain_view import plural, prompt_for, show_counts, show_hunk, show_preview, show_proposal, show_queue
from tui.plain_walk import Stop, Walk, is_open
from tui.report import show_result
from tui.terminal import drop_typed_ahead


class Command(NamedTuple):
    key: str
    help: str
    run: Callable[[PlainReview, str], None]
    text: bool = False
    """Something may stand behind it. Other lines that merely begin like a command are not taken for one."""


class PlainReview:
    """One review over lines in and lines out."""

    def __init__(self, desk: Desk, out: Out, lines: TextIO, prompt: TextIO) -> None:
        self._desk = desk
        self._out = out
        self._lines = lines
        self._prompt = prompt
        self._walk = Walk(desk)
        self._told: Item | None = None
        """The proposal that was introduced last."""
        self._left = False

    def run(self) -> None:
        """Until `q` or the end of the input."""
        self._welcome()
        self._go(self._walk.next(is_open))
        while not self._left:
            self._hear_news()
            answer = self._ask(prompt_for(self._walk.here))
            if answer is None:
                self._out.line("End of input: what was decided is kept.")
                return
            self._obey(answer.strip())

    def _welcome(self) -> None:
        if self._desk.read_only:
            self._out.line((f"Read-only: {safe(self._desk.read_only)}. Nothing can be decided here.", "yellow"))
        self._desk.read_all()
        self.list_queue("")

    def _hear_news(self) -> None:
        """What came, changed or left since the last question; what the next one is about is shown as it is now."""
        found = self._desk.look_again()
        changed = {*found.revised, *self._desk.replan(self._desk.touched.paths())}
        for word, items in (("New", found.new), ("Revised", found.revised), ("No longer asked for", found.withdrawn)):
            for item in items:
                self._out.line((f"{word}: {safe(item.name, 60)}", "yellow"))
        here = self._walk.here
        if here is None:
            if found.new:
                self._go(self._walk.next(is_open))
        elif here[0].finished:
            self._go(self._walk.next(is_open))
        elif here[0] in changed:
            self._told = None
            stops = self._walk.stops(here[0])
            self._go(here if here in stops else next(iter(stops), None))

    def _obey(self, line: str) -> None:
        key, _, rest = line.partition(" ")
        command = _BY_KEY.get(key)
        try:
            if line.isdecimal() and len(line) < 9:
                self._jump(int(line))
            elif command and (command.text or not rest):
                command.run(self, rest.strip())
            elif line:
                self._out.line(f"{safe(line, 40)}: there is no such command; ? lists them.")
        except (HunkdeckError, IndexError) as problem:
            self._out.line((safe(str(problem)), "red"))

    # ------------------------------------------------------------ where we are

    def _go(self, stop: Stop | None) -> None:
        self._walk.here = stop
        if stop is None:
            self._out.line("Nothing is open." if self._walk.waiting() else "Nothing is left to review.")
            return
        item, index = stop
        if item is not self._told:
            self._told = item
            show_proposal(self._out, item)
        if index is not None:
            show_hunk(self._out, item, index)

    def _go_on(self) -> None:
        """The next open hunk of this proposal; with none left it is time for its verdict."""
        item, _ = self._stop()
        if self._walk.any_open(item):
            self._go(self._walk.next(is_open))
            return
        counts = item.counts()
        self._out.line(
            f"Nothing is open in {safe(item.name, 60)}: {counts.accepted} accepted, {counts.rejected} rejected. "
            "s sends the verdict, j goes on."
        )

    def _stop(self) -> Stop:
        if self._walk.here is None:
            raise HunkdeckError("nothing is under review; q leaves")
        return self._walk.here

    def _hunk(self) -> tuple[Item, PlannedHunk]:
        item, index = self._stop()
        if index is None or item.plan is None:
            raise HunkdeckError("this proposal cannot be read: s tells the agent, j goes on")
        return item, item.plan.hunks[index]

    def _jump(self, number: int) -> None:
        item, _ = self._stop()
        stop = next((stop for stop in self._walk.stops(item) if stop[1] == number), None)
        if stop is None:
            raise HunkdeckError(f"there is no hunk {number} in this proposal")
        self._go(stop)

    # ------------------------------------------------------------ asking

    def _ask(self, question: str) -> str | None:
        drop_typed_ahead(self._lines)
        self._prompt.write(question)
        self._prompt.flush()
        line = self._lines.readline()
        if not self._lines.isatty():  # nobody sees what was typed: a log should
            self._out.line(safe(line.removesuffix("\n")))
        return line.removesuffix("\n") if line else None

    def _text(self, rest: str, question: str) -> str:
        """What was typed behind the command, or is typed now."""
        text = rest or self._ask(question) or ""
        if not text.strip():
            raise HunkdeckError("nothing was written, so nothing has changed")
        return text.strip()

    def _sure(self, question: str) -> bool:
        return (self._ask(f"{question} (yes/no): ") or "").strip().casefold() in ("y", "yes")

    # ------------------------------------------------------------ commands

    def accept(self, _: str) -> None:
        item, hunk = self._hunk()
        if hunk.fit is Fit.FAILS:
            raise HunkdeckError("it has no place: m LINES chooses one (m 12-18), n rejects it")
        if self._confirmed(item, hunk):
            item.act(Accept((hunk.index,)))
            self._go_on()

    def _confirmed(self, item: Item, hunk: PlannedHunk) -> bool:
        """A risk is confirmed by itself, never along with something else."""
        if not hunk.risks or hunk.path in item.state.confirmed:
            return True
        for risk in hunk.risks:
            self._out.line(("  ! ", "yellow"), safe(risk))
        if not self._sure(f"Confirm this for {safe(hunk.path)}?"):
            self._out.line("Not confirmed: the hunk is as it was.")
            return False
        item.act(Confirm(hunk.path))
        return True

    def reject(self, _: str) -> None:
        item, hunk = self._hunk()
        self._decide(item, Reject((hunk.index,)))

    def reject_why(self, rest: str) -> None:
        item, hunk = self._hunk()
        self._decide(item, Reject((hunk.index,), self._text(rest, "Reason, for the agent: ")))

    def _decide(self, item: Item, intent: Intent) -> None:
        item.act(intent)
        self._go_on()

    def reopen(self, _: str) -> None:
        item, hunk = self._hunk()
        item.act(Reopen((hunk.index,)))
        self._go(self._walk.here)

    def comment(self, rest: str) -> None:
        item, hunk = self._hunk()
        item.act(Comment(hunk.index, self._text(rest, "Comment, for the agent: ")))
        self._out.line("Noted.")

    def feedback(self, rest: str) -> None:
        item, _ = self._hunk()
        item.act(Comment(None, self._text(rest, "Comment on the whole proposal: ")))
        self._out.line("Noted.")

    def edit(self, _: str) -> None:
        from tui.editor import edit_text

        item, hunk = self._hunk()
        assert item.plan is not None
        text = block_text(item.plan.file_of[hunk.index], hunk) if hunk.fit is Fit.FITS else None
        if text is None:
            raise HunkdeckError("this hunk has no single block of lines that could be edited")
        decision = item.state.decisions.get(hunk.index)
        edited = edit_text((decision and decision.text) or text, os.path.splitext(hunk.path)[1])
        if edited is None:
            raise HunkdeckError("the editor was left with an error: nothing has changed")
        if self._confirmed(item, hunk):
            self._decide(item, Edit(hunk.index, edited))

    def accept_parts(self, rest: str) -> None:
        item, hunk = self._hunk()
        assert item.plan is not None
        file = item.plan.file_of[hunk.index]
        parts = parts_of(file, hunk)
        if not rest:
            show_parts(self._out, file, hunk, parts)
        cuts = chosen_cuts(self._text(rest, "Parts to accept: "), parts)
        if self._confirmed(item, hunk):
            whole = len(cuts) == len(hunk.cuts)
            self._decide(item, Accept((hunk.index,)) if whole else AcceptParts(hunk.index, cuts))

    def place(self, rest: str) -> None:
        item, hunk = self._hunk()
        first, _, last = rest.partition("-")
        if not first.strip().isdecimal() or (last and not last.strip().isdecimal()):
            raise HunkdeckError("say which lines: m 12-18")
        self._desk.place(item, hunk.index, int(first), int(last or first))
        self._go(self._walk.here)

    def accept_proposal(self, _: str) -> None:
        item, _hunk = self._hunk()
        self._accept_all(item, None)

    def accept_file(self, _: str) -> None:
        item, hunk = self._hunk()
        self._accept_all(item, hunk.path)

    def _accept_all(self, item: Item, path: str | None) -> None:
        assert item.plan is not None
        taken, left = bulk_choice(item.plan, item.state, path)
        item.act(AcceptAll(path))
        self._out.line(f"Accepted {plural(len(taken), 'hunk')}.")
        for index, reason in left.items():
            self._out.line(f"  hunk {index} is left open: {safe(reason.partition(chr(10))[0])}")
        self._go_on()

    def reject_proposal(self, rest: str) -> None:
        item, _ = self._hunk()
        self._decide(item, RejectAll(None, rest or None))

    def reject_file(self, rest: str) -> None:
        item, hunk = self._hunk()
        self._decide(item, RejectAll(hunk.path, rest or None))

    def undo(self, _: str) -> None:
        self._step_in_time(Undo(), "There is nothing to undo.")

    def redo(self, _: str) -> None:
        self._step_in_time(Redo(), "There is nothing to redo.")

    def _step_in_time(self, intent: Intent, nothing: str) -> None:
        item, _ = self._hunk()
        before, after = item.state, item.act(intent)
        if after is before:
            self._out.line(nothing)
            return
        old, new = before.decisions, after.decisions
        other = [index for index in {*old, *new} if old.get(index) != new.get(index)]
        self._go((item, min(other)) if other else self._walk.here)

    def forward(self, _: str) -> None:
        self._go(self._walk.next(lambda stop: True))

    def back(self, _: str) -> None:
        self._go(self._walk.next(lambda stop: True, back=True))

    def next_open(self, _: str) -> None:
        self._go(self._walk.next(is_open))

    def again(self, _: str) -> None:
        self._told = None
        self._go(self._walk.here)

    def list_queue(self, _: str) -> None:
        show_counts(self._out, self._desk.counts())
        show_queue(self._out, self._walk.waiting())

    def send(self, _: str) -> None:
        self._send(allow_syntax_errors=False)

    def send_broken(self, _: str) -> None:
        self._send(allow_syntax_errors=True)

    def _send(self, *, allow_syntax_errors: bool) -> None:
        item, _ = self._stop()
        if not item.unreadable:
            if not item.state.decisions and self._walk.any_open(item):
                raise HunkdeckError("nothing is decided yet")
            self._out.line(f"The verdict on {safe(item.name, 60)}:")
            show_preview(self._out, item, item.preview(allow_syntax_errors=allow_syntax_errors))
            if not self._sure("Apply and send it?"):
                self._out.line("Not sent.")
                return
        result = self._desk.send(item, allow_syntax_errors=allow_syntax_errors)
        show_result(self._out, result)
        if result.failures_open:
            self._out.line("What failed is open again. f gives it up and sends the verdict as it is.")
        if item.finished or not result.indexes(Status.FAILED):
            self._go(self._walk.next(is_open))

    def give_up(self, _: str) -> None:
        item, _index = self._stop()
        if item.result is None or not item.result.failures_open:
            raise HunkdeckError("nothing has failed")
        show_result(self._out, self._desk.send(item, final=True))
        self._go(self._walk.next(is_open))

    def take_back(self, _: str) -> None:
        from engine.transaction import history

        open_ones = [entry for entry in history(self._desk.workspace) if not entry.undone and entry.undoes is None]
        if not open_ones:
            raise HunkdeckError("there is nothing to take back")
        last = open_ones[-1]
        for file in last.files:
            self._out.line(f"  {safe(file.path)}")
        if self._sure(f"Take back {last.id} ({safe(last.proposal, 60)}) in these files?"):
            done = self._desk.undo_last()
            self._out.line(f"Took back {done.id}.")

    def leave(self, _: str) -> None:
        self._left = True
        self._out.line("What was decided is kept.")

    def help(self, _: str) -> None:
        for command in COMMANDS:
            self._out.line((f"  {command.key}", "bold"), f"  {command.help}")
        self._out.line("  0, 1, 2 …  go to that hunk")


COMMANDS = (
    Command("y", "accept this hunk, and go on", PlainReview.accept),
    Command("n", "reject this hunk, and go on", PlainReview.reject),
    Command("r", "reject with a reason: r REASON", PlainReview.reject_why, text=True),
    Command("c", "comment on this hunk: c TEXT", PlainReview.comment, text=True),
    Command("C", "comment on the whole proposal: C TEXT", PlainReview.feedback, text=True),
    Command("e", "edit the new text in $EDITOR, and accept it", PlainReview.edit),
    Command("v", "split this hunk, and accept some of its parts: v 1,3", PlainReview.accept_parts, text=True),
    Command("m", "choose the place of a hunk that does not fit: m 12-18", PlainReview.place, text=True),
    Command("o", "open this hunk again", PlainReview.reopen),
    Command("Y", "accept what is open in this file", PlainReview.accept_file),
    Command("N", "reject what is open in this file: N REASON", PlainReview.reject_file, text=True),
    Command("A", "accept what is open in this proposal", PlainReview.accept_proposal),
    Command("R", "reject what is open in this proposal: R REASON", PlainReview.reject_proposal, text=True),
    Command("u", "undo the last decision", PlainReview.undo),
    Command("U", "redo it", PlainReview.redo),
    Command("j", "next hunk", PlainReview.forward),
    Command("k", "previous hunk", PlainReview.back),
    Command("t", "next open hunk", PlainReview.next_open),
    Command("d", "show this hunk again", PlainReview.again),
    Command("l", "list the proposals", PlainReview.list_queue),
    Command("s", "send the verdict on this proposal: applies what was accepted", PlainReview.send),
    Command("S", "the same, also where a file would not parse any more", PlainReview.send_broken),
    Command("f", "give up what failed, and send the verdict as it is", PlainReview.give_up),
    Command("z", "take back the last apply", PlainReview.take_back),
    Command("q", "leave; every decision is kept", PlainReview.leave),
    Command("?", "this list", PlainReview.help),
)
_BY_KEY = {command.key: command for command in COMMANDS}
