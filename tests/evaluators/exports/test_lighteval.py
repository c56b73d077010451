"""What is written for lighteval: our prompts to the last character, our reader, our labels."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from sorites_eval.contract.release import open_release
from sorites_eval.errors import RunError
from sorites_eval.exports.lighteval import export_lighteval
from sorites_eval.prompts.requests import ask
from sorites_eval.running.run import Plan, plan
from sorites_eval.scoring.answers import Reader


def planned(root: Path, task: str, setting: str) -> Plan:
    release = open_release(root)
    return plan(release, release.task(task), setting)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def options(folder: Path, name: str) -> dict[str, object]:
    """The YAML is JSON, which YAML contains."""
    found: dict[str, object] = json.loads((folder / f"{name}.model.yaml").read_text())
    return dict(found["model_parameters"])


def test_a_plain_query_is_the_whole_prompt(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "relation", "two-shot")
    exported = export_lighteval(drawn, tmp_path)
    documents = lines(tmp_path / f"{exported.name}.data" / "test.jsonl")
    requests = list(ask(drawn.release, drawn.task, "two-shot", drawn.items))
    for document, request in zip(documents, requests, strict=True):
        assert document["query"] == request.plain()
        assert document["choices"][document["gold"]] == request.gold
    assert options(tmp_path, exported.name)["override_chat_template"] is False
    assert f"'{exported.name}|0'" in exported.command


def test_in_a_chat_turns_are_given_one_by_one(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "premise-selection", "few-shot")
    exported = export_lighteval(drawn, tmp_path, chat=True)
    first = next(ask(drawn.release, drawn.task, "few-shot", drawn.items)).messages
    examples = lines(tmp_path / f"{exported.name}.data" / "train.jsonl")
    documents = lines(tmp_path / f"{exported.name}.data" / "test.jsonl")
    turns = [text for example in examples for text in (example["query"], example["choices"][0])]
    assert turns == [message.content for message in first[1:-1]]
    assert documents[0]["query"] == first[-1].content
    assert examples[0].keys() == documents[0].keys()
    found = options(tmp_path, exported.name)
    assert found["system_prompt"] == first[0].content
    assert (found["override_chat_template"], found["add_special_tokens"]) == (True, False)
    assert f"'{exported.name}|{len(examples)}'" in exported.command
    export_lighteval(planned(small_release, "premise-selection", "few-shot"), tmp_path)
    assert not (tmp_path / f"{exported.name}.data" / "train.jsonl").exists()


def test_examples_that_differ_between_items_are_refused_in_a_chat(
    small_release: Path, tmp_path: Path
) -> None:
    with pytest.raises(RunError) as caught:
        export_lighteval(planned(small_release, "relation", "two-shot"), tmp_path, chat=True)
    assert str(caught.value) == (
        "the items do not all have the same instructions and examples; lighteval knows one set a "
        "task in a chat. Leave out --chat, or export a setting that has one set."
    )


SCRIPT = """
import importlib.util, json, sys
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTask
from lighteval.tasks.prompt_manager import PromptManager
spec = importlib.util.spec_from_file_location("exported", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
task = LightevalTask(module.TASKS_TABLE[0])
found = []
for doc in task.get_docs():
    prompt = PromptManager(use_chat_template=False).prepare_prompt(doc)
    measures = []
    for text in json.loads(sys.argv[2]):
        one = {}
        for metric in task.metrics:
            one |= metric.compute_sample(doc=doc, model_response=ModelResponse(text=[text]))
        measures.append(one)
    found.append([prompt, measures])
print(json.dumps(found))
"""


@pytest.mark.skipif(
    "SORITES_LIGHTEVAL" not in os.environ, reason="SORITES_LIGHTEVAL names no Python"
)
def test_lighteval_asks_and_measures_as_we_do(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "premise-selection", "few-shot")
    exported = export_lighteval(drawn, tmp_path)
    texts = ["True, P1, P2", "False", "\n\nFalse\n\nTrue", "true or false", "", "True, P2, P1"]
    arguments = [str(tmp_path / f"{exported.name}.py"), json.dumps(texts)]
    done = subprocess.check_output(
        [os.environ["SORITES_LIGHTEVAL"], "-c", SCRIPT, *arguments],
        text=True,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")},
    )
    items = {item.id: item for item in drawn.items}
    read = Reader(["True", "False"], "P").read
    ours = {}
    for request in ask(drawn.release, drawn.task, "few-shot", drawn.items):
        item = items[request.id]
        measures = []
        for text in texts:
            reading = read(text.lstrip().partition("\n\n")[0])
            right = reading.label == item.label
            both = right and reading.selection == item.selection
            measures.append({"accuracy": float(right), "reasoning_accuracy": float(both)})
        ours[request.plain().rstrip(" ")] = measures
    assert dict(json.loads(done.splitlines()[-1])) == ours
