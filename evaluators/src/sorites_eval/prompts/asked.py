"""A task as it is asked in one run: its setting's own limits, prompts from a file, more groups."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.read import read_prompts
from sorites_eval.contract.tasks import REASONING_TOKENS, Confusion, Scalar, Task, label_key
from sorites_eval.errors import RunError

__all__ = ["PromptFile", "as_asked", "read_prompt_file", "with_groups", "with_prompts"]

MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class PromptFile:
    """Settings that a person brings, as the section ``prompts`` of a task has them."""

    path: Path
    settings: Mapping[str, object]

    def digest(self, setting: str) -> str:
        """The sha256 of a setting's content, however it was written; empty if it has none."""
        if setting not in self.settings:
            return ""
        text = json.dumps(self.settings[setting], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


class _Loader(yaml.SafeLoader):
    """YAML as data alone, in which no key may stand twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        """A mapping; a ConstructorError for a key that stands twice."""
        keys = [key.value for key, _ in node.value]
        for key, _ in node.value:
            if keys.count(key.value) > 1:
                raise yaml.constructor.ConstructorError(
                    "while constructing a mapping",
                    node.start_mark,
                    f'found the key "{key.value}" twice',
                    key.start_mark,
                )
        return super().construct_mapping(node, deep)


def read_prompt_file(path: Path) -> PromptFile:
    """Read a file of settings, YAML or JSON; RunError if it is not one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}.") from error
    if len(content) > MAX_BYTES:
        raise RunError(f"{path}: {len(content)} bytes; at most {MAX_BYTES} are read.")
    try:
        document = yaml.load(content, _Loader)  # noqa: S506 (it is a SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        # The library names the place, and the file by the type of what it was given.
        text = " ".join(str(error).split()).replace('in "<byte string>", ', "")
        raise RunError(f"{path}: not valid YAML: {text}.") from error
    if not isinstance(document, dict) or not document:
        raise RunError(f"{path}: expected settings by name, as under prompts in a spec.")
    return PromptFile(path, document)


def with_prompts(
    task: Task, document: Mapping[str, object], file: PromptFile
) -> tuple[Task, dict[str, object]]:
    """The task with the settings of a file, instead of its own or beside them, and its document.

    Raises RunError, with every fault and its place, if they break the contract.
    """
    try:
        prompts = read_prompts(dict(file.settings), task)
    except InvalidBenchmark as error:
        faults = [str(fault).removeprefix("benchmark.json: ") for fault in error.faults]
        raise RunError("\n".join(f"{file.path}: {fault}" for fault in faults)) from error
    before = document["prompts"]
    assert isinstance(before, dict)
    merged = {**document, "prompts": {**before, **file.settings}}
    return replace(task, prompts={**task.prompts, **prompts}), merged


def with_groups(
    task: Task, document: Mapping[str, object], groups: Sequence[tuple[str, ...]]
) -> tuple[Task, dict[str, object]]:
    """The task with more groups to break its scores down by, and its document."""
    more = [columns for columns in groups if columns not in task.score.groups]
    score = document["score"]
    assert isinstance(score, dict)
    there = [list(columns) for columns in (*task.score.groups, *more)]
    changed = replace(task, score=replace(task.score, groups=(*task.score.groups, *more)))
    return changed, {**document, "score": {**score, "groups": there} if more else score}


def as_asked(task: Task, setting: str) -> Task:
    """The task with a setting's own labels and limit of tokens.

    One that reasons is answered in words. A setting that the task does not have, as that of a
    trained model, changes nothing.
    """
    if setting not in task.prompts:
        return task
    prompt = task.prompts[setting]
    limit = prompt.max_new_tokens or (REASONING_TOKENS if prompt.reasoning else None)
    answer = replace(
        task.answer,
        max_new_tokens=limit or task.answer.max_new_tokens,
        format="text" if prompt.reasoning else task.answer.format,
    )
    asked = replace(task, answer=answer)
    return asked if prompt.labels is None else _relabelled(asked, prompt.labels)


def _relabelled(task: Task, labels: Mapping[str, Scalar]) -> Task:
    """The task whose labels stand for other values: whatever names a label names the new one."""
    by_value = {label_key(value): text for text, value in labels.items()}
    new = {text: by_value[label_key(value)] for text, value in task.answer.labels.items()}

    def renamed(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(new[text] for text in texts)

    score, classify = task.score, task.classify
    views = tuple(
        replace(view, labels={new[own]: new[other] for own, other in view.labels.items()})
        for view in task.views
    )
    if classify is not None:
        told = {name: new[text] for name, text in classify.labels.items()}
        classify = replace(classify, labels=told)
    return replace(
        task,
        answer=replace(task.answer, labels=dict(labels)),
        views=views,
        classify=classify,
        score=replace(
            score,
            positive=None if score.positive is None else new[score.positive],
            half_right={name: renamed(texts) for name, texts in score.half_right.items()},
            wrong_as={
                name: Confusion(renamed(look.gold), renamed(look.taken_for))
                for name, look in score.wrong_as.items()
            },
        ),
    )
