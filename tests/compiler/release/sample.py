"""A small release made by hand: a café's menu, with every column type that releases use."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from sorites.release.content import CardSection, Column, Content, Split, schema_of
from sorites.specfile.model import CardText, SourcePin, Spec
from sorites.specfile.reader import read
from sorites_eval.contract.identity import parse_version

SPEC = """\
kind: menus
name: cafe-menu
version: 1.0.0
title: Café menu, a *small* test
summary: >-
  Statements about what a café serves, each entailed by its menu or not.
license: cc-by-4.0
languages: [en, "no"]
seed: 7
citations:
  doe2025: |
    @misc{doe2025, author = {Doe, Jo}, title = {What the {C}afé Serves}, year = {2025}}
card:
  tags: [menus]
  task_categories: [text-classification]
  uses: [To try a release.]
  limits: ["Prices are left out | on purpose."]
sources:
  menu:
    url: https://example.org/menu.ttl
    version: "3"
    license: cc0-1.0
    attribution: The <b>Corner</b> Café
    citation: doe2025
    sha256: abababababababababababababababababababababababababababababababab
tasks:
  entailment:
    title: Does the menu say so?
    description: Judge a statement by the menu.
    data: {config: items, split: test}
    id: id
    answer:
      format: choice
      labels: {"True": true, "False": false}
      gold: label
      max_new_tokens: 8
    prompts:
      zero-shot:
        system: Answer True or False.
        user: "{% for premise in premises %}{{ premise }}\\n{% endfor %}So: {{ conclusion }}"
      few-shot:
        user: "{{ premises | join(' ') }} So: {{ conclusion }}"
        exemplars: {config: exemplars, split: train, match: [kind]}
    score:
      metrics: [accuracy, faithfulness]
      positive: "True"
      pairs: partner
      groups: [[kind], [kind, steps]]
      clusters: kind
  premise-selection:
    title: Which lines of the menu?
    description: Judge a statement and name the lines it follows from.
    data: {config: items, split: test}
    id: id
    answer:
      format: text
      labels: {"True": true, "False": false}
      gold: label
      selection: {marker: P, gold: gold_premises}
      write: "{{ label }}{% for p in gold_premises %}, P{{ p }}{% endfor %}"
      max_new_tokens: 16
    prompts:
      zero-shot:
        user: "{{ premises | join(' ') }} So: {{ conclusion }}"
    score:
      metrics: [accuracy]
  pairing:
    title: Which came first?
    description: Compare two drinks.
    data: {config: pairs, split: test}
    id: id
    views:
      - {name: forward}
      - {name: reversed, swap: [[first, second]], labels: {BEFORE: AFTER, AFTER: BEFORE}}
    answer:
      format: text
      labels: {BEFORE: before, AFTER: after}
      gold: order
      max_new_tokens: 4
    prompts:
      zero-shot: {user: "{{ first.name }} or {{ second.name }}?"}
    score: {metrics: [accuracy], combine: bidirectional}
