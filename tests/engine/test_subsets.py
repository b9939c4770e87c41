"""Any subset of hunks, decided in any order, gives what splicing on the original gives."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import hunkdeck
from engine.compose import outcome
from engine.model import Hunk, Proposal, TextEdit
from engine.pieces import compose, on_original
from engine.text import Splice, splice

words = st.text(alphabet="abc \n", max_size=6)


@st.composite
def spliced_texts(draw: st.DrawFn) -> tuple[str, list[Splice]]:
    """A text and splices on it that neither overlap nor insert at the same point."""
    text = draw(st.text(alphabet="abcd\n", min_size=1, max_size=60))
    ends = sorted(draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=12)))
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    return text, [Splice(start, end, draw(words)) for start, end in pairs]


@given(spliced_texts(), st.randoms(use_true_random=False))
def test_pieces_equal_plain_splicing_in_any_order(case: tuple[str, list[Splice]], rng: random.Random) -> None:
    text, cuts = case
    chosen = [(index, on_original([cut])) for index, cut in enumerate(cuts) if rng.random() < 0.7]
    wanted = splice(text, [cuts[index] for index, _ in chosen])
    rng.shuffle(chosen)
    composed = compose(text, chosen)
    assert composed.text == wanted
    for there, here, length in composed.kept():
        assert text[there : there + length] == wanted[here : here + length]


@given(spliced_texts(), st.data())
def test_an_edit_of_an_edit_lands_in_it_whatever_else_is_chosen(
    case: tuple[str, list[Splice]], data: st.DataObject
) -> None:
    text, cuts = case
    first = [(index, on_original([cut])) for index, cut in enumerate(cuts)]
    everything = compose(text, first)
    ours = [n for n, piece in enumerate(everything.pieces) if piece.origin[0] >= 0]
    if not ours:
        return
    number = data.draw(st.sampled_from(ours))
    inside = everything.pieces[number]
    at = sum(len(piece.text) for piece in everything.pieces[:number])
    dependent = everything.anchor(Splice(at, at + len(inside.text), "NEW"))
    needed = inside.origin[0]
    others = [item for item in first if item[0] == needed or data.draw(st.booleans())]
    expected = splice(
        text, [Splice(cuts[i].start, cuts[i].end, "NEW" if i == needed else cuts[i].new) for i, _ in others]
    )
    assert compose(text, [*others, (len(cuts), (dependent,))]).text == expected


LINES = [f"line {number}: {'x' * (number % 7)}" for number in range(300)]


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, 99)), st.randoms(use_true_random=False))
def test_a_hundred_planned_hunks_and_any_subset_of_them(chosen: set[int], rng: random.Random) -> None:
    plan = _hundred_hunks()
    accepted = list(chosen)
    rng.shuffle(accepted)
    state = hunkdeck.decide(plan, *(hunkdeck.Accept((index,)) for index in accepted))
    expected = [f"changed {n // 3}" if n % 3 == 1 and n // 3 in chosen else line for n, line in enumerate(LINES)]
    assert outcome(plan.files[0], state.decisions).text == "\n".join(expected) + "\n"


_PLANS: list[hunkdeck.ReviewPlan] = []


def _hundred_hunks() -> hunkdeck.ReviewPlan:
    """Planned once: 100 hunks with context that touches, sent in a random order of positions."""
    if not _PLANS:
        import tempfile

        hunks = [
            Hunk(
                "f.txt",
                TextEdit("\n".join(LINES[n - 1 : n + 2]), "\n".join([LINES[n - 1], f"changed {n // 3}", LINES[n + 1]])),
            )
            for n in range(1, 300, 3)
        ]
        with tempfile.TemporaryDirectory() as directory:
            Path(directory, "f.txt").write_text("\n".join(LINES) + "\n")
            with hunkdeck.Workspace(directory) as workspace:
                _PLANS.append(hunkdeck.plan(Proposal("test", tuple(hunks)), workspace))
        assert all(hunk.fit is hunkdeck.Fit.FITS and not hunk.conflicts for hunk in _PLANS[0].hunks)
    return _PLANS[0]
