"""Words that mix alphabets: what passes for another word is named, what people write is left alone."""

from __future__ import annotations

import pytest

from engine.scripts import mixed_words, strangers


@pytest.mark.parametrize(
    "word",
    [
        "p\u0430ssword",  # Cyrillic a
        "\u0440assword",
        "\u03bfpen",  # Greek omicron
        "\u0391dmin",  # Greek Alpha
        "is\u0405afe",
        "\u0561dmin\u0585",  # Armenian
        "\u13aalice",  # Cherokee
        "\u0430\u03bf",  # Cyrillic and Greek
        "Жx",
    ],
)
def test_a_word_that_mixes_alphabets(word: str) -> None:
    assert mixed_words(f"if user.{word}_of(2): # {word}") == (word,)


@pytest.mark.parametrize(
    "text",
    [
        "password = naïve(Größe, œuvre, łódź)",
        "μs = 1; Δx = dθ + kΩ * λmax; σ2 = π_r",  # formulas
        "\u00b5s and 5 µm, 3 Å",  # signs, not letters of an alphabet
        "def 计算total(x): return x表",
        "日本語のtext と カタカナABC, 한국어text",
        "имя = 'имя пользователя'  # comment in English",
        "USB-кабель, user_имя, x1_ось",
        "ελληνικά και English",
        "שלום abc العربيةxyz हिन्दीabc ไทยabc",
        "Ａ１ fullwidth",
    ],
)
def test_what_people_write(text: str) -> None:
    assert mixed_words(text) == ()


def test_few_words_are_named_once_each() -> None:
    assert mixed_words("p\u0430 p\u0430 p\u0430 q\u0430 r\u0430") == ("p\u0430", "q\u0430", "r\u0430")
    assert strangers("p\u0430ss\u03bf") == "U+0430 Cyrillic, U+03BF Greek"
