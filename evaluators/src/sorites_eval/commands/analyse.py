"""Look at finished runs: ``compare``, ``report`` and ``results``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sorites_eval.commands.arguments import RunsArgument

__all__ = ["compare", "report", "results"]


def compare(
    runs: RunsArgument,
    out: Annotated[
        Path | None, typer.Option(help="Also write comparison.json and comparison.csv here.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
) -> None:
    """Compare finished runs: intervals, paired tests, trends, with effect sizes."""
    from rich.console import Console

    from sorites_eval.analysis import compare as compared
    from sorites_eval.commands.terminal import written
    from sorites_eval.reporting import tables
    from sorites_eval.reporting.compare import to_csv, to_json

    found = compared(runs, seed=seed)
    Console().print(tables.comparison(found))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / "comparison.json").write_text(to_json(found), encoding="utf-8")
        (out / "comparison.csv").write_text(to_csv(found), encoding="utf-8")
        written(out)


def report(
    runs: RunsArgument,
    out: Annotated[Path, typer.Option(help="Folder for index.html and the figures.")],
) -> None:
    """Write a page with tables, figures and every answer; it needs no network."""
    from sorites_eval.analysis import report as reported
    from sorites_eval.commands.terminal import written

    written(reported(runs, out))


def results(
    runs: RunsArgument,
    out: Annotated[Path, typer.Option(help="The file, for a model's repository on the Hub.")],
    dataset: Annotated[
        str | None, typer.Option(help="ORG/NAME of the data set, if runs read it from a folder.")
    ] = None,
) -> None:
    """Write scores for a model's page on the Hub and the data set's leaderboard."""
    from sorites_eval.commands.terminal import written
    from sorites_eval.reporting.hub_results import results_yaml
    from sorites_eval.running.finished import find_runs

    text = results_yaml(find_runs(runs), dataset)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    written(out)
