"""Real networks, trained for seconds on a toy release."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sorites_eval.contract.release import Release
from sorites_eval.errors import ModelError, RunError
from sorites_eval.training.classifier import ClassifierSettings, classifier_trainer, set_dropout
from sorites_eval.training.examples import Example, TrainingData
from sorites_eval.training.fine_tuning import (
    Figure,
    Summary,
    choose_set,
    fine_tune,
    prepare,
    reference_summary,
)
from sorites_eval.training.growth import choose_curve, grow, steps_of
from sorites_eval.training.lstm import LstmSettings, lstm_trainer
from sorites_eval.training.outcome import Outcome, Trainer, unwatched
from sorites_eval.training.results import (
    growth_table,
    summary_table,
    write_growths,
    write_summary,
)
from sorites_eval.training.search import searching
from sorites_eval.training.training_run import Request, train
from tests.evaluators.training.tiny_bert import save_tiny_bert

torch = pytest.importorskip("torch", reason="training needs torch")

CELLS = ("label_veridical", "label_embedded")
SMALL = LstmSettings(
    dimensions=16, hidden=24, layers=1, dropout=0.0, learning_rate=0.01, batch=16, epochs=8
)


def tune(release: Release, settings: LstmSettings = SMALL, runs: int = 2) -> Summary:
    task = release.task("follows")
    training, name = choose_set(task, None)
    data = prepare(release, task, training, name)
    return fine_tune(task, data, lstm_trainer(settings), model="lstm", training_set=name, runs=runs)


@pytest.fixture(scope="module")
def summary(toy: Release) -> Summary:
    return tune(toy)


def cell(summary: Summary, veridical: str, embedded: str) -> Figure:
    return next(
        group.accuracy
        for group in summary.groups[CELLS]
        if group.values == {"label_veridical": veridical, "label_embedded": embedded}
    )


def test_a_model_of_the_parts_goes_by_the_verb_alone(summary: Summary) -> None:
    assert (summary.trained_on, summary.tested_on) == (128, 40)
    assert summary.validation is not None
    assert summary.validation.mean > 0.95
    assert cell(summary, "yes", "yes").mean > 0.9
    assert cell(summary, "unk", "yes").mean > 0.9
    assert cell(summary, "yes", "unk").mean < 0.1


def test_runs_are_scored_one_by_one_and_put_together(summary: Summary) -> None:
    assert len(summary.scores) == 2
    each = [scores["overall"]["accuracy"] for scores in summary.scores]  # type: ignore[index]
    assert summary.accuracy == Figure.of(each)
    assert {group.n for group in summary.groups[CELLS]} == {10}
    assert [group.values for group in summary.groups["verb",]] == [
        {"verb": verb} for verb in ("hopes", "knows", "sees", "thinks")
    ]


def test_the_same_seed_trains_the_same(toy: Release, summary: Summary) -> None:
    assert tune(toy) == summary


def test_mean_and_deviation() -> None:
    assert Figure.of([0.5]) == Figure(0.5, None)
    figure = Figure.of([0.4, 0.6])
    assert figure.mean == pytest.approx(0.5)
    assert figure.deviation == pytest.approx(0.1414, abs=1e-4)


def test_vectors_from_a_file_are_where_words_start(toy: Release, tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("knows 1 0 0\nsees 1 0 0\nhopes 0 1 0\n", encoding="utf-8")
    found = tune(toy, replace(SMALL, vectors=path, epochs=2), runs=1)
    assert found.tested_on == 40
    missing = replace(SMALL, vectors=tmp_path / "none.txt")
    with pytest.raises(RunError):
        tune(toy, missing, runs=1)


def test_drop_out_is_searched_on_validation(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = prepare(toy, task, training, name)
    found = {
        share: lstm_trainer(replace(SMALL, epochs=2, dropout=share))(data, 0, unwatched)
        for share in (0.9, 0.0)
    }
    best = max(found.values(), key=lambda outcome: outcome.validation_accuracy or 0)
    searched = searching(
        (0.9, 0.0), lambda share: lstm_trainer(replace(SMALL, epochs=2, dropout=share))
    )
    assert searched(data, 0, unwatched) == best
    with pytest.raises(RunError) as raised:
        searched(replace(data, validation=()), 0, unwatched)
    assert str(raised.value) == (
        "a search over drop-out chooses by validation: there are no rows to validate with"
    )


def test_of_equal_shares_the_first_is_kept(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = prepare(toy, task, training, name)

    def as_good(share: float) -> Trainer:
        return lambda data, seed, advance: Outcome((), (), 0.5, 1, 1, share)

    assert searching((0.2, 0.1, 0.2), as_good)(data, 0, unwatched).dropout == 0.2


def test_what_a_run_validated_is_told_by_part(summary: Summary) -> None:
    (first, second) = summary.runs
    assert [run.seed for run in summary.runs] == [0, 1]
    assert [(g.values, g.n) for g in first.validation] == [
        ({"label_veridical": "unk", "label_embedded": None}, 16),
        ({"label_veridical": "yes", "label_embedded": None}, 16),
    ]
    right = sum(g.n * g.accuracy.mean for g in second.validation)
    assert second.validation_accuracy == pytest.approx(right / 32)


def test_training_stops_when_validation_no_longer_rises(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = prepare(toy, task, training, name)
    told: list[int] = []
    outcome = lstm_trainer(replace(SMALL, epochs=40, patience=1))(data, 0, told.append)
    assert outcome.epochs == len(told) < 40
    assert 1 <= outcome.best <= outcome.epochs


def test_without_validation_the_last_epoch_counts(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = replace(prepare(toy, task, training, name), validation=())
    outcome = lstm_trainer(replace(SMALL, epochs=2))(data, 0, lambda _: None)
    assert (outcome.best, outcome.epochs, outcome.validation_accuracy) == (2, 2, None)


def test_other_inferences_may_stand_beside_or_instead(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    others = [Example("x:1", ("a dog runs", "a dog"), 0), Example("x:2", ("a dog", "a cat"), 1)]
    assert len(prepare(toy, task, training, name, others=others).train) == 130
    alone = prepare(toy, task, training, name, others=others, only_others=True)
    assert list(alone.train) == others


def test_no_run_is_refused(toy: Release) -> None:
    with pytest.raises(RunError) as raised:
        tune(toy, runs=0)
    assert str(raised.value) == "0 runs are none: ask for at least one"


def test_people_are_scored_as_a_run_is(toy: Release) -> None:
    task = toy.task("follows")
    found = reference_summary(toy, task, "people", task.references["people"])
    assert (found.model, found.tested_on, found.accuracy) == ("people", 10, Figure(0.5, None))
    by_verb = {g.values["verb"]: g.accuracy.mean for g in found.groups["verb",]}
    assert by_verb == {"knows": 1.0, "hopes": 0.0}


def test_a_curve_grows_step_by_step(toy: Release, tmp_path: Path) -> None:
    task = toy.task("follows")
    training, _ = choose_set(task, None)
    curve = choose_curve(training, task, "by-verb")
    assert steps_of(toy, curve) == (0, 1, 2)

    def run(data: TrainingData, step: int) -> Summary:
        return fine_tune(
            task, data, lstm_trainer(SMALL), model="lstm", training_set=f"step {step}", runs=1
        )

    growth = grow(toy, task, training, "by-verb", run, steps=(0, 2))
    assert [(p.step, p.summary.trained_on) for p in growth.points] == [(0, 128), (2, 168)]
    assert cell(growth.points[0].summary, "yes", "unk").mean < 0.1
    assert cell(growth.points[1].summary, "yes", "unk").mean > 0.5
    table = growth_table(growth, CELLS).splitlines()
    assert (
        table[0] == "| step | added | rows | unk / unk | unk / yes | yes / unk | yes / yes | all |"
    )
    assert table[2].startswith("| 0 | 0 | 128 | ")
    assert table[3].startswith("| 2 | 40 | 168 | ")
    pytest.importorskip("matplotlib", reason="a plot needs matplotlib")
    for folder in ("one", "two"):
        write_growths([growth, growth], CELLS, tmp_path / folder)
    drawn = [(tmp_path / folder / "curve.svg").read_bytes() for folder in ("one", "two")]
    assert drawn[0] == drawn[1]
    assert b"<svg" in drawn[0]


def test_a_curve_is_tested_on_what_it_holds_out(toy: Release) -> None:
    task = toy.task("follows")
    training, _ = choose_set(task, None)
    given: list[TrainingData] = []

    def run(data: TrainingData, step: int) -> Summary:
        given.append(data)
        settings = replace(SMALL, epochs=1)
        return fine_tune(
            task, data, lstm_trainer(settings), model="lstm", training_set=f"{step}", runs=1
        )

    growth = grow(toy, task, training, "same", run)
    assert [(p.step, p.rows_added, p.added) for p in growth.points] == [
        (0, 0, ()),
        (1, 10, ("knows",)),
    ]
    assert given[0].test == given[1].test
    assert {row.facts["verb"] for row in given[0].test} == {"sees", "hopes", "thinks"}
    tested = [{g.values["verb"] for g in p.summary.groups["verb",]} for p in growth.points]
    assert tested == [{"sees", "hopes", "thinks"}] * 2


def test_added_rows_may_stand_alone(toy: Release) -> None:
    task = toy.task("follows")
    training, _ = choose_set(task, None)

    def run(data: TrainingData, step: int) -> Summary:
        assert [len(rows) for rows in (data.train, data.validation, data.test)] == [10, 32, 30]
        settings = replace(SMALL, epochs=1)
        return fine_tune(
            task, data, lstm_trainer(settings), model="lstm", training_set=f"{step}", runs=1
        )

    growth = grow(toy, task, training, "same-alone", run)
    assert [(p.step, p.rows_added, p.summary.trained_on) for p in growth.points] == [(1, 10, 10)]


def test_a_curve_that_adds_what_is_tested_is_refused(toy: Release) -> None:
    task = toy.task("follows")
    training, _ = choose_set(task, None)

    def run(data: TrainingData, step: int) -> Summary:
        raise AssertionError("nothing may be trained on what is tested")

    with pytest.raises(RunError) as raised:
        grow(toy, task, training, "tested", run, steps=(1,))
    assert str(raised.value) == (
        'the curve "tested" of follows trains on 10 of the rows to test on'
    )


def test_an_unknown_step_is_refused(toy: Release) -> None:
    task = toy.task("follows")
    training, _ = choose_set(task, None)

    def run(data: TrainingData, step: int) -> Summary:
        raise AssertionError("nothing may be trained before the steps are known")

    with pytest.raises(RunError) as raised:
        grow(toy, task, training, "by-verb", run, steps=(0, 3))
    assert str(raised.value) == "the curve has no step 3; its steps are 0, 1, 2"


def test_an_unknown_curve_is_refused(toy: Release) -> None:
    task = toy.task("follows")
    training, _ = choose_set(task, None)
    with pytest.raises(RunError) as raised:
        choose_curve(training, task, "by-noun")
    assert str(raised.value).startswith('follows has no curve "by-noun". ')


def test_the_table_has_a_column_a_model_and_a_row_a_group(
    toy: Release, summary: Summary, tmp_path: Path
) -> None:
    task = toy.task("follows")
    people = reference_summary(toy, task, "people", task.references["people"])
    lines = summary_table([summary, people], CELLS).splitlines()
    assert lines[0] == "| label_veridical / label_embedded | lstm · both | people |"
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        "| unk / unk",
        "| unk / yes",
        "| yes / unk",
        "| yes / yes",
        "| unk / –",
        "| yes / –",
        "| all",
        "| validation",
    ]
    assert "±" in lines[2]
    assert lines[-1].endswith("| – |")
    write_summary([summary, people], CELLS, tmp_path / "out")
    assert (tmp_path / "out" / "training.md").read_text(encoding="utf-8") == "\n".join(lines) + "\n"
    assert '"trained_on": 128' in (tmp_path / "out" / "training.json").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tiny_bert(toy: Release, tmp_path_factory: pytest.TempPathFactory) -> str:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = prepare(toy, task, training, name)
    folder = tmp_path_factory.mktemp("bert")
    return save_tiny_bert(folder, (text for example in data.train for text in example.texts))


def test_a_pretrained_model_is_fine_tuned(toy: Release, tiny_bert: str) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = prepare(toy, task, training, name)
    settings = ClassifierSettings(learning_rate=3e-3, batch=16, epochs=8, patience=8)
    found = fine_tune(
        task, data, classifier_trainer(tiny_bert, settings), model="bert", training_set=name, runs=1
    )
    assert found.validation is not None
    assert found.validation.mean > 0.9
    assert cell(found, "yes", "unk").mean < 0.5


def test_a_model_in_a_folder_is_called_by_its_name(toy: Release, tiny_bert: str) -> None:
    """Where it lies on this machine is nothing for a table."""
    request = Request(tiny_bert, runs=1, epochs=1, limit=16)
    (summary, _) = train(toy, toy.task("follows"), request).summaries
    assert summary.model == Path(tiny_bert).name


def test_a_text_is_cut_where_a_model_has_no_more_positions(toy: Release, tmp_path: Path) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = prepare(toy, task, training, name, limit=16)
    texts = [text for example in data.train for text in example.texts]
    short = save_tiny_bert(tmp_path, texts, positions=8)
    settings = ClassifierSettings(batch=16, epochs=1)
    outcome = classifier_trainer(short, settings)(data, 0, unwatched)
    assert len(outcome.predicted) == len(data.test)


def test_the_output_of_a_pretrained_model_is_dropped(toy: Release, tiny_bert: str) -> None:
    from transformers import AutoModelForSequenceClassification

    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = replace(prepare(toy, task, training, name), test=())
    settings = ClassifierSettings(learning_rate=5e-3, batch=8, epochs=5, patience=5)
    none, most = (
        classifier_trainer(tiny_bert, replace(settings, dropout=share))(data, 0, unwatched)
        for share in (0.0, 0.99)
    )
    assert (none.dropout, most.dropout) == (0.0, 0.99)
    assert none.validated != most.validated
    model = AutoModelForSequenceClassification.from_pretrained(tiny_bert)
    inner = model.bert.encoder.layer[0].attention.output.dropout.p
    set_dropout(tiny_bert, model, 0.7)
    assert (model.dropout.p, model.bert.encoder.layer[0].attention.output.dropout.p) == (0.7, inner)
    model.dropout = torch.nn.Identity()
    with pytest.raises(ModelError) as raised:
        set_dropout("tiny", model, 0.7)
    assert str(raised.value) == "tiny: has no drop-out on its output to set: leave --dropout out"


def test_a_pretrained_model_is_trained_until_it_no_longer_validates_better(
    toy: Release, tiny_bert: str
) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = replace(prepare(toy, task, training, name), test=())
    assert ClassifierSettings().epochs == 25
    # A rate of next to nothing changes no answer: no epoch is better than the first.
    settings = ClassifierSettings(learning_rate=1e-30, epochs=25, patience=2, warm_up=0.16)
    outcome = classifier_trainer(tiny_bert, settings)(data, 0, unwatched)
    assert (outcome.best, outcome.epochs) == (1, 6)


def test_a_model_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as raised:
        classifier_trainer(str(tmp_path / "nothing"), ClassifierSettings())
    assert str(raised.value).startswith(f"{tmp_path / 'nothing'}: its tokenizer cannot be loaded: ")


def test_all_of_it_is_imported_without_torch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None; sys.modules['transformers'] = None\n"
        "from sorites_eval.errors import ModelError\n"
        "from sorites_eval.training import classifier, fine_tuning, growth, lstm, results\n"
        "assert not any(name.split('.')[0] == 'compiler' for name in sys.modules)\n"
        "settings = classifier.ClassifierSettings()\n"
        "for train in (lambda: lstm.lstm_trainer(lstm.LstmSettings()),\n"
        "              lambda: classifier.classifier_trainer('m', settings)):\n"
        "    try:\n"
        "        train()\n"
        "    except ModelError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "training needs torch: pip install 'sorites-eval[models]'",
        "fine-tuning needs torch and transformers: pip install 'sorites-eval[models]'",
    ]
