from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from sorites_eval.errors import ModelError
from sorites_eval.training.embeddings import embed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.npz"
    np.savez(path, texts=np.array(["one", "δύο", "三"]), vectors=np.eye(3))
    return path


def test_a_file_gives_the_rows_of_the_texts(file: Path) -> None:
    found = embed(["三", "one", "三"], str(file))
    assert found.dtype == np.float32
    assert found.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1]]


def test_a_text_without_vector_is_named(file: Path) -> None:
    with pytest.raises(ModelError) as caught:
        embed(["one", "two"], str(file))
    assert str(caught.value) == f"{file}: has no vector for the text 'two'"


@pytest.mark.parametrize("vectors", [np.eye(2), np.ones(3), np.array([[1.0], [np.nan], [1.0]])])
def test_vectors_must_fit_the_texts(file: Path, vectors: np.ndarray) -> None:
    np.savez(file, texts=np.array(["one", "δύο", "三"]), vectors=vectors)
    with pytest.raises(ModelError) as caught:
        embed(["one"], str(file))
    assert str(caught.value) == (
        f"{file}: vectors must have one row of finite numbers for each of texts"
    )


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    for content in (b"", b"no archive"):
        path.write_bytes(content)
        with pytest.raises(ModelError, match="cannot be read as embeddings"):
            embed(["one"], str(path))


def test_a_file_without_texts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    np.savez(path, vectors=np.eye(2))
    with pytest.raises(ModelError, match="cannot be read as embeddings"):
        embed(["one"], str(path))


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    np.savez(path, texts=np.array(["one", None], dtype=object), vectors=np.eye(2))
    with pytest.raises(ModelError, match="cannot be read as embeddings"):
        embed(["one"], str(path))


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="it is installed"
)
def test_without_sentence_transformers_there_is_advice() -> None:
    with pytest.raises(ModelError) as caught:
        embed(["one"], "intfloat/multilingual-e5-large")
    assert str(caught.value) == (
        "embeddings need sentence-transformers: pip install 'sorites-eval[embeddings]', or give an "
        ".npz file with the arrays texts and vectors"
    )


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ModelError, match="is no sentence-transformers model"):
        embed(["one"], str(tmp_path / "none"))
