"""The numbers of analyses, once more from the raw predictions, with SciPy and nothing of ours."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from scipy import stats

from sorites_eval.analysis import analyse
from sorites_eval.reporting.analyses.found import Found

Rows = list[dict[str, object]]
SETTINGS = ("zero-shot", "few-shot")


@pytest.fixture(scope="module")
def found(folder: Path) -> Mapping[str, Found]:
    return {table.name: table for table in analyse([folder])}


@pytest.fixture(scope="module")
def raw(folder: Path) -> Mapping[tuple[str, str], Rows]:
    return {
        (model, setting): pq.read_table(
            folder / model / setting / "predictions.parquet"
        ).to_pylist()
        for model in ("hesitant", "random")
        for setting in SETTINGS
    }


def line(found: Found, **key: object) -> Mapping[str, object]:
    (one,) = [line.values for line in found.lines if all(line.key[k] == v for k, v in key.items())]
    return one


def share_right(rows: Rows) -> float:
    return sum(row["answer"] == row["gold"] for row in rows) / len(rows)


def test_both_definitions_of_precision(
    found: Mapping[str, Found], raw: Mapping[tuple[str, str], Rows]
) -> None:
    differ = 0
    for (model, setting), rows in raw.items():
        positive = [row for row in rows if row["gold"] == "True"]
        negative = [row for row in rows if row["gold"] == "False"]
        tp = sum(row["answer"] == "True" for row in positive)
        textbook = sum(row["answer"] == "True" for row in negative)
        tn = sum(row["answer"] == "False" for row in negative)
        # As the paper's table 1: false positives and true negatives are all negative items.
        strict = len(negative) - tn
        values = line(found["results"], model=model, setting=setting)
        recall = tp / len(positive)
        for fp, name in ((textbook, ""), (strict, "-unanswered-wrong")):
            precision = tp / (tp + fp)
            f1 = 2 * precision * recall / (precision + recall)
            assert values[f"precision{name}"] == pytest.approx(precision, abs=1e-12)
            assert values[f"f1{name}"] == pytest.approx(f1, abs=1e-12)
        differ += textbook != strict
    assert differ == 2


def test_kinds_of_text(found: Mapping[str, Found], raw: Mapping[tuple[str, str], Rows]) -> None:
    for (model, setting), rows in raw.items():
        texts = [str(row["text"]) for row in rows]
        values = line(found["results"], model=model, setting=setting)
        bare = sum(text in ("True", "False") for text in texts)
        empty = sum(text == "" for text in texts)
        assert values["bare answer"] == bare / len(texts)
        assert values["non-empty text"] == pytest.approx(1 - empty / len(texts))
        assert values["other text"] == pytest.approx(1 - (bare + empty) / len(texts))
        shares = line(found["texts"], model=model, setting=setting)
        thought = sum("So the answer is" in text for text in texts)
        assert shares["answer within other text"] == thought / len(texts)
        assert shares["no answer"] == sum(text == "I cannot say." for text in texts) / len(texts)


def test_trend_over_the_groups_that_are_pooled(
    found: Mapping[str, Found], raw: Mapping[tuple[str, str], Rows]
) -> None:
    for (model, setting), rows in raw.items():
        for scheme in ("modus ponens", "modus tollens", "all"):
            x, y = [], []
            own = [r for r in rows if scheme in ("all", r["item.scheme"])]
            schemes = sorted({str(r["item.scheme"]) for r in own})
            for at, level, label in itertools.product(schemes, (0, 1, 2), (True, False)):
                cell = [
                    r
                    for r in own
                    if (r["item.scheme"], r["item.distractors"], r["item.label"])
                    == (at, level, label)
                ]
                x.append(level)
                y.append(share_right(cell))
            values = line(found["distractors"], model=model, setting=setting, scheme=scheme)
            expected = stats.spearmanr(x, y)
            assert values["n"] == len(x) == (12 if scheme == "all" else 6)
            assert values["rho"] == pytest.approx(expected.statistic)
            assert values["p approximate"] == pytest.approx(expected.pvalue)
            if len(x) > 8:
                assert values["p"] == pytest.approx(expected.pvalue)
            else:
                orders = [
                    stats.spearmanr(x, order).statistic for order in itertools.permutations(y)
                ]
                seen = abs(expected.statistic) - 1e-9
                assert values["p"] == pytest.approx(sum(abs(r) >= seen for r in orders) / 720)


def test_paired_tests_of_both_families_with_one_correction(
    found: Mapping[str, Found], raw: Mapping[tuple[str, str], Rows]
) -> None:
    def values(model: str, setting: str) -> list[float]:
        cells: dict[tuple[object, ...], Rows] = {}
        for row in raw[model, setting]:
            key = tuple(row[f"item.{c}"] for c in ("scheme", "distractors", "label"))
            cells.setdefault(key, []).append(row)
        return [share_right(cells[key]) for key in sorted(cells, key=str)]

    sides = {("models", setting): (values("hesitant", setting), values("random", setting))
             for setting in SETTINGS}  # fmt: skip
    sides["settings", None] = values("hesitant", "zero-shot"), values("hesitant", "few-shot")
    # Of random there is no comparison of settings: it reads no prompt.
    assert len(found["tests-tests"].lines) == len(sides)
    ps = [stats.wilcoxon(a, b).pvalue for a, b in sides.values()]
    adjusted = stats.false_discovery_control(ps, method="by")
    for (family, setting), p, corrected in zip(sides, ps, adjusted, strict=True):
        told = line(found["tests-tests"], family=family, setting=setting)
        assert told["n"] == 12
        assert told["p"] == pytest.approx(p)
        assert told["p adjusted"] == pytest.approx(corrected)
        assert told["significant"] == (corrected < 0.01)


def test_difference_and_total(
    found: Mapping[str, Found], raw: Mapping[tuple[str, str], Rows]
) -> None:
    for model in ("hesitant", "random"):
        sides = [
            share_right([r for r in raw[model, s] if r["item.scheme"] == "modus ponens"])
            for s in SETTINGS
        ]
        told = line(found["change"], model=model, scheme="modus ponens")
        assert told["accuracy"] == pytest.approx(sides[1])
        assert told["Δ accuracy"] == pytest.approx(sides[1] - sides[0])
    mean = sum(share_right(raw[model, "zero-shot"]) for model in ("hesitant", "random")) / 2
    values = line(found["results"], model="all", setting="zero-shot")
    assert values["accuracy"] == pytest.approx(mean)


def test_contrast_and_heat(found: Mapping[str, Found], raw: Mapping[tuple[str, str], Rows]) -> None:
    cell = [
        [
            r
            for r in raw["hesitant", s]
            if (r["item.scheme"], r["item.distractors"]) == ("modus tollens", 2)
        ]
        for s in SETTINGS
    ]
    told = line(found["settings"], model="hesitant", scheme="modus tollens", distractors=2)
    assert told["zero-shot"] == pytest.approx(share_right(cell[0]))
    assert told["few-shot"] == pytest.approx(share_right(cell[1]))
    f1 = line(
        found["grid"], model="hesitant", setting="few-shot", scheme="modus tollens", distractors=2
    )["f1"]
    tp = sum(r["answer"] == r["gold"] == "True" for r in cell[1])
    said = sum(r["answer"] == "True" for r in cell[1])
    gold = sum(r["gold"] == "True" for r in cell[1])
    assert f1 == pytest.approx(2 * tp / (said + gold))
