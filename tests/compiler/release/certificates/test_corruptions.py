"""Spoilt rows and certificates of three families: none of those whose label changes is accepted."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites.families import veridicality
from sorites.families.argument_schemes.read_rows import RowReader, words_of_release
from sorites.families.veridicality.plan import no_problem, read_plan
from sorites.logic.formulas import negation, parse
from sorites.logic.grammar.fragment import capitalised
from sorites.logic.prover import Prover
from sorites.release.certificates import check
from sorites.sources.lexicons.lmf import read_lmf
from tests.compiler.release.certificates.corruptions import KINDS, Spoilt, accepted, spoil
from tests.conftest import ROOT
from tests.samples import compiled

Judge = Callable[[Spoilt], bool]
"""Whether the label of a spoilt row is what its words say, by an independent prover."""

SAMPLE = ROOT / "specs" / "sample"
FAMILIES = {
    "argument-schemes": "syllobio-nli",
    "veridicality": "verb-environments",
    "sense-relations": "gloss-relations",
}
SOURCES = {"sense-relations": [SAMPLE / "five-languages.xml"]}


class Bench:
    """A release with what is needed to spoil it and to judge the outcome."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.release = check.Release(folder, SOURCES.get(kind, []))
        self.document = self.release.manifest["spec"]["document"]
        self.rows: list[tuple[str, Any]] = []
        self.tables: dict[tuple[str, str], pa.Table] = {}
        for path, config in self.release.files.items():
            if config not in ("certificates", "human"):
                table = pq.read_table(path)
                self.tables[config, path.name.split("-")[0]] = table
                self.rows += [(config, row) for row in table.to_pylist()]
        if kind == "veridicality":
            self.rows = [(c, row) for c, row in self.rows if row["hypothesis_formula"]]
        self.words, self.judge = MAKERS[kind](self)

    def draw(self, chance: random.Random) -> Spoilt:
        config, row = chance.choice(self.rows)
        if "argument" in row:
            key: tuple[str | None, str] = (
                config,
                f"{row['argument']} {row['verdict']} {row['polarity']}",
            )
        elif "relation" in row:
            key = (None, row["pair_id"])
        else:
            key = (None, f"{row['premise_formula'] or ''} => {row['hypothesis_formula']}")
        own = self.release.own[key]
        return Spoilt(config, row, key, own, self.release.shared.get(own["refutation"]))


def _vocabulary(texts: list[str]) -> list[str]:
    return sorted({word for text in texts for word in text.split(" ")})


def _arguments(bench: Bench) -> tuple[Mapping[str, Any], Judge]:
    words = words_of_release(bench.document)
    prover = Prover()
    reader = RowReader(words, None)
    phrases = [capitalised(words.phrases[key].before) for key in ("asserted", "denied")]
    texts = [text for _, row in bench.rows for text in (*row["premises"], row["conclusion"])]

    def judge(spoilt: Spoilt) -> bool:
        row = spoilt.row
        formulas = [*row["premise_formulas"], row["conclusion_formula"]]
        predicates = {name for text in formulas for name in parse(text).symbols.predicates}
        said = reader.read(row, predicates)
        if said.faults or said.conclusion is None:
            return False
        return prover.verdict(said.premises, said.conclusion).value == row["verdict"]

    return {"phrases": phrases, "vocabulary": _vocabulary(texts)}, judge


def _verbs(bench: Bench) -> tuple[Mapping[str, Any], Judge]:
    plan = read_plan(bench.document, no_problem)
    assert plan is not None
    assert plan.synthetic is not None
    fragment = plan.synthetic.fragment
    opposites = {}
    for _, row in bench.rows:
        literal = parse(row["hypothesis_formula"])
        other = parse(literal.text[1:]) if literal.text.startswith("-") else negation(literal)
        said = fragment.says(other) if "(" not in literal.text.strip("-")[0] else None
        if said is not None:
            key = row["tense"], row["hypothesis_formula"]
            opposites[key] = capitalised(said.words(row["tense"])), other.text
    texts = [text for _, row in bench.rows for text in (row["premise"], row["hypothesis"])]
    verbs = {verb.name: verb for verb in plan.verbs}
    forms = [form for verb in verbs.values() for form in verb.forms if " " not in form]
    parts = [row for _, row in bench.rows if row["part"] != "composite"]
    # What a composite has in common with its parts is no matter of what its words entail.
    elsewhere = ("of the pair", "label_embedded is", "from its parts")

    def judge(spoilt: Spoilt) -> bool:
        row = spoilt.row
        others = [each for each in parts if each["pair"] == row["pair"] and each["id"] != row["id"]]
        columns = next(iter(bench.tables.values())).schema
        table = pa.Table.from_pylist([row, *others], schema=columns)
        # A sentence of a part veridical is read by its shape; those of the others are here.
        if row["part"] != "veridical":
            said = fragment.says(parse(row["hypothesis_formula"]))
            if said is None or row["hypothesis"] != capitalised(said.words(row["tense"])):
                return False
        if row["part"] == "embedded":
            own_sentence = fragment.sentence(row["shape"], row["premise_formula"])
            if own_sentence is None or row["premise"] != capitalised(
                own_sentence.words(row["tense"])
            ):
                return False
        found = veridicality.reprove({("synthetic", "test"): table}, bench.document)
        own = [fault for fault in found if fault.startswith(f"synthetic/test: {row['id']}:")]
        return all(any(part in fault for part in elsewhere) for fault in own)

    return {"opposites": opposites, "vocabulary": [*_vocabulary(texts), *forms]}, judge


