from __future__ import annotations

import pytest

from sorites.families.veridicality.english.capitals import Capitals, UncertainCapital

CAPITALS = Capitals.of(
    [
        "A man meets Maria in Rome",
        "The dogs, cats and birds are here",
        "It is cold; Snow falls here",
    ]
)


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("A man is here", "a man is here"),
        ("There is a dog", "there is a dog"),
        ("Dogs are barking", "dogs are barking"),
        ("Maria, Piet and I are here", "Maria, Piet and I are here"),
    ],
)
def test_only_names_keep_their_capital(sentence: str, clause: str) -> None:
    assert CAPITALS.lowered(sentence) == clause


def test_a_word_never_seen_within_a_sentence_may_be_a_name() -> None:
    with pytest.raises(UncertainCapital) as raised:
        CAPITALS.lowered("Mimes are acting")
    assert str(raised.value) == "'Mimes' may be a name"


def test_a_word_seen_both_ways_may_be_a_name() -> None:
    both = Capitals.of(["The snow is cold", "We love Snow"])
    with pytest.raises(UncertainCapital):
        both.lowered("Snow is cold")
