"""One property for each rule of the matcher."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.matching import STRATEGIES, Located, Refused, locate_all
from engine.model import Code, TextEdit
from engine.text import FileText, splice
from tests.engine.matching.helpers import applied, edited, locate, refused

WORDS = st.sampled_from(["alpha", "beta", "gamma = 1", "if delta:", "return x", "}", "", "    omega()", "\tzeta", "x "])
BLOCKS = st.lists(WORDS, min_size=1, max_size=12).map("\n".join)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])
quick = settings(max_examples=150, deadline=None)


def distinct(count: int) -> list[str]:
    return [f"{'    ' * (number % 3)}step_{number}(value={number})" for number in range(count)]


@quick
@given(BLOCKS, BLOCKS, BLOCKS)
def test_1_ambiguity_is_terminal_and_judged_by_the_outcome(content: str, old: str, new: str) -> None:
    answer = locate(content, old, new)
    if isinstance(answer, Located) and content.count(old) > 1:
        texts = {
            content[:at] + new + content[at + len(old) :] for at in range(len(content)) if content.startswith(old, at)
        }
        starts = {at for at in range(len(content)) if content.startswith(old, at)}
        assert len(texts) == 1 or (answer.strategy == "simple" and len(starts) > 1)


def test_1_a_tie_names_the_lines() -> None:
    answer = refused("a = 1\nb\na = 1\n", "a = 1", "a = 2")
    assert answer.code is Code.AMBIGUOUS
    assert [(one.first, one.last) for one in answer.candidates] == [(1, 1), (3, 3)]
    assert "lines 1, 3" in answer.reason


def test_1_places_that_give_the_same_text_are_one() -> None:
    assert edited("a\na\nb\n", "a\n", "") == "a\nb\n"


@pytest.mark.parametrize(("hint", "line"), [(1, 1), (9, 9), (8, 9), (2, 1), (5, None), (4, None)])
def test_1_a_hint_settles_a_tie_only_if_it_is_clearly_nearer(hint: int, line: int | None) -> None:
    content = "go()\n" + "".join(f"x{n}\n" for n in range(7)) + "go()\n"
    answer = locate(content, "go()  ", "stop()", start_line=hint)
    assert (answer.places[0].first if isinstance(answer, Located) else None) == line


def test_1_a_hint_never_moves_a_unique_place() -> None:
    assert edited("a1\nb1\nc1\n", "c1", "c2", start_line=1) == "a1\nb1\nc2\n"


@quick
@given(st.data())
def test_2_only_changed_lines_are_written(data: st.DataObject) -> None:
    lines = distinct(30)
    first = data.draw(st.integers(0, 22))
    row = first + data.draw(st.integers(1, 5))
    damage = data.draw(st.sampled_from([lambda s: s + "  ", lambda s: "   " + s, lambda s: s.replace("(", "( ")]))
    block = [damage(line) for line in lines[first : first + 8]]
    changed = [*block]
    changed[row - first] = damage(lines[row].replace("step", "jump"))
    answer = locate("\n".join(lines) + "\n", "\n".join(block), "\n".join(changed))
    assert isinstance(answer, Located), answer
    text = "\n".join(lines) + "\n"
    assert [text.count("\n", 0, cut.start) for cut in answer.places[0].splices] == [row]
    after = applied(text, answer).split("\n")
    assert after[:row] + after[row + 1 :] == [*lines[:row], *lines[row + 1 :], ""]


@quick
@given(st.integers(2, 20), st.sampled_from(["value=", "step_"]))
def test_3_what_is_removed_must_have_the_same_words(row: int, word: str) -> None:
    lines = distinct(24)
    block = lines[row - 2 : row + 3]
    block[2] = block[2].replace(word, word[:-1] + "2" + word[-1])
    new = [*block[:2], "other()", *block[3:]]
    assert refused("\n".join(lines), "\n".join(block), "\n".join(new)).code is Code.NOT_FOUND


def test_3_a_quote_or_a_final_comma_may_differ() -> None:
    content = 'config = {\n    "name": "x",\n    "size": 3,\n    "kind": "y",\n}\n'
    old = "config = {\n    'name': 'x',\n    'size': 3\n    'kind': 'y',\n}"
    assert edited(content, old, old.replace("'size': 3", '"size": 4,')) == content.replace("3", "4")


def test_4_a_twin_that_resembles_the_block_as_much_refuses() -> None:
    block = ["def {0}(self):", "    first = self.read({1})", "    second = self.parse(first)", "    return second"]
    content = "\n\n".join("\n".join(block).format(name, name) for name in ("load", "save")) + "\n"
    old = "\n".join(block).format("push", "push")
    assert isinstance(locate(content, old, old.replace("return second", "return first")), Refused)


def test_4_the_winner_names_its_runner_up() -> None:
    lines = distinct(12)
    content = "\n".join([*lines, "other()", *(line.replace("value", "other") for line in lines[:3]), lines[3]]) + "\n"
    old = [*lines[:2], "misremembered(line)", *lines[3:8]]
    answer = locate(content, "\n".join(old), "\n".join([*old[:5], "new()", *old[6:]]))
    assert isinstance(answer, Located)
    assert answer.approximate
    assert answer.runner_up is not None
    assert answer.differs == ("line 3 of the old text",)


@quick
@given(st.sampled_from(["{}\n", "  12| {}\n", "L12: {}\n", "```\n{}\n```", "-{}\n"]))
def test_5_damage_to_old_is_undone_in_new(shape: str) -> None:
    content = "first\nkey = “a”\nlast\n"
    new = "+new = 1\n" if shape.startswith("-") else shape.format("new = 1")
    assert edited(content, shape.format("key = “a”"), new) == "first\nnew = 1\nlast\n"


@quick
@given(st.sets(st.integers(1, 8), min_size=2, max_size=3))
def test_4_lines_that_do_not_fit_stand_together(wrong: set[int]) -> None:
    lines = distinct(14)
    old = [f"misremembered_{row}()" if row in wrong else line for row, line in enumerate(lines[:12])]
    new = [*old[:10], "changed()", *old[11:]]
    answer = locate("\n".join(lines), "\n".join(old), "\n".join(new))
    assert isinstance(answer, Located) == (max(wrong) - min(wrong) < len(wrong))


def twins(*names: str) -> str:
    return "\n\n".join(
        f"def {name}(self):\n    log.debug(self)\n    {name}_of(self)\n    self.flush()\n    self.close()"
        for name in names
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # the wrong line touches a core that stands in every twin
        (twins("load").replace("load_of(self)", "fetch_of(self)"), "self.stop()"),
        # the first line opens another block, and little else tells them apart
        (twins("load").replace("def load", "def fetch"), "self.stop()"),
    ],
)
def test_4_a_twin_is_not_mistaken_for_the_block_that_was_meant(old: str, new: str) -> None:
    content = twins("load", "save", "copy") + "\n"
    assert isinstance(locate(content, old, old.replace("self.flush()", new)), Refused)
    assert isinstance(locate(content, twins("load"), twins("load").replace("self.flush()", new)), Located)


@quick
@given(st.integers(1, 6), st.booleans())
def test_4_what_is_approximate_shows_its_nearest_rival(row: int, far: bool) -> None:
    lines = distinct(20)
    old = [*lines[:row], "misremembered(line)", *lines[row + 1 : 9]]
    new = [*old[:8], "new()"]
    content = "\n".join([*lines, "other()" * 20, *(["something_else"] * 3 if far else lines[:2])]) + "\n"
    answer = locate(content, "\n".join(old), "\n".join(new))
    assert isinstance(answer, Located), answer
    assert answer.approximate
    assert answer.runner_up is not None
    assert answer.runner_up.first > answer.places[0].last
    assert answer.runner_up.score < answer.score


@quick
@given(st.integers(0, 8), st.booleans(), st.integers(0, 3))
def test_6_a_uniform_shift_is_undone_for_lines_that_are_new(shift: int, deeper: bool, depth: int) -> None:
    block = [" " * 8 + "for item in items:", " " * 12 + "use(item)", " " * 8 + "done(items)"]
    added = " " * (8 + 4 * depth) + "added(item)"

    def move(line: str) -> str:
        return " " * shift + line if deeper else line[shift:]

    old = [move(line) for line in block]
    new = [*old[:2], move(added), old[2]]
    content = "\n".join(["def f(items):", *block, "    return 1"]) + "\n"
    assert edited(content, "\n".join(old), "\n".join(new)) == content.replace(block[1], block[1] + "\n" + added)


def test_6_no_model_refuses() -> None:
    answer = refused("    a1\n        b1\n", "a1\nb1", "a1\nif x:\nb1")
    assert "indentation" in answer.reason


@quick
@given(st.text("ab_ ", min_size=1, max_size=4), st.text("ab_ \n", max_size=20))
def test_7_a_part_of_a_line_is_found_on_token_boundaries(old: str, content: str) -> None:
    answer = locate(content, old, "X")
    if isinstance(answer, Located) and "\n" not in old:
        after = applied(content, answer)
        at = after.index("X")
        assert not (after[:at][-1:].isalnum() and old[0].isalnum())


@quick
@given(
    st.lists(st.tuples(st.sampled_from(["one", "two", "x\x0cy", "u\u2028v", ""]), ENDINGS), min_size=1), st.booleans()
)
def test_8_untouched_bytes_stay(lines: list[tuple[str, str]], closed: bool) -> None:
    content = "".join(line + ending for line, ending in lines) + "target(1)" + ("\n" if closed else "")
    file = FileText(content)
    answer = locate_all(file, [TextEdit("target(1)\n", "target(2)\nmore()\n")])[0]
    assert isinstance(answer, Located)
    after = splice(content, [cut for place in answer.places for cut in place.splices])
    head = "".join(line + ending for line, ending in lines)
    assert after == head + f"target(2){file.ending}more()" + (file.ending if closed else "")


@quick
@given(BLOCKS, BLOCKS, BLOCKS)
def test_9_nothing_is_applied_twice(content: str, old: str, new: str) -> None:
    answer = locate(content, old, new)
    if isinstance(answer, Located) and len(new) > len(old) and old in new:
        again = locate(applied(content, answer), old, new)
        assert isinstance(again, Refused)


@quick
@given(BLOCKS, BLOCKS, BLOCKS)
def test_10_every_answer_explains_itself(content: str, old: str, new: str) -> None:
    answer = locate(content, old, new)
    if isinstance(answer, Located):
        assert answer.strategy in {strategy.__name__ for strategy in STRATEGIES}
        assert 0 <= answer.score <= 1
        cuts = [cut for place in answer.places for cut in place.splices]
        assert all(left.end <= right.start for left, right in pairwise(cuts))
        assert applied(content, answer) != content
    else:
        assert answer.reason
        assert all(1 <= one.first <= one.last for one in answer.candidates)


def test_10_a_refusal_names_the_closest_lines_and_a_next_step() -> None:
    lines = distinct(20)
    old = [*lines[4:7], "unknown(1)", *lines[8:10]]
    answer = refused("\n".join(lines), "\n".join(old), "\n".join([*old[:3], "y", *old[4:]]))
    assert answer.candidates[0].differs == "line 4 differs"
    assert (answer.candidates[0].first, answer.candidates[0].last) == (5, 10)
    assert "closest is lines 5-10" in answer.reason
    assert "send them exactly" in answer.reason


@quick
@given(st.permutations(range(4)))
def test_11_the_order_of_edits_does_not_matter(order: list[int]) -> None:
    file = FileText("\n".join(distinct(20)) + "\n")
    edits = [TextEdit(file.lines[4 * n], f"changed_{n}") for n in range(4)]
    answers = locate_all(file, [edits[n] for n in order])
    assert [answers[order.index(n)] for n in range(4)] == list(locate_all(file, edits))
