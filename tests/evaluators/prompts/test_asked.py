"""Prompts of one's own, and tasks as a setting asks them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sorites_eval
from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.read import read_benchmark
from sorites_eval.contract.release import open_release
from sorites_eval.errors import RunError
from sorites_eval.prompts.asked import as_asked, read_prompt_file
from sorites_eval.prompts.requests import Request
from sorites_eval.running.finished import read_run
from sorites_eval.running.run import plan
from tests.evaluators.test_evaluate_cli import evaluate as command

OWN = """
paper:
  system: Say Yes or No.
  user: &ask |-
    {{ conclusion }} because {{ premises | join(" ") }}
with-examples:
  user: *ask
  exemplars: {config: exemplars, split: train}
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.yaml"
    path.write_text(OWN)
    return path


def evaluated(root: Path, out: Path, **more: object) -> sorites_eval.Run:
    seen: list[Request] = []

    def answer(request: Request) -> str:
        seen.append(request)
        return "True"

    return sorites_eval.evaluate(root, answer, task="entailment", out=out, **more)  # type: ignore[arg-type]


def test_the_first_setting_of_the_file_is_asked(
    small_release: Path, tmp_path: Path, own: Path
) -> None:
    run = evaluated(small_release, tmp_path / "runs", prompts=own)
    assert run.setting == "paper"
    assert str(run.rows[0]["question"]).startswith("It is true that the heron is a")
    assert " because Every swimmer is a" in str(run.rows[0]["question"])
    assert run.task.prompts["paper"].system == "Say Yes or No."
    assert set(run.task.prompts) == {"zero-shot", "few-shot", "paper", "with-examples"}
    assert read_run(run.folder).task == run.task


def test_settings_of_the_task_are_still_there(
    small_release: Path, tmp_path: Path, own: Path
) -> None:
    run = evaluated(small_release, tmp_path / "runs", prompts=own, setting="few-shot")
    assert run.about["prompts_sha256"] == ""
    other = evaluated(small_release, tmp_path / "other", setting="few-shot")
    assert run.table == other.table


def test_other_prompts_are_another_run(small_release: Path, tmp_path: Path, own: Path) -> None:
    """The content counts and not how it is written: the same prompts as JSON go on."""
    first = evaluated(small_release, tmp_path / "runs", prompts=own)
    document = read_prompt_file(own).settings
    as_json = tmp_path / "own.json"
    as_json.write_text(json.dumps({"paper": document["paper"]}))
    again = evaluated(small_release, tmp_path / "runs", prompts=as_json)
    assert again.about["prompts_sha256"] == first.about["prompts_sha256"] != ""
    own.write_text(OWN.replace("Say Yes or No.", "Say True or False."))
    with pytest.raises(RunError) as caught:
        evaluated(small_release, tmp_path / "runs", prompts=own)
    assert str(caught.value) == (
        f"{first.folder}: holds a run with another prompt. Choose another --out, or remove that "
        "folder."
    )


def test_a_setting_of_the_same_name_is_replaced(
    small_release: Path, tmp_path: Path, own: Path
) -> None:
    own.write_text('zero-shot: {user: "{{ conclusion }}"}')
    run = evaluated(small_release, tmp_path / "runs", prompts=own)
    assert run.setting == "zero-shot"
    assert run.task.prompts["zero-shot"].system == ""
    with pytest.raises(RunError, match="another prompt"):
        evaluated(small_release, tmp_path / "runs")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{path}: expected settings by name, as under prompts in a spec."),
        ("- user: x", "{path}: expected settings by name, as under prompts in a spec."),
        ("paper: {sytem: x, user: y}", '{path}: prompts.paper: unknown key "sytem". Did you mean'),
        ("paper: {user: '{{ id.upper() }}'}", "{path}: prompts.paper.user: "),
        ("paper: {user: '{{ premise }}'}", '{path}: the data items/test have no column "premise".'),
        ("a: {user: x}\na: {user: y}", "{path}: not valid YAML: while constructing a mapping"),
        ("a: !!python/object:os.system {}", "{path}: not valid YAML: could not determine a cons"),
        ("a: {user: x, exemplars: {config: items, split: test}}", "the examples are rows of"),
    ],
)
def test_a_file_that_breaks_the_contract(
    small_release: Path, tmp_path: Path, own: Path, text: str, message: str
) -> None:
    own.write_text(text)
    with pytest.raises(RunError) as caught:
        evaluated(small_release, tmp_path / "runs", prompts=own)
    assert message.format(path=own) in str(caught.value)
    assert not (tmp_path / "runs").exists()


def test_every_fault_of_a_file_is_told(small_release: Path, tmp_path: Path, own: Path) -> None:
    own.write_text("a: {user: 7}\nb: {system: x}\n")
    done = command(
        *("run", small_release, "--model", "random", "--out", tmp_path / "runs"),
        *("--task", "entailment", "--prompts", own),
    )
    assert done.returncode == 1
    assert done.stderr.count(str(own)) == 2


