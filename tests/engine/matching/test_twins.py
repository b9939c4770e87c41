"""Blocks that look like the one that was meant: not written, or left to a person."""

from __future__ import annotations

from pathlib import Path

import pytest

import hunkdeck
from engine.matching import Located, Refused, locate_all
from engine.model import Code, Hunk, Proposal, TextEdit
from engine.text import FileText, splice
from tests.engine.matching.helpers import applied, edited, locate, refused

# ---------------------------------------------------------------- drift


HANDLERS = """\
events = [
    {
        "type": "accept-error",
        # the module in question
        "module": number,
        # the module that owns the handler
        "dependency": number,
        # the thrown error
        "error": Error,
        # thrown before the handler tried to handle it
        "original": Error,
    },
]
"""


def test_a_wrong_line_here_and_lines_that_were_not_sent_there_are_another_block() -> None:
    old = HANDLERS.replace("accept-error", "self-accept-error").split("\n")[1:10]
    del old[4:6]
    assert refused(HANDLERS, "\n".join(old), "\n".join(old).replace("number", "str")).code is Code.NOT_FOUND


STEPS = [f"    step_{n}(value_{n})" for n in range(12)]


@pytest.mark.parametrize("edge", [2, 9])
def test_a_first_or_last_line_that_stands_elsewhere_says_that_the_block_does_too(edge: int) -> None:
    content = [*STEPS, *[f"    pause({n})" for n in range(20)], "    finish(everything)"]
    old = STEPS[2:10]
    old[edge - 2] = "    finish(everything)"
    new = [row.replace("step_5", "jump_5") for row in old]
    assert refused("\n".join(content), "\n".join(old), "\n".join(new)).code is Code.NOT_FOUND


def test_a_last_line_that_was_moved_away_a_little_is_no_other_block() -> None:
    content = [*STEPS[:9], "    added_one()", "    added_two()", *STEPS[9:]]
    new = [row.replace("step_5", "jump_5") for row in STEPS[2:10]]
    assert edited("\n".join(content), "\n".join(STEPS[2:10]), "\n".join(new)) == "\n".join(content).replace(
        "step_5", "jump_5"
    )


@pytest.mark.parametrize(
    ("misremembered", "found"),
    [("    total = collect_everything(seen, values)", True), ("    total = gather(values)", False)],
)
def test_a_small_slip_beside_the_core_is_no_sign_of_a_twin(misremembered: str, found: bool) -> None:
    """The core stands in both functions; a line that differs more could be that of a third one."""
    core = ["    if total:", "        return total", "    return None"]
    one = ["def first(values):", "    seen = prepare(values)", "    total = collect_everything(seen, value)", *core]
    two = ["def second(items):", "    known = other(items)", "    total = summary(known)", *core]
    content = "\n".join([*one, "", *two, ""])
    old = "\n".join([*one[:2], misremembered, *core])
    answer = locate(content, old, old.replace("if total:", "if total > 0:"))
    assert isinstance(answer, Located) is found
    if found:
        assert applied(content, answer) == content.replace("if total:", "if total > 0:", 1)


# ---------------------------------------------------------------- what a bulk accept leaves open


NESTED = (
    "class A:\n    def one(self):\n        if self.ready:\n            self.go(fast)\n            return self.result\n"
)
"""Indented by four; the block below stands at eight."""
BLOCK = ["if self.ready:", "    self.go(fast)", "    return self.result"]


@pytest.mark.parametrize(
    ("indent", "approximate"),
    [("", False), (" ", False), (" " * 7, False), (" " * 9, False), (" " * 4, True), (" " * 12, True)],
)
def test_a_block_at_another_depth_may_be_another_block(indent: str, approximate: bool) -> None:
    old = "\n".join(indent + row for row in BLOCK)
    answer = locate(NESTED, old, old.replace("fast", "slow"))
    assert isinstance(answer, Located)
    assert applied(NESTED, answer) == NESTED.replace("fast", "slow")
    assert answer.approximate is approximate
    assert (answer.runner_up is not None) is approximate


def test_one_line_with_words_is_too_little_if_its_indentation_is_off() -> None:
    content = "function a() {\n    while (x) {\n        }\n    }\n\n    return null;\n}\n"
    old = "\t\t}\n\t}\n\n\treturn null;\n}\n"
    answer = locate(content, old, old.replace("null", "false"))
    assert isinstance(answer, Located)
    assert answer.approximate


def test_comments_alone_may_be_the_head_of_another_file() -> None:
    content = "(function () {\n  /**\n   * Thing v1: button\n   * Licensed as it is\n   */\n})()\n"
    old = "/**\n * Thing v1: button\n * Licensed as it is\n */\n"
    answer = locate(content, old, old.replace("v1", "v2"))
    assert isinstance(answer, Located)
    assert answer.approximate


