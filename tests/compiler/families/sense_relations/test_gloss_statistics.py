from __future__ import annotations

import pytest

from sorites.families.sense_relations.gloss_statistics import (
    GlossStatistics,
    count_words,
    gloss_statistics,
)


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "the cat's two-coloured fur; a coat", 6),
        ("el", "ό,τι υπάρχει", 3),
        ("ro", "într-un loc", 2),
        ("tr", "Belgrad'ı Karadeniz'e bağlayan akarsu", 4),
        ("en", "", 0),
        ("en", "— …", 0),
        # Japanese is cut into words by a dictionary: punctuation is no word.
        ("ja", "花と観賞植物が売られている店", 10),
        ("ja", "人を乗せたり、車を引いたりする。", 9),
        ("ja", "犬", 1),
    ],
)
def test_words_are_counted(language: str, text: str, words: int) -> None:
    counter = count_words(language)
    assert counter is not None
    assert counter(text) == words


def test_a_language_without_spaces_or_tokenizer_has_no_words() -> None:
    assert count_words("th") is None


def test_statistics() -> None:
    found = gloss_statistics({"en": ["a dog", "a very big dog", "dogs and cats"], "th": ["สุนัข"]})
    assert found == {
        "en": GlossStatistics(3, 3.0, 3, 4, 10.7, 14),
        "th": GlossStatistics(1, None, None, None, 5.0, 5),
    }
