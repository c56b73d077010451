"""What is asked of a training: the model, the rows, and whatever of its settings is not its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sorites_eval.training.classifier import ClassifierSettings
from sorites_eval.training.lstm import LstmSettings

__all__ = ["LSTM", "Request"]

LSTM = "lstm"
"""The name by which the LSTM is asked for; any other is that of a pretrained model."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to train, and how.

    ``model`` is ``lstm``, or a folder or a name on the Hub of a pretrained model. ``others`` is
    another data set of inferences to mix in (see ``read_inferences``), at most ``others_limit``
    of its rows; ``only_others`` trains on it alone. ``limit`` is the most rows of the release to
    train on. ``epochs`` (at most), ``batch`` and ``learning_rate`` override the model's own, and
    so does ``dropout``, of which several are searched (see ``searching``). ``vectors`` is a file
    of word vectors for the LSTM. ``curves`` are trained at ``steps``, or at all of their steps.
    ``main`` is the folder of another training, whose accuracies are subtracted.
    """

    model: str
    training_set: str | None = None
    runs: int = 5
    seed: int = 0
    epochs: int | None = None
    batch: int | None = None
    learning_rate: float | None = None
    dropout: tuple[float, ...] = ()
    vectors: Path | None = None
    limit: int | None = None
    others: str | None = None
    others_limit: int | None = None
    only_others: bool = False
    curves: tuple[str, ...] = ()
    steps: tuple[int, ...] | None = None
    main: Path | None = None
    lstm: LstmSettings = field(default_factory=LstmSettings)
    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)