def test_a_blank_line_beside_an_insertion_says_where_it_goes() -> None:
    content = "import socket\nimport ssl\nimport stat\n"
    answer = locate(content, "import ssl\n\n\n", "import ssl\nimport typing\n\n\n")
    assert isinstance(answer, Located)
    assert answer.approximate


@pytest.mark.parametrize(("head", "tail", "approximate"), [("\n", "\n", True), ("", "\n", False), ("", "", False)])
def test_a_blank_line_that_fits_at_one_end_says_that_the_other_one_was_meant_too(
    head: str, tail: str, approximate: bool
) -> None:
    """A list that ended there, and goes on in this file, may be another file's."""
    content = "load(utils)\n\nuse(system)\nuse(graphics.canvas)\nuse(native)\nuse(security)\n"
    old = f"{head}use(system)\nuse(graphics.canvas)\nuse(native)\n{tail}"
    answer = locate(content, old, old.replace("use(graphics.canvas)\n", ""))
    assert isinstance(answer, Located)
    assert applied(content, answer) == content.replace("use(graphics.canvas)\n", "")
    assert answer.approximate is approximate


# ---------------------------------------------------------------- nothing is done twice


def test_a_twin_of_a_place_where_it_is_done_is_not_taken_instead() -> None:
    """The second time, the only place without the addition is not the one that was meant."""
    content = "start()\nload(x)\n\nother()\nload(x)\n"
    edit = TextEdit("load(x)\n", "load(x)\nsave(x)\n", start_line=2)
    (first,) = locate_all(FileText(content), [edit])
    after = applied(content, first)
    assert after == "start()\nload(x)\nsave(x)\n\nother()\nload(x)\n"
    (again,) = locate_all(FileText(after), [edit])
    assert isinstance(again, Refused)
    assert again.code is Code.ALREADY_APPLIED


def test_an_addition_with_drifted_context_is_not_made_twice() -> None:
    old = "\n".join([*STEPS[2:4], "    misremembered(4)", *STEPS[5:8]])
    new = old + "\n    added(8)"
    content = "\n".join(STEPS)
    after = edited(content, old, new)
    assert after == content.replace(STEPS[7], STEPS[7] + "\n    added(8)")
    assert refused(after, old, new).code is Code.ALREADY_APPLIED


def test_new_that_stands_to_the_letter_is_not_written_to_a_twin_of_old() -> None:
    done = "    open(\n        title,\n        { stack: true, ...options }\n    );\n"
    twin = "        open(\n            title,\n            options\n        );\n"
    old = "    open(\n        title,\n        options\n    );\n"
    assert refused(done + twin, old, done).code is Code.ALREADY_APPLIED


def test_one_line_that_stays_does_not_show_that_the_others_were_removed() -> None:
    names = [f"$list-{name}: $global-{name};" for name in ("muted", "primary", "border", "bullet", "divider")]
    content = "\n".join(["top: 0;", "// Inverse", "// -----------------", *names, "", "end: 1;"])
    old = "\n".join(["// Inverse", *names, ""])
    assert edited(content, old, "// Inverse\n") == "top: 0;\n// Inverse\n// -----------------\n\nend: 1;"


def test_the_same_insertion_by_two_edits_has_one_place() -> None:
    """A blank line above and below: either may be read as the one that was added."""
    content = "if a:\n\n    use(a)\n\nend()\n"
    added = "    mark(a)\n\n"
    edits = [
        TextEdit("    use(a)\n\nend()\n", "    use(a)\n\n" + added + "end()\n"),
        TextEdit("if a:\n\n    use(a)\n\nend()\n", "if b:\n\n    use(a)\n\n" + added + "end()\n"),
    ]
    one, two = locate_all(FileText(content), edits)
    assert isinstance(one, Located)
    assert isinstance(two, Located)
    assert one.places[0].splices[0] in two.places[0].splices
    for answer, edit in ((one, edits[0]), (two, edits[1])):
        assert splice(content, answer.places[0].splices) == content.replace(edit.old, edit.new)


