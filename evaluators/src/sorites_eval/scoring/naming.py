"""Where the words of labels stand in a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sorites_eval.scoring.function_words import ARTICLES
from sorites_eval.scoring.tokens import Token, cut

__all__ = ["Named", "Names", "named_by", "names_in"]


@dataclass(frozen=True, slots=True)
class Named:
    """A label whose words are the tokens from ``start`` to before ``end``."""

    label: str
    start: int
    end: int


Names = Mapping[str, Sequence[tuple[str, Sequence[Token]]]]
"""From the first word of labels to those labels and all their words, the longest first."""


def named_by(labels: Mapping[str, str]) -> Names:
    """How labels are found, from each to its plain text."""
    names: dict[str, list[tuple[str, Sequence[Token]]]] = {}
    for label, text in labels.items():
        words = cut(text, own=frozenset(text.casefold().split())).tokens
        if words:
            names.setdefault(words[0].folded, []).append((label, words))
    return {first: sorted(several, key=lambda s: -len(s[1])) for first, several in names.items()}


def names_in(tokens: Sequence[Token], names: Names) -> Iterator[Named]:
    """Every label that is named, from the left; a longer one wins over one inside it."""
    place = 0
    while place < len(tokens):
        found = _label_at(tokens, place, names)
        if found is None:
            place += 1
        else:
            yield found
            place = found.end


def _label_at(tokens: Sequence[Token], start: int, names: Names) -> Named | None:
    first = tokens[start]
    for label, words in names.get(first.folded.partition("'")[0], ()):
        end = _match(tokens, start, words)
        if end is None or first.before or tokens[end - 1].after:
            continue
        if len(label) == 1 and not first.text.startswith(label):
            continue
        return Named(label, start, end)
    return None


def _match(tokens: Sequence[Token], start: int, words: Sequence[Token]) -> int | None:
    """Where a label's words end if they stand at ``start``; articles between them do not count."""
    place = start
    for number, word in enumerate(words):
        if number and place < len(tokens) and tokens[place].folded in ARTICLES:
            place += tokens[place].folded != word.folded
        if place >= len(tokens):
            return None
        folded = tokens[place].folded
        if number == len(words) - 1 and folded != word.folded:
            stem, apostrophe, suffix = folded.partition("'")
            if not (apostrophe and stem == word.folded and len(suffix) <= 4):
                return None
        elif folded != word.folded:
            return None
        place += 1
    return place
