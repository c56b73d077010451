"""A BERT of a few thousand random weights, for tests that fine-tune a pretrained model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

__all__ = ["save_tiny_bert"]


def save_tiny_bert(folder: Path, texts: Iterable[str]) -> str:
    """Write a model with a vocabulary of the words of some texts, and its tokenizer; the folder."""
    torch = pytest.importorskip("torch", reason="fine-tuning needs torch")
    transformers = pytest.importorskip("transformers", reason="fine-tuning needs transformers")
    words = sorted({w for text in texts for w in text.lower().replace(",", " , ").split()})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    numbers = {word: index for index, word in enumerate(vocabulary)}
    transformers.BertTokenizerFast(vocab=numbers).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return str(folder)
