"""The papers' figures, drawn from runs.

Each comes with a caption and the words that a screen reader says in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sorites_eval.contract.tasks import Scalar
from sorites_eval.reporting.drawing import COLOURS, INK, Drawn, canvas, heat_map, legend, styled
from sorites_eval.running.finished import Run
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.intervals import share_interval
from sorites_eval.scoring.metrics import NO_ANSWER, UNMATCHED, Prediction, confusion, measure
from sorites_eval.scoring.prediction import cluster_of, is_right

__all__ = ["draw"]

_OUTCOME_COLOURS = (*COLOURS[2::-1], *COLOURS[3:6])
MOST_ROWS = 40
MOST_RUNS = 7


def draw(runs: Sequence[Run]) -> Iterator[Drawn]:
    """Every figure that runs of one task allow, of the first seven runs."""
    chosen = runs[:MOST_RUNS]
    with styled():
        yield _responses(chosen)
        for columns in chosen[0].task.score.groups:
            values = {tuple(p.facts[c] for c in columns) for p in chosen[0].predictions}
            numeric = all(_is_number(value[-1]) for value in values)
            if len(columns) == 1 and numeric and len(values) > 2:
                yield _trend(chosen, columns[0])
            elif len(columns) == 1 and len(values) <= MOST_ROWS:
                yield _bars(chosen, columns[0])
            elif len(columns) == 2:
                yield from (_map(run, columns) for run in chosen)
        yield from (_confusion(run) for run in chosen)


def _responses(runs: Sequence[Run]) -> Drawn:
    names = [_label(run, runs) for run in runs]
    figure, axes = canvas(7, 0.9 + 0.42 * len(runs))
    left = np.zeros(len(runs))
    colours = dict(zip(Outcome, _OUTCOME_COLOURS, strict=True))
    occurring = {p.outcome for run in runs for p in run.predictions}
    words: list[str] = []
    for kind in (kind for kind in Outcome if kind in occurring):
        title, colour = str(kind), colours[kind]
        shares = np.array([_share(run.predictions, kind) for run in runs])
        axes.barh(names, 100 * shares, left=100 * left, color=colour, label=title, height=0.6)
        left += shares
        words += [f"{n}: {s:.0%} {title}" for n, s in zip(names, shares, strict=True)]
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of items, %")
    axes.invert_yaxis()
    legend(axes, 3)
    return _drawn(runs, "responses", "Kinds of replies", words, figure)


def _bars(runs: Sequence[Run], column: str) -> Drawn:
    values = _values(runs, column)
    figure, axes = canvas(7, 0.9 + (0.16 * len(runs) + 0.12) * len(values))
    height = 0.8 / len(runs)
    words: list[str] = []
    for number, run in enumerate(runs):
        cells = _cells(run, column)
        found = [_interval(run, cells.get(value, [])) for value in values]
        places = np.arange(len(values)) + (number - (len(runs) - 1) / 2) * height
        means = [mean for mean, _, _ in found]
        errors = np.array([[m - low, high - m] for m, low, high in found]).T
        axes.barh(
            places,
            means,
            height * 0.9,
            xerr=np.nan_to_num(errors).clip(0),
            color=COLOURS[number % len(COLOURS)],
            ecolor=INK,
            error_kw={"elinewidth": 0.7},
            label=_label(run, runs),
        )
        words += [
            f"{_label(run, runs)}, {value}: {mean:.2f}"
            for value, mean in zip(values, means, strict=True)
        ]
    axes.set_yticks(np.arange(len(values)), [_text(value) for value in values])
    axes.set_xlim(0, 1)
    axes.set_xlabel(_measure_name(runs[0]))
    axes.invert_yaxis()
    legend(axes, 2)
    title = f"{_measure_name(runs[0])} by {column}, with 95 % intervals"
    return _drawn(runs, f"by-{column}", title, words, figure)


def _trend(runs: Sequence[Run], column: str) -> Drawn:
    figure, axes = canvas(6, 3.6)
    words: list[str] = []
    for number, run in enumerate(runs):
        cells = _cells(run, column)
        levels = sorted(value for value in cells if isinstance(value, int | float))
        found = [_interval(run, cells[level]) for level in levels]
        means = [mean for mean, _, _ in found]
        colour = COLOURS[number % len(COLOURS)]
        marker = "osD^vP*"[number % 7]
        axes.plot(levels, means, marker=marker, color=colour, label=_label(run, runs))
        low, high = [b for _, b, _ in found], [b for _, _, b in found]
        axes.fill_between(levels, low, high, color=colour, alpha=0.15, linewidth=0)
        series = ", ".join(f"{level}: {m:.2f}" for level, m in zip(levels, means, strict=True))
        words.append(f"{_label(run, runs)}: {series}")
    axes.set_ylim(0, 1)
    axes.set_xlabel(column)
    axes.set_ylabel(_measure_name(runs[0]))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    legend(axes, 2)
    title = f"{_measure_name(runs[0])} over {column}, with 95 % intervals"
    return _drawn(runs, f"over-{column}", title, words, figure)


def _map(run: Run, columns: Sequence[str]) -> Drawn:
    rows, across = (_values([run], column) for column in columns)
    metric = "macro-f1" if "macro-f1" in run.task.score.metrics else ""
    grid = np.full((len(rows), len(across)), np.nan)
    cells: dict[tuple[Scalar, ...], list[Prediction]] = {}
    for prediction in run.predictions:
        cells.setdefault(tuple(prediction.facts[c] for c in columns), []).append(prediction)
    for (row, column), predictions in cells.items():
        value = measure(run.task, predictions)[metric] if metric else _mean(predictions)
        grid[rows.index(row), across.index(column)] = np.nan if value is None else value
    name = metric or _measure_name(run)
    title = f"{run.model}, {run.setting}: {name} by {columns[0]} and {columns[1]}"
    figure = heat_map(grid, [_text(r) for r in rows], [_text(c) for c in across], columns, "{:.2f}")
    words = [
        f"{rows[r]}, {across[c]}: {grid[r, c]:.2f}"
        for r in range(len(rows))
        for c in range(len(across))
        if not np.isnan(grid[r, c])
    ]
    return _drawn([run], "map-" + "-".join(columns), title, words, figure)


def _confusion(run: Run) -> Drawn:
    table = confusion(run.task, run.predictions)
    gold = [label for label in table if sum(table[label].values())]
    said = list(next(iter(table.values())))
    said = [s for s in said if s not in {NO_ANSWER, UNMATCHED} or any(table[g][s] for g in gold)]
    counts = np.array([[table[g][s] for s in said] for g in gold], dtype=float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    figure = heat_map(shares, gold, said, ("gold", "answer"), "{:.0%}")
    words = [
        f"gold {g}, answer {s}: {int(counts[r, c])}"
        for r, g in enumerate(gold)
        for c, s in enumerate(said)
    ]
    title = f"{run.model}, {run.setting}: answers by gold label"
    return _drawn([run], "confusion", title, words, figure)


def _drawn(
    runs: Sequence[Run], kind: str, title: str, words: Sequence[str], figure: Figure
) -> Drawn:
    owner = f"-{runs[0].model}-{runs[0].setting}" if len(runs) == 1 else ""
    name = re.sub(r"[^a-z0-9]+", "-", f"{runs[0].task.name}-{kind}{owner}".lower()).strip("-")
    title = title if len(runs) == 1 else title[0].upper() + title[1:]
    return Drawn(name, title, f"{title}. " + "; ".join(words) + ".", figure)


def _label(run: Run, runs: Sequence[Run]) -> str:
    models, settings = {r.model for r in runs}, {r.setting for r in runs}
    if len(settings) == 1:
        return run.model
    return run.setting if len(models) == 1 else f"{run.model} · {run.setting}"


def _measure_name(run: Run) -> str:
    return "reasoning accuracy" if run.task.answer.selection else "accuracy"


def _values(runs: Sequence[Run], column: str) -> list[Scalar]:
    found = {p.facts[column] for run in runs for p in run.predictions}
    return sorted(
        found,
        key=lambda value: (not _is_number(value), value if _is_number(value) else 0, str(value)),
    )


def _cells(run: Run, column: str) -> Mapping[Scalar, list[Prediction]]:
    cells: dict[Scalar, list[Prediction]] = {}
    for prediction in run.predictions:
        cells.setdefault(prediction.facts[column], []).append(prediction)
    return cells


def _interval(run: Run, predictions: Sequence[Prediction]) -> tuple[float, float, float]:
    if not predictions:
        return (np.nan,) * 3
    clusters = [cluster_of(run.task.score, p) for p in predictions]
    found = share_interval([float(is_right(p)) for p in predictions], clusters)
    return found.estimate, found.low, found.high


def _mean(predictions: Sequence[Prediction]) -> float:
    return sum(map(is_right, predictions)) / len(predictions)


def _share(predictions: Sequence[Prediction], kind: Outcome) -> float:
    return sum(p.outcome is kind for p in predictions) / len(predictions)


def _text(value: Scalar) -> str:
    return "none" if value is None else str(value)


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