def test_prompts_are_those_of_one_task(small_release: Path, tmp_path: Path, own: Path) -> None:
    done = command(
        *("run", small_release, "--model", "random", "--out", tmp_path, "--prompts", own)
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"error: {own}: prompts are those of one task, and 3 are to be run. Name one: entailment, "
        "premise-selection, relation.\n"
    )


def test_a_setting_that_reasons_is_written_out_and_read_by_its_last_answer(
    make_release: Callable[..., Path],
    tmp_path: Path,
    document: dict[str, dict[str, dict[str, dict[str, object]]]],
) -> None:
    document["tasks"]["entailment"]["prompts"]["chain-of-thought"] = {
        "user": "{{ conclusion }}\nThink aloud.",
        "reasoning": True,
    }
    root = make_release(document=document)
    release = open_release(root)
    task = release.task("entailment")
    asked = as_asked(task, "chain-of-thought").answer
    assert (asked.format, asked.max_new_tokens) == ("text", 1024)
    assert as_asked(task, "zero-shot").answer == task.answer
    assert plan(release, task, "chain-of-thought").task.answer == asked

    def answer(request: Request) -> str:
        return "At first sight:\nFalse\nAt second sight:\nTrue"

    read = sorites_eval.evaluate(
        root, answer, task="entailment", setting="chain-of-thought", out=tmp_path
    )
    assert {row["answer"] for row in read.rows} == {"True"}
    plain = sorites_eval.evaluate(
        root, answer, task="entailment", setting="zero-shot", out=tmp_path
    )
    assert {row["answer"] for row in plain.rows} == {None}


def test_a_chain_of_thought_that_was_cut_off_has_no_answer(
    make_release: Callable[..., Path],
    tmp_path: Path,
    document: dict[str, dict[str, dict[str, dict[str, object]]]],
) -> None:
    """What it said of a label last was on the way to an answer, and none itself."""
    prompts = document["tasks"]["entailment"]["prompts"]
    prompts["chain-of-thought"] = {"user": "{{ conclusion }}", "reasoning": True}

    def answer(_: Request) -> Reply:
        return Reply("Suppose that it is so.\nAnswer: True", ended=Ended.LENGTH)

    for setting, outcome in (("chain-of-thought", "cut off"), ("zero-shot", "answered")):
        run = sorites_eval.evaluate(
            make_release(document=document),
            answer,
            task="entailment",
            setting=setting,
            out=tmp_path,
        )
        assert {row["outcome"] for row in run.rows} == {outcome}


def test_a_setting_may_have_its_own_limit(
    make_release: Callable[..., Path],
    document: dict[str, dict[str, dict[str, dict[str, dict[str, object]]]]],
) -> None:
    document["tasks"]["entailment"]["prompts"]["zero-shot"]["max_new_tokens"] = 77
    task = open_release(make_release(document=document)).task("entailment")
    asked = as_asked(task, "zero-shot").answer
    assert (asked.format, asked.max_new_tokens) == ("choice", 77)


ORDER = {"1": "antonym", "2": "hypernym", "3": "hyponym"}


def with_order(document: dict[str, Any], labels: object) -> dict[str, Any]:
    prompts = document["tasks"]["relation"]["prompts"]
    prompts["other-order"] = {**prompts["zero-shot"], "labels": labels}
    return document


def test_a_setting_may_number_the_labels_otherwise(
    make_release: Callable[..., Path], document: dict[str, Any], tmp_path: Path
) -> None:
    """A model that always says 2 means hypernym there, and its runs are read so."""
    release = open_release(make_release(document=with_order(document, ORDER)))
    asked = as_asked(release.task("relation"), "other-order")
    assert asked.answer.labels == ORDER
    assert asked.views[1].labels == {"2": "3", "3": "2"}
    run = sorites_eval.evaluate(
        release,
        lambda request: {"forward": "2", "reversed": "3"}[request.view],
        task="relation",
        setting="other-order",
        out=tmp_path,
    )
    again = read_run(run.folder)
    for found in (run, again):
        said = {found.task.answer.labels[p.label] for p in found.predictions if p.label}
        right = [p for p in found.predictions if p.right]
        assert said == {"hypernym"}
        assert {found.task.answer.labels[p.gold] for p in right} == {"hypernym"}
        assert len(right) == len(found.predictions) / 3
    assert run.scores.overall["accuracy"] == pytest.approx(1 / 3)
    assert again.scores.overall == run.scores.overall


@pytest.mark.parametrize(
    "labels",
    [
        {"1": "antonym", "2": "hypernym"},
        {"1": "antonym", "2": "hypernym", "3": "hypernym"},
        {"1": "antonym", "2": "hypernym", "4": "hyponym"},
        {"1": "antonym", "2": "hypernym", "3": "synonym"},
    ],
)
def test_an_order_has_every_label_and_every_value(
    document: dict[str, Any], labels: dict[str, str]
) -> None:
    with pytest.raises(InvalidBenchmark) as caught:
        read_benchmark(json.dumps(with_order(document, labels)))
    assert str(caught.value) == (
        "benchmark.json: tasks.relation.prompts.other-order.labels: must give every label of the "
        "answer to every value of it, in any order."
    )
