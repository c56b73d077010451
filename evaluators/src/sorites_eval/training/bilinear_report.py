"""Results of the bilinear classifier: F1 by label, over all items and by group."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import RunError
from sorites_eval.files import write_json, write_text
from sorites_eval.scoring.metrics import Prediction, combine
from sorites_eval.training.bilinear import (
    Columns,
    Settings,
    cross_validate,
    f1_by_label,
    read_dataset,
)
from sorites_eval.training.embeddings import embed

__all__ = ["BilinearScores", "GroupScores", "bilinear_table", "run_bilinear", "summarise_bilinear"]


@dataclass(frozen=True, slots=True)
class GroupScores:
    """F1 of each label in one group: (mean, standard deviation) over the repetitions."""

    values: dict[str, Scalar]
    f1: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class BilinearScores:
    """F1 by label over all items and by group, and the share of items whose views disagree.

    Labels are named by the values that they stand for. ``groups`` has a list for each of the
    task's groupings, by the columns joined with ``/``.
    """

    f1: dict[str, tuple[float, float]]
    macro_f1: float
    unmatched: float
    groups: dict[str, list[GroupScores]]


def run_bilinear(
    release: Release,
    task: Task,
    *,
    embeddings: str,
    prefix: str,
    texts: tuple[str, str],
    members: tuple[str, str],
    settings: Settings,
    out: Path,
    advance: Callable[[int], None] | None = None,
) -> BilinearScores:
    """Embed the texts of a task, cross-validate, and write OUT/bilinear.json and .md.

    ``texts`` and ``members`` are the columns of the two texts and of the ids of what they
    describe; the task's ``clusters`` column identifies pairs. ``advance`` is called after each of
    ``settings.repetitions * settings.folds`` folds.

    Raises RunError for a task without clusters, and what embedding and training raise.
    """
    if task.score.clusters is None:
        raise RunError(f"{task.name}: names no `clusters`, the column that tells pairs apart")
    dataset = read_dataset(release, task, Columns(texts, members, task.score.clusters))
    vectors = embed(dataset.texts, embeddings, prefix=prefix)
    repetitions = cross_validate(dataset, vectors, settings, advance)
    scores = summarise_bilinear(task, repetitions)
    document = {
        "release": {"name": release.name, "version": release.version, "content": release.content},
        "task": task.name,
        "embeddings": {"model": embeddings, "prefix": prefix, "dimensions": vectors.shape[1]},
        "settings": asdict(settings),
        "scores": asdict(scores),
    }
    write_json(out / "bilinear.json", document)
    write_text(out / "bilinear.md", bilinear_table(scores) + "\n")
    return scores


def summarise_bilinear(task: Task, repetitions: Sequence[Sequence[Prediction]]) -> BilinearScores:
    """The scores of the predictions of several repetitions."""
    combined = [combine(task, predictions) for predictions in repetitions]
    f1 = _named(task, f1_by_label(task, repetitions))
    return BilinearScores(
        f1=f1,
        macro_f1=statistics.fmean(mean for mean, _ in f1.values()),
        unmatched=statistics.fmean(
            sum(item.unmatched for item in items) / len(items) for items in combined
        ),
        groups={
            "/".join(columns): _by(task, repetitions, columns) for columns in task.score.groups
        },
    )


def bilinear_table(scores: BilinearScores) -> str:
    """A Markdown table: a row for all items and each group, a column for each label, in percent."""
    labels = list(scores.f1)
    lines = ["| items | " + " | ".join(f"F1 {label}" for label in labels) + " |"]
    lines.append("|---" + "|--:" * len(labels) + "|")
    lines.append(_line("all", scores.f1, labels))
    for groups in scores.groups.values():
        lines += [
            _line(", ".join(str(value) for value in group.values.values()), group.f1, labels)
            for group in groups
        ]
    return "\n".join(lines)


def _by(
    task: Task, repetitions: Sequence[Sequence[Prediction]], columns: tuple[str, ...]
) -> list[GroupScores]:
    keys = dict.fromkeys(tuple(each.facts[column] for column in columns) for each in repetitions[0])
    found = []
    for key in keys:
        chosen = [
            [each for each in predictions if tuple(each.facts[c] for c in columns) == key]
            for predictions in repetitions
        ]
        scores = _named(task, f1_by_label(task, chosen))
        found.append(GroupScores(dict(zip(columns, key, strict=True)), scores))
    return found


def _named(task: Task, scores: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    return {str(task.answer.labels[text]): values for text, values in scores.items()}


def _line(name: str, f1: dict[str, tuple[float, float]], labels: Sequence[str]) -> str:
    cells = [
        f"{100 * f1[label][0]:.1f} ± {100 * f1[label][1]:.1f}" if label in f1 else "–"
        for label in labels
    ]
    return f"| {name.replace('|', '/')} | " + " | ".join(cells) + " |"
