from __future__ import annotations

from sorites_eval.training.words import Vocabulary


def test_words_are_numbered_from_the_most_frequent() -> None:
    vocabulary = Vocabulary.of(["The dog, the cat", "the dog"])
    assert vocabulary.numbers == {"the": 2, "dog": 3, ",": 4, "cat": 5}
    assert len(vocabulary) == 6
    assert vocabulary.encode("A dog barks") == [1, 3, 1]
    assert vocabulary.encode("") == [1]
