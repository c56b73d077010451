"""A leaderboard page: who was how often right, by release and task, and how each was asked.

Standings come from finished runs, and from the scores that models' repositories hold for the Hub
under ``.eval_results/``. What a repository says is its author's word; the page tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx2
import yaml
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, HFValidationError

from sorites_eval.errors import RunError
from sorites_eval.files import write_text
from sorites_eval.reporting.alarms import alarms
from sorites_eval.reporting.measure_intervals import intervals
from sorites_eval.reporting.page_tables import Cell, Heading, PageTable, main_metric, number
from sorites_eval.reporting.report import render
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.scoring.intervals import Interval

__all__ = ["Entry", "entries", "write_leaderboard"]

MAX_BYTES = 1_000_000
MAX_FILES = 10_000
RESULTS = ".eval_results"

_NOTES = re.compile(r"(?P<metric>[\w -]+), (?P<setting>[^,;]+), version (?P<version>[^;]+)")
_INTERVAL = re.compile(r"95 % interval (?P<low>[01]\.\d+) to (?P<high>[01]\.\d+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One standing: a model's score at a task of a release, from 0 to 1.

    ``how`` says in words how it was asked; ``source`` is ``run`` or ``model repository``.
    """

    release: str
    task: str
    model: str
    setting: str
    metric: str
    value: float
    interval: Interval | None
    how: str
    source: str


def entries(places: Iterable[str | Path]) -> list[Entry]:
    """The standings of runs in or under some folders, and of ``.eval_results`` in them.

    What is no folder is a model on the Hub, ``ORG/NAME``, of which only these files are fetched.
    The model of a folder is named by its last two parts. Raises RunError for a place with neither,
    a file that cannot be read, and a Hub that does not have it.
    """
    found: list[Entry] = []
    for where in places:
        place = Path(where)
        if not place.exists():
            found += _of_hub(str(where))
            continue
        runs = find_runs([place]) if any(place.rglob("run.json")) else []
        files = sorted(file for folder in _result_folders(place) for file in folder.glob("*.y*ml"))
        if len(files) > MAX_FILES:
            raise RunError(f"{place}: {len(files)} files of scores; at most {MAX_FILES} are read.")
        if not runs and not files:
            raise RunError(f"{place}: no finished run and no {RESULTS} with scores in or under it.")
        found += map(_of_run, runs)
        for file in files:
            repository = file.resolve().parent.parent
            found += _of_file(file, f"{repository.parent.name}/{repository.name}")
    return found


def _of_hub(repo: str) -> list[Entry]:
    try:
        folder = Path(snapshot_download(repo, allow_patterns=[f"{RESULTS}/*"]))
    except HFValidationError as error:
        raise RunError(f"{repo}: neither a folder nor ORG/NAME of a model on the Hub.") from error
    except HfHubHTTPError as error:
        status = error.response.status_code
        raise RunError(f"{repo}: no such model on the Hub, or none for you ({status}).") from error
    except (OSError, httpx2.HTTPError) as error:
        raise RunError(f"{repo}: the Hub cannot be reached: {type(error).__name__}.") from error
    files = sorted((folder / RESULTS).glob("*.y*ml"))
    if not files:
        raise RunError(f"{repo}: this model on the Hub has no scores in {RESULTS}.")
    return [entry for file in files for entry in _of_file(file, repo)]


