from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest

from sorites.errors import SourceError
from sorites.families.veridicality import reprove
from sorites.families.veridicality.audit import audit
from sorites.families.veridicality.judgements import (
    RatingColumns,
    RatingTable,
    human_table,
    majority,
    read_judgements,
    read_ratings,
)
from sorites.families.veridicality.plan import Plan, no_problem, read_plan
from sorites.families.veridicality.verbs import Sign, Verb
from sorites.logic.prover import Prover
from sorites.sources.sentence_pairs.table_formats import TableLayout
from sorites.specfile.load import load
from tests.compiler.families.veridicality.conftest import Sample

VERBS = [
    Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {"megaveridicality": 0.7}),
    Verb("hope", "hopes", "hoped", Sign.OPEN, Sign.OPEN, {"megaveridicality": 0.0}),
]
HEADER = "pair_ID\tgenre\tverb\tsentence1\tsentence2\tgold_label\tavg_score\tcrowd_score\n"


def line(**changed: str) -> str:
    cells = {
        "pair_ID": "7",
        "genre": "past.fph.entailment.act.pos.factive",
        "verb": "knew",
        "sentence1": "Someone knew that a man, who was old, was here",
        "sentence2": "A man was here",
        "gold_label": "entailment",
        "avg_score": "4",
        "crowd_score": "[5, 4, 3]",
    } | changed
    return "\t".join(cells.values()) + "\n"


def write(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "judged.tsv"
    path.write_text(HEADER + "".join(lines), encoding="utf-8")
    return path


def test_reads_labels_ratings_and_their_majority(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        line(),
        line(
            verb="hopes",
            genre="present.fpp.neutral.act.pos.x",
            gold_label="neutral",
            crowd_score="[3, 3, 5]",
        ),
    )
    first, second = read_judgements(path, VERBS)
    assert (first.id, first.part, first.verb, first.tense) == (
        "h7-know-past-composite",
        "composite",
        "know",
        "past",
    )
    assert (first.label, first.human_label, first.human_scores) == ("yes", "yes", [5, 4, 3])
    assert first.human_mean == 4
    assert (second.part, second.label, second.human_label) == ("veridical", "unk", "unk")
    assert human_table([first, second]).column("signature").to_pylist() == ["+/+", "o/o"]


@pytest.mark.parametrize(
    ("scores", "label"),
    [
        ([3], "yes"),
        ([2], "unk"),
        ([3, 2], "unk"),
        ([5, 3, 2], "yes"),
        ([3, 2, 1], "unk"),
        ([5, 4, 2, 1], "unk"),
        ([5, 4, 3, 1], "yes"),
    ],
)
def test_half_is_no_majority(scores: list[int], label: str) -> None:
    assert majority(scores, threshold=3) == label


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"genre": "past.fpx.neutral"}, "unknown genre 'past.fpx.neutral'"),
        ({"genre": "past"}, "unknown genre 'past'"),
        ({"verb": "guessed"}, "'guessed' is no past form of a verb of the spec"),
        ({"verb": "knows"}, "'knows' is no past form of a verb of the spec"),
        (
            {"gold_label": "neutral"},
            "the label 'neutral' is not yes, which follows from know being +/+",
        ),
        ({"crowd_score": "[5, 6]"}, "'[5, 6]' is no list of ratings from 1 to 5"),
        ({"crowd_score": "[]"}, "'[]' is no list of ratings from 1 to 5"),
        ({"crowd_score": "five"}, "'five' is no list of ratings from 1 to 5"),
    ],
)
def test_refuses_what_it_does_not_understand(
    tmp_path: Path, changed: dict[str, str], message: str
) -> None:
    with pytest.raises(SourceError) as raised:
        read_judgements(write(tmp_path, line(**changed)), VERBS)
    assert str(raised.value) == f"judged.tsv:2: {message}"


def published_plan(root: Path) -> Plan:
    spec = load(root / "specs" / "veridical-transitivity.yaml")
    plan = read_plan(cast("dict[str, Any]", spec.document.data), no_problem)
    assert plan is not None
    return plan


