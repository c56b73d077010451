"""Labels that a text offers or ties to a condition, and so does not give as its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorites_eval.scoring.function_words import (
    ARTICLES,
    CONCLUDING,
    CONDITION_PIECES,
    CONDITIONS,
    JOINING,
    OFFERING,
)
from sorites_eval.scoring.naming import Named
from sorites_eval.scoring.tokens import Kind, Token

__all__ = ["offered", "under_condition"]

_SEVERAL = 3
"""So many labels in a row are a list of what there is to choose from."""


def offered(tokens: Sequence[Token], named: Sequence[Named]) -> frozenset[int]:
    """Where the labels start that stand in a list of labels, or as the keys of a table.

    A list is "1, 2 or 3", with or without a comma before its last word, or at least three labels
    that only commas part; a table "True: 50%, False: 50%", with what it says of its keys.
    """
    return frozenset([*_in_lists(tokens, named), *_keyed(tokens, named)])


def _in_lists(tokens: Sequence[Token], named: Sequence[Named]) -> Iterator[int]:
    run: list[Named] = []
    offers = False
    for label in named:
        gap = tokens[run[-1].end : label.start] if run else []
        if not run or not _joins(gap):
            yield from _starts(run, offers)
            run, offers = [], False
        else:
            offers = offers or any(token.folded in OFFERING for token in gap)
        run.append(label)
    yield from _starts(run, offers)


def _starts(run: Sequence[Named], offers: bool) -> Iterator[int]:
    several = len({label.label for label in run})
    if several >= _SEVERAL or (offers and several > 1):
        yield from (label.start for label in run)


def _joins(gap: Sequence[Token]) -> bool:
    """Whether nothing stands between two labels but a comma, a word that joins, and an article."""
    rest = [token for token in gap if token.folded not in ARTICLES]
    if not rest or len(rest) > 2 or any(token.folded in CONCLUDING for token in rest):
        return False
    comma = rest[0].kind is Kind.PART
    joint = rest[-1].folded in JOINING
    return (comma and (joint or len(rest) == 1)) or (joint and len(rest) == 1)


def _keyed(tokens: Sequence[Token], named: Sequence[Named]) -> Iterator[int]:
    """The keys of a table whose keys are several labels, and the labels that it says of them."""
    keys = [label for label in named if _is_key(tokens, label)]
    if len({label.label for label in keys}) < 2:
        return
    ends = {label.end for label in keys}
    yield from (label.start for label in keys)
    yield from (label.start for label in named if label.start - 1 in ends)


def _is_key(tokens: Sequence[Token], label: Named) -> bool:
    first = label.start == 0 or tokens[label.start - 1].kind is not Kind.WORD
    after = label.start == 0 or tokens[label.start - 1].kind is not Kind.SAYS
    return first and after and label.end < len(tokens) and tokens[label.end].kind is Kind.SAYS


def under_condition(tokens: Sequence[Token]) -> list[bool]:
    """For each token, whether its sentence begins with a condition and concludes nothing before it.

    What a word that concludes or a separator announces is said without the condition.
    """
    found: list[bool] = []
    fresh, now = True, False
    for token in tokens:
        if token.kind in {Kind.END, Kind.LINE, Kind.ASK}:
            fresh, now = True, False
        elif token.kind is Kind.SAYS or token.folded in CONCLUDING:
            fresh, now = False, False
        elif fresh and token.kind is Kind.WORD:
            now = _is_condition(token)
            fresh = False
        found.append(now)
    return found


def _is_condition(token: Token) -> bool:
    pieces = token.unspaced and any(piece in token.text for piece in CONDITION_PIECES)
    return pieces or token.folded in CONDITIONS
