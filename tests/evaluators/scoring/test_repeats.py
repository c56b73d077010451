"""Several answers an item, against plain enumeration."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from statistics import mean

import pytest

import sorites_eval
from sorites_eval.backends.options import Options
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request
from sorites_eval.running.finished import read_run
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.intervals import share_interval
from sorites_eval.scoring.prediction import Prediction
from sorites_eval.scoring.repeats import majority, pass_at_k
from tests.evaluators.test_evaluate_cli import evaluate as command


def test_pass_at_k_is_the_share_of_all_draws_of_k() -> None:
    for rights in product([False, True], repeat=5):
        for k in range(1, 6):
            draws = [any(draw) for draw in combinations(rights, k)]
            assert pass_at_k(5, sum(rights), k) == pytest.approx(mean(draws))


def answered(*labels: str | None, gold: str = "True") -> list[Prediction]:
    return [
        Prediction(
            "i", "only", gold, label, Outcome.ANSWER if label else Outcome.EMPTY, {}, repeat=number
        )
        for number, label in enumerate(labels)
    ]


@pytest.mark.parametrize(
    ("labels", "most"),
    [
        (("True", "False", "True"), "True"),
        (("False", "True", "True", "False"), "False"),
        ((None, None, "True"), "True"),
        ((None, None), None),
        (("True", "False", "False", None), "False"),
    ],
)
def test_the_majority(labels: tuple[str | None, ...], most: str | None) -> None:
    (found,) = majority(answered(*labels))
    assert (found.label, found.repeat) == (most, 0)


def test_a_vote_is_for_label_and_selection() -> None:
    base = answered("True", "True", "True", "False", "False")
    selections = [(1,), (2,), (3,), (), ()]
    votes = [
        Prediction(
            *(p.id, p.view, p.gold, p.label, p.outcome, p.facts),
            right_selection=s == (2,),
            selection=s,
            repeat=p.repeat,
        )
        for p, s in zip(base, selections, strict=True)
    ]
    (found,) = majority(votes)
    assert (found.label, found.selection) == ("False", ())


def test_a_run_keeps_every_answer_and_scores_them(small_release: Path, tmp_path: Path) -> None:
    """The n-th item is right in the first n % 4 of its three answers."""
    numbers: dict[str, int] = {}

    def answer(request: Request) -> str:
        number = numbers.setdefault(request.id, len(numbers))
        right = request.id.endswith("yes")
        return str(right if request.repeat < number % 4 else not right)

    run = sorites_eval.evaluate(small_release, answer, task="entailment", repeats=3, out=tmp_path)
    assert len(run.rows) == len(run.predictions) == 36
    assert [row["repeat"] for row in run.rows] == [0] * 12 + [1] * 12 + [2] * 12
    assert run.about["repeats"] == 3
    found = run.scores.document["repeats"]
    assert isinstance(found, dict)
    assert (found["n"], found["items"]) == (3, 12)
    clusters = [f"i-{n // 2}" for n in range(12)]
    rights = [n % 4 for n in range(12)]
    expected = share_interval([right / 3 for right in rights], clusters)
    assert found["mean"] == {
        "estimate": expected.estimate,
        "low": expected.low,
        "high": expected.high,
        "clusters": 6,
    }
    assert run.scores.overall["accuracy"] == pytest.approx(expected.estimate)
    assert found["each"] == pytest.approx([9 / 12, 6 / 12, 3 / 12])
    assert found["majority"]["estimate"] == found["majority"]["accuracy"] == 6 / 12
    assert found["majority"]["n"] == 12
    by_k = {entry["k"]: entry["estimate"] for entry in found["pass_at_k"]}
    assert by_k == pytest.approx({1: 6 / 12, 2: mean([0, 2 / 3, 1, 1]), 3: 9 / 12})
    assert all(entry["low"] < entry["high"] for entry in found["pass_at_k"])


def test_more_repeats_ask_only_for_more(small_release: Path, tmp_path: Path) -> None:
    asked: list[int] = []

    class Model:
        def identity(self) -> dict[str, object]:
            return {}

        def __call__(self, request: Request) -> str:
            asked.append(request.repeat)
            return "True" if request.repeat else "False"

    for repeats in (1, 3, 2):
        run = sorites_eval.evaluate(
            small_release, Model(), task="entailment", repeats=repeats, out=tmp_path
        )
        assert len(run.rows) == 12 * repeats
        assert {(row["repeat"], row["answer"]) for row in run.rows} == {
            (repeat, "True" if repeat else "False") for repeat in range(repeats)
        }
    assert sorted(asked) == [0] * 12 + [1] * 12 + [2] * 12
    assert read_run(run.folder).predictions == run.predictions


def test_views_are_combined_within_a_repeat(small_release: Path, tmp_path: Path) -> None:
    """Both views agree in the second answer alone."""

    def answer(request: Request) -> str:
        return "3" if request.repeat == 1 or request.view == "forward" else "1"

    run = sorites_eval.evaluate(small_release, answer, task="relation", repeats=2, out=tmp_path)
    assert [(p.repeat, p.label) for p in run.predictions] == [(0, None)] * 18 + [(1, "3")] * 18
    found = run.scores.document["repeats"]
    assert isinstance(found, dict)
    assert found["each"] == [0, 6 / 18]


def test_random_answers_differ_between_repeats(small_release: Path, tmp_path: Path) -> None:
    run = sorites_eval.evaluate(small_release, "random", task="entailment", repeats=4, out=tmp_path)
    once = sorites_eval.evaluate(small_release, "random", task="entailment", out=tmp_path / "once")
    answers = [[row["answer"] for row in run.rows if row["repeat"] == n] for n in range(4)]
    assert answers[0] == [row["answer"] for row in once.rows]
    assert len({tuple(several) for several in answers}) == 4


def test_compared_runs_pair_the_shares_of_their_items(small_release: Path, tmp_path: Path) -> None:
    def often(request: Request) -> str:
        return str(request.id.endswith("yes") == (request.repeat < 2))

    def seldom(request: Request) -> str:
        return str(request.id.endswith("yes") == (request.repeat < 1))

    runs = [
        sorites_eval.evaluate(small_release, model, task="entailment", repeats=4, out=tmp_path)
        for model in (often, seldom)
    ]
    found = sorites_eval.compare(runs)
    assert [(s.n, s.interval.estimate) for s in found.standings] == [(12, 0.5), (12, 0.25)]
    (test,) = [f for f in found.findings if f.difference]
    assert test.difference is not None
    assert (test.test.name, test.difference.estimate) == ("Wilcoxon", 0.25)


def test_a_model_that_repeats_itself_is_told_to_draw(small_release: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        sorites_eval.evaluate(small_release, "./none", task="entailment", repeats=5, out=tmp_path)
    assert str(caught.value) == (
        "./none: without a temperature every one of 5 answers to an item is the same. Give one, "
        "such as --temperature 0.7."
    )
    with pytest.raises(ModelError, match="no such model folder"):
        sorites_eval.evaluate(
            *(small_release, "./none"),
            task="entailment",
            repeats=5,
            out=tmp_path,
            options=Options(temperature=0.7),
        )


def test_the_command_shows_what_several_answers_come_to(
    small_release: Path, tmp_path: Path
) -> None:
    options = ("--task", "entailment", "--repeats", "3", "--out", tmp_path)
    done = command("run", small_release, "--model", "random", *options)
    assert done.returncode == 0, done.stderr
    assert "3 answers an item: majority" in done.stdout
    assert "pass@3" in done.stdout
