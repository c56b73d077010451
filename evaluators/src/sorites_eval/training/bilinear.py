"""A bilinear classifier on the embeddings of two texts, scored as a model's answers are.

Whether a relation can be told from the texts at all: a small network sees the two vectors x and
y, computes h = tanh(Ux ∘ Vy + W[x; y] + b), and maps h to the labels. It is trained and scored by
repeated cross-validation over pairs. For each repetition the order of a pair is drawn once, for
all its rows, and no pair is trained on in both orders: nothing tells the network that a relation
has a direction. At the end it is asked in every view, and the views combine as the task says.
"""

from __future__ import annotations

import hashlib
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Scalar, Task, View
from sorites_eval.errors import RunError
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import Prediction, combine, confusion
from sorites_eval.training.embeddings import Vectors
from sorites_eval.training.examples import text_of
from sorites_eval.training.folds import folds

if TYPE_CHECKING:
    import torch

__all__ = ["Columns", "Dataset", "Settings", "cross_validate", "f1_by_label", "read_dataset"]

Advance = Callable[[int], None]

_ROWS_AT_ONCE = 8192


@dataclass(frozen=True, slots=True)
class Settings:
    """The training: sizes and rates as in the paper on relations from gloss pairs, appendix D."""

    hidden: int = 128
    learning_rate: float = 0.001
    batch: int = 2048
    epochs: int = 15
    folds: int = 3
    repetitions: int = 5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns hold the two texts, the ids of what they describe, and the pair's id."""

    texts: tuple[str, str]
    members: tuple[str, str]
    pair: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """The items of a task as arrays.

    ``texts`` are the distinct texts; ``sides`` (items × 2) indexes them. ``gold`` and ``turned``
    are the label of each item in its own order and in the other one, as indices of ``labels``;
    ``turning`` is the view that asks in the other order. ``pairs`` are the two members of each
    pair; ``pair_of`` says which pair an item is of.
    """

    task: Task
    turning: str
    labels: tuple[str, ...]
    ids: tuple[str, ...]
    facts: tuple[Mapping[str, Scalar], ...]
    texts: tuple[str, ...]
    sides: npt.NDArray[np.int64]
    gold: npt.NDArray[np.int64]
    turned: npt.NDArray[np.int64]
    pairs: tuple[tuple[str, str], ...]
    pair_of: npt.NDArray[np.int64]


def read_dataset(release: Release, task: Task, columns: Columns) -> Dataset:
    """Read the items of a task.

    Raises RunError unless exactly one of the task's views exchanges the two texts.
    """
    turning = _turning_view(task, columns)
    wanted = [task.id, task.answer.gold, *columns.texts, *columns.members, columns.pair]
    rows = release.rows(task.data, [*wanted, *task.score.columns()])
    labels = tuple(task.answer.labels)
    texts = sorted({text_of(row[column]) for row in rows for column in columns.texts})
    text_index = {text: index for index, text in enumerate(texts)}
    pairs: dict[str, int] = {}
    members: list[tuple[str, str]] = []
    for row in rows:
        if str(row[columns.pair]) not in pairs:
            pairs[str(row[columns.pair])] = len(pairs)
            members.append((str(row[columns.members[0]]), str(row[columns.members[1]])))
    gold = [_label(task, row[task.answer.gold]) for row in rows]
    return Dataset(
        task=task,
        turning=turning.name,
        labels=labels,
        ids=tuple(str(row[task.id]) for row in rows),
        facts=tuple(
            {name: cast("Scalar", row[name]) for name in task.score.columns()} for row in rows
        ),
        texts=tuple(texts),
        sides=np.array(
            [[text_index[text_of(row[name])] for name in columns.texts] for row in rows]
        ),
        gold=np.array([labels.index(label) for label in gold]),
        turned=np.array([labels.index(turning.labels.get(label, label)) for label in gold]),
        pairs=tuple(members),
        pair_of=np.array([pairs[str(row[columns.pair])] for row in rows]),
    )


def cross_validate(
    dataset: Dataset, vectors: Vectors, settings: Settings, advance: Advance | None = None
) -> list[list[Prediction]]:
    """The predictions of each repetition: one for every item and view, by a network of its fold.

    ``vectors`` has a row for each of ``dataset.texts``; ``advance`` is called after every fold that
    is done. Equal settings give equal predictions on the same machine.
    """
    repetitions: list[list[Prediction]] = []
    for repetition in range(settings.repetitions):
        generator = random.Random(_seed(settings.seed, "repetition", repetition))
        reversed_pairs = np.array([generator.random() < 0.5 for _ in dataset.pairs])
        predictions: list[Prediction] = []
        for number, fold in enumerate(folds(dataset.pairs, settings.folds, generator)):
            train = np.flatnonzero(np.isin(dataset.pair_of, fold.train))
            test = np.flatnonzero(np.isin(dataset.pair_of, fold.test))
            if not train.size:
                raise RunError(
                    "no pair is left to train on that shares no member with a pair of the test "
                    "fold; more pairs or more folds are needed"
                )
            network = _train(
                dataset,
                vectors,
                train,
                reversed_pairs[dataset.pair_of[train]],
                settings,
                _seed(settings.seed, "network", repetition, number),
            )
            predictions += _predict(dataset, vectors, test, network)
            if advance is not None:
                advance(1)
        repetitions.append(predictions)
    return repetitions


