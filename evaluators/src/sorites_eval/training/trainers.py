"""The trainer that a request asks for, with its settings and its search over drop-out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from sorites_eval.errors import RunError
from sorites_eval.training.classifier import ClassifierSettings, classifier_trainer
from sorites_eval.training.lstm import LstmSettings, lstm_trainer
from sorites_eval.training.outcome import Trainer
from sorites_eval.training.request import LSTM, Request
from sorites_eval.training.search import searching

__all__ = ["trainer_of"]

_Settings = TypeVar("_Settings", LstmSettings, ClassifierSettings)


def trainer_of(request: Request) -> tuple[Trainer, int]:
    """The trainer, and how many epochs it trains at most.

    Raises RunError for word vectors with a pretrained model, and ModelError as its trainer does.
    """
    given = {
        "epochs": request.epochs,
        "batch": request.batch,
        "learning_rate": request.learning_rate,
        "vectors": request.vectors,
    }
    changed = {key: value for key, value in given.items() if value is not None}
    searched = max(len(set(request.dropout)), 1)
    if request.model == LSTM:
        lstm = _changed(request.lstm, changed)
        if not request.dropout:
            return lstm_trainer(lstm), lstm.epochs
        of_lstm = partial(_lstm_with, lstm)
        return searching(request.dropout, of_lstm), lstm.epochs * searched
    if request.vectors is not None or request.lstm.vectors is not None:
        raise RunError(f"word vectors are for the model {LSTM}; {request.model} has its own")
    classifier = _changed(request.classifier, changed)
    if not request.dropout:
        return classifier_trainer(request.model, classifier), classifier.epochs
    of_classifier = partial(_classifier_with, request.model, classifier)
    return searching(request.dropout, of_classifier), classifier.epochs * searched


def _changed(settings: _Settings, changed: Mapping[str, Any]) -> _Settings:
    # dataclasses.replace is typed by field, which a mapping is not.
    return replace(settings, **changed)


def _lstm_with(settings: LstmSettings, dropout: float) -> Trainer:
    return lstm_trainer(replace(settings, dropout=dropout))


def _classifier_with(model: str, settings: ClassifierSettings, dropout: float) -> Trainer:
    return classifier_trainer(model, replace(settings, dropout=dropout))
