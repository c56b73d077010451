"""Write a task so that lm-evaluation-harness runs it and gets the same score as here.

Requests with the same instructions and examples become one task of the harness; where there are
several, a group joins them, weighted by size.

- ``choice``: the harness's ``acc`` is the accuracy of the constrained reading.
- ``text``: a copy of our reader goes along; ``accuracy`` and ``reasoning_accuracy`` are ours.

Views are scored as items of their own there; what combines them stays here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sorites_eval.contract.tasks import Task
from sorites_eval.errors import RunError
from sorites_eval.exports.written import Exported, gold, lines, measures, name_of, reader
from sorites_eval.files import write_text
from sorites_eval.prompts import requests as prompts
from sorites_eval.prompts.requests import STOP, Item, Message, Request
from sorites_eval.running.run import Plan

__all__ = ["export_lm_eval"]

_RESULTS = '''

def process_results(doc, results):
    """The measures of one reply; ``doc`` holds the gold label and selection."""
    return measure(results[0], doc["label"], doc["selection"])
'''


def export_lm_eval(plan: Plan, out: Path, *, chat: bool = False) -> Exported:
    """Write the task's files into a folder for ``lm_eval --include_path``.

    ``chat`` is for models that will be asked with ``--apply_chat_template``: without it, the
    system text is followed by the blank line that parts it from the first turn in plain text.
    """
    requests = list(prompts.ask(plan.release, plan.task, plan.setting, plan.items))
    items = {item.id: item for item in plan.items}
    groups: dict[str, list[Request]] = {}
    for request in requests:
        groups.setdefault(request.shared, []).append(request)
    name = name_of(plan)
    out.mkdir(parents=True, exist_ok=True)
    if plan.task.answer.format == "text":
        write_text(out / f"{name}_reader.py", reader(plan) + _RESULTS)
    parts: list[str] = []
    for number, group in enumerate(groups.values(), 1):
        part = name if len(groups) == 1 else f"{name}_{number:03}"
        _write_part(out, part, name, plan.task, group, items, chat)
        parts.append(part)
    if len(parts) > 1:
        write_text(out / f"{name}.yaml", "".join(_group(name, parts, plan.task)))
    turns = " --apply_chat_template --fewshot_as_multiturn True" if chat else ""
    command = (
        f"lm_eval --include_path {out} --tasks {name} --model hf --model_args pretrained=MODEL"
    )
    return Exported(name, out, command + turns)


def _write_part(
    out: Path,
    part: str,
    name: str,
    task: Task,
    requests: Sequence[Request],
    items: Mapping[str, Item],
    chat: bool,
) -> None:
    first = requests[0].messages
    system = first[0].content if first[0].role == "system" else ""
    turns = list(first[1 if system else 0 : -1])
    delimiter = _delimiter(requests)
    writes = task.answer.format == "text" and not chat and delimiter == "\n"
    ending, delimiter = ("\n", "") if writes else ("", delimiter)
    examples = list(_examples(task, turns, ending))
    opening = {"system": system if chat or not system else system + STOP}
    documents = [_document(task, request, items[request.id], ending) for request in requests]
    test = out / f"{part}.test.jsonl"
    write_text(test, lines({**document, **opening} for document in documents))
    files = {"test": str(test.resolve())}
    if examples:
        train = out / f"{part}.train.jsonl"
        write_text(train, lines(examples))
        files["train"] = str(train.resolve())
    settings: dict[str, object] = {
        "task": part,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": files},
        "test_split": "test",
        "num_fewshot": len(examples),
        "description": "system",
        "doc_to_text": "question",
        "doc_to_target": "target",
        "target_delimiter": delimiter,
        "fewshot_delimiter": STOP,
        "metadata": {"version": 1.0},
    }
    if examples:
        settings |= {"fewshot_split": "train", "fewshot_config": {"sampler": "first_n"}}
    if task.answer.format == "choice":
        settings |= {"output_type": "multiple_choice", "doc_to_choice": "choices"}
        settings["metric_list"] = [_metric("acc")]
    else:
        until = {"until": ["<|end of answer|>"] if chat else [STOP]}
        limits = {"max_gen_toks": task.answer.max_new_tokens, "do_sample": False}
        settings |= {"output_type": "generate_until", "generation_kwargs": until | limits}
        settings["metric_list"] = [_metric(metric) for metric in measures(task)]
    entries = [
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in settings.items()
    ]
    if task.answer.format == "text":
        entries.append(f"process_results: !function {name}_reader.process_results\n")
    write_text(out / f"{part}.yaml", "".join(entries))


def _examples(task: Task, turns: Sequence[Message], ending: str) -> Iterator[dict[str, object]]:
    choices = list(task.answer.labels)
    for question, answer in zip(turns[::2], turns[1::2], strict=True):
        text = answer.content
        example: dict[str, object] = {"question": question.content + ending, "target": text}
        if task.answer.format == "choice":
            if text not in choices:
                raise RunError(
                    f'the example answer "{text[:80]}" is none of the labels, and the harness can '
                    "show only labels where it scores them."
                )
            example |= {"target": choices.index(text), "choices": choices}
        yield example


def _document(task: Task, request: Request, item: Item, ending: str) -> dict[str, object]:
    label = gold(task, request, item)
    document: dict[str, object] = {
        "id": request.id,
        "view": request.view,
        "question": request.question + ending,
    }
    if task.answer.format == "choice":
        choices = list(task.answer.labels)
        return {**document, "choices": choices, "target": choices.index(label)}
    selection = None if item.selection is None else sorted(item.selection)
    return {**document, "target": request.gold, "label": label, "selection": selection}


def _delimiter(requests: Sequence[Request]) -> str:
    found = {" " if request.question.endswith(":") else "\n" for request in requests}
    if len(found) > 1:
        raise RunError(
            "some prompts end in a colon and some do not; the harness knows one delimiter a task."
        )
    return found.pop()


def _metric(name: str) -> dict[str, object]:
    return {"metric": name, "aggregation": "mean", "higher_is_better": True}


def _group(name: str, parts: Sequence[str], task: Task) -> Iterator[str]:
    named = ["acc"] if task.answer.format == "choice" else measures(task)
    metrics = [{"metric": m, "aggregation": "mean", "weight_by_size": True} for m in named]
    yield f"group: {json.dumps(name)}\n"
    yield f"task: {json.dumps(list(parts))}\n"
    yield f"aggregate_metric_list: {json.dumps(metrics)}\n"
