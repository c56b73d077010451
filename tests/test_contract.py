"""One contract: what `sorites check` accepts of a spec's tasks, an evaluator accepts."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sorites.errors import InvalidSpec
from sorites.release.tasks.benchmark import task_problems
from sorites.specfile.load import load_document
from sorites.specfile.reader import read, read_text
from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.metrics import METRICS
from sorites_eval.contract.read import read_benchmark
from tests.conftest import ROOT
from tests.from_schema import from_schema

SPEC = ROOT / "specs" / "sample" / "gloss-relations.yaml"
SCHEMA = json.loads((ROOT / "specs" / "schemas" / "common.schema.json").read_text())
Tasks = dict[str, Any]


@cache
def sample() -> dict[str, Any]:
    data = read(SPEC).data
    assert isinstance(data, dict)
    return data


def sample_tasks() -> Tasks:
    tasks: Tasks = copy.deepcopy(sample()["tasks"])
    return tasks


def checked(tasks: Tasks, **changed: object) -> list[str]:
    """What `sorites check` says of the tasks, in a spec that has no other fault."""
    text = json.dumps({**sample(), "tasks": tasks, **changed})
    try:
        return [str(found) for found in task_problems(load_document(read_text(text, SPEC), SPEC))]
    except InvalidSpec as error:
        return [str(found) for found in error.problems]


def evaluated(tasks: Tasks, **changed: object) -> list[str]:
    """What an evaluator says of a benchmark.json with the same."""
    document = {"benchmark": 1, "name": "small", "version": "1.0.0", "tasks": tasks, **changed}
    try:
        read_benchmark(json.dumps(document))
    except InvalidBenchmark as error:
        return [str(found) for found in error.faults]
    return []


def one_section_altered() -> st.SearchStrategy[Tasks]:
    """The sample's task with one of its sections made from the schema."""

    def put(section: str) -> st.SearchStrategy[Tasks]:
        def into(value: object) -> Tasks:
            tasks = sample_tasks()
            (task,) = tasks.values()
            task[section] = value
            return tasks

        if section == "views":
            return st.lists(from_schema(SCHEMA, "view"), min_size=1, max_size=3).map(into)
        return from_schema(SCHEMA, section).map(into)

    return st.sampled_from(["answer", "score", "views", "train", "data", "classify"]).flatmap(put)


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.one_of(from_schema(SCHEMA, "tasks_content"), one_section_altered()))
def test_tasks_made_from_the_schema_get_one_verdict(tasks: Tasks) -> None:
    assert bool(checked(tasks)) == bool(evaluated(tasks))


def test_the_sample_is_accepted_by_both() -> None:
    assert checked(sample_tasks()) == evaluated(sample_tasks()) == []


def _labels(task: Tasks, labels: dict[str, str]) -> None:
    task["answer"]["labels"] = labels


CASES: dict[str, Callable[[Tasks], object]] = {
    "a label of 65 characters": lambda task: _labels(task, {"x" * 65: "a", "y": "b"}),
    "a label with a space at its end": lambda task: _labels(task, {"x ": "a", "y": "b"}),
    "101 labels": lambda task: _labels(task, {f"l{n}": f"v{n}" for n in range(101)}),
    "a selection in a choice": lambda task: task["answer"].update(
        selection={"marker": "P", "gold": "relation"}
    ),
    "a column twice in one swap": lambda task: task["views"][1].update(
        swap=[["gloss_1", "gloss_2"], ["gloss_2", "language_2"]]
    ),
    "a column swapped with itself": lambda task: task["views"][1].update(
        swap=[["gloss_1", "gloss_1"]]
    ),
    "two views of one name": lambda task: task["views"][1].update(name=task["views"][0]["name"]),
    "half_right without combine": lambda task: task["score"].pop("combine"),
    "half_right of an unknown label": lambda task: task["score"].update(half_right={"x": ["none"]}),
    "a curve from an unknown training set": lambda task: task.update(
        train={
            "text": ["gloss_1"],
            "sets": {
                "all": {
                    "title": "All",
                    "train": [{"config": "a", "split": "train"}],
                    "validation": [{"config": "a", "split": "validation"}],
                }
            },
            "curves": {
                "more": {
                    "title": "More",
                    "base": "al",
                    "add": {"config": "a", "split": "more"},
                    "by": "step",
                }
            },
        }
    ),
    "examples from the rows that are scored": lambda task: next(
        prompt for prompt in task["prompts"].values() if "exemplars" in prompt
    )["exemplars"].update(task["data"]),
    "trained on the rows that are tested": lambda task: task.update(
        train={
            "text": ["gloss_1"],
            "sets": {
                "all": {
                    "title": "All",
                    "train": [dict(task["data"])],
                    "validation": [{"config": "a", "split": "validation"}],
                }
            },
        }
    ),
    "a classifier's label that stands for no label": lambda task: task.update(
        classify={"premise": "{{ gloss_1 }}", "labels": {"entailment": "x", "neutral": "1"}}
    ),
    "a label that no classifier's label stands for": lambda task: task.update(
        classify={"premise": "{{ gloss_1 }}", "labels": {"a": "1", "b": "1"}}
    ),
    "a classifier's labels that differ in case": lambda task: task.update(
        classify={
            "premise": "{{ gloss_1 }}",
            "labels": {
                **{label: label for label in task["answer"]["labels"]},
                "A-b": "1",
                "ab": "1",
            },
        }
    ),
    "a template that calls": lambda task: next(iter(task["prompts"].values())).update(
        user="{{ gloss_1.upper() }}"
    ),
    "a template whose filters grow": lambda task: next(iter(task["prompts"].values())).update(
        user="{{ gloss_1|list|string|list|string }}"
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_breaks_the_contract_is_refused_by_both(case: str) -> None:
    tasks = sample_tasks()
    (task,) = tasks.values()
    CASES[case](task)
    assert checked(tasks)
    assert evaluated(tasks)


@pytest.mark.parametrize("version", ["1.0.0\n", "1.1\u0661.0", "1.0", "01.0.0", "v1.0.0", ""])
def test_a_version_is_three_numbers_in_ascii(version: str) -> None:
    assert checked(sample_tasks(), version=version)
    assert evaluated(sample_tasks(), version=version)


@pytest.mark.parametrize("name", ["small\n", "sm\u0430ll", "Small", "a" * 65, "a--b", "../a", ""])
def test_a_name_is_lower_case_words_in_ascii(name: str) -> None:
    assert checked(sample_tasks(), name=name)
    assert evaluated(sample_tasks(), name=name)


def test_every_fault_of_the_tasks_is_told_at_once_and_at_its_place() -> None:
    tasks = sample_tasks()
    (task,) = tasks.values()
    name = next(iter(tasks))
    task["answer"]["labels"] = {"x ": "a", "y": "b"}
    task["prompts"]["zero-shot"]["user"] = "{{ gloss_1 "
    assert [line.split(": ")[1] for line in evaluated(tasks)] == [
        f"tasks.{name}.answer.labels",
        f"tasks.{name}.prompts.zero-shot.user",
    ]


def test_the_schema_lists_the_metrics_that_there_are() -> None:
    metrics = SCHEMA["definitions"]["metric"]["enum"]
    assert metrics == list(METRICS)