def _glosses(bench: Bench) -> tuple[Mapping[str, Any], Judge]:
    languages = bench.document["languages"]
    lexicon = read_lmf(SOURCES["sense-relations"], languages)
    relations = bench.document["relations"]
    told = bench.release.given["relations"]
    labels = sorted({each[name] for each in told.values() for name in ("label", "inverse")})
    types = sorted({kind for each in told.values() for kind in each["types"]})
    texts = [row["gloss_1"] for _, row in bench.rows]

    def stated(relation: Mapping[str, Any], ends: tuple[str, str]) -> bool:
        both = (
            (lexicon.synset_relations, relation.get("synset_types", ())),
            (lexicon.sense_relations, relation.get("sense_types", ())),
        )
        return any(ends in known.get(kind, ()) for known, kinds in both for kind in kinds)

    def judge(spoilt: Spoilt) -> bool:
        row = spoilt.row
        relation = relations[row["relation"]]
        ends = row["ili_1"], row["ili_2"]
        for number, ili in enumerate(ends, 1):
            gloss = lexicon.glosses[row[f"language_{number}"]].get(ili)
            if gloss is None or check.fold(gloss.strip()) != check.fold(
                row[f"gloss_{number}"].strip()
            ):
                return False
        given = told[row["relation"]]
        right = {given["label"]} if stated(relation, ends) else set()
        right |= {given["inverse"]} if stated(relation, ends[::-1]) else set()
        return row["label"] in right

    return {"labels": labels, "types": types, "vocabulary": _vocabulary(texts)}, judge


MAKERS = {"argument-schemes": _arguments, "veridicality": _verbs, "sense-relations": _glosses}


@pytest.fixture(scope="session", params=FAMILIES)
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return _bench(
        request.param, compiled(SAMPLE / f"{FAMILIES[request.param]}.yaml", tmp_path_factory)
    )


@cache
def _bench(kind: str, folder: Path) -> Bench:
    return Bench(folder, kind)


def spoilt_rows(bench: Bench, each: int) -> Counter[tuple[str, str]]:
    """Counts by kind and outcome; fails for one that is accepted though its label is wrong."""
    counts: Counter[tuple[str, str]] = Counter()
    for kind in KINDS:
        chance = random.Random(f"{kind} {bench.release.manifest['kind']}")
        done = 0
        while done < each:
            changed = spoil(kind, bench.draw(chance), chance, bench.words)
            if changed is None:
                continue
            done += 1
            taken, right = accepted(bench.release, changed), bench.judge(changed)
            counts[kind, "label changed" if not right else "label kept"] += 1
            if taken:
                counts[kind, "accepted"] += 1
                assert right, (kind, json.dumps(changed.row, default=str), changed.own)
    return counts


def test_nothing_whose_label_changes_is_accepted(bench: Bench) -> None:
    counts = spoilt_rows(bench, 25)
    # Not everything is refused, nor is everything harmless: the test tells the two apart.
    assert sum(n for (_, outcome), n in counts.items() if outcome == "label changed") > 40
    assert counts["label turned", "accepted"] == 0


@pytest.mark.slow
def test_ten_thousand_corruptions(
    bench: Bench, record_property: Callable[[str, object], None]
) -> None:
    counts = spoilt_rows(bench, 667)
    changed = sum(n for (_, outcome), n in counts.items() if outcome == "label changed")
    record_property("corruptions", dict(counts))
    print(bench.release.manifest["kind"], dict(counts))
    assert changed >= 0.5 * 667 * len(KINDS)