def test_the_published_judgements(root: Path, shared_data: Path) -> None:
    verbs = published_plan(root).verbs
    path = shared_data / "veridicality" / "naturalistic_inference_human_performance.tsv"
    judgements = read_judgements(path, verbs)
    assert len(judgements) == 1920
    assert len({judgement.id for judgement in judgements}) == 1920
    assert set(Counter(j.verb for j in judgements).values()) == {64}
    found = audit(
        {},
        drawn={},
        suitable=None,
        judgements=judgements,
        verbs=verbs,
        prover=Prover(),
        rejected={},
    )
    human = cast("dict[str, Any]", found["human"])
    assert human["agreement"] == 0.7755
    assert human["composites by cell"] == {
        "yes/yes": 0.9875,
        "yes/unk": 0.9875,
        "unk/yes": 0.3958,
        "unk/unk": 0.9958,
    }
    assert human["correlation with megaveridicality"] == 0.8882
    assert human["by verb"]["claim"]["veridical"] == 0.0312


def test_judged_rows_are_derived_again(tmp_path: Path, sample: Sample) -> None:
    table = human_table(read_judgements(write(tmp_path, line(), line(pair_ID="8")), VERBS))
    key = ("human", "composite")
    assert reprove({key: table}, sample.document) == []
    rows = table.to_pylist()
    rows[0]["label"] = "unk"
    rows[1]["human_label"] = "unk"
    altered = pa.Table.from_pylist(rows, schema=table.schema)
    assert reprove({key: altered}, sample.document) == [
        "human: h7-know-past-composite: the label unk does not follow",
        "human: h8-know-past-composite: the majority is yes",
    ]


RATINGS = "who\tsaid\tso\tverb\twhere\tgiven\n"
TABLE = RatingTable(
    TableLayout(),
    RatingColumns("said", "so", "verb", "given", id="who", environment="where"),
    (-3, 3),
    1,
)


def ratings(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "ratings.tsv"
    path.write_text(RATINGS + "".join(lines), encoding="utf-8")
    return path


def test_ratings_by_the_columns_of_the_spec(tmp_path: Path) -> None:
    path = ratings(
        tmp_path,
        "7\tDid Ann know that it rained?\tIt rained\tknow\tquestion\t3, 2,-1\n",
        "8\tAnn did not hope that it rained\tIt rained\thope\tnegated\t[0, -2, 1]\n",
    )
    first, second = read_ratings(path, TABLE, VERBS)
    assert (first.id, first.label, first.environment, first.polarity) == (
        "h7",
        "yes",
        "question",
        "unknown",
    )
    assert (first.human_scores, first.human_label) == ([3, 2, -1], "yes")
    assert (second.label, second.human_label, second.polarity) == ("unk", "unk", "negative")
    assert second.human_mean == pytest.approx(-1 / 3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("7\tx\ty\tguess\tmodal\t1\n", "'guess' is no verb of the spec"),
        (
            "7\tx\ty\tknow\tmood\t1\n",
            "'mood' is no environment; known: positive, negated, question, conditional, modal, "
            "quantified",
        ),
        ("7\tx\ty\tknow\tmodal\t1,4\n", "'1,4' is no list of ratings from -3 to 3"),
        ("7\tx\ty\tknow\tmodal\ttrue\n", "'true' is no list of ratings from -3 to 3"),
        ("7\tx\ty\tknow\tmodal\t\n", "'' is no list of ratings from -3 to 3"),
    ],
)
def test_ratings_that_are_not_understood(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(SourceError) as raised:
        read_ratings(ratings(tmp_path, line), TABLE, VERBS)
    assert str(raised.value) == f"ratings.tsv:2: {message}"


def test_the_sample_of_ratings(environments: Sample) -> None:
    rows = environments.rows("human", "veridical")
    assert len(rows) == 25
    assert {len(row["human_scores"]) for row in rows} == {5}
    assert {row["environment"] for row in rows} == {
        "positive",
        "negated",
        "question",
        "conditional",
        "modal",
    }
    assert ("human", "composite") not in environments.tables
