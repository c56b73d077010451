"""Write a task so that Inspect runs it and gets the same score as here.

Inspect lets the model write, whatever the task, and a copy of our reader reads the answer:
``accuracy`` and ``reasoning_accuracy`` are ours for ``text``, and for ``choice`` those of a run
with ``--decode`` or behind an endpoint. Views are scored as items of their own there; what
combines them stays here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from sorites_eval.exports.written import Exported, gold, lines, measures, name_of, reader
from sorites_eval.files import write_text
from sorites_eval.prompts import requests as prompts
from sorites_eval.prompts.requests import STOP, Request
from sorites_eval.running.run import Plan

__all__ = ["export_inspect"]

_TASK = '''

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import generate

_TURNS = {{"assistant": ChatMessageAssistant, "system": ChatMessageSystem, "user": ChatMessageUser}}


def _samples():
    path = Path(__file__).with_name({name!r} + ".jsonl")
    for line in path.read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        turns = [_TURNS[turn["role"]](content=turn["content"]) for turn in document["messages"]]
        gold = {{"label": document["label"], "selection": document["selection"]}}
        yield Sample(id=document["id"], input=turns, target=document["target"], metadata=gold)


@scorer(metrics={{measure: [mean(), stderr()] for measure in {measures!r}}})
def read_answer():
    """Scores what a model wrote by the labels, and the selection, that it names."""

    async def score(state, target):
        text = state.output.completion
        if {plain!r}:
            text = text.lstrip().partition({stop!r})[0]
        gold = state.metadata
        return Score(
            value=measure(text, gold["label"], gold["selection"]), answer=read(text).label
        )

    return score


@task
def {name}():
    {title!r}
    return Task(
        dataset=MemoryDataset(list(_samples()), name={name!r}),
        solver=generate(),
        scorer=read_answer(),
        config=GenerateConfig(temperature=0, max_tokens={limit}),
    )
'''

_AS_IT_STANDS = "{% for message in messages %}{{ message['content'] }}{% endfor %}"


def export_inspect(plan: Plan, out: Path, *, chat: bool = False) -> Exported:
    """Write a task file for ``inspect eval``, its samples, and options for its ``hf`` models.

    ``chat`` is for models that will be asked with their chat template or behind an API; without
    it the whole prompt is one text, which the options pass on unchanged.
    """
    name = name_of(plan)
    write_text(out / f"{name}.jsonl", lines(_documents(plan, chat)))
    task = _TASK.format(
        name=name,
        measures=measures(plan.task),
        plain=not chat,
        stop=STOP,
        title=f"{plan.release.name}: {plan.task.name}, {plan.setting}",
        limit=plan.task.answer.max_new_tokens,
    )
    write_text(out / f"{name}.py", reader(plan) + task)
    options: dict[str, object] = {"do_sample": False}
    if chat:
        # The template brings the token that begins a text, if there is one.
        options["tokenizer_call_args"] = {"add_special_tokens": False}
    else:
        options["chat_template"] = _AS_IT_STANDS
    write_text(out / f"{name}.model.json", json.dumps(options, indent=2) + "\n")
    # A task's place is a pattern to Inspect, which takes none that begins at the root.
    command = (
        f"cd {out} && inspect eval {name}.py --model hf/local -M model_path=MODEL "
        f"--model-config {name}.model.json"
    )
    return Exported(name, out, command)


def _documents(plan: Plan, chat: bool) -> Iterator[dict[str, object]]:
    items = {item.id: item for item in plan.items}
    for request in prompts.ask(plan.release, plan.task, plan.setting, plan.items):
        item = items[request.id]
        several = len(plan.task.views) > 1
        yield {
            "id": f"{request.id} · {request.view}" if several else request.id,
            "messages": _turns(request) if chat else [_turn("user", request.plain().rstrip(" "))],
            "target": request.gold,
            "label": gold(plan.task, request, item),
            "selection": None if item.selection is None else sorted(item.selection),
        }


def _turns(request: Request) -> list[dict[str, str]]:
    return [_turn(message.role, message.content) for message in request.messages]


def _turn(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
