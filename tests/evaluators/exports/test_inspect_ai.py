"""What is written for Inspect: our prompts, our reader, our scores."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.exports.inspect_ai import export_inspect
from sorites_eval.prompts.requests import Request, ask
from sorites_eval.running.run import Plan, perform, plan


def planned(root: Path, task: str, setting: str) -> Plan:
    release = open_release(root)
    return plan(release, release.task(task), setting)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("chat", [False, True])
def test_samples_are_our_requests(small_release: Path, tmp_path: Path, chat: bool) -> None:
    drawn = planned(small_release, "relation", "two-shot")
    exported = export_inspect(drawn, tmp_path, chat=chat)
    samples = lines(tmp_path / f"{exported.name}.jsonl")
    requests = list(ask(drawn.release, drawn.task, "two-shot", drawn.items))
    assert len({sample["id"] for sample in samples}) == len(requests)
    for sample, request in zip(samples, requests, strict=True):
        turns = [(m["role"], m["content"]) for m in sample["messages"]]
        plain = [("user", request.plain().rstrip(" "))]
        assert turns == ([(m.role, m.content) for m in request.messages] if chat else plain)
        assert sample["target"] == sample["label"] == request.gold


def test_options_leave_one_bos_and_no_sampling(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "entailment", "zero-shot")
    exported = export_inspect(drawn, tmp_path / "plain")
    plain = json.loads((exported.folder / f"{exported.name}.model.json").read_text())
    assert plain.keys() == {"do_sample", "chat_template"}
    exported = export_inspect(drawn, tmp_path / "chat", chat=True)
    chat = json.loads((exported.folder / f"{exported.name}.model.json").read_text())
    assert chat == {"do_sample": False, "tokenizer_call_args": {"add_special_tokens": False}}


def test_names_of_a_release_are_no_code(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "entailment", "zero-shot")
    hostile = '"""\nraise SystemExit\n"""'
    drawn.task.prompts[hostile] = drawn.task.prompts["zero-shot"]
    exported = export_inspect(replace(drawn, setting=hostile), tmp_path)
    tree = ast.parse((tmp_path / f"{exported.name}.py").read_text())
    assert not any(isinstance(node, ast.Raise) for node in tree.body)
    (task,) = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == exported.name)
    assert hostile in str(ast.get_docstring(task, clean=False))


ANSWERS = ("True, P1, P2", "False", "\n\nFalse\n\nTrue", "true or false", "", "not true")


def said(text: str) -> str:
    """An answer that depends on the prompt, as a model's would."""
    return ANSWERS[sum(text.encode()) % len(ANSWERS)]


class Answers:
    """A model that answers plain prompts by rote."""

    def identity(self) -> Mapping[str, Scalar]:
        return {"backend": "rote", "model": "rote"}

    def notes(self) -> Mapping[str, Scalar]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, request in enumerate(requests):
            text = said(request.plain().rstrip(" ")).lstrip().partition("\n\n")[0]
            yield position, Reply(text)


SCRIPT = """
import json, os, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
folder, name, answers = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
os.chdir(folder)
def said(messages, tools, choice, config):
    (message,) = messages
    text = answers[sum(message.text.encode()) % len(answers)]
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()  # else its tokens are counted with a vocabulary from the network
    return output
model = get_model("mockllm/model", custom_outputs=said)
(log,) = eval(f"{name}.py", model=model, display="none", log_dir=folder)
print(json.dumps({score.name: score.metrics["mean"].value for score in log.results.scores}))
"""


@pytest.mark.skipif("SORITES_INSPECT" not in os.environ, reason="SORITES_INSPECT names no Python")
def test_inspect_gets_our_scores(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "premise-selection", "few-shot")
    exported = export_inspect(drawn, tmp_path / "exported")
    ours = perform(drawn, Answers(), tmp_path / "run").scores["overall"]
    arguments = [str(exported.folder), exported.name, json.dumps(ANSWERS)]
    done = subprocess.check_output(
        [os.environ["SORITES_INSPECT"], "-c", SCRIPT, *arguments], text=True
    )
    theirs = json.loads(done.splitlines()[-1])
    assert theirs["accuracy"] == pytest.approx(ours["accuracy"])
    assert theirs["reasoning_accuracy"] == pytest.approx(ours["reasoning-accuracy"])
    assert 0 < ours["accuracy"] < 1
