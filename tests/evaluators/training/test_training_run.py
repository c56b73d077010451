from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sorites_eval.contract.release import Release
from sorites_eval.errors import RunError
from sorites_eval.training.lstm import LstmSettings
from sorites_eval.training.training_run import Request, train, write

torch = pytest.importorskip("torch", reason="training needs torch")

TINY = LstmSettings(dimensions=8, hidden=8, layers=1, batch=32)


def request(**changed: object) -> Request:
    settings = {"model": "lstm", "runs": 1, "epochs": 1, "lstm": TINY} | changed
    return Request(**settings)  # type: ignore[arg-type]


def test_a_set_is_trained_on_beside_the_references(toy: Release, tmp_path: Path) -> None:
    told: list[int] = []

    def started(epochs: int) -> Callable[[int], None]:
        told.append(epochs)
        return told.append

    trained = train(toy, toy.task("follows"), request(runs=2, epochs=3), started)
    assert [summary.model for summary in trained.summaries] == ["lstm", "people"]
    assert trained.summaries[0].training_set == "both"
    assert told[0] == 6
    assert told[1:] == [1] * (len(told) - 1)
    write(trained, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "training.md",
        "training.json",
    }


def test_another_data_set_is_mixed_in_or_stands_alone(toy: Release, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    lines = [f"p {n}\th {n}\t{'entailment' if n % 2 else 'neutral'}" for n in range(10)]
    other.write_text("premise\thypothesis\tlabel\n" + "\n".join(lines), encoding="utf-8")
    task = toy.task("follows")
    mixed = train(toy, task, request(others=str(other), others_limit=6)).summaries[0]
    assert (mixed.trained_on, mixed.training_set) == (134, f"both + {other}")
    alone = train(toy, task, request(others=str(other), only_others=True)).summaries[0]
    assert (alone.trained_on, alone.training_set) == (10, str(other))


def test_a_curve_is_written_as_table_figures_and_plot(toy: Release, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="a plot needs matplotlib")
    trained = train(toy, toy.task("follows"), request(curve="by-verb", limit=30))
    assert [summary.trained_on for summary in trained.summaries] == [30, 50, 70]
    write(trained, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"curve.md", "curve.json", "curve.svg"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"curve": "by-verb", "others": "x.tsv"},
            "a curve is trained on the release alone: leave the other data set out",
        ),
        (
            {"model": "bert", "lstm": LstmSettings(vectors=Path("glove.txt"))},
            "word vectors are for the model lstm; bert has its own",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    toy: Release, changed: dict[str, object], message: str
) -> None:
    with pytest.raises(RunError) as raised:
        train(toy, toy.task("follows"), request(**changed))
    assert str(raised.value) == message
