"""One page about some runs that opens anywhere: scores, figures, and every answer to browse.

The page is a single file without any address outside it. Whatever comes from a release or a
model is text on it and never markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from sorites_eval.contract.metrics import METRICS
from sorites_eval.errors import RunError
from sorites_eval.files import write_text
from sorites_eval.running.finished import Run
from sorites_eval.running.run import sorites_version
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.outcomes import count_outcomes, warn_of

__all__ = ["MOST_ITEMS", "write_report"]

MOST_ITEMS = 2_000
"""Items of one run that the page holds; a larger run shows an even sample of them."""


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    number: float | None = None
    right: bool = False


@dataclass(frozen=True, slots=True)
class _Heading:
    text: str
    number: bool


@dataclass(frozen=True, slots=True)
class _Table:
    caption: str
    headings: Sequence[_Heading]
    rows: Sequence[Sequence[_Cell]]


def write_report(runs: Sequence[Run], out: Path) -> Path:
    """Write ``index.html`` and ``figures/*.png`` and ``.pdf`` into a folder; returns the page.

    Raises RunError if matplotlib is missing or the folder cannot be written.
    """
    try:
        from sorites_eval.reporting.drawing import save, svg
        from sorites_eval.reporting.figures import draw
    except ModuleNotFoundError as error:
        raise RunError(
            f"a report needs {error.name} for its figures: pip install 'sorites-eval[figures]'."
        ) from error
    by_task: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        by_task.setdefault((run.content, run.task.name), []).append(run)
    try:
        (out / "figures").mkdir(parents=True, exist_ok=True)
        tasks: list[Mapping[str, object]] = []
        for number, several in enumerate(by_task.values(), 1):
            figures: list[Mapping[str, object]] = []
            for drawn in draw(several):
                save(drawn, out / "figures")
                shown = {"words": drawn.words, "caption": drawn.caption}
                figures.append({**shown, "svg": Markup(svg(drawn))})  # noqa: S704
            tasks.append(_task(several, f"task-{number}", figures))
        page = out / "index.html"
        write_text(page, _page(runs, tasks))
    except OSError as error:
        raise RunError(f"{out}: cannot be written: {error.strerror or error}.") from error
    return page


def _page(runs: Sequence[Run], tasks: Sequence[Mapping[str, object]]) -> str:
    sources = {
        name: files("sorites_eval.reporting").joinpath("page", name).read_text("utf-8")
        for name in _FILES
    }
    environment = Environment(
        loader=DictLoader(sources), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    table = environment.get_template("table.html")
    releases = dict.fromkeys(_release(run) for run in runs)
    shown = min(MOST_ITEMS, max(len(run.rows) for run in runs))
    asked = max(len(run.rows) for run in runs)
    note = f"{shown:,} of {asked:,} in an even sample." if asked > shown else "All of them."
    return environment.get_template("report.html").render(
        title="Evaluation of " + ", ".join(releases),
        subtitle=_counted(len(runs), "run")
        + " of "
        + _counted(len({r.model for r in runs}), "model"),
        style=Markup(sources["report.css"]),  # noqa: S704
        script=Markup(sources["report.js"]),  # noqa: S704
        macros_table=lambda entry: Markup(table.render(table=entry)),  # noqa: S704
        summary=_summary(runs),
        legend="Click a heading to sort.",
        warnings=[f"{run.name}: {warning}" for run in runs for warning in _warnings(run)],
        outcomes=[str(outcome) for outcome in Outcome],
        tasks=tasks,
        items_note=note,
        data=Markup(_data(runs)),  # noqa: S704
        version=sorites_version(),
        count=len(runs),
    )


_FILES = ("report.html", "table.html", "report.css", "report.js")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _release(run: Run) -> str:
    release = run.about["release"]
    return f"{release['name']} {release['version']}" if isinstance(release, dict) else ""


def _task(runs: Sequence[Run], identity: str, figures: Sequence[object]) -> Mapping[str, object]:
    task = runs[0].task
    return {
        "id": identity,
        "title": f"{task.title} ({task.name})" if task.title != task.name else task.name,
        "description": task.description,
        "figures": figures,
        "tables": list(_group_tables(runs)),
    }


def _summary(runs: Sequence[Run]) -> _Table:
    overall = [run.scores.overall for run in runs]
    metrics = _in_order(metric for scores in overall for metric in scores)
    headings = [_Heading(text, False) for text in ("model", "task", "setting", "release")]
    headings += [_Heading(metric, True) for metric in metrics]
    rows = [
        [_Cell(run.model), _Cell(run.task.name), _Cell(run.setting), _Cell(_release(run))]
        + [_number(scores.get(metric)) for metric in metrics]
        for run, scores in zip(runs, overall, strict=True)
    ]
    return _Table("Overall scores of every run", headings, rows)


def _group_tables(runs: Sequence[Run]) -> Iterable[_Table]:
    for columns in runs[0].task.score.groups:
        headings = [_Heading("run", False)] + [_Heading(column, False) for column in columns]
        rows: list[list[_Cell]] = []
        metrics: list[str] = []
        for run in runs:
            for group in (group for group in run.scores.groups if group.by == columns):
                metrics = metrics or _in_order(group.measures)
                values = [_value(group.values[column]) for column in columns]
                measures = [_number(group.measures.get(metric)) for metric in metrics]
                rows.append([_Cell(f"{run.model} · {run.setting}"), *values, *measures])
        headings += [_Heading(metric, True) for metric in metrics]
        yield _Table(f"By {' and '.join(columns)}", headings, rows)


def _in_order(metrics: Iterable[str]) -> list[str]:
    """Metrics in the order of their definition, details such as counts after them."""
    order = {metric: number for number, metric in enumerate(("n", *METRICS))}
    return sorted(dict.fromkeys(metrics), key=lambda metric: order.get(metric, len(order)))


def _value(value: object) -> _Cell:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _Cell("–" if value is None else str(value), float(str(value)) if is_number else None)


def _number(value: object) -> _Cell:
    if not isinstance(value, int | float):
        return _Cell("–", right=True)
    text = f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
    return _Cell(text, float(value), right=True)


def _data(runs: Sequence[Run]) -> str:
    text = json.dumps([_items(run) for run in runs], ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _warnings(run: Run) -> list[str]:
    """What the run warned of; of the runs of version 0.2, what can be told from their rows."""
    return warn_of(count_outcomes(Outcome(str(row["outcome"])) for row in run.rows))


def _items(run: Run) -> dict[str, object]:
    step = max(1.0, len(run.rows) / MOST_ITEMS)
    chosen = [run.rows[int(n * step)] for n in range(min(len(run.rows), MOST_ITEMS))]
    return {"name": run.name, "items": [_item(run, row) for row in chosen]}


def _item(run: Run, row: Mapping[str, object]) -> dict[str, object]:
    marker = run.task.answer.selection.marker if run.task.answer.selection else ""
    right = row["answer"] == row["gold"]
    if marker:
        right = right and row["selection"] == row["gold_selection"]
    identity = f"{row['id']} · {row['view']}" if len(run.task.views) > 1 else row["id"]
    return {
        "id": identity,
        "question": row["question"],
        "text": row["text"],
        "outcome": str(Outcome(str(row["outcome"]))),
        "read": _said(row["answer"], row["selection"], marker),
        "gold": _said(row["gold"], row["gold_selection"], marker),
        "right": right,
    }


def _said(label: object, selection: object, marker: str) -> str:
    if label is None:
        return "no answer"
    if not marker:
        return str(label)
    if not isinstance(selection, list):
        return f"{label}, selection unclear"
    return ", ".join([str(label), *(f"{marker}{number}" for number in selection)])
