"""A page about some runs that opens from disk: scores, figures, tests, and every answer to browse.

``index.html`` has everything but the items, which lie in ``items/`` beside it and are loaded as
they are asked for. Whatever comes from a release or a model is text on it and never markup.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from sorites_eval.contract.release import Release
from sorites_eval.errors import RunError
from sorites_eval.files import write_text
from sorites_eval.reporting.alarms import alarms
from sorites_eval.reporting.analyses.page import FOLDER, analyses_shown
from sorites_eval.reporting.compare import compare
from sorites_eval.reporting.item_files import write_items
from sorites_eval.reporting.page_tables import (
    comparison_tables,
    group_tables,
    overall_table,
    overview,
    percent,
    release_of,
)
from sorites_eval.running.finished import Run
from sorites_eval.running.run import sorites_version

__all__ = ["render", "write_report"]


def write_report(runs: Sequence[Run], out: Path, release: Release | None = None) -> Path:
    """Write ``index.html`` and, in folders beside it, what it shows; returns the page.

    ``release`` is where the release is now, if the runs no longer find it where it was; without
    it the page can show neither system texts and examples as they were nor the analyses that the
    release declares. Raises RunError if matplotlib is missing or the folder cannot be written.
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
    names = _names([key[1] for key in by_task])
    releases = dict.fromkeys(release_of(run) for run in runs)
    try:
        (out / "figures").mkdir(parents=True, exist_ok=True)
        _clear(out / "items")
        tasks: list[Mapping[str, object]] = []
        for name, several in zip(names, by_task.values(), strict=True):
            figures: list[Mapping[str, object]] = []
            for drawn in draw(several):
                if name != several[0].task.name:
                    drawn = replace(drawn, name=f"{name}-{drawn.name}")
                save(drawn, out / "figures")
                shown = {"words": drawn.words, "caption": drawn.caption}
                figures.append({**shown, "svg": Markup(svg(drawn))})  # noqa: S704
            items = write_items(several, out / "items", name, release)
            tasks.append(_task(several, name, figures, items, len(releases) > 1))
        _forget(out / FOLDER)
        page = out / "index.html"
        models = _counted(len({run.model for run in runs}), "model")
        text = render(
            "report.html",
            title="Evaluation of " + ", ".join(releases),
            subtitle=f"{_counted(len(runs), 'run')} of {models}",
            overview=overview(runs),
            alarms=[(run, alarm) for run in runs for alarm in alarms(run) if alarm.loud],
            tasks=tasks,
            analyses=analyses_shown(runs, out, release),
            count=_counted(len(runs), "run"),
        )
        write_text(page, text)
    except OSError as error:
        raise RunError(f"{out}: cannot be written: {error.strerror or error}.") from error
    return page


def render(template: str, **values: object) -> str:
    """A page of this package, with its style, its script, and a policy that allows no other."""
    folder = files("sorites_eval.reporting").joinpath("page")
    sources = {
        entry.name: entry.read_text("utf-8") for entry in folder.iterdir() if entry.is_file()
    }
    environment = Environment(
        loader=DictLoader(sources),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    scripts = [sources["tables.js"]] + [sources["report.js"]] * (template == "report.html")
    script = "\n".join(scripts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template(template).render(
        **values,
        style=Markup(sources["report.css"]),  # noqa: S704
        script=Markup(script),  # noqa: S704
        script_hash=digest,
        version=sorites_version(),
    )


def _names(tasks: Sequence[str]) -> list[str]:
    """A name for each task in addresses and of its folder: its own, numbered where it is not alone.

    Tasks of several releases may have the same name.
    """
    names: list[str] = []
    for task in tasks:
        plain = re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-") or "task"
        name, number = plain, 1
        while name in names:
            number += 1
            name = f"{plain}-{number}"
        names.append(name)
    return names


def _clear(folder: Path) -> None:
    """No file of an earlier report may stay beside those of this one."""
    _forget(folder)
    folder.mkdir(parents=True)


def _forget(folder: Path) -> None:
    if folder.is_dir():
        shutil.rmtree(folder)


def _task(
    runs: Sequence[Run], name: str, figures: Sequence[object], items: int, several: bool
) -> Mapping[str, object]:
    task = runs[0].task
    title = f"{task.title} ({task.name})" if task.title != task.name else task.name
    found = compare(runs)
    return {
        "id": name,
        "title": title,
        "release": release_of(runs[0]) if several else "",
        "description": task.description,
        "figures": figures,
        "overall": overall_table(runs),
        "tables": list(group_tables(runs)),
        "comparisons": list(comparison_tables(found)),
        "asked": items,
    }


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