@pytest.mark.parametrize(
    ("name", "code"),
    [("a", Code.DUPLICATE), ("b", Code.OVERLAP)],  # nothing else to do, or a change of its own as well
)
def test_the_same_insertion_by_two_edits_that_overlap_is_never_made_twice(
    tmp_path: Path, name: str, code: Code
) -> None:
    (tmp_path / "a.py").write_text("if a:\n\n    use(a)\n\nend()\n")
    edits = (
        TextEdit("    use(a)\n\nend()\n", "    use(a)\n\n    mark(a)\n\nend()\n"),
        TextEdit("if a:\n\n    use(a)\n", f"if {name}:\n\n    use(a)\n\n    mark(a)\n"),
    )
    with hunkdeck.Workspace(tmp_path) as workspace:
        plan = hunkdeck.plan(Proposal("two", tuple(Hunk("a.py", edit) for edit in edits)), workspace)
        result = hunkdeck.apply(plan, hunkdeck.decide(plan, hunkdeck.Accept((0, 1))), workspace)
    assert result.hunks[1].code is code
    expected = "if a:\n\n    use(a)\n\n    mark(a)\n\nend()\n"
    assert (tmp_path / "a.py").read_text() == (expected if result.success else "if a:\n\n    use(a)\n\nend()\n")
    assert result.success is (code is Code.DUPLICATE)


# ---------------------------------------------------------------- a fence


@pytest.mark.parametrize(
    ("new", "after"),
    [
        ("y = 2\n\n", "y = 2\n\n\nz = 3\n"),
        ("y = 2\n", None),
        ("y = 2", None),
        ("y = 2\n\n\n", None),
    ],
)
def test_a_fence_around_old_hides_whether_its_last_line_is_blank(new: str, after: str | None) -> None:
    answer = locate("x = 1\n\n\nz = 3\n", "```\nx = 1\n\n\n```", new)
    assert (applied("x = 1\n\n\nz = 3\n", answer) if isinstance(answer, Located) else None) == after


# ---------------------------------------------------------------- indentation that can be read in two ways


def test_a_line_behind_a_blank_one_may_stand_at_another_depth() -> None:
    content = "class A:\n    def test(self):\n        check(self)\n\n    def other(self): ...\n"
    old, new = "check(self)\n", "check(self)\n\n\nclass B:\n"
    assert refused(content, old, new + "    pass\n").code is Code.NOT_FOUND
    assert edited(content, old, "check(self)\nmore(self)\n") == content.replace(
        "check(self)\n", "check(self)\n        more(self)\n"
    )


def test_one_line_that_happens_to_fit_does_not_show_that_new_is_indented_like_the_file() -> None:
    content = "def a():\n\n        with warned():\n            changed = go(a)\n\n        end()\n"
    old = "\n            with warned():\n                changed = go(a)\n\n"
    assert refused(content, old, "\n            changed = go(a)\n\n").code is Code.NOT_FOUND


@pytest.mark.parametrize(
    ("sent", "own", "deeper", "expected"),
    [
        ((4, 4), (12, 12), 8, 16),  # three times as deep is no way to write the same code: a shift
        ((2, 4), (4, 8), 6, 12),  # two lines show that it is a ratio
        ((4, 8), (2, 4), 12, 6),
        ((2, 2), (4, 4), 4, None),  # a shift by two, or two for one
        ((4, 4), (8, 8), 8, None),
        ((4, 4), (2, 2), 8, None),
    ],
)
def test_twice_as_deep_may_be_another_unit_and_anything_else_is_a_shift(
    sent: tuple[int, int], own: tuple[int, int], deeper: int, expected: int | None
) -> None:
    content = "top()\n" + _indented(own) + "end()\n"
    answer = locate(content, _indented(sent), f"{_indented(sent)}{' ' * deeper}added()\n")
    if expected is None:
        assert isinstance(answer, Refused)
    else:
        assert applied(content, answer) == content.replace("end()", f"{' ' * expected}added()\nend()")


def _indented(depths: tuple[int, int]) -> str:
    return f"{' ' * depths[0]}load(first)\n{' ' * depths[1]}store(second)\n"


@pytest.mark.parametrize("both", [True, False])
def test_a_numbered_blank_line_at_the_end_is_removed_with_the_others(both: bool) -> None:
    content = "one(1);\ntwo(2);\nthree(3);\n\n"
    new = "1\tone(1);\n2\ttwo(2);\n" if both else "one(1);\ntwo(2);\n"
    assert edited(content, "1\tone(1);\n2\ttwo(2);\n3\tthree(3);\n4\n", new) == "one(1);\ntwo(2);\n"


def test_a_line_that_merely_begins_like_the_added_one_is_not_the_addition() -> None:
    content = "\n".join([*STEPS[:8], "    added(8) # of old", *STEPS[8:]])
    old = "\n".join([*STEPS[2:4], "    misremembered(4)", *STEPS[5:8]])
    assert edited(content, old, old + "\n    added(8)") == content.replace(STEPS[7], STEPS[7] + "\n    added(8)")