def f1_by_label(
    task: Task, repetitions: Sequence[Sequence[Prediction]]
) -> dict[str, tuple[float, float]]:
    """The F1 of each label that is ever right: mean and deviation (n - 1) over repetitions.

    Views combine as the task says. F1 is over all items at once; it counts a label that an item
    was given and should not have been, whatever that item's label.
    """
    scores: dict[str, list[float]] = {}
    for predictions in repetitions:
        table = confusion(task, combine(task, predictions))
        for label, row in table.items():
            right = sum(row.values())
            said = sum(other[label] for other in table.values())
            if right:
                scores.setdefault(label, []).append(2 * row[label] / (right + said))
    return {
        label: (
            statistics.fmean(values),
            statistics.stdev(values) if len(values) > 1 else 0.0,
        )
        for label, values in scores.items()
    }


def _turning_view(task: Task, columns: Columns) -> View:
    found = [view for view in task.views if _turns(view, columns)]
    if len(found) != 1:
        raise RunError(
            f"{task.name}: {len(found)} views exchange {columns.texts[0]} and {columns.texts[1]}; "
            "the bilinear classifier needs exactly one that does"
        )
    return found[0]


def _turns(view: View, columns: Columns) -> bool:
    return columns.texts in view.swap or columns.texts[::-1] in view.swap


def _label(task: Task, value: object) -> str:
    label = task.answer.label_of(cast("Scalar", value))
    if label is None:
        raise RunError(f"{task.name}: no label stands for the gold value {value!r}")
    return label


def _seed(seed: int, *purpose: str | int) -> int:
    """A seed for one purpose, independent of what was drawn before."""
    text = "\0".join(map(str, (seed, *purpose)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7])


@dataclass(frozen=True, slots=True)
class _Network:
    """The trained weights, and the mean and scale by which inputs are standardised."""

    left: torch.nn.Linear
    right: torch.nn.Linear
    both: torch.nn.Linear
    out: torch.nn.Linear
    mean: torch.Tensor
    scale: torch.Tensor

    def logits(self, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        """Scores (rows × labels) of pairs of vectors (rows × dimensions each)."""
        import torch

        x, y = (first - self.mean) / self.scale, (second - self.mean) / self.scale
        product = self.left(x) * self.right(y)
        hidden = torch.tanh(product + self.both(torch.cat([x, y], dim=1)))
        return cast("torch.Tensor", self.out(hidden))


def _train(
    dataset: Dataset,
    vectors: Vectors,
    rows: npt.NDArray[np.int64],
    reverse: npt.NDArray[np.bool_],
    settings: Settings,
    seed: int,
) -> _Network:
    import torch

    sides = np.where(reverse[:, None], dataset.sides[rows, ::-1], dataset.sides[rows])
    targets = np.where(reverse, dataset.turned[rows], dataset.gold[rows])
    counts = np.bincount(targets, minlength=len(dataset.labels))
    weights = np.divide(
        len(targets), counts * np.count_nonzero(counts), where=counts > 0, out=np.zeros(len(counts))
    )
    known = torch.from_numpy(vectors)
    seen = known[np.unique(sides)]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        size = vectors.shape[1]
        network = _Network(
            left=torch.nn.Linear(size, settings.hidden, bias=False),
            right=torch.nn.Linear(size, settings.hidden, bias=False),
            both=torch.nn.Linear(2 * size, settings.hidden),
            out=torch.nn.Linear(settings.hidden, len(dataset.labels)),
            # The vectors of one model often lie close together: centred and scaled, by what is
            # seen in training alone, they differ enough to be told apart in a few epochs.
            mean=seen.mean(dim=0),
            scale=seen.std(dim=0).clamp_min(1e-6),
        )
        parts = (network.left, network.right, network.both, network.out)
        optimiser = torch.optim.AdamW(
            [parameter for part in parts for parameter in part.parameters()],
            lr=settings.learning_rate,
        )
        loss = torch.nn.CrossEntropyLoss(weight=torch.tensor(weights, dtype=torch.float32))
        index, wanted = torch.from_numpy(sides), torch.from_numpy(targets)
        for _ in range(settings.epochs):
            order = torch.randperm(len(rows))
            for start in range(0, len(rows), settings.batch):
                batch = order[start : start + settings.batch]
                optimiser.zero_grad()
                pair = index[batch]
                logits = network.logits(known[pair[:, 0]], known[pair[:, 1]])
                loss(logits, wanted[batch]).backward()
                optimiser.step()
    return network


def _predict(
    dataset: Dataset, vectors: Vectors, rows: npt.NDArray[np.int64], network: _Network
) -> list[Prediction]:
    import torch

    known = torch.from_numpy(vectors)
    answers: list[list[int]] = []
    with torch.inference_mode():
        for order in (slice(None), slice(None, None, -1)):
            index = torch.from_numpy(dataset.sides[rows][:, order].copy())
            chosen: list[int] = []
            for start in range(0, len(rows), _ROWS_AT_ONCE):
                part = index[start : start + _ROWS_AT_ONCE]
                chosen += network.logits(known[part[:, 0]], known[part[:, 1]]).argmax(1).tolist()
            answers.append(chosen)
    predictions: list[Prediction] = []
    task = dataset.task
    for view in task.views:
        turns = view.name == dataset.turning
        right = (dataset.turned if turns else dataset.gold)[rows]
        for row, answer, gold in zip(rows, answers[turns], right, strict=True):
            predictions.append(
                Prediction(
                    id=dataset.ids[row],
                    view=view.name,
                    gold=dataset.labels[gold],
                    label=dataset.labels[answer],
                    outcome=Outcome.ANSWER,
                    facts=dataset.facts[row],
                )
            )
    return predictions
