"""Words that mix alphabets whose letters look alike: `pаssword` with a Cyrillic `а` is not the name it seems to be.

A small form of the mixed-script rules of UTS 39. Only alphabets with letters that pass for Latin ones matter here; the
first word of its Unicode name says which one a letter belongs to. Chinese, Japanese and Korean go together with Latin
letters, as do all other scripts that nobody could confuse with them. Greek letters are at home in formulas (`Δx`, `μs`,
`kΩ`), so beside Latin ones they count only where one of them has a Latin double.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from engine.confusables import skeleton

_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "COPTIC", "CHEROKEE", "LISU", "DESERET", "OSAGE"})
_FORMULAS = frozenset({"LATIN", "GREEK"})
_LATIN = r"A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_GREEK = r"\u0370-\u03e1\u1f00-\u1fff"
_OTHER = (
    r"\u03e2-\u058f\u10a0-\u13ff\u1c80-\u1c8f\u2c80-\u2dff\ua4d0-\ua4ff\ua640-\ua69f\uab70-\uabbf\U00010400-\U000104ff"
)
_TURN = re.compile(
    f"(?<=[{_LATIN}])[{_GREEK}{_OTHER}]|(?<=[{_GREEK}])[{_LATIN}{_OTHER}]|(?<=[{_OTHER}])[{_LATIN}{_GREEK}]"
)
"""Where letters of one alphabet may meet those of another: most texts have no such place, and are done with."""
_LETTERS = re.compile(r"[^\W\d_]*")
_LONGEST_HALF = 40
_MOST_WORDS = 3


def mixed_words(text: str) -> tuple[str, ...]:
    """The first few words of a text that mix alphabets, in their order; as they are, not yet safe to show."""
    found: dict[str, None] = {}
    for turn in () if text.isascii() else _TURN.finditer(text):
        word = _word_around(text, turn.start())
        if _mixes(word):
            found[word] = None
            if len(found) == _MOST_WORDS:
                break
    return tuple(found)


def _word_around(text: str, at: int) -> str:
    """The word with its letter at `at`; of an endless one what is near."""
    before = text[max(at - _LONGEST_HALF, 0) : at][::-1]
    return _letters(before)[::-1] + _letters(text[at : at + _LONGEST_HALF])


def _letters(text: str) -> str:
    found = _LETTERS.match(text)
    return found.group() if found else ""


@lru_cache(1024)
def _mixes(word: str) -> bool:
    letters = set(word)
    alphabets = {_alphabet(letter) for letter in letters} & _ALPHABETS
    if alphabets == _FORMULAS:
        return any(_alphabet(letter) == "GREEK" and skeleton(letter).isascii() for letter in letters)
    return len(alphabets) > 1


@lru_cache(4096)
def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def strangers(word: str) -> str:
    """The letters of a mixed word that are not Latin, each with its number and alphabet: `U+0430 Cyrillic`."""
    odd = dict.fromkeys(letter for letter in word if _alphabet(letter) in _ALPHABETS - {"LATIN"})
    return ", ".join(f"U+{ord(letter):04X} {_alphabet(letter).capitalize()}" for letter in odd)
