"""What is wrong with the rows of a release, recomputed from the rows and the spec alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias, TypedDict, cast

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.families.sense_relations.filters import identical
from sorites.families.sense_relations.items import COLUMNS, PARTNER
from sorites.families.sense_relations.leaks import first_word_in
from sorites.families.sense_relations.plan import (
    Identical,
    Length,
    Lexicalisation,
    PartnerLemma,
    Plan,
    read_plan,
)
from sorites.families.sense_relations.splits import Ends, promise_faults, read_splits

__all__ = ["reprove"]


class _Row(TypedDict):
    id: str
    pair_id: str
    relation: str
    label: str
    pos: str
    ili_1: str
    ili_2: str
    language_1: str
    language_2: str
    gloss_1: str
    gloss_2: str
    lemmas_1: list[str]
    lemmas_2: list[str]
    partner_1: str
    partner_2: str


_Tables: TypeAlias = "Mapping[tuple[str, str], pa.Table]"
_MOST = 20  # messages of one kind: a broken release has thousands


def reprove(
    tables: _Tables,
    document: Mapping[str, Json],
    *,
    engine: Engine | None = None,  # noqa: ARG001 - one core does it in seconds
) -> list[str]:
    """Say what is wrong with the rows; ``document`` is the spec as the manifest keeps it.

    Checked: each pair is there once and in every pair of languages; its label is one of its
    relation, in the spec's direction; a concept has one gloss a language; no row should have
    been dropped by a filter (for words other than lemmas, which a release does not hold, the
    source alone can tell); exemplars are complete and share no concept with the items; splits
    share nothing that the spec says they do not.
    """
    plan = read_plan(document)
    languages = tuple(cast("list[str]", document["languages"]))
    wrong: list[str] = []
    read: dict[tuple[str, str], list[_Row]] = {}
    for (config, split), table in sorted(tables.items()):
        if config not in ("pairs", "exemplars"):
            wrong.append(f"{config}/{split}: no release of this kind has such a config")
            continue
        unreadable = list(_columns(table))
        if unreadable:
            wrong.extend(f"{config}/{split}: {message}" for message in unreadable)
            continue
        rows = cast("list[_Row]", table.to_pylist())
        read[config, split] = rows
        for rule in _RULES:
            found = [f"{config}/{split}: {message}" for message in rule(rows, plan, languages)]
            wrong.extend(found[:_MOST])
            if len(found) > _MOST:
                wrong.append(f"{config}/{split}: and {len(found) - _MOST} more of the same kind")
    shown = [row for (config, _), rows in read.items() if config == "exemplars" for row in rows]
    items = {split: rows for (config, split), rows in read.items() if config == "pairs"}
    wrong.extend(_exemplars(shown, [row for rows in items.values() for row in rows], plan))
    ends = {split: [*map(_ends, rows)] for split, rows in items.items()}
    faults = promise_faults(read_splits(document).disjoint, ends)
    wrong.extend(f"pairs: {fault}" for fault in faults)
    return wrong


def _ends(row: _Row) -> Ends:
    first, second = sorted((row["ili_1"], row["ili_2"]))
    return first, second


def _columns(table: pa.Table) -> Iterator[str]:
    for column in COLUMNS:
        if column.name not in table.column_names:
            yield f"has no column '{column.name}'"
        elif table.schema.field(column.name).type != column.type:
            found = table.schema.field(column.name).type
            yield f"the column '{column.name}' is of type {found}, not {column.type}"
        elif table.column(column.name).null_count:
            yield f"the column '{column.name}' has cells without a value"


def _labels(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    del languages
    relations = {relation.name: relation for relation in plan.relations}
    for row in rows:
        relation = relations.get(row["relation"])
        if relation is None:
            yield f"{row['id']}: the spec has no relation '{row['relation']}'"
        elif row["label"] not in (relation.label, relation.inverse):
            yield f"{row['id']}: '{row['label']}' is not a label of '{relation.name}'"


def _orders(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    expected = Counter(product(languages, repeat=2))
    by_pair: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        by_pair[row["pair_id"]].append(row)
        if row["id"] != f"{row['pair_id']}-{row['language_1']}-{row['language_2']}":
            yield f"{row['id']}: the id does not name its pair and languages"
        if row["pair_id"] != f"{row['relation']}-{row['ili_1']}-{row['ili_2']}":
            yield f"{row['id']}: the pair_id does not name its relation and concepts"
    labels: dict[tuple[str, frozenset[str]], set[tuple[str, str]]] = defaultdict(set)
    for pair, its_rows in by_pair.items():
        orders = Counter((row["language_1"], row["language_2"]) for row in its_rows)
        if orders != expected:
            yield f"{pair}: has not one row for each ordered pair of {', '.join(languages)}"
        if len({row["label"] for row in its_rows}) > 1:
            yield f"{pair}: has more than one label"
        first = its_rows[0]
        if first["ili_1"] == first["ili_2"]:
            yield f"{pair}: relates a concept to itself"
        ends = frozenset((first["ili_1"], first["ili_2"]))
        labels[first["relation"], ends].add((first["ili_1"], first["label"]))
    inverses = plan.inverses
    both = {each.name for each in plan.relations if each.direction == "both"}
    for (relation, ends), found in labels.items():
        name = " and ".join(sorted(ends))
        if len(found) > 1 and relation not in both:
            yield f"{name}: are a pair of '{relation}' more than once"
        elif len(found) == 2:
            (_, label), (_, other) = sorted(found)
            if inverses.get(label) != other:
                yield f"{name}: have labels in the two orders that are not inverse"


def _glosses(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    del plan, languages
    known: dict[tuple[str, str], str] = {}
    for row in rows:
        for ili, language, gloss in _sides(row):
            if not gloss.strip():
                yield f"{row['id']}: the gloss of {ili} in '{language}' is empty"
            elif known.setdefault((ili, language), gloss) != gloss:
                yield f"{row['id']}: the gloss of {ili} in '{language}' is another elsewhere"


def _identical(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    choices = next(
        (step.choices for step in plan.filters if isinstance(step.choices, Identical)), None
    )
    if choices is None:
        return
    least = 1 if choices.languages == "any" else len(languages)
    same: Counter[str] = Counter()
    for row in rows:
        if row["language_1"] == row["language_2"] and identical(
            row["gloss_1"], row["gloss_2"], row["language_1"], choices
        ):
            same[row["pair_id"]] += 1
    for pair, count in same.items():
        if count >= least:
            yield f"{pair}: its glosses are identical"


def _leaks(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    choices = next(
        (step.choices for step in plan.filters if isinstance(step.choices, Lexicalisation)), None
    )
    if choices is None:
        return
    least = 1 if choices.languages == "any" else len(languages)
    leaking: dict[str, dict[str, str]] = defaultdict(dict)
    tested: set[tuple[str, str, str, tuple[str, ...]]] = set()
    for row in rows:
        lemmas = (tuple(row["lemmas_1"]), tuple(row["lemmas_2"]))
        for (ili, language, gloss), words in zip(_sides(row), lemmas, strict=True):
            if (ili, language, gloss, words) in tested:
                continue
            tested.add((ili, language, gloss, words))
            word = first_word_in(gloss, words, language, choices)
            if word is not None:
                leaking[ili][language] = word
    for ili, words_found in leaking.items():
        if len(words_found) >= least:
            language, word = next(iter(words_found.items()))
            yield f"{ili}: its gloss in '{language}' contains its word '{word}'"


def _partners(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    """The words of the partner that glosses hold, in the columns and for the filter."""
    words: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        words[row["ili_1"], row["language_1"]] = row["lemmas_1"]
        words[row["ili_2"], row["language_2"]] = row["lemmas_2"]
    choices = next(
        (step.choices.find for step in plan.filters if isinstance(step.choices, PartnerLemma)), None
    )
    least = 1 if choices is None or choices.languages == "any" else len(languages)
    holding: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    tested: set[tuple[str, str, str]] = set()
    for row in rows:
        partners = (
            (row["ili_2"], row["partner_1"]),
            (row["ili_1"], row["partner_2"]),
        )
        for (ili, language, gloss), (partner, told) in zip(_sides(row), partners, strict=True):
            its_words = words.get((partner, language), [])
            found = first_word_in(gloss, its_words, language, PARTNER) or ""
            if found != told:
                yield f"{row['id']}: the gloss of {ili} holds its partner's {found!r}, not {told!r}"
            if choices is None or (ili, partner, language) in tested:
                continue
            tested.add((ili, partner, language))
            word = first_word_in(gloss, its_words, language, choices)
            if word is not None:
                holding[ili, partner][language] = word
    for (ili, partner), by_language in holding.items():
        if len(by_language) >= least:
            language, word = next(iter(by_language.items()))
            yield f"{ili}: its gloss in '{language}' contains the word '{word}' of {partner}"


def _lengths(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    del languages
    choices = next(
        (step.choices for step in plan.filters if isinstance(step.choices, Length)), None
    )
    if choices is None:
        return
    for row in rows:
        for ili, language, gloss in _sides(row):
            if len(gloss) < choices.characters:
                yield f"{row['id']}: the gloss of {ili} in '{language}' is too short"


def _parts(rows: Sequence[_Row], plan: Plan, languages: Sequence[str]) -> Iterator[str]:
    del languages
    if any(step.name == "part-of-speech" for step in plan.filters):
        for row in rows:
            if "-" in row["pos"]:
                yield f"{row['id']}: its senses differ in part of speech: {row['pos']}"


def _exemplars(exemplars: Sequence[_Row], items: Sequence[_Row], plan: Plan) -> Iterator[str]:
    shown = {ili for row in exemplars for ili, _, _ in _sides(row)}
    shared = shown & {ili for row in items for ili, _, _ in _sides(row)}
    if shared:
        yield f"{len(shared)} concepts of exemplars are among the items, such as {min(shared)}"
    by_label = {row["pair_id"]: row["label"] for row in exemplars}
    counts = Counter(by_label.values())
    for label in plan.inverses:
        if counts[label] != plan.exemplars:
            yield (
                f"the label '{label}' has {counts[label]} exemplar sense pair(s), "
                f"not {plan.exemplars}"
            )


def _sides(row: _Row) -> tuple[tuple[str, str, str], tuple[str, str, str]]:
    return (
        (row["ili_1"], row["language_1"], row["gloss_1"]),
        (row["ili_2"], row["language_2"], row["gloss_2"]),
    )


_RULES = (_labels, _orders, _glosses, _identical, _leaks, _partners, _lengths, _parts)
