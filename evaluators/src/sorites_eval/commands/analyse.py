"""Look at finished runs: ``scores``, ``compare``, ``analyse``, ``report``, ``leaderboard``, …"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sorites_eval.commands.arguments import ByOption, MovedOption, RunsArgument, WhereOption

__all__ = ["analyse", "compare", "leaderboard", "report", "results", "scores"]


def scores(
    runs: RunsArgument,
    where: WhereOption = None,
    by: ByOption = None,
    release: MovedOption = None,
    out: Annotated[Path | None, typer.Option(help="Also write the scores to this CSV.")] = None,
) -> None:
    """Show the scores of finished runs, of some of their items or by any column."""
    from rich.console import Console

    from sorites_eval.analysis import select
    from sorites_eval.commands.terminal import written
    from sorites_eval.prompts.conditions import read_columns
    from sorites_eval.reporting import run_scores

    found = select(runs, where=where or (), by=by or (), release=release)
    Console().print(run_scores.shown(found, read_columns(by or ())))
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(run_scores.to_csv(found), encoding="utf-8")
        written(out)


def compare(
    runs: RunsArgument,
    where: WhereOption = None,
    by: ByOption = None,
    release: MovedOption = None,
    unit: Annotated[
        str | None,
        typer.Option(help="COLUMN,…: a test between runs pairs the groups of these columns."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="What is measured in each group. Default: accuracy.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Also write comparison.json and comparison.csv here.")
    ] = None,
) -> None:
    """Compare finished runs: intervals, paired tests, trends, with effect sizes."""
    from rich.console import Console

    from sorites_eval.analysis import select
    from sorites_eval.commands.terminal import written
    from sorites_eval.files import write_text
    from sorites_eval.prompts.conditions import read_columns
    from sorites_eval.reporting import tables
    from sorites_eval.reporting.compare import compare as compared
    from sorites_eval.reporting.compare import to_csv, to_json

    chosen = select(runs, where=where or (), by=by or (), release=release)
    columns = None if unit is None else read_columns([unit])[0]
    found = compared(chosen, unit=columns, metric=metric)
    Console().print(tables.comparison(found))
    if out is not None:
        write_text(out / "comparison.json", to_json(found))
        write_text(out / "comparison.csv", to_csv(found))
        written(out)


def analyse(
    runs: RunsArgument,
    out: Annotated[Path, typer.Option(help="Folder for tables and figures; index.md lists them.")],
    where: WhereOption = None,
    by: ByOption = None,
    release: MovedOption = None,
) -> None:
    """Write every table and figure that the release declares, such as those of a paper.

    RUN may also be a folder that train or bilinear wrote.
    """
    from rich.console import Console

    from sorites_eval.analysis import select
    from sorites_eval.commands.terminal import written
    from sorites_eval.prompts.conditions import read_columns
    from sorites_eval.reporting import tables
    from sorites_eval.reporting.analyses.analyse import (
        INDEX,
        analysed,
        find_evidence,
        write_analyses,
    )
    from sorites_eval.reporting.analyses.samples import Evidence

    evidence = find_evidence(runs)
    if where:
        evidence = Evidence(select(evidence.runs, where=where, release=release))
    found = analysed(evidence, release, read_columns(by or ()))
    write_analyses(found, out)
    Console().print(tables.analyses(found))
    written(out / INDEX)


def report(
    runs: RunsArgument,
    out: Annotated[Path, typer.Option(help="Folder for index.html, items and figures.")],
    where: WhereOption = None,
    by: ByOption = None,
    release: MovedOption = None,
) -> None:
    """Write a page with tables, figures and every answer; it needs no network."""
    from sorites_eval.analysis import select
    from sorites_eval.commands.terminal import written
    from sorites_eval.contract.release import open_release
    from sorites_eval.reporting.report import write_report

    opened = open_release(release) if release is not None else None
    chosen = select(runs, where=where or (), by=by or (), release=opened)
    written(write_report(chosen, out, opened))


def leaderboard(
    places: Annotated[
        list[str],
        typer.Argument(
            help="Folders of runs, folders with .eval_results, or ORG/NAME of models on the Hub.",
            metavar="PLACE...",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The page, such as leaderboard.html.")],
) -> None:
    """Write a page of scores by release and task, with intervals and how each was run."""
    from sorites_eval.commands.terminal import written
    from sorites_eval.reporting.leaderboard import entries, write_leaderboard

    written(write_leaderboard(entries(places), out))


def results(
    runs: RunsArgument,
    out: Annotated[
        Path | None, typer.Option(help="The file, for a model's repository on the Hub.")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(help="ORG/NAME of the data set, if runs read it from a folder.")
    ] = None,
    push: Annotated[
        str | None,
        typer.Option(
            help="ORG/NAME of the model on the Hub: commit the file there. Needs HF_TOKEN."
        ),
    ] = None,
) -> None:
    """Write scores for a model's page on the Hub and the data set's leaderboard."""
    from rich.console import Console

    from sorites_eval.commands.terminal import written
    from sorites_eval.errors import RunError
    from sorites_eval.files import write_text
    from sorites_eval.reporting.hub_results import push_results, results_yaml
    from sorites_eval.running.finished import find_runs

    if out is None and push is None:
        raise RunError("say where the scores go: --out FILE, --push ORG/NAME, or both.")
    found = find_runs(runs)
    text = results_yaml(found, dataset)
    if out is not None:
        write_text(out, text)
        written(out)
    if push is not None:
        Console(soft_wrap=True).print(f"Pushed to {push_results(found, push, dataset)}")
