"""What the tests of exports for training share: an export as a module, and an environment."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType

import pytest

from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.contract.release import open_release
from sorites_eval.exports.rewards import golds
from sorites_eval.prompts.requests import STOP, Item, Request
from sorites_eval.running.predictions import Answered
from sorites_eval.running.run import Plan, plan
from sorites_eval.scoring.answers import Reader
from sorites_eval.scoring.prediction import is_right
from sorites_eval.scoring.reasoning import LastAnswer
from tests.conftest import ROOT


def planned(root: Path, task: str, setting: str) -> Plan:
    release = open_release(root)
    return plan(release, release.task(task), setting)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def loaded(path: Path) -> ModuleType:
    """A module from its file, with nothing of this project on its way."""
    spec = importlib.util.spec_from_file_location(f"exported_{path.stem}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ours(drawn: Plan, request: Request, item: Item, text: str, chat: bool, cut_off: bool) -> float:
    """The score that a run gives a reply of a model that is asked as the prompts are written."""
    selection = drawn.task.answer.selection
    reader: Reader | LastAnswer
    reader = Reader(drawn.task.answer.labels, selection.marker if selection else None)
    if drawn.task.prompts[drawn.setting].reasoning:
        reader = LastAnswer(drawn.task.answer.labels, reader)
    if not chat:
        # A backend that knows no turns stops at the first blank line.
        text, blank, _ = text.lstrip().partition(STOP)
        cut_off = cut_off and not blank
    reply = Reply(text, ended=Ended.LENGTH if cut_off else Ended.STOP)
    answered = Answered.read(drawn.task, reader, "", item, request, reply)
    return float(is_right(answered.prediction(drawn.task)))


def asked(drawn: Plan) -> list[tuple[Request, Item, dict[str, object]]]:
    """Every request with its item and the gold values that are exported."""
    items = {item.id: item for item in drawn.items}
    return [(request, items[request.id], gold) for request, gold in golds(drawn)]


def python_of(library: str) -> Path:
    """The Python of a library's own environment, which ``make test-all`` makes; skips without."""
    chosen = os.environ.get(f"SORITES_{library.upper()}")
    found = Path(chosen) if chosen else ROOT / f".venv-{library}" / "bin" / "python"
    if not found.is_file():
        pytest.skip(f"no environment with {library}: make test-all makes .venv-{library}")
    return found
