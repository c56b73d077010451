"""benchmark.json read strictly: every way to break it names the place and what to do."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import cast

import pytest

from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.read import MAX_BYTES, read_benchmark, read_prompts

Json = dict[str, object]


def read(document: object) -> object:
    return read_benchmark(json.dumps(document))


def changed(document: Mapping[str, object], path: str, value: object) -> Json:
    """A copy of the contract with one place set; a value of … removes it."""
    result = cast(Json, copy.deepcopy(dict(document)))
    *parents, last = path.split("/")
    place = result
    for key in parents:
        place = cast(Json, place[key])
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return result


def test_the_small_contract_is_read_whole(document: Json) -> None:
    benchmark = read_benchmark(json.dumps(document))
    assert list(benchmark.tasks) == ["entailment", "premise-selection", "relation"]
    task = benchmark.tasks["relation"]
    assert task.views[1].swap == (("gloss_1", "gloss_2"), ("language_1", "language_2"))
    assert task.prompts["two-shot"].exemplars is not None
    assert task.answer.max_new_tokens == 16
    assert benchmark.tasks["entailment"].answer.label_of(True) == "True"
    assert benchmark.tasks["entailment"].answer.label_of(1) is None
    assert benchmark.tasks["premise-selection"].views[0].name == "only"


E = "tasks/entailment/"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            E + "anser",
            {},
            'benchmark.json: tasks.entailment: unknown key "anser". Did you mean "answer"? There '
            "are: answer, classify, data, description, id, prompts, references, score, title, "
            "train, views.",
        ),
        (E + "id", ..., 'benchmark.json: tasks.entailment: the key "id" is missing.'),
        (E + "id", 3, "benchmark.json: tasks.entailment.id: expected text, found a number."),
        (E + "id", "", "benchmark.json: tasks.entailment.id: must not be empty."),
        (
            E + "data/split",
            "../../etc",
            'benchmark.json: tasks.entailment.data.split: "../../etc" is not a name. A name '
            "has letters, digits, dots, dashes, underscores and plus signs.",
        ),
        (
            E + "answer/format",
            "chioce",
            'benchmark.json: tasks.entailment.answer.format: unknown value "chioce". Did you mean '
            '"choice"? There are: choice, text.',
        ),
        (
            E + "answer/labels",
            {"True": True},
            "benchmark.json: tasks.entailment.answer.labels: 1 labels; a task has 2 to 100.",
        ),
        (
            E + "answer/labels",
            {"True": True, "False": True},
            "benchmark.json: tasks.entailment.answer.labels: two labels stand for the same value. "
            "Give each label its own.",
        ),
        (
            E + "answer/labels",
            {"True": True, "true": False},
            "benchmark.json: tasks.entailment.answer.labels: two labels differ only in upper and "
            "lower case.",
        ),
        (
            E + "answer/labels",
            {" True": True, "False": False},
            'benchmark.json: tasks.entailment.answer.labels: " True" is not a label. A label '
            "has 1 to 64 printable characters, without space around them.",
        ),
        (
            E + "answer/max_new_tokens",
            10**9,
            "benchmark.json: tasks.entailment.answer.max_new_tokens: expected a whole number from "
            "1 to 32768.",
        ),
        (
            E + "answer/selection",
            {"marker": "P", "gold": "gold_premises"},
            "benchmark.json: tasks.entailment.answer.selection: only a task with the format "
            '"text" can select.',
        ),
        (
            "tasks/premise-selection/answer/selection/marker",
            "(a+)+",
            'benchmark.json: tasks.premise-selection.answer.selection.marker: "(a+)+" is not a '
            "marker: 1 to 16 letters.",
        ),
        (
            E + "score/metrics",
            ["accurcy"],
            'benchmark.json: tasks.entailment.score.metrics[0]: unknown value "accurcy". Did you '
            'mean "accuracy"? There are: accuracy, f1, f1-by-label, f1-unanswered-wrong, '
            "faithfulness, macro-f1, precision, precision-unanswered-wrong, reasoning-accuracy, "
            "recall, response-types, responses, spearman.",
        ),
        (
            E + "score/graded",
            3,
            "benchmark.json: tasks.entailment.score.graded: expected text, found a number.",
        ),
        (
            E + "score/metrics",
            ["spearman"],
            'benchmark.json: tasks.entailment.score.metrics: "spearman" needs "graded", the column '
            "of mean ratings.",
        ),
        (
            E + "score/positive",
            ...,
            "\n".join(
                f'benchmark.json: tasks.entailment.score.metrics: "{metric}" needs "positive", the '
                "label that it is about."
                for metric in ("precision", "recall", "f1")
            ),
        ),
        (
            E + "score/positive",
            "Yes",
            'benchmark.json: tasks.entailment.score.positive: unknown label "Yes". There are: '
            "False, True.",
        ),
        (
            E + "score/combine",
            "bidirectional",
            "benchmark.json: tasks.entailment.score.combine: there are no views to combine. "
            "Add views.",
        ),
        (
            E + "prompts/zero-shot/user",
            "x" * 20_001,
            "benchmark.json: tasks.entailment.prompts.zero-shot.user: 20001 characters; at most "
            "20000 are allowed.",
        ),
        (E + "prompts", {}, "benchmark.json: tasks.entailment.prompts: declares no setting."),
        ("tasks", {}, "benchmark.json: tasks: declares no task."),
        (
            "benchmark",
            2,
            "benchmark.json: benchmark: format 2 is not known here, only 1. A newer "
            "sorites-eval may read it.",
        ),
    ],
)
def test_what_breaks_it(document: Json, path: str, value: object, message: str) -> None:
    with pytest.raises(InvalidBenchmark) as caught:
        read(changed(document, path, value))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (
            {"name": "reversed", "labels": {"1": "2"}},
            "benchmark.json: tasks.relation.views[1].labels: two labels become the same one. Map "
            "each to its own, so that none is lost.",
        ),
        (
            {"name": "reversed", "labels": {"1": "9"}},
            'benchmark.json: tasks.relation.views[1].labels.1: unknown label "9". There are: 1, 2, '
            "3.",
        ),
        (
            {"name": "reversed", "swap": [["a", "a"]]},
            "benchmark.json: tasks.relation.views[1].swap[0]: expected a pair of two columns.",
        ),
        (
            {"name": "reversed", "swap": [["a", "b"], ["b", "c"]]},
            "benchmark.json: tasks.relation.views[1].swap: a column stands in two pairs.",
        ),
        (
            {"name": "forward"},
            "benchmark.json: tasks.relation.views: two views have the same name.",
        ),
    ],
)
def test_views_that_could_not_be_carried_back(document: Json, view: Json, message: str) -> None:
    with pytest.raises(InvalidBenchmark) as caught:
        read(changed(document, "tasks/relation/views", [{"name": "forward"}, view]))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 200_000,
        b'{"benchmark": 1, "benchmark": 1, "name": "x", "version": "1", "tasks": {}}',
        b" " * (MAX_BYTES + 1),
        b'{"benchmark": true, "name": "x", "version": "1", "tasks": {}}',
        b'{"benchmark": 1, "name": "../x", "version": "1", "tasks": {"t": {}}}',
        json.dumps({"benchmark": 1, "name": "x", "version": "1", "tasks": {"a/../b": {}}}).encode(),
        json.dumps(
            {
                "benchmark": 1,
                "name": "x",
                "version": "1",
                "tasks": {str(n): {} for n in range(2000)},
            }
        ).encode(),
    ],
    ids=lambda text: repr(text[:30]),
)
def test_hostile_documents_are_refused(text: bytes) -> None:
    with pytest.raises(InvalidBenchmark, match=r"^benchmark\.json: "):
        read_benchmark(text)


TRAIN = {
    "text": ["premise", "hypothesis"],
    "sets": {
        "parts": {
            "title": "Both parts",
            "train": [{"config": "c", "split": "train", "where": {"part": ["one", 2, True]}}],
            "validation": [{"config": "c", "split": "validation"}],
        }
    },
    "curves": {
        "steps": {
            "title": "Step by step",
            "base": "parts",
            "add": {"config": "more", "split": "train"},
            "by": "step",
        }
    },
}


def test_how_to_train_is_read(document: Json) -> None:
    task = read_benchmark(json.dumps(changed(document, E + "train", TRAIN))).tasks["entailment"]
    assert task.train is not None
    assert task.train.text == ("premise", "hypothesis")
    assert task.train.sets["parts"].train[0].where == {"part": ("one", 2, True)}
    curve = task.train.curves["steps"]
    assert (curve.base, curve.held_out, curve.alone) == ("parts", None, False)


def test_a_curve_may_hold_out_a_column_and_leave_its_base_out(document: Json) -> None:
    curve = TRAIN["curves"]["steps"] | {"held_out": "verb", "alone": True}
    train = changed(TRAIN, "curves/steps", curve)
    task = read_benchmark(json.dumps(changed(document, E + "train", train))).tasks["entailment"]
    assert task.train is not None
    assert (task.train.curves["steps"].held_out, task.train.curves["steps"].alone) == ("verb", True)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "curves/steps/base",
            "prats",
            'base: unknown training set "prats". Did you mean "parts"? ',
        ),
        ("sets", {}, "sets: declares no training set."),
        ("curves/steps/alone", "yes", "alone: expected true or false, found text."),
        ("curves/steps/held_out", 1, "held_out: expected text, found a number."),
        ("text", [], "text: expected one or two different columns."),
        ("sets/parts/train", [], "sets.parts.train: selects no rows."),
    ],
)
def test_how_to_train_is_checked(document: Json, path: str, value: object, message: str) -> None:
    with pytest.raises(InvalidBenchmark) as caught:
        read(changed(document, E + "train", changed(TRAIN, path, value)))
    assert f"{message}" in str(caught.value)


def test_a_closer_look_needs_views(document: Json) -> None:
    with pytest.raises(InvalidBenchmark) as caught:
        read(changed(document, E + "score/half_right", {"x": ["True"]}))
    assert str(caught.value) == (
        'benchmark.json: tasks.entailment.score.half_right: needs "combine", the way in which '
        "views become one answer."
    )


def test_a_setting_may_think_aloud_with_a_limit_of_its_own(document: Json) -> None:
    few = changed(document, E + "prompts/aloud", {"user": "{{ conclusion }}", "reasoning": True})
    few = changed(few, E + "prompts/short", {"user": "{{ conclusion }}", "max_new_tokens": 3})
    task = read_benchmark(json.dumps(few)).tasks["entailment"]
    assert task.prompts["aloud"].reasoning
    limits = [task.max_new_tokens(name) for name in ("zero-shot", "aloud", "short")]
    assert limits == [8, 1024, 3]


def test_how_a_classifier_reads_an_item(document: Json) -> None:
    classify = {
        "premise": "{{ premises|join(' ') }}",
        "hypothesis": "{{ conclusion }}",
        "labels": {"entailment": "True", "neutral": "False", "contradiction": "False"},
    }
    task = read_benchmark(json.dumps(changed(document, E + "classify", classify))).tasks[
        "entailment"
    ]
    assert task.classify is not None
    assert task.classify.labels["neutral"] == "False"
    classify["labels"] = {"entailment": "True", "neutral": "True"}
    with pytest.raises(InvalidBenchmark) as caught:
        read(changed(document, E + "classify", classify))
    assert str(caught.value) == (
        "benchmark.json: tasks.entailment.classify.labels: no label of the model stands for "
        '"False".'
    )


def test_other_prompts_are_read_as_the_tasks_own(document: Json) -> None:
    task = read_benchmark(json.dumps(document)).tasks["entailment"]
    read_back = read_prompts({"mine": {"user": "{{ conclusion }}"}}, task)
    assert read_back["mine"].user == "{{ conclusion }}"
    shown = {"user": "{{ conclusion }}", "exemplars": {"config": "items", "split": "test"}}
    with pytest.raises(InvalidBenchmark) as caught:
        read_prompts({"mine": shown, "other": {"user": ""}}, task)
    assert str(caught.value) == "benchmark.json: prompts.other.user: must not be empty."
    with pytest.raises(InvalidBenchmark) as caught:
        read_prompts({"mine": shown}, task)
    assert str(caught.value) == (
        "benchmark.json: prompts.mine.exemplars: the examples are rows of items/test, which is "
        "what the task scores. Take them from another split."
    )
