"""An LSTM over words: the baseline of the paper on transitivity (Yanaka et al. 2021, section 4.1).

Each text is read by one LSTM; the last hidden states are joined and pass three hidden layers
and a softmax. Word vectors are learned, or start from a file such as GloVe's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sorites_eval.errors import ModelError
from sorites_eval.training.examples import Example, TrainingData
from sorites_eval.training.outcome import Advance, Outcome, Trainer, accuracy
from sorites_eval.training.word_vectors import Vectors, read_vectors
from sorites_eval.training.words import PADDING, Vocabulary

if TYPE_CHECKING:
    import torch
    from torch import nn

__all__ = ["LstmSettings", "lstm_trainer"]

_ROWS_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class LstmSettings:
    """The network and its training; ``patience`` is in epochs without a better validation.

    ``vectors`` is a file as ``word_vectors`` reads it, whose vectors have the dimensions of the
    network's then. ``dropout`` is the share dropped from the output of each hidden layer.
    """

    dimensions: int = 300
    hidden: int = 200
    layers: int = 3
    dropout: float = 0.1
    learning_rate: float = 0.001
    batch: int = 64
    epochs: int = 25
    patience: int = 5
    vectors: Path | None = None


def lstm_trainer(settings: LstmSettings) -> Trainer:
    """A trainer of such networks; raises ModelError where torch is not installed."""
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise ModelError("training needs torch: pip install 'sorites-eval[models]'") from error

    read = _VectorFile(settings.vectors)

    def train(data: TrainingData, seed: int, advance: Advance) -> Outcome:
        return _train(data, settings, read, seed, advance)

    return train


class _VectorFile:
    """The vectors of the words that were asked for last: runs on the same rows read them once."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._words: frozenset[str] | None = None
        self._vectors: Vectors = {}

    def of(self, vocabulary: Vocabulary) -> Vectors:
        """The vectors of a vocabulary's words; none without a file."""
        words = frozenset(vocabulary.numbers)
        if self._path is not None and words != self._words:
            self._vectors, self._words = read_vectors(self._path, words), words
        return self._vectors


def _train(
    data: TrainingData, settings: LstmSettings, read: _VectorFile, seed: int, advance: Advance
) -> Outcome:
    import torch
    from torch import nn

    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    vocabulary = _vocabulary(data, settings)
    network = _network(vocabulary, read.of(vocabulary), data, settings).to(device)
    encoded = [_encode(rows, vocabulary) for rows in (data.train, data.validation, data.test)]
    gold = [example.label for example in data.validation]
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    chance = random.Random(seed)
    best, best_accuracy, epoch = 0, -1.0, 0
    kept: dict[str, torch.Tensor] = {}
    best_validated: list[int] = []
    for epoch in range(1, settings.epochs + 1):
        network.train()
        for indices in _batches(len(data.train), settings.batch, chance):
            texts = _tensors([encoded[0][index] for index in indices], device)
            labels = torch.tensor([data.train[index].label for index in indices], device=device)
            loss = nn.functional.cross_entropy(network(*texts), labels)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
        predicted = _predict(network, encoded[1], device)
        validated = accuracy(predicted, gold)
        advance(1)
        # Without rows to validate on, the last epoch counts.
        if validated is None or validated > best_accuracy:
            best, best_accuracy = epoch, validated if validated is not None else -1.0
            best_validated = predicted
            kept = {name: value.clone() for name, value in network.state_dict().items()}
        elif epoch - best >= settings.patience:
            break
    network.load_state_dict(kept)
    return Outcome(
        tuple(_predict(network, encoded[2], device)),
        tuple(best_validated),
        best_accuracy if gold else None,
        epoch,
        best,
        settings.dropout,
    )


def _vocabulary(data: TrainingData, settings: LstmSettings) -> Vocabulary:
    """Words that are trained on; with vectors from a file, words that are only tested on too."""
    rows: list[Example] = [*data.train]
    if settings.vectors is not None:
        rows += [*data.validation, *data.test]
    return Vocabulary.of(text for example in rows for text in example.texts)


def _network(
    vocabulary: Vocabulary, vectors: Vectors, data: TrainingData, settings: LstmSettings
) -> nn.Module:
    import torch
    from torch import nn

    dimensions = len(next(iter(vectors.values()))) if vectors else settings.dimensions

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(len(vocabulary), dimensions, padding_idx=PADDING)
            self.reader = nn.LSTM(dimensions, settings.hidden, batch_first=True)
            width = settings.hidden * len(data.train[0].texts)
            layers: list[nn.Module] = []
            for _ in range(settings.layers):
                layers += [nn.Linear(width, settings.hidden), nn.ReLU()]
                layers.append(nn.Dropout(settings.dropout))
                width = settings.hidden
            self.judge = nn.Sequential(*layers, nn.Linear(width, data.classes))

        def forward(self, *texts: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
            read = []
            for words, lengths in texts:
                packed = nn.utils.rnn.pack_padded_sequence(
                    self.words(words), lengths, batch_first=True, enforce_sorted=False
                )
                read.append(self.reader(packed)[1][0][-1])
            judged: torch.Tensor = self.judge(torch.cat(read, dim=1))
            return judged

    network = Network()
    with torch.no_grad():
        for word, vector in vectors.items():
            network.words.weight[vocabulary.numbers[word]] = torch.from_numpy(vector)
    return network


def _encode(rows: Sequence[Example], vocabulary: Vocabulary) -> list[list[list[int]]]:
    known: dict[str, list[int]] = {}
    for example in rows:
        for text in example.texts:
            if text not in known:
                known[text] = vocabulary.encode(text)
    return [[known[text] for text in example.texts] for example in rows]


def _batches(rows: int, size: int, chance: random.Random) -> Iterator[list[int]]:
    order = list(range(rows))
    chance.shuffle(order)
    for start in range(0, rows, size):
        yield order[start : start + size]


def _tensors(
    rows: Sequence[Sequence[list[int]]], device: torch.device
) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """For each place of a text, its padded words and their number, which stays on the CPU."""
    import torch

    found = []
    for place in range(len(rows[0])):
        texts = [torch.tensor(row[place]) for row in rows]
        lengths = torch.tensor([len(text) for text in texts])
        padded = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=PADDING)
        found.append((padded.to(device), lengths))
    return found


def _predict(
    network: nn.Module, rows: Sequence[Sequence[list[int]]], device: torch.device
) -> list[int]:
    import torch

    network.eval()
    # Rows of one length together need the least padding.
    order = sorted(range(len(rows)), key=lambda index: sum(map(len, rows[index])))
    predicted = [0] * len(rows)
    with torch.inference_mode():
        for start in range(0, len(order), _ROWS_AT_ONCE):
            indices = order[start : start + _ROWS_AT_ONCE]
            labels = network(*_tensors([rows[i] for i in indices], device)).argmax(dim=1)
            for index, label in zip(indices, labels.tolist(), strict=True):
                predicted[index] = label
    return predicted
