"""Indentation, derived per aligned line: from the agent's to the file's.

Every aligned pair of lines is an entry of a table. An indent that is not in the table needs a model on which all
pairs agree: one prefix added, one prefix cut, or one ratio (2 against 4, tabs against spaces). The first line may
differ from the rest, because agents often trim just that one. No model, or two that disagree: no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Pair = tuple[str, str]
"""The indent as sent, and as the file has it."""

Model = Callable[[str], str | None]

_SPACES_PER_SPACE = (0.5, 2.0)
"""2 against 4; any other ratio of spaces to spaces is a shift."""


@dataclass(frozen=True, slots=True)
class Reindent:
    """What the aligned lines say about indentation."""

    pairs: tuple[Pair, ...]
    """Of all aligned lines, or of all but the first where that one differs from the rest."""
    first: Pair | None = None
    """The first line, where it differs from the rest."""

    def __call__(self, indent: str, *, first_row: bool, replaced: Pair | None) -> str | None:
        """The file's indent for a new line. `replaced`: the pair of the lines that it takes the place of."""
        if first_row and self.first and indent == self.first[0]:
            return self.first[1]
        own = self._learned(indent)
        if own is None:
            return replaced[1] if replaced and indent in replaced else None
        return None if self.first and len(own) < len(self.first[1]) else own

    def _learned(self, indent: str) -> str | None:
        if all(sent == own for sent, own in self.pairs):
            return indent
        known = {own for sent, own in self.pairs if sent == indent}
        if len(known) == 1:
            return known.pop()
        guesses = {model(indent) for model in models(self.pairs)} - {None} if not known else set()
        return guesses.pop() if len(guesses) == 1 else None


def learn(pairs: Sequence[Pair], *, from_first_row: bool) -> Reindent:
    """`from_first_row`: the first pair belongs to the first line that the agent sent."""
    if from_first_row and not agree(pairs) and first_differs(pairs):
        return Reindent(tuple(pairs[1:]), pairs[0])
    return Reindent(tuple(pairs))


def agree(pairs: Sequence[Pair]) -> bool:
    """Whether one model explains all pairs."""
    return all(sent == own for sent, own in pairs) or bool(models(pairs))


def first_differs(pairs: Sequence[Pair]) -> bool:
    """Whether one model explains all pairs but the first, and is more than a guess from one line."""
    rest = pairs[1:]
    known = all(sent == own for sent, own in rest) or len(set(rest)) > 1
    return bool(rest) and known and agree(rest)


def is_shift(pairs: Sequence[Pair]) -> bool:
    """Whether every line is shifted by one and the same prefix."""
    return _prefix_added(pairs) is not None or _prefix_cut(pairs) is not None


def is_guess(pairs: Sequence[Pair]) -> bool:
    """A single line is too little to tell what a tab stands for."""
    kinds = {kind for pair in pairs for kind in "".join(pair)}
    return len(pairs) == 1 and pairs[0][0] != pairs[0][1] and len(kinds) > 1


def models(pairs: Sequence[Pair]) -> list[Model]:
    """Every way to turn each sent indent into the file's."""
    found = (_prefix_added(pairs), _prefix_cut(pairs), _ratio(pairs))
    return [model for model in found if model is not None]


def _prefix_added(pairs: Sequence[Pair]) -> Model | None:
    prefixes = {own[: len(own) - len(sent)] if own.endswith(sent) else None for sent, own in pairs}
    prefix = prefixes.pop() if len(prefixes) == 1 else None
    return None if prefix is None else lambda indent: prefix + indent


def _prefix_cut(pairs: Sequence[Pair]) -> Model | None:
    prefixes = {sent[: len(sent) - len(own)] if sent.endswith(own) else None for sent, own in pairs}
    prefix = prefixes.pop() if len(prefixes) == 1 else None
    if prefix is None:
        return None
    return lambda indent: indent[len(prefix) :] if indent.startswith(prefix) else None


def _ratio(pairs: Sequence[Pair]) -> Model | None:
    ratios = {(len(own) / len(sent)) if sent and own else None for sent, own in pairs if sent or own}
    characters = {own[0] for _, own in pairs if own}
    unmixed = all(len(set(sent)) <= 1 and len(set(own)) <= 1 for sent, own in pairs)
    if not unmixed or len(ratios) != 1 or None in ratios or len(characters) != 1:
        return None
    ratio, character = next(iter(ratios)) or 1.0, characters.pop()
    if {character for sent, _ in pairs for character in sent} == {character} and ratio not in _SPACES_PER_SPACE:
        return None

    def model(indent: str) -> str | None:
        length = len(indent) * ratio
        return character * int(length) if len(set(indent)) <= 1 and length == int(length) else None

    return model
