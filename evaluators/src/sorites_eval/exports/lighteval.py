"""Write a task so that lighteval runs it and gets the same score as here.

- ``choice``: lighteval's ``acc`` is the accuracy of the constrained reading.
- ``text``: a copy of our reader goes along; ``accuracy`` and ``reasoning_accuracy`` are ours.

In plain text the whole prompt is one query. In a chat lighteval puts the turns together itself:
the system text is an option of the model, and the examples are a split. Views are scored as items
of their own there; what combines them stays here.

lighteval counts a label's tokens from where the prompt without its last space or line end stops.
A tokenizer with pieces across a line end makes it lose a part of a label there; ``acc`` then
differs from ours, which takes the whole label.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from sorites_eval.contract.tasks import Task
from sorites_eval.errors import RunError
from sorites_eval.exports.written import Exported, gold, lines, measures, name_of, reader
from sorites_eval.files import write_text
from sorites_eval.prompts import requests as prompts
from sorites_eval.prompts.requests import STOP, Item, Message, Request
from sorites_eval.running.run import Plan

__all__ = ["export_lighteval"]

_DOCUMENT = '''

from pathlib import Path

import numpy
from lighteval.metrics.metrics import Metrics
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetric
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod


def document(line, task_name=None):
    """A line of the data as lighteval's document."""
    return Doc(
        task_name=task_name,
        query=line["query"],
        choices=line["choices"],
        gold_index=line["gold"],
        specific={{"label": line["label"], "selection": line["selection"]}},
    )


class ReadAnswer(SampleLevelComputation):
    """One measure of what a model wrote, by the labels, and the selection, that it names."""

    def __init__(self, name):
        self.name = name

    def compute(self, doc, model_response, **_):
        """1.0 for a right answer, 0.0 for any other."""
        text = model_response.final_text[0]
        if {plain!r}:
            text = text.lstrip().partition({stop!r})[0]
        return measure(text, doc.specific["label"], doc.specific["selection"])[self.name]


def _reading(name):
    return SampleLevelMetric(
        metric_name=name,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=ReadAnswer(name),
        corpus_level_fn=numpy.mean,
    )


TASKS_TABLE = [
    LightevalTaskConfig(
        name={name!r},
        prompt_function=document,
        hf_repo=str(Path(__file__).with_name({name!r} + ".data")),
        hf_subset="default",
        metrics={metrics},
        hf_avail_splits={splits!r},
        evaluation_splits=["test"],
        few_shots_split={examples!r},
        few_shots_select="sequential",
        generation_size={limit},
        stop_sequence=[],
        num_fewshots={shots},
    )
]
'''


def export_lighteval(plan: Plan, out: Path, *, chat: bool = False) -> Exported:
    """Write a file of ``--custom-tasks``, its data, and the options of a model.

    ``chat`` is for models that will be asked with their chat template. Raises RunError where
    lighteval could not ask a chat model as we do: where instructions or examples differ.
    """
    name = name_of(plan)
    requests = list(prompts.ask(plan.release, plan.task, plan.setting, plan.items))
    items = {item.id: item for item in plan.items}
    system, turns = _opening(requests) if chat else ("", ())
    data = out / f"{name}.data"
    documents = [_document(plan.task, request, items[request.id], chat) for request in requests]
    write_text(data / "test.jsonl", lines(documents))
    if turns:
        write_text(data / "train.jsonl", lines(_examples(plan.task, turns)))
    elif (data / "train.jsonl").exists():
        (data / "train.jsonl").unlink()
    readings = ", ".join(f"_reading({measure!r})" for measure in measures(plan.task))
    choice = plan.task.answer.format == "choice"
    table = _DOCUMENT.format(
        name=name,
        plain=not chat,
        stop=STOP,
        metrics="[Metrics.loglikelihood_acc]" if choice else f"[{readings}]",
        splits=["test", "train"] if turns else ["test"],
        examples="train" if turns else None,
        limit=plan.task.answer.max_new_tokens,
        shots=len(turns) // 2,
    )
    write_text(out / f"{name}.py", reader(plan) + table)
    options: dict[str, object] = {
        "model_name": "MODEL",
        "override_chat_template": chat,
        # The template brings the token that begins a text, if there is one.
        "add_special_tokens": not chat,
    }
    if system:
        options["system_prompt"] = system
    write_text(
        out / f"{name}.model.yaml", json.dumps({"model_parameters": options}, indent=2) + "\n"
    )
    command = (
        f"lighteval accelerate {out / name}.model.yaml '{name}|{len(turns) // 2}' "
        f"--custom-tasks {out / name}.py"
    )
    return Exported(name, out, command)


def _opening(requests: Sequence[Request]) -> tuple[str, tuple[Message, ...]]:
    if len({request.shared for request in requests}) > 1:
        raise RunError(
            "the items do not all have the same instructions and examples; lighteval knows one set "
            "a task in a chat. Leave out --chat, or export a setting that has one set."
        )
    first = requests[0].messages
    system = first[0].content if first[0].role == "system" else ""
    return system, first[1 if system else 0 : -1]


def _document(task: Task, request: Request, item: Item, chat: bool) -> dict[str, object]:
    label = gold(task, request, item)
    choice = task.answer.format == "choice"
    query = request.question if chat else request.plain()
    choices = list(task.answer.labels) if choice else [request.gold]
    return {
        "id": request.id,
        "view": request.view,
        "query": query if choice else query.rstrip(" "),
        "choices": choices,
        "gold": choices.index(label) if choice else 0,
        "label": label,
        "selection": None if item.selection is None else sorted(item.selection),
    }


def _examples(task: Task, turns: Sequence[Message]) -> Iterator[dict[str, object]]:
    for number, (question, answer) in enumerate(zip(turns[::2], turns[1::2], strict=True), 1):
        # Columns and types as those of the items: one schema holds for both splits.
        yield {
            "id": f"example {number}",
            "view": "",
            "query": question.content,
            "choices": [answer.content],
            "gold": 0,
            "label": answer.content,
            "selection": [0] if task.answer.selection else None,
        }