def write_leaderboard(standings: Sequence[Entry], page: Path) -> Path:
    """Write the page, one table for each release and task; returns its path."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in sorted(standings, key=lambda e: (e.release, e.task, -e.value, e.model, e.setting)):
        groups.setdefault((entry.release, entry.task), []).append(entry)
    models = len({entry.model for entry in standings})
    text = render(
        "leaderboard.html",
        title="Leaderboard",
        subtitle=f"{len(standings):,} scores, {models:,} models",
        boards=[
            {"id": f"board-{place}", "title": f"{release}: {task}", "table": _table(some)}
            for place, ((release, task), some) in enumerate(groups.items(), 1)
        ],
    )
    write_text(page, text)
    return page


def _table(some: Sequence[Entry]) -> PageTable:
    headings = [Heading("Model"), Heading("Score", True), Heading("Measure"), Heading("Setting")]
    headings += [Heading("How it was run"), Heading("Source")]
    rows = [
        [
            Cell(entry.model),
            number(entry.value, entry.interval, bar=entry.interval is not None),
            *map(Cell, (entry.metric, entry.setting, entry.how, entry.source)),
        ]
        for entry in some
    ]
    return PageTable(f"{some[0].task} of {some[0].release}", headings, rows)


def _of_run(run: Run) -> Entry:
    metric = main_metric(run)
    value = run.scores.overall.get(metric)
    release = run.about["release"]
    assert isinstance(release, dict)
    return Entry(
        release=f"{release['repo'] or release['name']} {release['version']}",
        task=run.task.name,
        model=run.model,
        setting=run.setting,
        metric=metric,
        value=float(value or 0),
        interval=intervals(run.task, run.predictions, {metric: value}).get(metric),
        how=_how(run),
        source="run",
    )


def _how(run: Run) -> str:
    """Items, sample, and what of the model's identity is more than its name."""
    asked, whole = run.about.get("items"), run.about.get("items_in_release")
    parts = [f"{asked} items" if asked == whole else f"{asked} of {whole} items"]
    model = run.about["model"]
    if isinstance(model, dict):
        parts += [
            f"{name}: {_shortened(value)}"
            for name, value in sorted(model.items())
            # A seed of 0 is told; what is off or not given is not.
            if name != "model" and value is not False and value not in (None, "")
        ]
    parts += [f"{alarm.kind}: {alarm.count}" for alarm in alarms(run)]
    return "; ".join(parts)


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _result_folders(place: Path) -> list[Path]:
    if place.name == RESULTS:
        return [place]
    return sorted(path for path in place.rglob(RESULTS) if path.is_dir())


def _of_file(path: Path, model: str) -> list[Entry]:
    if path.stat().st_size > MAX_BYTES:
        raise RunError(f"{path}: more than {MAX_BYTES} bytes; no file of scores has as many.")
    try:
        document = yaml.safe_load(path.read_bytes())
    except (OSError, yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        told = " ".join(str(error).split())
        raise RunError(f"{path}: cannot be read as scores: {told}") from error
    if not isinstance(document, list):
        raise RunError(f"{path}: expected a list of scores, as the Hub has them.")
    return [_of_entry(path, model, place, row) for place, row in enumerate(document, 1)]


def _of_entry(path: Path, model: str, place: int, row: object) -> Entry:
    told = row.get("dataset") if isinstance(row, dict) else None
    value = row.get("value") if isinstance(row, dict) else None
    if (
        not isinstance(row, dict)
        or not isinstance(told, dict)
        or not isinstance(value, int | float)
        or isinstance(value, bool)
        or not 0 <= value <= 1
    ):
        raise RunError(
            f"{path}: entry {place}: expected a dataset with id and task_id, and a value "
            "from 0 to 1."
        )
    notes = str(row.get("notes") or "")
    said = _NOTES.match(notes)
    bounds = _INTERVAL.search(notes)
    interval = None
    if bounds and float(bounds["low"]) <= value <= float(bounds["high"]):
        interval = Interval(float(value), float(bounds["low"]), float(bounds["high"]), 0)
    version = said["version"] if said else str(told.get("revision") or "")
    others = [part for part in notes.split("; ") if not _INTERVAL.fullmatch(part)]
    rest = "; ".join(others[1:] if said else others)
    return Entry(
        release=f"{told.get('id')} {version}".strip(),
        task=str(told.get("task_id")),
        model=model,
        setting=said["setting"] if said else "",
        metric=said["metric"] if said else "",
        value=float(value),
        interval=interval,
        how=rest or ("all items" if said else ""),
        source="model repository",
    )