"""

_BINDING = pa.struct([("symbol", pa.string()), ("name", pa.string()), ("rank", pa.int64())])
_DRINK = pa.struct([("name", pa.string()), ("price", pa.float64())])

ITEM_COLUMNS = (
    Column("id", pa.string(), "Stable identity of the row."),
    Column("kind", pa.string(), "What the statement is about."),
    Column("steps", pa.int64(), "How many premises it needs."),
    Column("premises", pa.list_(pa.string()), "Lines of the menu, in the order shown."),
    Column("conclusion", pa.string(), "The statement to judge; may hold a | or a <tag>."),
    Column("label", pa.bool_(), "Whether the conclusion follows."),
    Column("gold_premises", pa.list_(pa.int64()), "Premises needed, counted from 1."),
    Column("partner", pa.string(), "The row of the opposite polarity, if any."),
    Column("bindings", pa.list_(_BINDING), "What the symbols stand for."),
)

PAIR_COLUMNS = (
    Column("id", pa.string(), "Stable identity of the row."),
    Column("first", _DRINK, "One drink."),
    Column("second", _DRINK, "Another drink."),
    Column("note", _DRINK, "A third drink, where there is one."),
    Column("order", pa.string(), "Which of the two came first."),
)

_DRINKS = ("tea", "coffee", "cocoa", "cider", "lassi", "maté", "mocha", "chai")


def items(prefix: str, number: int) -> list[dict[str, Any]]:
    """Rows in pairs: an entailed statement and its denial."""
    rows = []
    for row in range(number):
        drink = _DRINKS[row // 2 % len(_DRINKS)]
        follows = row % 2 == 0
        rows.append(
            {
                "id": f"{prefix}{row:04d}",
                "kind": "hot" if row % 4 < 2 else "cold",
                "steps": 1 + row // 2 % 2,
                "premises": [f"Every {drink} {prefix}{row // 2} is served.", "Nothing else is."],
                "conclusion": f"The {drink} {row // 2} is {'served' if follows else 'not served'}.",
                "label": follows,
                "gold_premises": [1] if follows else [],
                "partner": f"{prefix}{row ^ 1:04d}" if row % 4 < 2 else None,
                "bindings": [{"symbol": "D", "name": drink, "rank": None if follows else row}],
            }
        )
    return rows


def pairs(number: int) -> list[dict[str, Any]]:
    """Rows with structs, some of them null, some with null fields."""
    return [
        {
            "id": f"p{row:03d}",
            "first": {"name": _DRINKS[row % 8], "price": row / 4},
            "second": {"name": _DRINKS[(row + 3) % 8], "price": None},
            "note": None if row % 2 else {"name": "water", "price": 0.0},
            "order": "before" if row % 3 else "after",
        }
        for row in range(number)
    ]


def split_of(config: str, name: str, columns: tuple[Column, ...], rows: list[Any]) -> Split:
    """A split of rows given as dicts."""
    table = pa.Table.from_pylist(rows, schema=schema_of(columns))
    return Split(config, name, f"The {name} rows of {config}.", columns, table)


def sample_content(number: int = 40) -> Content:
    """Three configs with ``number`` items."""
    return Content(
        splits=(
            split_of("items", "test", ITEM_COLUMNS, items("t", number)),
            split_of("exemplars", "train", ITEM_COLUMNS, items("x", 8)),
            split_of("pairs", "test", PAIR_COLUMNS, pairs(9)),
        ),
        audit={"menu": {"lines": 12}},
        counts={"entailed": number // 2, "not entailed": number // 2},
        shortfalls=("Of 50 cold drinks asked for, the menu has 3.",),
        sections=(CardSection("Drinks", "| drink |\n| --- |\n| tea |"),),
        proofs="Every statement was checked against the menu.",
        rejected="Two drinks without a name.",
        made="The menu was read line by line.",
    )


def sample_spec(folder: Path, text: str = SPEC, *, version: str = "1.0.0") -> Spec:
    """The spec of the sample, or a text that differs from it, read from a file in a folder."""
    text = text.replace("version: 1.0.0\n", f"version: {version}\n", 1)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "cafe-menu.yaml"
    path.write_text(text, encoding="utf-8")
    document = read(path)
    data: Any = document.data
    pins = {
        name: SourcePin(
            id=name,
            version=pin["version"],
            license=pin["license"],
            attribution=pin["attribution"],
            sha256=pin["sha256"],
            url=pin["url"],
        )
        for name, pin in data["sources"].items()
    }
    return Spec(
        path=path,
        kind=data["kind"],
        name=data["name"],
        version=parse_version(data["version"]),
        title=data["title"],
        summary=data["summary"],
        license=data["license"],
        license_name=None,
        license_link=None,
        languages=tuple(data["languages"]),
        seed=data["seed"],
        citations=data["citations"],
        card=CardText(**{key: tuple(value) for key, value in data["card"].items()}),
        sources=pins,
        tasks=data["tasks"],
        document=document,
        analyses=data.get("analyses", {}),
    )


def tree_hashes(directory: Path) -> dict[str, str]:
    """SHA-256 of every file under a directory, by its path in it."""
    return {
        path.relative_to(directory).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }
