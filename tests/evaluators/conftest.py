"""A small release written by hand, with everything that the contract can say."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

Rows = Sequence[Mapping[str, object]]

SYSTEM = "Decide whether the conclusion follows from the premises. Answer True or False."
SYSTEM_SELECT = SYSTEM + " After True, name the premises that you used: True, P1, P2."
ITEM = """
{% for premise in premises %}
P{{ loop.index }}: {{ premise }}
{% endfor %}
C: {{ conclusion }}
Answer:
"""
GLOSSES = """
Sense A ({{ language_1 }}): {{ gloss_1 }}
Sense B ({{ language_2 }}): {{ gloss_2 }}
"""
SYLLOGISM_SCORE = {
    "positive": "True",
    "pairs": "partner",
    "groups": [["scheme"], ["distractors"], ["scheme", "distractors"]],
    "clusters": "binding_id",
}
FEW = {"config": "exemplars", "split": "train"}
DOCUMENT = {
    "benchmark": 1,
    "name": "small",
    "version": "1.0.0",
    "tasks": {
        "entailment": {
            "title": "Does it follow?",
            "description": "One word.",
            "data": {"config": "items", "split": "test"},
            "id": "id",
            "views": [{"name": "only"}],
            "answer": {
                "format": "choice",
                "labels": {"True": True, "False": False},
                "gold": "label",
                "max_new_tokens": 8,
            },
            "prompts": {
                "zero-shot": {"system": SYSTEM, "user": ITEM},
                "few-shot": {"system": SYSTEM, "user": ITEM, "exemplars": FEW},
            },
            "score": {
                "metrics": [
                    "accuracy",
                    "precision",
                    "recall",
                    "f1",
                    "macro-f1",
                    "faithfulness",
                    "responses",
                ],
                **SYLLOGISM_SCORE,
            },
        },
        "premise-selection": {
            "data": {"config": "items", "split": "test"},
            "id": "id",
            "answer": {
                "format": "text",
                "labels": {"True": True, "False": False},
                "gold": "label",
                "selection": {"marker": "P", "gold": "gold_premises"},
                "write": "{{ label }}{% for p in gold_premises %}, P{{ p }}{% endfor %}",
                "max_new_tokens": 12,
            },
            "prompts": {
                "zero-shot": {"system": SYSTEM_SELECT, "user": ITEM},
                "few-shot": {"system": SYSTEM_SELECT, "user": ITEM, "exemplars": FEW},
            },
            "score": {
                "metrics": ["accuracy", "reasoning-accuracy", "faithfulness", "responses"],
                **SYLLOGISM_SCORE,
            },
        },
        "relation": {
            "data": {"config": "glosses", "split": "test"},
            "id": "pair_id",
            "views": [
                {"name": "forward"},
                {
                    "name": "reversed",
                    "swap": [["gloss_1", "gloss_2"], ["language_1", "language_2"]],
                    "labels": {"1": "2", "2": "1"},
                },
            ],
            "answer": {
                "format": "choice",
                "labels": {"1": "hypernym", "2": "hyponym", "3": "antonym"},
                "gold": "relation",
            },
            "prompts": {
                "zero-shot": {"system": "Output one digit: 1, 2 or 3.", "user": GLOSSES},
                "two-shot": {
                    "system": "Output one digit: 1, 2 or 3.",
                    "user": GLOSSES,
                    "exemplars": {
                        "config": "glosses",
                        "split": "train",
                        "match": ["language_1", "language_2"],
                    },
                },
            },
            "score": {
                "metrics": ["accuracy", "macro-f1", "responses"],
                "groups": [["language_1", "language_2"]],
                "clusters": "concept",
                "combine": "bidirectional",
            },
        },
    },
}


def _syllogisms(kind: str, count: int, start: int) -> list[dict[str, object]]:
    animals = ["heron", "otter", "newt", "vole", "tern", "carp", "moth", "wren", "crab", "toad"]
    groups = ["swimmer", "forager", "nester", "climber", "digger"]
    rows: list[dict[str, object]] = []
    for number in range(start, start + count):
        animal, first = animals[number % 10], groups[number % 5]
        if kind == "e":
            # No example is one of the items, however many there are.
            animal = f"young {animal}"
        second = groups[(number + 1 + number // 5) % 5]
        if second == first:
            second = groups[(number + 2) % 5]
        extra = number % 3
        premises = [f"Every {first} is a {second}.", f"The {animal} is a {first}."]
        premises += [f"Every {a} is a rare {first}." for a in animals[number % 4 :][:extra]]
        order = number % 2
        shown = premises[::-1] if order else premises
        gold = sorted(shown.index(p) + 1 for p in premises[:2])
        for label in (True, False):
            rows.append(
                {
                    "id": f"{kind}-{number}-{'yes' if label else 'no'}",
                    "scheme": "modus ponens" if number % 2 else "modus tollens",
                    "distractors": extra,
                    "premises": shown,
                    "conclusion": f"It is {str(label).lower()} that the {animal} is a {second}.",
                    "label": label,
                    "gold_premises": gold if label else [],
                    "partner": f"{kind}-{number}-{'no' if label else 'yes'}",
                    "binding_id": f"{kind}-{number}",
                }
            )
    return rows


def _gloss_pairs(count: int, start: int = 0) -> list[dict[str, object]]:
    glosses = [
        ("a large wading bird", "an animal with feathers", "hypernym"),
        ("a tool that cuts", "a knife with a folding blade", "hyponym"),
        ("of great height", "of little height", "antonym"),
    ]
    rows: list[dict[str, object]] = []
    for number in range(count):
        one, two, relation = glosses[number % 3]
        languages = [("en", "en"), ("en", "el"), ("el", "en")][number // 3 % 3]
        rows.append(
            {
                "pair_id": number,
                "gloss_1": f"{one}, number {start + number}",
                "gloss_2": f"{two}, number {start + number}",
                "language_1": languages[0],
                "language_2": languages[1],
                "relation": relation,
                "concept": f"c{number % 7}",
            }
        )
    return rows


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_release(
    root: Path, document: Mapping[str, object], tables: Mapping[tuple[str, str], Rows]
) -> Path:
    """A release directory as the compiler writes it, from plain rows."""
    root.mkdir(parents=True)
    (root / "README.md").write_text("# small\n")
    (root / "benchmark.json").write_text(json.dumps(document, sort_keys=True, indent=2) + "\n")
    splits = []
    for (config, split), rows in tables.items():
        path = root / "data" / config / f"{split}-00000-of-00001.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), path)
        shard = {
            "path": path.relative_to(root).as_posix(),
            "rows": len(rows),
            "bytes": path.stat().st_size,
            "sha256": digest(path),
        }
        splits.append({"config": config, "split": split, "rows": len(rows), "files": [shard]})
    content = hashlib.sha256("".join(s["files"][0]["sha256"] for s in splits).encode())
    manifest = {
        "manifest": 1,
        "name": document["name"],
        "version": document["version"],
        "content_sha256": content.hexdigest(),
        "splits": splits,
        "files": {name: digest(root / name) for name in ("README.md", "benchmark.json")},
    }
    (root / "release.json").write_text(json.dumps(manifest, sort_keys=True, indent=2) + "\n")
    return root


def small_tables(items: int = 12, glosses: int = 18) -> dict[tuple[str, str], Rows]:
    return {
        ("items", "test"): _syllogisms("i", items // 2, 0),
        ("exemplars", "train"): _syllogisms("e", 2, 100),
        ("glosses", "test"): _gloss_pairs(glosses),
        ("glosses", "train"): _gloss_pairs(9, start=100),
    }


@pytest.fixture
def document() -> dict[str, object]:
    """A fresh copy of the contract of the small release."""
    copy: dict[str, object] = json.loads(json.dumps(DOCUMENT))
    return copy


@pytest.fixture
def make_release(tmp_path: Path) -> Callable[..., Path]:
    """Write a release to a new folder: ``make_release(items=…, document=…)``."""

    def make(items: int = 12, glosses: int = 18, document: Mapping[str, object] = DOCUMENT) -> Path:
        count = len(list(tmp_path.glob("release*")))
        return write_release(
            tmp_path / f"release{count}" / "1.0.0", document, small_tables(items, glosses)
        )

    return make


@pytest.fixture(scope="session")
def small_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release: 12 syllogisms, 18 gloss pairs; not to be altered."""
    root = tmp_path_factory.mktemp("small")
    return write_release(root / "small" / "1.0.0", DOCUMENT, small_tables())


@pytest.fixture(scope="session")
def replies(root: Path) -> Path:
    """The shared list of replies and how they must be read; skips where there is none."""
    path = root.parent / "shared" / "cases" / "replies.jsonl"
    for place in (path, *(Path(entry).parent / "cases" / path.name for entry in _sources())):
        if place.is_file():
            return place
    pytest.skip("no shared/cases/replies.jsonl beside the checkout or the sources")


def _sources() -> list[str]:
    return [entry for entry in os.environ.get("SORITES_SOURCES", "").split(os.pathsep) if entry]
