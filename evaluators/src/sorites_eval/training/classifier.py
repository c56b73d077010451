"""A pretrained model with a classification head, fine-tuned on pairs of texts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sorites_eval.backends.local.model_files import refuse_pickles
from sorites_eval.errors import ModelError
from sorites_eval.training.examples import Example, TrainingData
from sorites_eval.training.outcome import Advance, Outcome, Trainer, accuracy

if TYPE_CHECKING:
    import torch
    from transformers import BatchEncoding, PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["ClassifierSettings", "classifier_trainer", "set_dropout"]

_ROWS_AT_ONCE = 128


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """The fine-tuning: rate and batch as is usual for BERT on inferences (Devlin et al. 2019, 4.1).

    ``epochs`` is the most (as in Yanaka et al. 2021, 4.1); training ends before, when ``patience``
    epochs in a row, after the warm-up, have not validated better. ``max_length`` is in tokens;
    ``warm_up`` is the share of steps in which the rate rises. ``dropout`` is the share dropped
    from the output, None for that of the model's configuration.
    """

    learning_rate: float = 2e-5
    batch: int = 32
    epochs: int = 25
    patience: int = 3
    warm_up: float = 0.1
    max_length: int = 128
    dropout: float | None = None


def classifier_trainer(model: str, settings: ClassifierSettings) -> Trainer:
    """A trainer that starts from a model, a folder or a name on the Hub, anew for each seed.

    Raises ModelError where transformers is not installed or the model cannot be loaded.
    """
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise ModelError(
            "fine-tuning needs torch and transformers: pip install 'sorites-eval[models]'"
        ) from error
    try:
        tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{model}: its tokenizer cannot be loaded: {error}") from error

    def train(data: TrainingData, seed: int, advance: Advance) -> Outcome:
        return _train(model, tokenizer, data, settings, seed, advance)

    return train


def _train(
    name: str,
    tokenizer: PreTrainedTokenizerBase,
    data: TrainingData,
    settings: ClassifierSettings,
    seed: int,
    advance: Advance,
) -> Outcome:
    import torch
    from transformers import get_linear_schedule_with_warmup

    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = _load(name, data.classes)
    if settings.dropout is not None:
        set_dropout(name, model, settings.dropout)
    model.to(device)  # type: ignore[arg-type]
    steps = settings.epochs * -(-len(data.train) // settings.batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.learning_rate)
    warm_up = int(steps * settings.warm_up)
    schedule = get_linear_schedule_with_warmup(  # type: ignore[no-untyped-call]
        optimizer, warm_up, steps
    )
    gold = [example.label for example in data.validation]
    chance = random.Random(seed)
    best, best_accuracy, epoch = 0, -1.0, 0
    kept: dict[str, torch.Tensor] = {}
    best_validated: list[int] = []
    for epoch in range(1, settings.epochs + 1):
        model.train()
        order = list(range(len(data.train)))
        chance.shuffle(order)
        for start in range(0, len(order), settings.batch):
            rows = [data.train[index] for index in order[start : start + settings.batch]]
            labels = torch.tensor([row.label for row in rows], device=device)
            batch = _tokens(tokenizer, rows, settings.max_length).to(device)
            loss = model(**batch, labels=labels).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        predicted = _predict(model, tokenizer, data.validation, settings, device)
        validated = accuracy(predicted, gold)
        advance(1)
        # Without rows to validate on, the last epoch counts.
        if validated is None or validated > best_accuracy:
            best, best_accuracy = epoch, validated if validated is not None else -1.0
            best_validated = predicted
            kept = {key: value.to("cpu", copy=True) for key, value in model.state_dict().items()}
        elif epoch - max(best, settings.epochs * settings.warm_up) >= settings.patience:
            break
    model.load_state_dict(kept)
    predicted = _predict(model, tokenizer, data.test, settings, device)
    return Outcome(
        tuple(predicted),
        tuple(best_validated),
        best_accuracy if gold else None,
        epoch,
        best,
        settings.dropout,
    )


def _load(name: str, classes: int) -> PreTrainedModel:
    from transformers import AutoModelForSequenceClassification

    refuse_pickles(name)
    try:
        model: PreTrainedModel = AutoModelForSequenceClassification.from_pretrained(
            name,
            num_labels=classes,
            ignore_mismatched_sizes=True,
            trust_remote_code=False,
            use_safetensors=True,
        )
    except (OSError, ValueError) as error:
        raise ModelError(f"{name}: cannot be loaded as a classifier: {error}") from error
    return model


def set_dropout(name: str, model: PreTrainedModel, share: float) -> None:
    """Drop a share of the output: set the drop-out that stands outside the pretrained body.

    Raises ModelError, which calls the model ``name``, where there is none.
    """
    from torch import nn

    body = {id(module) for module in model.base_model.modules()}
    found = [m for m in model.modules() if isinstance(m, nn.Dropout) and id(m) not in body]
    if not found:
        raise ModelError(f"{name}: has no drop-out on its output to set: leave --dropout out")
    for module in found:
        module.p = share


def _tokens(
    tokenizer: PreTrainedTokenizerBase, rows: Sequence[Example], max_length: int
) -> BatchEncoding:
    texts = [[row.texts[place] for row in rows] for place in range(len(rows[0].texts))]
    tokens: BatchEncoding = tokenizer(
        *texts, padding=True, truncation=True, max_length=max_length, return_tensors="pt"
    )
    return tokens


def _predict(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: Sequence[Example],
    settings: ClassifierSettings,
    device: torch.device,
) -> list[int]:
    import torch

    model.eval()  # type: ignore[no-untyped-call]
    order = sorted(range(len(rows)), key=lambda index: sum(map(len, rows[index].texts)))
    predicted = [0] * len(rows)
    with torch.inference_mode():
        for start in range(0, len(order), _ROWS_AT_ONCE):
            indices = order[start : start + _ROWS_AT_ONCE]
            batch = _tokens(tokenizer, [rows[i] for i in indices], settings.max_length)
            labels = model(**batch.to(device)).logits.argmax(dim=1)
            for index, label in zip(indices, labels.tolist(), strict=True):
                predicted[index] = label
    return predicted
