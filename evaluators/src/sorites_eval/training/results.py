"""Results of training, for people and for programs: Markdown, JSON and a plot of a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from sorites_eval.errors import ModelError
from sorites_eval.files import write_json, write_text, write_whole
from sorites_eval.training.differences import Differences, differences_json
from sorites_eval.training.fine_tuning import Figure, Group, Summary
from sorites_eval.training.growth import Growth

__all__ = [
    "growth_table",
    "growth_tables",
    "plot",
    "summary_json",
    "summary_table",
    "write_growths",
    "write_summary",
]


def summary_table(
    summaries: Sequence[Summary], by: tuple[str, ...], main: Differences | None = None
) -> str:
    """A Markdown table with a row for each group of ``by`` and a column for each summary.

    Cells are percentages, mean ± standard deviation over the runs. The last rows are the
    accuracy on all rows and the accuracy of validation. ``main`` adds a column behind the first
    summary: its difference from a main training, in percentage points.
    """
    columns: list[tuple[str, dict[str, str]]] = []
    for summary in summaries:
        cells = {_group_name(group): _shown(group.accuracy) for group in summary.groups.get(by, ())}
        cells |= {"all": _shown(summary.accuracy), "validation": _shown(summary.validation)}
        head = " · ".join(filter(None, (summary.model, summary.training_set)))
        columns.append((head, cells))
    if main is not None:
        cells = {_group_name(group): _signed(points) for group, points in main.groups}
        columns.insert(1, (f"Δ {main.main}", {**cells, "all": _signed(main.accuracy)}))
    names = dict.fromkeys(name for _, cells in columns for name in cells)
    ordered = [*(n for n in names if n not in ("all", "validation")), "all", "validation"]
    rows = [[name, *(cells.get(name, "–") for _, cells in columns)] for name in ordered]
    return _table([" / ".join(by), *(head for head, _ in columns)], rows)


def growth_table(growth: Growth, by: tuple[str, ...]) -> str:
    """A Markdown table with a row for each step of a curve and a column for each group."""
    names = _group_names(growth, by)
    rows = []
    for point in growth.points:
        cells = {_group_name(g): _shown(g.accuracy) for g in point.summary.groups.get(by, ())}
        rows.append(
            [
                str(point.step),
                f"{point.rows_added:,}",
                f"{point.summary.trained_on:,}",
                *(cells.get(name, "–") for name in names),
                _shown(point.summary.accuracy),
            ]
        )
    return _table(["step", "added", "rows", *names, "all"], rows)


def summary_json(summary: Summary) -> dict[str, object]:
    """A summary as JSON; groups are a list, since JSON's keys are single texts."""
    return {
        "model": summary.model,
        "training_set": summary.training_set,
        "trained_on": summary.trained_on,
        "tested_on": summary.tested_on,
        "accuracy": asdict(summary.accuracy),
        "validation": None if summary.validation is None else asdict(summary.validation),
        "groups": [
            {"by": list(by), "rows": [asdict(group) for group in groups]}
            for by, groups in summary.groups.items()
        ],
        "scores": list(summary.scores),
    }


def write_summary(
    summaries: Sequence[Summary],
    by: tuple[str, ...],
    folder: Path,
    main: Differences | None = None,
) -> None:
    """Write ``training.md`` and ``training.json`` to a folder, which is made."""
    documents = [summary_json(summary) for summary in summaries]
    if main is not None:
        documents[0]["differences"] = differences_json(main)
    write_text(folder / "training.md", summary_table(summaries, by, main) + "\n")
    write_json(folder / "training.json", documents)


def growth_tables(growths: Sequence[Growth], by: tuple[str, ...]) -> str:
    """The table of each curve, in Markdown, below its title."""
    return "\n\n".join(f"{g.curve.title}\n\n{growth_table(g, by)}" for g in growths)


def write_growths(growths: Sequence[Growth], by: tuple[str, ...], folder: Path) -> None:
    """Write ``curve.md``, ``curve.json`` and ``curve.svg`` to a folder, which is made.

    Raises ModelError where matplotlib is not installed; the other two are written then.
    """
    write_text(folder / "curve.md", growth_tables(growths, by) + "\n")
    documents = [
        {
            "name": growth.name,
            "title": growth.curve.title,
            "held_out": growth.curve.held_out,
            "points": [
                {
                    "step": point.step,
                    "rows_added": point.rows_added,
                    "added": point.added,
                    **summary_json(point.summary),
                }
                for point in growth.points
            ],
        }
        for growth in growths
    ]
    write_json(folder / "curve.json", documents)
    plot(growths, by, folder / "curve.svg")


def plot(growths: Sequence[Growth], by: tuple[str, ...], path: Path) -> None:
    """Draw the accuracy of each group over the steps, the curves side by side.

    The format is that of the file's name. A bar is one standard deviation to either side. Raises
    ModelError where matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure as Drawing
    except ImportError as error:
        raise ModelError("a plot needs matplotlib: pip install 'sorites-eval[figures]'") from error
    drawing = Drawing(figsize=(6.4 * len(growths), 4.0), layout="constrained")
    panels = drawing.subplots(1, len(growths), sharey=True, squeeze=False)[0]
    for axes, growth in zip(panels, growths, strict=True):
        for name in _group_names(growth, by):
            found = [
                (point.step, group.accuracy)
                for point in growth.points
                for group in point.summary.groups.get(by, ())
                if _group_name(group) == name
            ]
            axes.errorbar(
                [step for step, _ in found],
                [100 * figure.mean for _, figure in found],
                yerr=[100 * (figure.deviation or 0) for _, figure in found],
                marker="o",
                capsize=2,
                label=name,
            )
        axes.set_xlabel("steps added")
        axes.set_ylim(-2, 102)
        axes.set_title(growth.curve.title)
    panels[0].set_ylabel("accuracy (%)")
    panels[-1].legend(title=" / ".join(by))
    # No date and a fixed salt, so that the same curve gives the same file.
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "sorites"}):
        kind = path.suffix.lstrip(".")
        write = partial(
            drawing.savefig, format=kind, metadata={"Date": None} if kind == "svg" else None
        )
        write_whole(path, write)


def _group_names(growth: Growth, by: tuple[str, ...]) -> list[str]:
    groups = (g for point in growth.points for g in point.summary.groups.get(by, ()))
    return list(dict.fromkeys(_group_name(group) for group in groups))


def _group_name(group: Group) -> str:
    return " / ".join("–" if value is None else str(value) for value in group.values.values())


def _shown(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    mean = f"{100 * figure.mean:.1f}"
    return mean if figure.deviation is None else f"{mean} ± {100 * figure.deviation:.1f}"


def _signed(difference: float) -> str:
    """A difference in percentage points, with its sign: -0.04 is +0.0 as 0.04 is."""
    points = f"{100 * difference:+.1f}"
    return "+0.0" if points == "-0.0" else points.replace("-", "−")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
