"""Bytes ⇄ text ⇄ lines, without losing a byte."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.errors import NotText
from engine.text import FileText, Splice, decode, pieces, splice, split_lines

any_bytes = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"\x0c", "é\u2028".encode(), b"\xff", b"\xef\xbb\xbf"])).map(
        b"".join
    ),
)


@given(any_bytes)
@example(b"")
@example(b"\xff\xfea\x00\n\x00")
@example(b"\xff\xfe\x00\x00a\x00\x00\x00")
def test_decoding_and_encoding_gives_the_same_bytes(data: bytes) -> None:
    try:
        file = decode(data)
    except NotText:
        assert b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff"))
        return
    assert file.encode() == data
    assert "".join(line + ending for line, ending in zip(file.lines, file.endings, strict=True)) == file.text
    assert file.starts[-1] == len(file.text)


@given(st.text(alphabet="ab\r\n\x0c\u2028\x85", max_size=40))
def test_lines_end_at_newlines_and_carriage_returns_only(text: str) -> None:
    lines, endings = split_lines(text)
    assert "".join(line + ending for line, ending in zip(lines, endings, strict=True)) == text
    assert not any(mark in line for line in lines for mark in "\r\n")
    assert all(endings[:-1])


@pytest.mark.parametrize(
    ("text", "ending"),
    [("", "\n"), ("a", "\n"), ("a\r\nb\n", "\r\n"), ("a\nb\r\nc\r\n", "\r\n"), ("a\rb\r", "\r"), ("a\nb\n", "\n")],
)
def test_new_lines_take_the_most_common_ending_and_on_a_tie_the_first(text: str, ending: str) -> None:
    assert FileText(text).ending == ending


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfea", b"\xfe\xff\xd8\x00"])
def test_bytes_that_could_be_mangled_are_not_text(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)


def test_splices_are_made_at_once_on_the_original() -> None:
    cuts = [Splice(4, 6, "two!"), Splice(0, 1, ""), Splice(2, 2, "+")]
    assert splice("ab\ncdef", cuts) == "b+\nctwo!f"


@given(st.text(alphabet="ab\r\n\f\u2028", max_size=60), st.integers(1, 8))
def test_a_text_split_piece_by_piece_has_the_same_lines(text: str, size: int) -> None:
    whole = split_lines(text), list(FileText(text).starts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.text._PIECE", size)
        assert "".join(pieces(text)) == text
        assert (split_lines(text), list(FileText(text).starts)) == whole


@given(st.text(alphabet="ab\r\n", max_size=40))
def test_lines_that_are_cut_out_one_by_one_are_the_same(text: str) -> None:
    file = FileText(text)
    rows = file.rows
    assert (list(rows), len(rows), rows[1:3]) == (file.lines, file.line_count, file.lines[1:3])
    assert [rows.ending(number) for number in range(len(rows))] == file.endings
    assert rows[-1:] == file.lines[-1:]


def test_lines_that_were_forgotten_come_again() -> None:
    file = FileText("one\r\ntwo\n")
    before = list(file.lines)
    file.forget_lines()
    assert (file.lines, file.endings) == (before, ["\r\n", "\n"])
    with pytest.raises(IndexError):
        file.rows[2]
