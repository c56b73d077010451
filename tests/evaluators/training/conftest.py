from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites_eval.contract.release import Release, open_release

Rows = Sequence[Mapping[str, object]]

PEOPLE = ["ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"]
ACTIONS = ["sings", "waits", "runs", "reads", "cooks"]
VERBS = {"knows": "yes", "sees": "yes", "hopes": "unk", "thinks": "unk"}

INFERENCES = {
    "title": "Does it follow?",
    "data": {"config": "parts", "split": "test"},
    "id": "id",
    "answer": {"format": "choice", "labels": {"Yes": "yes", "No": "unk"}, "gold": "label"},
    "prompts": {"zero-shot": {"user": "{{ premise }} {{ hypothesis }}"}},
    "score": {
        "metrics": ["accuracy", "f1"],
        "positive": "Yes",
        "groups": [["label_veridical", "label_embedded"], ["verb"]],
    },
    "train": {
        "text": ["premise", "hypothesis"],
        "sets": {
            "both": {
                "title": "Both parts",
                "train": [{"config": "parts", "split": "train"}],
                "validation": [{"config": "parts", "split": "validation"}],
            },
            "veridical": {
                "title": "One part",
                "train": [{"config": "parts", "split": "train", "where": {"part": ["veridical"]}}],
                "validation": [{"config": "parts", "split": "validation"}],
            },
            "leaky": {
                "title": "What is tested",
                "train": [
                    {"config": "parts", "split": "train"},
                    {"config": "parts", "split": "test", "where": {"part": ["composite"]}},
                ],
                "validation": [{"config": "parts", "split": "validation"}],
            },
            "itself": {
                "title": "Tested on its validation",
                "train": [{"config": "parts", "split": "train"}],
                "validation": [{"config": "parts", "split": "validation"}],
                "test": [{"config": "parts", "split": "validation"}],
            },
        },
        "curves": {
            "by-verb": {
                "title": "Composites, verb by verb",
                "base": "both",
                "add": {"config": "more", "split": "train"},
                "by": "step",
            },
            "same": {
                "title": "Composites of the same pairs",
                "base": "both",
                "add": {"config": "same", "split": "train"},
                "by": "step",
                "held_out": "verb",
            },
            "same-alone": {
                "title": "Composites of the same pairs alone",
                "base": "both",
                "add": {"config": "same", "split": "train"},
                "by": "step",
                "held_out": "verb",
                "alone": True,
            },
            "tested": {
                "title": "What is tested",
                "base": "both",
                "add": {"config": "same", "split": "train"},
                "by": "step",
            },
        },
    },
    "references": {"people": {"config": "judged", "split": "test", "answer": "human"}},
}


def row(number: int, part: str, verb: str, who: str, what: str, other: str) -> dict[str, object]:
    premise = f"Someone {verb} that {who} {what}, {other} waits"
    embedded = part == "composite" and number % 2 == 0
    said = {"veridical": f"{who} {what}, {other} waits", "composite": f"{who} {what}"}[part]
    if part == "composite" and not embedded:
        said = f"{who} never {what}"
    veridical = VERBS[verb]
    label = veridical if part == "veridical" or embedded else "unk"
    return {
        "id": f"{part}-{number}-{verb}",
        "part": part,
        "premise": premise,
        "hypothesis": said,
        "label": label,
        "verb": verb,
        "label_veridical": veridical,
        "label_embedded": None if part == "veridical" else ("yes" if embedded else "unk"),
    }


def rows(part: str, verbs: Sequence[str], people: Sequence[str]) -> Iterator[dict[str, object]]:
    for number, (verb, who, what) in enumerate(product(verbs, people, ACTIONS)):
        yield row(number, part, verb, who, what, PEOPLE[number % 8])


def write(root: Path, task: Mapping[str, object], tables: Mapping[tuple[str, str], Rows]) -> Path:
    root.mkdir(parents=True)
    document = {"benchmark": 1, "name": "toy", "version": "1.0.0", "tasks": {"follows": task}}
    (root / "benchmark.json").write_text(json.dumps(document), encoding="utf-8")
    splits = []
    for (config, split), of_split in tables.items():
        path = root / "data" / config / f"{split}-00000-of-00001.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist([dict(each) for each in of_split]), path)
        file = {
            "path": path.relative_to(root).as_posix(),
            "rows": len(of_split),
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        splits.append({"config": config, "split": split, "rows": len(of_split), "files": [file]})
    benchmark = hashlib.sha256((root / "benchmark.json").read_bytes()).hexdigest()
    manifest = {
        "manifest": 1,
        "name": "toy",
        "version": "1.0.0",
        "content_sha256": "0" * 64,
        "splits": splits,
        "files": {"benchmark.json": benchmark},
    }
    (root / "release.json").write_text(json.dumps(manifest), encoding="utf-8")
    return root


def tables() -> dict[tuple[str, str], Rows]:
    veridical = [*rows("veridical", [*VERBS], PEOPLE)]
    more = [
        {**each, "step": step}
        for step, verb in enumerate(("knows", "sees"), 1)
        for each in rows("composite", [verb], PEOPLE[4:])
    ]
    same = [{**each, "step": 1} for each in rows("composite", ["knows"], PEOPLE[:2])]
    judged = [{**each, "human": "yes"} for each in rows("veridical", ["knows", "hopes"], ["ann"])]
    return {
        ("parts", "train"): [each for n, each in enumerate(veridical) if n % 5],
        ("parts", "validation"): veridical[::5],
        ("parts", "test"): [*rows("composite", [*VERBS], PEOPLE[:2])],
        ("more", "train"): more,
        ("same", "train"): same,
        ("judged", "test"): judged,
    }


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Networks as small as these are slower on several."""
    if find_spec("torch") is None:
        yield
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A release on which a small network learns in seconds what the verbs say, and no more."""
    return open_release(write(tmp_path_factory.mktemp("toy") / "1.0.0", INFERENCES, tables()))
