from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from sorites.errors import InvalidSpec
from sorites.release.content import Content
from sorites.release.tasks.benchmark import benchmark, task_problems
from sorites.specfile.model import Spec
from tests.compiler.release.sample import SPEC, sample_spec


def test_the_contract_is_the_tasks_of_the_spec(spec: Spec, content: Content) -> None:
    contract = benchmark(spec, content)
    assert contract == {
        "benchmark": 1,
        "name": "cafe-menu",
        "version": "1.0.0",
        "tasks": spec.document.data["tasks"],
    }
    assert json.loads(json.dumps(contract)) == contract


MISTAKES = {
    "a split that is not there": (
        "data: {config: items, split: test}\n    id: id\n    answer:\n      format: choice",
        "data: {config: items, split: dev}\n    id: id\n    answer:\n      format: choice",
        "tasks.entailment.data: the release has no split items/dev\n"
        "    its splits are: items/test, exemplars/train, pairs/test",
    ),
    "exemplars that are not there": (
        "{config: exemplars, split: train, match",
        "{config: examples, split: train, match",
        "tasks.entailment.prompts.few-shot.exemplars: the release has no split examples/train\n"
        "    its splits are: items/test, exemplars/train, pairs/test",
    ),
    "a misspelt gold column": (
        "gold: order",
        "gold: ordr",
        "tasks.pairing.answer.gold: pairs/test has no column ordr\n    did you mean order?",
    ),
    "an unknown group": (
        "groups: [[kind], [kind, steps]]",
        "groups: [[kind], [kind, colour]]",
        "tasks.entailment.score.groups[1]: items/test has no column colour\n"
        "    its columns are: id, kind, steps, premises, conclusion, label, gold_premises, "
        "partner, bindings",
    ),
    "a value without a label": (
        "{BEFORE: before, AFTER: after}",
        "{BEFORE: before, AFTER: later}",
        'tasks.pairing.answer.labels: no label stands for the value "after" of the column order\n'
        '    add a label whose value is "after", or leave those rows out',
    ),
    "a number for a truth value": (
        'labels: {"True": true, "False": false}\n      gold: label\n      max_new_tokens: 8',
        'labels: {"True": 1, "False": false}\n      gold: label\n      max_new_tokens: 8',
        "tasks.entailment.answer.labels: no label stands for the value true of the column label\n"
        "    add a label whose value is true, or leave those rows out",
    ),
    "a positive class that is no label": (
        'positive: "True"',
        "positive: Yes",
        'tasks.entailment.score.positive: unknown label "Yes"\n    There are: False, True.',
    ),
    "a view that maps to no label": (
        "AFTER: BEFORE}",
        "AFTER: FIRST}",
        'tasks.pairing.views[1].labels.AFTER: unknown label "FIRST"\n    There are: AFTER, BEFORE.',
    ),
    "a prompt with an unknown column": (
        "{{ second.name }}?",
        "{{ secnd.name }}?",
        "tasks.pairing.prompts.zero-shot.user: pairs/test has no column secnd\n"
        "    did you mean second?",
    ),
    "a prompt that does not parse": (
        "{{ second.name }}?",
        "{{ second.name }?",
        "tasks.pairing.prompts.zero-shot.user: the template does not parse: "
        "unexpected '}' (line 1)",
    ),
    "a prompt that fails on a row": (
        "{{ second.name }}?",
        "{{ second.name + note.name }}?",
        "tasks.pairing.prompts.zero-shot.user: the template cannot be rendered: "
        "'None' has no attribute 'name', for row 1",
    ),
    "a prompt that shows the answer": (
        "Answer True or False.",
        "Answer {{ label }}.",
        "tasks.entailment.prompts.zero-shot.system: the prompt shows the column label, "
        "which is the answer\n    leave it out of the prompt",
    ),
    "a prompt that reaches out of the sandbox": (
        "{{ second.name }}?",
        "{{ second.__class__.__mro__ }}?",
        "tasks.pairing.prompts.zero-shot.user: the template cannot be rendered: "
        "access to attribute '__class__' of 'dict' object is unsafe., for row 0",
    ),
    "a prompt without end": (
        "{{ second.name }}?",
        "{{ 'x' * 2000000 }}{{ second.name }}?",
        "tasks.pairing.prompts.zero-shot.user: the template has a product (line 1); only "
        "variables, conditions, one loop at a time and simple filters are allowed",
    ),
    "exemplars that cannot match": (
        "match: [kind]",
        "match: [sort]",
        "tasks.entailment.prompts.few-shot.exemplars.match: items/test has no column sort\n"
        "    its columns are: id, kind, steps, premises, conclusion, label, gold_premises, "
        "partner, bindings",
    ),
    "precision of nothing": (
        'positive: "True"',
        "clusters: kind",
        'tasks.entailment.score.metrics: "f1" needs "positive", the label that it is about',
    ),
    "labels that differ in case only": (
        "{BEFORE: before, AFTER: after}",
        "{BEFORE: before, AFTER: after, After: later}",
        "tasks.pairing.answer.labels: two labels differ only in upper and lower case",
    ),
    "labels for one value": (
        "{BEFORE: before, AFTER: after}",
        "{BEFORE: before, AFTER: after, LATER: after}",
        "tasks.pairing.answer.labels: two labels stand for the same value\n"
        "    Give each label its own.",
    ),
    "a view in which labels meet": (
        "labels: {BEFORE: AFTER, AFTER: BEFORE}",
        "labels: {BEFORE: AFTER}",
        "tasks.pairing.views[1].labels: two labels become the same one\n"
        "    Map each to its own, so that none is lost.",
    ),
    "columns that cannot be exchanged": (
        "[[first, second]]",
        "[[first, id]]",
        "tasks.pairing.views[1].swap: first and id cannot be exchanged: they hold "
        "struct<name: string, price: double> and string",
    ),
    "a gold column of lists": (
        "gold: label\n      selection",
        "gold: premises\n      selection",
        "tasks.premise-selection.answer.gold: the column premises holds no single values",
    ),
    "partners that are no rows": (
        "pairs: partner",
        "pairs: kind",
        "tasks.entailment.score.pairs: the column kind names hot, which is the id of no row",
    ),
    "an id that is none": (
        "id: id\n    answer:\n      format: choice",
        "id: kind\n    answer:\n      format: choice",
        "tasks.entailment.id: the column kind does not tell the rows apart",
    ),
    "exemplars that match no item": (
        "match: [kind]",
        "match: [id]",
        "tasks.entailment.prompts.few-shot.exemplars.match: exemplars/train has no exemplar with "
        '{"id":"t0000"}, as items have\n    match fewer columns, or add exemplars',
    ),
    "a training split that is not there": (
        "score: {metrics: [accuracy], combine: bidirectional}",
        "score: {metrics: [accuracy], combine: bidirectional}\n"
        "    train: {text: [id], sets: {all: {title: All, validation: [{config: pairs, "
        "split: test, where: {id: [p1]}}], train: [{config: pairs, split: dev}]}}}",
        "tasks.pairing.train.sets.all.train[0]: the release has no split pairs/dev\n"
        "    its splits are: items/test, exemplars/train, pairs/test",
    ),
    "a training split without the text": (
        "score: {metrics: [accuracy], combine: bidirectional}",
        "score: {metrics: [accuracy], combine: bidirectional}\n"
        "    train: {text: [conclusion], sets: {all: {title: All, validation: [{config: pairs, "
        "split: test, where: {id: [p1]}}], train: [{config: pairs, split: test, "
        "where: {id: [p2]}}]}}}",
        "tasks.pairing.train.sets.all.train[0]: pairs/test has no column conclusion\n"
        "    its columns are: id, first, second, note, order",
    ),
    "a curve's steps in no column": (
        "score: {metrics: [accuracy], combine: bidirectional}",
        "score: {metrics: [accuracy], combine: bidirectional}\n"
        "    train: {text: [note], sets: {all: {title: All, validation: [{config: pairs, "
        "split: test, where: {id: [p1]}}], train: [{config: pairs, split: test, "
        "where: {id: [p2]}}]}}, curves: {more: {title: More, base: all, by: step, "
        "add: {config: pairs, split: test, where: {id: [p2]}}}}}",
        "tasks.pairing.train.curves.more.by: pairs/test has no column step\n"
        "    its columns are: id, first, second, note, order",
    ),
    "a curve that holds out no column": (
        "score: {metrics: [accuracy], combine: bidirectional}",
        "score: {metrics: [accuracy], combine: bidirectional}\n"
        "    train: {text: [note], sets: {all: {title: All, validation: [{config: pairs, "
        "split: test, where: {id: [p1]}}], train: [{config: pairs, split: test, "
        "where: {id: [p2]}}]}}, curves: {more: {title: More, base: all, by: note, "
        "add: {config: pairs, split: test, where: {id: [p2]}}, held_out: ordr}}}",
        "tasks.pairing.train.curves.more.held_out: pairs/test has no column ordr\n"
        "    did you mean order?",
    ),
    "an answer that cannot be written": (
        "P{{ p }}",
        "P{{ q }}",
        "tasks.premise-selection.answer.write: the template cannot be rendered: "
        "'q' is undefined, for row 0",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_what_does_not_fit_the_rows_is_said(mistake: str, content: Content, tmp_path: Path) -> None:
    right, wrong, message = MISTAKES[mistake]
    assert SPEC.count(right) == 1
    text = SPEC.replace(right, wrong)
    if mistake == "precision of nothing":
        text = text.replace("[accuracy, faithfulness]", "[accuracy, f1]").replace(
            "      clusters: kind\n", "", 1
        )
    spec = sample_spec(tmp_path, text)
    with pytest.raises(InvalidSpec) as caught:
        benchmark(spec, content)
    first = caught.value.problems[0]
    assert f"{first.path}: {first.message}" + (f"\n    {first.hint}" * bool(first.hint)) == message
    assert first.file == str(spec.path)
    assert first.line > 1


def test_all_problems_come_at_once(content: Content, tmp_path: Path) -> None:
    text = SPEC.replace("gold: order", "gold: ordr").replace("clusters: kind", "clusters: sort")
    with pytest.raises(InvalidSpec) as caught:
        benchmark(sample_spec(tmp_path, text), content)
    assert [problem.path for problem in caught.value.problems] == [
        "tasks.entailment.score.clusters",
        "tasks.pairing.answer.gold",
    ]


def test_what_needs_no_rows_is_said_before_there_are_any(tmp_path: Path) -> None:
    metrics = "precision, recall, faithfulness, reasoning-accuracy"
    text = SPEC.replace("[accuracy], combine: bidirectional", f"[{metrics}]")
    problems = task_problems(sample_spec(tmp_path, text))
    assert [(problem.path, problem.message) for problem in problems] == [
        ("tasks.pairing.score.metrics", f"{needed}")
        for needed in (
            '"precision" needs "positive", the label that it is about',
            '"recall" needs "positive", the label that it is about',
            '"faithfulness" needs "pairs", the column that names the partner',
            '"reasoning-accuracy" needs a "selection" in the answer',
        )
    ]


def test_a_template_that_no_evaluator_takes_is_said_before_there_are_rows(tmp_path: Path) -> None:
    text = SPEC.replace("{{ first.name }} or", "{{ first.name() }} or")
    (problem,) = task_problems(sample_spec(tmp_path, text))
    assert (problem.path, problem.message) == (
        "tasks.pairing.prompts.zero-shot.user",
        "the template has a call (line 1); only variables, conditions, one loop at a time and "
        "simple filters are allowed",
    )


def test_views_are_needed_to_be_combined(tmp_path: Path) -> None:
    text = SPEC.replace(
        "metrics: [accuracy, faithfulness]", "metrics: [accuracy]\n      combine: bidirectional"
    )
    (problem,) = task_problems(sample_spec(tmp_path, text))
    assert (problem.path, problem.message) == (
        "tasks.entailment.score.combine",
        "there are no views to combine",
    )


def test_an_example_that_asks_the_same_as_an_item_is_found(
    content: Content, tmp_path: Path
) -> None:
    exemplars = next(split for split in content.splits if split.config == "exemplars")
    asked = next(split for split in content.splits if split.config == "items")
    shown = pa.concat_tables([exemplars.table.slice(1), asked.table.slice(3, 1)])
    others = tuple(split for split in content.splits if split.config != "exemplars")
    altered = replace(content, splits=(*others, replace(exemplars, table=shown)))
    with pytest.raises(InvalidSpec) as caught:
        benchmark(sample_spec(tmp_path), altered)
    told = {(problem.path, problem.message) for problem in caught.value.problems}
    assert (
        "tasks.entailment.prompts.few-shot.exemplars",
        "an example of exemplars/train asks the same as row 3 of items/test, whose answer it gives "
        "away",
    ) in told
