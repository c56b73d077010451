from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorites_eval.contract.release import Release
from sorites_eval.errors import RunError
from sorites_eval.training.other_inferences import read_inferences


def test_a_table_with_words_for_labels(toy: Release, tmp_path: Path) -> None:
    path = tmp_path / "other.tsv"
    path.write_text(
        "gold_label\tsentence1\tsentence2\n"
        'entailment\tA "dog" runs\tAn animal runs\n'
        "-\tA dog runs\tA dog\n"
        "contradiction\tA dog runs\tA dog sleeps\r\n",
        encoding="utf-8",
    )
    found = read_inferences(str(path), toy.task("follows"))
    assert [(e.texts, e.label) for e in found] == [
        (('A "dog" runs', "An animal runs"), 0),
        (("A dog runs", "A dog sleeps"), 1),
    ]


def test_lines_of_json_with_numbers_for_labels(toy: Release, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    lines = [{"premise": "p", "hypothesis": "h", "label": label} for label in (0, 1, 2, -1, 0)]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    task = toy.task("follows")
    assert [e.label for e in read_inferences(str(path), task)] == [0, 1, 1, 0]
    assert [e.label for e in read_inferences(str(path), task, limit=2)] == [0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a\tb\n1\t2\n",
            "row 1: no columns ('premise', 'hypothesis', 'label') or ('sentence1', 'sentence2', "
            "'gold_label')",
        ),
        ("premise\thypothesis\tlabel\np\th\tmaybe\n", "row 1: unknown label 'maybe'"),
    ],
)
def test_refuses_another_make(toy: Release, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "other.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError) as raised:
        read_inferences(str(path), toy.task("follows"))
    assert str(raised.value) == f"{path}: {message}"


def test_a_file_that_is_not_there(toy: Release, tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    with pytest.raises(RunError) as raised:
        read_inferences(str(path), toy.task("follows"))
    assert str(raised.value).startswith(f"{path}: cannot be read: ")
