from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorites_eval.contract.release import open_release
from sorites_eval.errors import RunError
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import Prediction
from sorites_eval.training.bilinear import Settings
from sorites_eval.training.bilinear_report import (
    BilinearScores,
    GroupScores,
    bilinear_table,
    run_bilinear,
    summarise_bilinear,
)
from tests.evaluators.training.test_bilinear import TASK, one_thread

__all__ = ["one_thread"]  # a fixture for every test here too


def said(item: str, view: str, gold: str, label: str, language: str) -> Prediction:
    facts = {"language_1": language, "language_2": "el"}
    return Prediction(item, view, gold, label, Outcome.ANSWER, facts)


REPETITION = [
    said("a", "forward", "1", "1", "en"), said("a", "reversed", "2", "2", "en"),
    said("b", "forward", "1", "1", "en"), said("b", "reversed", "2", "1", "en"),
    said("c", "forward", "3", "3", "el"), said("c", "reversed", "3", "3", "el"),
    said("d", "forward", "1", "1", "el"), said("d", "reversed", "2", "2", "el"),
]  # fmt: skip


def test_scores_are_named_by_value_and_broken_down() -> None:
    scores = summarise_bilinear(TASK, [REPETITION, REPETITION])
    assert scores == BilinearScores(
        f1={"HYP": (0.8, 0.0), "ANT": (1.0, 0.0)},
        macro_f1=0.9,
        unmatched=0.25,
        groups={
            "language_1/language_2": [
                GroupScores({"language_1": "en", "language_2": "el"}, {"HYP": (2 / 3, 0.0)}),
                GroupScores(
                    {"language_1": "el", "language_2": "el"},
                    {"HYP": (1.0, 0.0), "ANT": (1.0, 0.0)},
                ),
            ]
        },
    )
    assert bilinear_table(scores).splitlines() == [
        "| items | F1 HYP | F1 ANT |",
        "|---|--:|--:|",
        "| all | 80.0 ± 0.0 | 100.0 ± 0.0 |",
        "| en, el | 66.7 ± 0.0 | – |",
        "| el, el | 100.0 ± 0.0 | 100.0 ± 0.0 |",
    ]


def test_a_release_is_scored_from_end_to_end(
    make_release: Callable[..., Path], document: dict[str, Any], tmp_path: Path
) -> None:
    document["tasks"]["relation"]["score"]["clusters"] = "pair_id"
    release = open_release(make_release(glosses=45, document=document))
    task = release.task("relation")
    rows = release.rows(task.data, ["gloss_1", "gloss_2"])
    texts = sorted({str(text) for row in rows for text in row.values()})
    kinds = sorted({text.split(",")[0] for text in texts})
    vectors = np.eye(len(kinds), dtype=np.float32)[[kinds.index(t.split(",")[0]) for t in texts]]
    np.savez(tmp_path / "v.npz", texts=np.array(texts), vectors=vectors)
    done: list[int] = []
    scores = run_bilinear(
        release,
        task,
        embeddings=str(tmp_path / "v.npz"),
        prefix="",
        texts=("gloss_1", "gloss_2"),
        members=("gloss_1", "gloss_2"),
        settings=Settings(hidden=8, epochs=60, learning_rate=0.02, repetitions=2),
        out=tmp_path / "out",
        advance=done.append,
    )
    assert len(done) == 6
    assert scores.f1["hypernym"][0] > 0.9
    assert scores.f1["antonym"][0] > 0.9
    written = json.loads((tmp_path / "out" / "bilinear.json").read_text(encoding="utf-8"))
    assert written["scores"]["f1"]["hypernym"][0] == scores.f1["hypernym"][0]
    assert written["release"]["name"] == "small"
    assert written["embeddings"]["dimensions"] == len(kinds)
    assert (tmp_path / "out" / "bilinear.md").read_text(encoding="utf-8").startswith("| items |")


def test_pairs_must_be_told_apart(make_release: Callable[..., Path], tmp_path: Path) -> None:
    release = open_release(make_release())
    with pytest.raises(RunError, match="names no `clusters`, the column that tells pairs apart"):
        run_bilinear(
            release,
            replace(TASK, score=replace(TASK.score, clusters=None)),
            embeddings="none.npz",
            prefix="",
            texts=("gloss_1", "gloss_2"),
            members=("sense_1", "sense_2"),
            settings=Settings(),
            out=tmp_path / "out",
        )
    assert not (tmp_path / "out").exists()
