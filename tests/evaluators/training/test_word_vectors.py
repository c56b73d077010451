from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.errors import RunError
from sorites_eval.training.word_vectors import MAX_DIMENSIONS, read_vectors
from sorites_eval.training.words import cut

GLOVE = Path(__file__).resolve().parents[2] / "fixtures" / "word-vectors.txt"
"""Fifty words in four dimensions, in the format of GloVe, made for these tests."""


def test_vectors_of_the_words_asked_for() -> None:
    found = read_vectors(GLOVE, {"someone", ",", "knows", "nobody-has-this"})
    assert set(found) == {"someone", ",", "knows"}
    assert {vector.shape for vector in found.values()} == {(4,)}
    assert found["knows"].tolist() == pytest.approx([0.9, 0.1, 0.0, -0.2])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the 0.5 -1\ndog 1 2\nzebra 3 4\n", {"the": [0.5, -1.0], "dog": [1.0, 2.0]}),
        ("the 0.5 -1 \r\ndog 1 2\r\n", {"the": [0.5, -1.0], "dog": [1.0, 2.0]}),
        # A line before the words tells how many there are, as word2vec and fastText write it.
        ("2 2\nthe 0.5 -1\ndog 1 2\n", {"the": [0.5, -1.0], "dog": [1.0, 2.0]}),
        # Words with spaces, as GloVe's largest files have them, are no words of a text.
        ("dog at home 7 8\nthe . 9 9\nthe 0.5 -1\ndog 1 2\n", {"the": [0.5, -1.0], "dog": [1, 2]}),
        ("the 1 2\nthe 3 4\n", {"the": [1.0, 2.0]}),
        ("7 1 2\nthe 3 4", {"the": [3.0, 4.0]}),
    ],
)
def test_files_of_several_makers_are_read(
    tmp_path: Path, text: str, expected: dict[str, list[float]]
) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(text.encode())
    found = read_vectors(path, {"dog", "the", "cat"})
    assert {word: vector.tolist() for word, vector in found.items()} == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"dog 1 2\nthe 1 2 3\n", ":2: 3 numbers, where others have 2"),
        (b"dog 1 2\nthe 1\n", ":2: 1 numbers, where others have 2"),
        (b"dog one two\n", ":1: not a word and its numbers"),
        (b"dog 1 2\nthe 1 x\n", ":2: not a word and its numbers"),
        (b"dog 1 2\nthe 1 nan\n", ":2: holds a number that is not finite"),
        (b"dog 1 2\nthe 1 1e99\n", ":2: holds a number that is not finite"),
        (b"zebra 1 2\n", ": has none of the 2 words of the data"),
        (b"", ": has none of the 2 words of the data"),
        (b"dog 1 2\nth\xe9 1 2\n", ":2: not UTF-8"),
        (
            b"dog 1 2\n" + b"x" * 200_001,
            ":2: longer than 200,000 bytes, which no word with its vector is",
        ),
        (b"dog" + b" 1" * (MAX_DIMENSIONS + 1), ":1: 4,097 numbers; at most 4,096 are read"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "glove.txt"
    path.write_bytes(text)
    with pytest.raises(RunError) as raised:
        read_vectors(path, {"dog", "the"})
    assert str(raised.value) == f"{path}{message}"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, why in (
        (pipe, "is not a file"),
        (tmp_path, "is not a file"),
        (tmp_path / "none.txt", "cannot be read: No such file or directory"),
    ):
        with pytest.raises(RunError) as raised:
            read_vectors(path, {"dog"})
        assert str(raised.value) == f"{path}: {why}"


@given(st.dictionaries(st.text(min_size=1), st.lists(st.floats(width=32), min_size=3, max_size=3)))
def test_any_line_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, lines: dict[str, list[float]]
) -> None:
    path = tmp_path_factory.mktemp("vectors") / "any.txt"
    rows = [" ".join([word, *map(repr, numbers)]) for word, numbers in lines.items()]
    path.write_text("\n".join(rows), encoding="utf-8", errors="surrogatepass")
    words = {word for text in lines for word in cut(text)} | {"the"}
    with suppress(RunError):
        found = read_vectors(path, words)
        assert found.keys() <= words
        assert len({len(vector) for vector in found.values()}) == 1
