"""Write a task as an environment of ``verifiers``: a package whose tasks score replies as we do.

``verifiers`` asks a model with its chat template, through an endpoint. An item in a view is one
of its tasks; the task's key is the item's id, with the view where there are several.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sorites_eval.errors import RunError
from sorites_eval.exports.rewards import golds, origin, reward_source
from sorites_eval.exports.written import Exported, lines, name_of
from sorites_eval.files import write_text
from sorites_eval.prompts.requests import Request
from sorites_eval.running.run import Plan

__all__ = ["export_verifiers"]

_PROJECT = """\
[project]
name = "{dashed}"
version = "{version}"
description = "A task of {release} as an environment, with the release's own scores as reward."
requires-python = ">=3.11"
dependencies = ["verifiers>=0.4"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["{name}"]
"""

_INIT = """\
from {name}.taskset import {prefix}Taskset

__all__ = ["{prefix}Taskset"]
"""

_TASKSET = '''\
"""The tasks and their reward; prompts and gold stand in tasks.jsonl, the reader in reader.py."""

import json
from collections.abc import Iterator
from pathlib import Path

import verifiers.v1 as vf

from {name}.reader import judge, reward_of


class {prefix}Data(vf.TaskData):
    """One item in one view: the prompt, the right label and selection, and a right reply."""

    label: str
    selection: list[int] | None = None
    answer: str


class {prefix}Task(vf.Task[{prefix}Data]):
    """Rewards the last reply with the release's own score of it."""

    @property
    def key(self) -> str:
        return str(self.data.id)

    @vf.reward(weight=1.0)
    async def reward(self, trace: vf.Trace) -> float:
        """1 if all that was asked for is right, else 0."""
        return reward_of(self._measures(trace.last_reply, trace.is_truncated))

    @vf.metric
    async def measures(self, trace: vf.Trace) -> dict[str, float]:
        """What the reward is made of."""
        return self._measures(trace.last_reply, trace.is_truncated)

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the right reply gets the whole reward."""
        return reward_of(self._measures(self.data.answer, False)) == 1

    def _measures(self, text: str, cut_off: bool) -> dict[str, float]:
        return judge(text, self.data.label, self.data.selection, cut_off)


class {prefix}Taskset(vf.Taskset[{prefix}Task, vf.TasksetConfig]):
    """The items of the task, each in each view, in order."""

    def load(self) -> Iterator[{prefix}Task]:
        with Path(__file__).with_name("tasks.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield {prefix}Task({prefix}Data(**json.loads(line)), self.config.task)
'''

_README = """\
# {dashed}

{origin}.

The reward of a reply is the release's own score of it: 1 if all that the task asks for is right,
else 0. Each question is one turn, without tools:

    pip install --editable .
    vf-validate {dashed} --runtime.type subprocess
    vf-eval {dashed} --env.agent.harness.id null --env.agent.runtime.type subprocess \\
        --sampling.max-tokens {limit} --no-push \\
        --model MODEL --client.base-url http://localhost:8000/v1
"""


def export_verifiers(plan: Plan, out: Path, *, chat: bool = False) -> Exported:
    """Write a package for ``pip install``, which ``vf-eval`` and trainers then know by its name.

    Raises RunError without ``chat``: a model is always asked with its chat template there.
    """
    if not chat:
        raise RunError(
            "verifiers asks every model with its chat template. Add --chat, so that prompts are "
            "turns and replies are read as such."
        )
    name = name_of(plan)
    dashed = name.replace("_", "-")
    words = {
        "name": name,
        "dashed": dashed,
        "prefix": "".join(part.capitalize() for part in name.split("_")),
        "release": plan.release.name,
        "version": plan.release.version,
        "origin": origin(plan),
        "limit": plan.task.answer.max_new_tokens,
    }
    folder = out / dashed
    package = folder / name
    write_text(package / "tasks.jsonl", lines(_tasks(plan)))
    write_text(package / "reader.py", reward_source(plan, chat=chat))
    write_text(package / "taskset.py", _TASKSET.format(**words))
    write_text(package / "__init__.py", _INIT.format(**words))
    write_text(folder / "pyproject.toml", _PROJECT.format(**words))
    write_text(folder / "README.md", _README.format(**words))
    command = (
        f"pip install {folder} && vf-eval {dashed} --model MODEL --env.agent.harness.id null "
        f"--env.agent.runtime.type subprocess --sampling.max-tokens {words['limit']} --no-push"
    )
    return Exported(name, folder, command)


def _tasks(plan: Plan) -> Iterator[dict[str, object]]:
    for request, gold in golds(plan):
        yield {**gold, "name": request.view, **_prompt(request)}


def _prompt(request: Request) -> dict[str, object]:
    """The system text and the turns after it; a question alone is a text."""
    first, *rest = request.messages
    system, turns = (first.content, rest) if first.role == "system" else (None, [first, *rest])
    if len(turns) == 1:
        return {"system_prompt": system, "prompt": turns[0].content}
    shown = [{"role": turn.role, "content": turn.content} for turn in turns]
    return {"system_prompt": system, "prompt": shown}
