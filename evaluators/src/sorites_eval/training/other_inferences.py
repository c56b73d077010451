"""Another data set of inferences, such as MultiNLI, to train on alone or beside a release's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from sorites_eval.contract.tasks import Task
from sorites_eval.errors import RunError
from sorites_eval.training.examples import Example

__all__ = ["read_inferences"]

_COLUMNS = (("premise", "hypothesis", "label"), ("sentence1", "sentence2", "gold_label"))
_ENTAILED = frozenset(("entailment", "0", "yes"))
_NOT = frozenset(("neutral", "contradiction", "1", "2", "no", "unk"))
_UNLABELLED = frozenset(("-", "-1", ""))
_MAX_LINE = 100_000


def read_inferences(where: str, task: Task, *, limit: int | None = None) -> tuple[Example, ...]:
    """The first ``limit`` labelled inferences of a file or of a data set on the Hub.

    ``where`` is a ``.tsv`` or ``.jsonl`` file with the columns premise, hypothesis and label, or
    sentence1, sentence2 and gold_label, or ``ORG/NAME`` on the Hub, of which the split ``train``
    is read. Entailment becomes the task's positive label, anything else the other; rows without
    a label are passed over.

    Raises RunError for a task that has not two labels and a positive one, a file or a data set
    that cannot be read, columns of other names, and an unknown label.
    """
    labels = list(task.answer.labels)
    if len(labels) != 2 or task.score.positive not in labels:
        raise RunError(f"{task.name} has not two labels, one of them positive, to mix with")
    positive = labels.index(task.score.positive)
    rows = _file(Path(where)) if where.endswith((".tsv", ".jsonl")) else _hub(where)
    examples = _examples(rows, where, positive)
    return tuple(islice(examples, limit))


def _examples(rows: Iterable[Mapping[str, object]], where: str, positive: int) -> Iterator[Example]:
    for number, row in enumerate(rows, 1):
        columns = next((names for names in _COLUMNS if all(name in row for name in names)), None)
        if columns is None:
            raise RunError(f"{where}: row {number}: no columns {' or '.join(map(str, _COLUMNS))}")
        premise, hypothesis, label = (str(row[name]).strip() for name in columns)
        if label in _UNLABELLED:
            continue
        if label not in _ENTAILED and label not in _NOT:
            raise RunError(f"{where}: row {number}: unknown label '{label[:100]}'")
        index = positive if label in _ENTAILED else 1 - positive
        yield Example(f"{where}:{number}", (premise, hypothesis), index)


def _file(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        with path.open(encoding="utf-8") as lines:
            if path.suffix == ".tsv":
                header = lines.readline(_MAX_LINE).rstrip("\r\n").split("\t")
                for line in lines:
                    cells = line.rstrip("\r\n").split("\t")
                    yield dict(zip(header, cells, strict=False))
                return
            for number, line in enumerate(lines, 1):
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise RunError(f"{path}:{number}: not an object")
                yield row
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise RunError(f"{path}: cannot be read: {error}") from None


def _hub(name: str) -> Iterator[Mapping[str, object]]:
    from datasets import load_dataset
    from datasets.exceptions import DatasetNotFoundError

    try:
        yield from load_dataset(name, split="train", streaming=True)
    except (DatasetNotFoundError, OSError, ValueError) as error:
        raise RunError(f"{name}: cannot be read from the Hub: {error}") from None
