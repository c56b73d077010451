"""Texts → vectors: by a sentence-transformers model, or from a file that holds them already."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from sorites_eval.errors import ModelError

__all__ = ["Vectors", "embed"]

Vectors: TypeAlias = "npt.NDArray[np.float32]"

_BATCH = 64


def embed(texts: Sequence[str], model: str, *, prefix: str = "") -> Vectors:
    """One row a text.

    ``model`` is a sentence-transformers model, a folder or a name on the Hub; ``prefix`` is set
    before each text, as the E5 models want ("query: "). Or it is an .npz file with the arrays
    ``texts`` and ``vectors``, for embeddings that were made elsewhere, prefix and all.

    Raises ModelError when the model or the file cannot be read, or the file lacks a text.
    """
    if model.endswith(".npz"):
        return _from_file(texts, Path(model))
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ModelError(
            "embeddings need sentence-transformers: pip install 'sorites-eval[embeddings]', or "
            "give an .npz file with the arrays texts and vectors"
        ) from error
    try:
        encoder = SentenceTransformer(model, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{model}: is no sentence-transformers model: {error}") from error
    vectors = encoder.encode(
        [prefix + text for text in texts],
        batch_size=_BATCH,
        convert_to_numpy=True,
        show_progress_bar=False,
    )
    return np.asarray(vectors, dtype=np.float32)


def _from_file(texts: Sequence[str], path: Path) -> Vectors:
    try:
        with np.load(path, allow_pickle=False) as file:
            known, vectors = file["texts"], np.asarray(file["vectors"], dtype=np.float32)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ModelError(
            f"{path}: cannot be read as embeddings: {error}; it is to be an .npz file with the "
            "arrays texts and vectors"
        ) from error
    if vectors.ndim != 2 or known.shape != vectors.shape[:1] or not np.isfinite(vectors).all():
        raise ModelError(f"{path}: vectors must have one row of finite numbers for each of texts")
    row = {str(text): index for index, text in enumerate(known)}
    missing = next((text for text in texts if text not in row), None)
    if missing is not None:
        raise ModelError(f"{path}: has no vector for the text '{missing}'")
    return vectors[[row[text] for text in texts]]
