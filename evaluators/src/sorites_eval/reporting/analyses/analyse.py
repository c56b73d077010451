"""Every analysis that a release declares, computed from runs, and written to a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.analyses.table import Table
from sorites_eval.contract.release import Release, open_release
from sorites_eval.errors import InvalidRelease, RunError
from sorites_eval.files import write_text
from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.kinds import COMPUTATIONS
from sorites_eval.reporting.analyses.samples import Evidence, with_columns
from sorites_eval.reporting.analyses.trained import (
    BILINEAR_FILE,
    RUNS_FILE,
    Trained,
    read_trained,
)
from sorites_eval.reporting.analyses.written import to_csv, to_latex, to_markdown
from sorites_eval.running.finished import Run, find_runs

__all__ = ["INDEX", "Analysed", "Figure", "Written", "analysed", "find_evidence", "write_analyses"]

IMAGES = ("svg", "png")
INDEX = "index.md"


@dataclass(frozen=True, slots=True)
class Analysed:
    """An analysis with its tables, and the evidence of which they were made.

    ``release`` names the release and its version.
    """

    release: str
    analysis: Analysis
    found: tuple[Found, ...]
    evidence: Evidence

    @property
    def is_empty(self) -> bool:
        """Whether no run fits the analysis."""
        return not any(found.lines for found in self.found)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that was written: its SVG, its caption, and what it shows in words."""

    path: Path
    caption: str
    words: str


@dataclass(frozen=True, slots=True)
class Written:
    """An analysis with every file that it was written to; none where no run fits it."""

    analysed: Analysed
    files: tuple[Path, ...] = ()
    figures: tuple[Figure, ...] = ()


def find_evidence(places: Iterable[Run | str | Path]) -> Evidence:
    """Every finished run and every result of training in or under some folders.

    Raises RunError for a place that has neither.
    """
    runs: list[Run | str | Path] = []
    trained: list[Trained] = []
    for place in places:
        if isinstance(place, Run):
            runs.append(place)
            continue
        found = read_trained(Path(place))
        trained += found
        if next(Path(place).rglob("run.json"), None) is not None:
            runs.append(place)
        elif not found:
            raise RunError(
                f"{place}: no finished run and no results of training here. A run is finished "
                f"once it has a run.json, training once it has a {RUNS_FILE} or a {BILINEAR_FILE}: "
                "the same command completes it."
            )
    return Evidence(find_runs(runs), trained)


def analysed(
    evidence: Evidence,
    release: Release | str | None = None,
    by: Sequence[tuple[str, ...]] = (),
) -> list[Analysed]:
    """Every analysis of each release on which there are runs, in its order.

    ``release`` is where the release is now, if not where the runs found it. For each grouping of
    columns in ``by`` there is one more table of each task. Raises RunError for a release that is
    not there or has other rows, and for a column that it does not have.
    """
    result: list[Analysed] = []
    contents = dict.fromkeys([run.content for run in evidence.runs])
    contents |= dict.fromkeys([trained.content for trained in evidence.trained])
    for content in contents:
        runs = [run for run in evidence.runs if run.content == content]
        trained = [told for told in evidence.trained if told.content == content]
        opened = _opened(content, runs, release)
        name = f"{opened.name} {opened.version}"
        every = [*opened.benchmark.analyses.values(), *_broken_down(opened, runs, by)]
        columns = {
            task: dict.fromkeys(c for a in every if task in a.tasks for c in a.columns())
            for task in opened.benchmark.tasks
        }
        whole = [with_columns(run, columns.get(run.task.name, ()), opened) for run in runs]
        there = Evidence(whole, trained)
        result += [
            Analysed(name, one, tuple(COMPUTATIONS[one.kind].found(one, there, opened)), there)
            for one in every
        ]
    return result


def _opened(content: str, runs: Sequence[Run], place: Release | str | None) -> Release:
    if isinstance(place, Release):
        opened = place
    else:
        there = place or _origin(runs)
        if not there:
            raise RunError(
                "results of training do not say where their release is. Say it: --release."
            )
        try:
            opened = open_release(there)
        except InvalidRelease as error:
            raise RunError(
                f"the analyses are declared in the release, which is not at {there}: {error} "
                "Say where it is: --release."
            ) from error
    if opened.content != content:
        names = ", ".join(run.name for run in runs[:3]) or "the results of training"
        raise RunError(
            f"{opened.origin}: has other rows than the release of {names}. Say where that one is: "
            "--release."
        )
    return opened


def _origin(runs: Sequence[Run]) -> str:
    for run in runs:
        told = run.about["release"]
        if isinstance(told, Mapping):
            hub = f"{told['repo']}@{told['commit']}" if told.get("repo") else ""
            return hub or str(told.get("origin") or "")
    return ""


def _broken_down(
    release: Release, runs: Sequence[Run], by: Sequence[tuple[str, ...]]
) -> list[Analysis]:
    """A table of all metrics of each task that was run by some columns."""
    tasks = dict.fromkeys(run.task.name for run in runs)
    return [
        Analysis(
            name=f"by-{'-'.join(columns)}-{task}",
            kind="table",
            title=f"{release.task(task).title} by {' × '.join(columns)}",
            source="",
            tasks=(task,),
            where={},
            design=Table(columns, release.task(task).score.metrics, ("model", "setting")),
            places=tuple((("by",), column) for column in columns),
        )
        for columns in by
        for task in tasks
    ]


def write_analyses(analyses: Sequence[Analysed], out: Path) -> list[Written]:
    """Write every analysis that a run fits: CSV, Markdown, LaTeX, and its figures.

    Analyses of several releases get a folder each. ``index.md`` lists everything, with what has
    no run. Raises RunError if matplotlib is missing or the folder cannot be written.
    """
    releases = dict.fromkeys(one.release for one in analyses)
    result: list[Written] = []
    index = ["# Analyses", ""]
    for name in releases:
        folder = out / name.replace(" ", "-") if len(releases) > 1 else out
        index += [f"## {name}", "", "| analysis | after | files |", "| --- | --- | --- |"]
        for one in (one for one in analyses if one.release == name):
            written = Written(one) if one.is_empty else _write(one, folder)
            result.append(written)
            links = [f"[{path.name}]({path.relative_to(out).as_posix()})" for path in written.files]
            shown = ", ".join(links) or "no run fits"
            title, source = one.analysis.title, one.analysis.source
            index.append(f"| {_cell(title)} | {_cell(source) or '–'} | {shown} |")
        index.append("")
    write_text(out / INDEX, "\n".join(index))
    return result


def _write(one: Analysed, folder: Path) -> Written:
    try:
        from sorites_eval.reporting.drawing import save, styled
    except ModuleNotFoundError as error:
        raise RunError(
            f"figures need {error.name}: pip install 'sorites-eval[figures]'."
        ) from error
    files = [path for found in one.found for path in _tables(found, folder)]
    figures: list[Figure] = []
    with styled():
        kind = COMPUTATIONS[one.analysis.kind]
        for drawn in kind.figures(one.analysis, one.evidence, one.found):
            saved = save(drawn, folder, IMAGES)
            figures.append(Figure(saved[0], drawn.caption, drawn.words))
            files += saved
    return Written(one, tuple(files), tuple(figures))


def _tables(found: Found, folder: Path) -> list[Path]:
    paths = []
    for ending, text in (
        ("csv", to_csv(found)),
        ("md", to_markdown(found)),
        ("tex", to_latex(found)),
    ):
        path = folder / f"{found.name}.{ending}"
        write_text(path, text)
        paths.append(path)
    return paths


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
