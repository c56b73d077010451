from __future__ import annotations

from pathlib import Path

import pytest

from sorites_eval.errors import RunError
from sorites_eval.training.words import Vocabulary, read_vectors


def test_words_are_numbered_from_the_most_frequent() -> None:
    vocabulary = Vocabulary.of(["The dog, the cat", "the dog"])
    assert vocabulary.numbers == {"the": 2, "dog": 3, ",": 4, "cat": 5}
    assert len(vocabulary) == 6
    assert vocabulary.encode("A dog barks") == [1, 3, 1]
    assert vocabulary.encode("") == [1]


def test_vectors_of_the_words_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("the 0.5 -1\ndog 1 2\nzebra 3 4\n", encoding="utf-8")
    found = read_vectors(path, {"dog", "the", "cat"})
    assert {word: vector.tolist() for word, vector in found.items()} == {
        "the": [0.5, -1.0],
        "dog": [1.0, 2.0],
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog 1 2\nthe 1 2 3\n", ":2: 3 numbers, where others have 2"),
        ("dog one two\n", ":1: not a word and its numbers"),
        ("zebra 1 2\n", ": has none of the 2 words of the data"),
    ],
)
def test_refuses_vectors_of_another_make(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "glove.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError) as raised:
        read_vectors(path, {"dog", "the"})
    assert str(raised.value) == f"{path}{message}"
