"""What is written for verifiers: a package of tasks that are our prompts, with our scores."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sorites_eval.backends.api.chat import Api
from sorites_eval.backends.api.endpoint import Endpoint
from sorites_eval.backends.api.form import Asking, ChatFormat
from sorites_eval.errors import RunError
from sorites_eval.exports.verifiers import export_verifiers
from sorites_eval.prompts.requests import ask
from sorites_eval.running.run import Plan, perform
from tests.evaluators.backends.api.loopback import (
    HEAD,
    KEY,
    Body,
    Fault,
    Provider,
    question,
    serving,
    told,
)
from tests.evaluators.exports.exported import planned, python_of, rows
from tests.evaluators.exports.gaming import gaming


def test_tasks_are_our_prompts(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "relation", "two-shot")
    exported = export_verifiers(drawn, tmp_path, chat=True)
    tasks = rows(exported.folder / exported.name / "tasks.jsonl")
    requests = list(ask(drawn.release, drawn.task, "two-shot", drawn.items))
    assert len({task["id"] for task in tasks}) == len(requests)
    for task, request in zip(tasks, requests, strict=True):
        system, *turns = request.messages
        assert task["system_prompt"] == system.content
        assert task["prompt"] == [{"role": turn.role, "content": turn.content} for turn in turns]
        assert (task["label"], task["name"]) == (request.gold, request.view)


def test_a_question_alone_is_a_text(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "premise-selection", "zero-shot")
    exported = export_verifiers(drawn, tmp_path, chat=True)
    tasks = rows(exported.folder / exported.name / "tasks.jsonl")
    assert [task["id"] for task in tasks] == [item.id for item in drawn.items]
    assert isinstance(tasks[0]["prompt"], str)
    assert tasks[0]["selection"] == [1, 2]


def test_the_package_is_named_as_it_is_imported(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "relation", "two-shot")
    exported = export_verifiers(drawn, tmp_path, chat=True)
    project = tomllib.loads((exported.folder / "pyproject.toml").read_text())
    assert project["project"]["name"] == exported.folder.name == "sorites-small-relation-two-shot"
    assert project["project"]["version"] == "1.0.0"
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == [exported.name]
    package = exported.folder / exported.name
    assert (
        '__all__ = ["SoritesSmallRelationTwoShotTaskset"]' in (package / "__init__.py").read_text()
    )
    classes = [
        node.name
        for node in ast.parse((package / "taskset.py").read_text()).body
        if isinstance(node, ast.ClassDef)
    ]
    assert classes == [f"SoritesSmallRelationTwoShot{kind}" for kind in ("Data", "Task", "Taskset")]
    readme = (exported.folder / "README.md").read_text()
    assert "\n    vf-eval sorites-small-relation-two-shot --env.agent.harness.id null" in readme


def test_names_of_a_release_are_no_code(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "entailment", "zero-shot")
    hostile = '"""\nraise SystemExit\n"""'
    drawn.task.prompts[hostile] = drawn.task.prompts["zero-shot"]
    exported = export_verifiers(replace(drawn, setting=hostile), tmp_path, chat=True)
    tomllib.loads((exported.folder / "pyproject.toml").read_text())
    for path in (exported.folder / exported.name).glob("*.py"):
        tree = ast.parse(path.read_text())
        assert not any(isinstance(node, ast.Raise) for node in tree.body)


def test_models_without_turns_are_refused(small_release: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        export_verifiers(planned(small_release, "entailment", "zero-shot"), tmp_path)
    assert str(caught.value) == (
        "verifiers asks every model with its chat template. Add --chat, so that prompts are turns "
        "and replies are read as such."
    )
    assert not [*tmp_path.iterdir()]


def answers(drawn: Plan) -> dict[str, tuple[str, str]]:
    """What the model on loopback says to each question, and why it ends: right, wrong, gaming."""
    found: dict[str, tuple[str, str]] = {}
    requests = drawn.requests()
    tried = [*gaming(["True", "False"], "True", "P1: …", "Answer True or False.").values()]
    for number, request in enumerate(requests):
        said = [
            (request.gold, "stop"),
            (request.gold, "length"),
            ("True, P1, P2", "stop"),
            (f"<think>True?</think>{request.gold}", "stop"),
            ("False", "length"),
            *((text, "stop") for text in tried),
        ]
        found[request.question] = said[number % len(said)]
    return found


def streamed(text: str, finish: str) -> Fault:
    """A chat completion as events."""
    deltas = [{"delta": {"role": "assistant", "content": text}}]
    deltas.append({"delta": {}, "finish_reason": finish})
    bodies = [{**HEAD, "object": "chat.completion.chunk", "choices": [d]} for d in deltas]
    events = [
        json.dumps({**body, "choices": [{"index": 0, **body["choices"][0]}]}) for body in bodies
    ]
    return (
        200,
        {"Content-Type": "text/event-stream"},
        "".join(f"data: {event}\n\n" for event in (*events, "[DONE]")),
    )


@pytest.mark.slow
def test_verifiers_rewards_are_our_scores(make_release, tmp_path: Path) -> None:
    """An evaluation by ``vf-eval`` beside a run of ours, of the same model on loopback."""
    python = python_of("verifiers")
    drawn = planned(make_release(items=46), "premise-selection", "few-shot")
    said = answers(drawn)

    def item(body: Body) -> Fault | Body:
        text, finish = said[question(body)]
        return streamed(text, finish) if body.get("stream") else told(text, finish)

    exported = export_verifiers(drawn, tmp_path / "exported", chat=True)
    installed = tmp_path / "installed"
    pip = [python, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run([*pip, "--target", installed, exported.folder], check=True)
    environment = {
        **os.environ,
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(installed),
        "HOME": str(tmp_path),
        "PRIME_API_KEY": KEY,
        "OPENAI_API_KEY": KEY,
    }
    with pytest.MonkeyPatch.context() as patched, serving(Provider(item=item)) as provider:
        patched.setenv("OPENAI_API_KEY", KEY)
        form = ChatFormat("small", drawn.task, Asking())
        perform(drawn, Api(Endpoint(provider.url), form, concurrency=4), tmp_path / "run")
        command = exported.command.partition("&& ")[2].replace("MODEL", "small").split()
        command += ["--client.base-url", provider.url, "-c", "4", "-o", "out", "--run.dir", "run"]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, text=True, capture_output=True
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    traces = [entry["traces"][0] for entry in rows(tmp_path / "out" / "run" / "traces.jsonl")]
    theirs = {t["task"]["key"]: t["rewards"]["reward"]["score"] for t in traces}
    table = pq.read_table(tmp_path / "run" / "predictions.parquet").to_pylist()
    ours = {
        row["id"]: float(row["answer"] == row["gold"] and row["selection"] == row["gold_selection"])
        for row in table
    }
    assert theirs == ours
    assert len(ours) == 46
    assert 4 <= sum(ours.values()) <= 10
    check = subprocess.run(
        ["vf-validate", exported.folder.name, "--runtime.type", "subprocess", "-o", "checked"],
        cwd=tmp_path,
        env=environment,
        text=True,
        capture_output=True,
    )
    assert check.returncode == 0, check.stdout[-2000:] + check.stderr[-2000:]
