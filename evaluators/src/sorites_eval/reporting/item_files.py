"""Every item with every answer to it, in files that a page opened from disk can load.

A page from disk may load scripts and nothing else. So each file is a script of one call with one
text: JSON, compressed (gzip) and written in base64. Nothing that a release or a model wrote
stands in it as code. For each task there is an index, by which items are found and filtered,
and files of ``PER_FILE`` items each with all their texts.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from sorites_eval.contract.release import Release
from sorites_eval.files import write_text
from sorites_eval.prompts.requests import Message
from sorites_eval.reporting.alarms import outcome_of
from sorites_eval.reporting.conversations import before_questions
from sorites_eval.running.finished import Row, Run
from sorites_eval.running.predictions import facts

__all__ = ["PER_FILE", "write_items"]

PER_FILE = 250
MOST_CHARACTERS = 20_000
"""Of a longer text only this much is shown; the run's predictions have it all."""

Key = tuple[str, str]
_NUMBERS = ("margin", "lead", "mass")


def write_items(
    runs: Sequence[Run], folder: Path, name: str, release: Release | None = None
) -> int:
    """Write the items of runs of one task into ``folder/name``; returns how many they are."""
    answers = [_by_item(run) for run in runs]
    keys = list(dict.fromkeys(key for some in answers for key in some))
    parts = math.ceil(len(keys) / PER_FILE)
    _write(folder, f"{name}/index", _index(runs, answers, keys))
    befores = [before_questions(run, release) for run in runs]
    for part in range(parts):
        some = keys[part * PER_FILE : (part + 1) * PER_FILE]
        _write(folder, f"{name}/{part}", _texts(runs, answers, befores, some))
    return len(keys)


def _write(folder: Path, name: str, content: object) -> None:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    packed = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    write_text(folder / f"{name}.js", f'soritesItems("{name}","{packed}");\n')


def _by_item(run: Run) -> dict[Key, list[Row]]:
    found: dict[Key, list[Row]] = {}
    for row in run.rows:
        found.setdefault((str(row["id"]), str(row["view"])), []).append(row)
    return found


def _index(
    runs: Sequence[Run], answers: Sequence[Mapping[Key, Sequence[Row]]], keys: Sequence[Key]
) -> dict[str, object]:
    first = [next(some[key][0] for some in answers if key in some) for key in keys]
    about = [facts(row) for row in first]
    columns = dict.fromkeys(column for fact in about for column in fact)
    marker = _marker(runs[0])
    return {
        "perFile": PER_FILE,
        "ids": [identity for identity, _ in keys],
        "views": [view for _, view in keys] if len({view for _, view in keys}) > 1 else None,
        "gold": _coded([_said(row["gold"], row["gold_selection"], marker) for row in first]),
        "columns": {column: _coded([fact.get(column) for fact in about]) for column in columns},
        "runs": [
            {
                "model": run.model,
                "setting": run.setting,
                "system": run.task.prompts[run.setting].system
                if run.setting in run.task.prompts
                else "",
                **_answered(run, [some.get(key, ()) for key in keys]),
            }
            for run, some in zip(runs, answers, strict=True)
        ],
    }


def _coded(values: Sequence[object]) -> dict[str, object]:
    """Values as places in a list of those that occur, which are few in most columns."""
    places: dict[tuple[str, object], int] = {}
    # 1 and True are equal in Python and different on the page.
    at = [places.setdefault((type(value).__name__, value), len(places)) for value in values]
    return {"values": [_plain(value) for _, value in places], "at": at}


def _answered(run: Run, items: Sequence[Sequence[Row]]) -> dict[str, object]:
    marker = _marker(run)
    read = [
        " / ".join(dict.fromkeys(_said(r["answer"], r["selection"], marker) for r in rows))
        for rows in items
    ]
    outcomes = ["|".join(dict.fromkeys(outcome_of(row) for row in rows)) for rows in items]
    return {
        "right": [round(_right(run, rows), 4) if rows else None for rows in items],
        "read": _coded(read),
        "outcome": _coded(outcomes),
        "tie": [n for n, rows in enumerate(items) if any(row.get("near_tie") for row in rows)],
    }


def _right(run: Run, rows: Sequence[Row]) -> float:
    return sum(_is_right(run, row) for row in rows) / len(rows)


def _is_right(run: Run, row: Row) -> bool:
    same = row["answer"] == row["gold"]
    return same and (not _marker(run) or row["selection"] == row["gold_selection"])


def _texts(
    runs: Sequence[Run],
    answers: Sequence[Mapping[Key, Sequence[Row]]],
    befores: Sequence[Mapping[str, Sequence[Message]]],
    keys: Sequence[Key],
) -> dict[str, object]:
    texts: dict[str, int] = {}
    turns: dict[Sequence[Message], int] = {}

    def kept(text: object) -> int:
        return texts.setdefault(_short(str(text or "")), len(texts))

    def answer(run: Run, before: Mapping[str, Sequence[Message]], row: Row) -> dict[str, object]:
        told = before.get(str(row["prompt_sha256"]))
        found: dict[str, object] = {
            "question": kept(row["question"]),
            "text": kept(row["text"]),
            "outcome": outcome_of(row),
            "read": _said(row["answer"], row["selection"], _marker(run)),
            "right": _is_right(run, row),
        }
        if told is not None:
            found["before"] = turns.setdefault(tuple(told), len(turns))
        for name in ("thought", "trouble"):
            if row.get(name):
                found[name] = kept(row[name])
        for name in ("constrained", "near_tie", *_NUMBERS):
            if row.get(name) is not None:
                found[name] = _plain(row[name])
        return found

    items = [
        [
            [answer(run, before, row) for row in some.get(key, ())]
            for run, some, before in zip(runs, answers, befores, strict=True)
        ]
        for key in keys
    ]
    told = [[[turn.role, kept(turn.content)] for turn in several] for several in turns]
    return {"texts": list(texts), "turns": told, "items": items}


def _short(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}… ({len(text) - MOST_CHARACTERS:,} more characters)"


def _marker(run: Run) -> str:
    return run.task.answer.selection.marker if run.task.answer.selection else ""


def _said(label: object, selection: object, marker: str) -> str:
    if label is None:
        return "no answer"
    if not marker:
        return str(label)
    if not isinstance(selection, list):
        return f"{label}, selection unclear"
    return ", ".join([str(label), *(f"{marker}{number}" for number in selection)])


def _plain(value: object) -> object:
    """A value as JSON has it; a number to four figures, and none for what is not finite."""
    if isinstance(value, float):
        return float(f"{value:.4g}") if math.isfinite(value) else None
    return value
