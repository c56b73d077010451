"""The reward of a reply: the release's own score of it, and nothing for what games it."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.exports.harnesses import EXPORTS
from sorites_eval.exports.rewards import reward_source
from sorites_eval.exports.trl import export_trl
from sorites_eval.exports.written import name_of
from sorites_eval.prompts.requests import ask
from sorites_eval.running.run import Plan
from tests.evaluators.conftest import DOCUMENT, small_tables, write_release
from tests.evaluators.exports.exported import asked, loaded, ours, planned, rows
from tests.evaluators.exports.gaming import gaming

ASKED = [
    ("entailment", "zero-shot"),
    ("entailment", "aloud"),
    ("premise-selection", "few-shot"),
    ("premise-selection", "aloud"),
    ("relation", "two-shot"),
]
"""Tasks of one label, with a selection, and with views; ``aloud`` are settings with reasoning."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release with settings in which a model thinks aloud."""
    document = json.loads(json.dumps(DOCUMENT))
    for name in ("entailment", "premise-selection"):
        prompts = document["tasks"][name]["prompts"]
        prompts["aloud"] = {**prompts["zero-shot"], "reasoning": True, "max_new_tokens": 40}
    root = tmp_path_factory.mktemp("aloud") / "small" / "1.0.0"
    return write_release(root, document, small_tables())


@pytest.fixture(scope="module")
def rewarding(
    release: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str, bool], tuple[Plan, ModuleType]]:
    """A plan and the module that is exported from it, for a task, a setting, and chat."""
    made: dict[tuple[str, str, bool], tuple[Plan, ModuleType]] = {}

    def make(task: str, setting: str, chat: bool) -> tuple[Plan, ModuleType]:
        key = (task, setting, chat)
        if key not in made:
            drawn = planned(release, task, setting)
            exported = export_trl(drawn, tmp_path_factory.mktemp("exported"), chat=chat)
            made[key] = drawn, loaded(exported.folder / f"{exported.name}.py")
        return made[key]

    return make


@pytest.mark.parametrize("chat", [False, True])
@pytest.mark.parametrize(("task", "setting"), ASKED)
def test_a_right_reply_gets_all_and_one_that_games_nothing(
    rewarding: Callable[[str, str, bool], tuple[Plan, ModuleType]],
    task: str,
    setting: str,
    chat: bool,
) -> None:
    drawn, module = rewarding(task, setting, chat)
    labels = list(drawn.task.answer.labels)
    system = drawn.task.prompts[setting].system
    for request, _, gold in asked(drawn):

        def reward(text: str, gold: dict[str, object] = gold) -> float:
            return module.reward_of(module.judge(text, gold["label"], gold["selection"]))

        assert reward(str(gold["answer"])) == 1.0
        for label in labels:
            tried = gaming(labels, label, request.question, system)
            assert len(tried) >= 15
            assert {why: text for why, text in tried.items() if reward(text)} == {}


def test_a_selection_of_everything_gets_nothing(
    rewarding: Callable[[str, str, bool], tuple[Plan, ModuleType]],
) -> None:
    drawn, module = rewarding("premise-selection", "few-shot", True)
    for _, _, gold in asked(drawn):
        for text in ("True, P1-P9", "True, P1, P2, P3, P4, P5, P6", "True, all premises"):
            assert module.reward_of(module.judge(text, gold["label"], gold["selection"])) == 0.0


PIECES = (
    *("True", "False", "true", "1", "2", "3", "P1", "P2", "P1-P2", ", ", ". ", ": ", "? ", "\n"),
    *("\n\n", " ", " or ", " and ", " not ", "Answer", "It is ", "If ", "<think>", "</think>"),
    *("**", "(", ")", '"', "\u200b", "so ", "because ", "maybe ", "答え", "The student said "),
)


@given(data=st.data())
def test_the_reward_is_our_score_of_the_reply(
    rewarding: Callable[[str, str, bool], tuple[Plan, ModuleType]], data: st.DataObject
) -> None:
    task, setting = data.draw(st.sampled_from(ASKED))
    chat, cut_off = data.draw(st.booleans()), data.draw(st.booleans())
    drawn, module = rewarding(task, setting, chat)
    request, item, gold = data.draw(st.sampled_from(asked(drawn)))
    pieces = data.draw(st.lists(st.sampled_from((*PIECES, str(gold["answer"]))), max_size=8))
    text = "".join(pieces)
    theirs = module.judge(text, gold["label"], gold["selection"], cut_off)
    assert module.reward_of(theirs) == ours(drawn, request, item, text, chat, cut_off)


def test_replies_that_went_wrong_once_are_read_as_here(
    release: Path, replies: Path, tmp_path: Path
) -> None:
    drawn = planned(release, "premise-selection", "zero-shot")
    modules: dict[tuple[object, ...], ModuleType] = {}
    for number, line in enumerate(replies.read_text(encoding="utf-8").splitlines(), 1):
        case = json.loads(line)
        key = (*case["labels"], case["marker"])
        if key not in modules:
            answer = drawn.task.answer
            assert answer.selection
            chosen = replace(answer.selection, marker=case["marker"]) if case["marker"] else None
            labels = {label: label for label in case["labels"]}
            changed = replace(answer, labels=labels, selection=chosen)
            plan = replace(drawn, task=replace(drawn.task, answer=changed))
            path = tmp_path / f"reader{len(modules)}.py"
            path.write_text(reward_source(plan, chat=True), encoding="utf-8")
            modules[key] = loaded(path)
        for gold in case["labels"]:
            measures = modules[key].judge(case["reply"], gold, case["selection"])
            assert measures["accuracy"] == (gold == case["label"]), number
            if case["selection"] is not None:
                assert modules[key].reward_of(measures) == (gold == case["label"]), number


def test_a_reply_that_was_cut_off(
    rewarding: Callable[[str, str, bool], tuple[Plan, ModuleType]],
) -> None:
    """A label stands, a selection that reaches to the cut does not, nor what was thought aloud."""
    _, module = rewarding("premise-selection", "few-shot", True)
    told = {"accuracy": 1.0, "reasoning_accuracy": 0.0}
    assert module.judge("True, P1", "True", [1], cut_off=True) == told
    assert module.reward_of(module.judge("True, P1.", "True", [1], cut_off=True)) == 1.0
    _, aloud = rewarding("premise-selection", "aloud", True)
    assert aloud.reward_of(aloud.judge("P2? No.\nTrue, P1.", "True", [1])) == 1.0
    assert aloud.reward_of(aloud.judge("P2? No.\nTrue, P1.", "True", [1], cut_off=True)) == 0.0
    _, plain = rewarding("premise-selection", "few-shot", False)
    assert plain.reward_of(plain.judge("True, P1\n\nFalse", "True", [1], cut_off=True)) == 1.0


def test_each_view_of_an_item_is_told_apart_and_has_its_own_gold(release: Path) -> None:
    drawn = planned(release, "relation", "zero-shot")
    found = asked(drawn)
    assert len({gold["id"] for _, _, gold in found}) == len(found) == 2 * len(drawn.items)
    forward, backward = found[0][2], found[1][2]
    assert (forward["id"], backward["id"]) == ("0 · forward", "0 · reversed")
    assert (forward["label"], backward["label"]) == ("1", "2")
    assert forward["selection"] is None
    assert [gold["answer"] for *_, gold in found] == [r.gold for r in ask(*_asking(drawn))]


def _asking(drawn: Plan) -> tuple[object, ...]:
    return drawn.release, drawn.task, drawn.setting, drawn.items


@pytest.mark.parametrize("harness", EXPORTS)
def test_no_name_of_an_exported_file_stands_for_two_things(
    release: Path, tmp_path: Path, harness: str
) -> None:
    drawn = planned(release, "premise-selection", "zero-shot")
    EXPORTS[harness](drawn, tmp_path, chat=True)
    files = [*tmp_path.rglob("*.py")]
    assert files
    for path in files:
        names = [name for node in ast.parse(path.read_text()).body for name in _bound(node)]
        assert sorted(names) == sorted(set(names)), path.name


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    parts = [part for target in targets for part in ast.walk(target)]
    # Each module of the reader tells its own public names, which count for none.
    return [part.id for part in parts if isinstance(part, ast.Name) and part.id != "__all__"]


@pytest.mark.parametrize("harness", EXPORTS)
def test_a_setting_with_reasoning_is_read_by_its_last_answer(
    release: Path, tmp_path: Path, harness: str
) -> None:
    drawn = planned(release, "entailment", "aloud")
    EXPORTS[harness](drawn, tmp_path, chat=True)
    source = "".join(path.read_text() for path in sorted(tmp_path.rglob("*.py")))
    assert "_READER = LastAnswer(_LABELS, Reader(_LABELS, None))" in source


def test_names_end_in_a_letter_or_a_number(release: Path) -> None:
    """As those of packages must."""
    drawn = planned(release, "entailment", "zero-shot")
    assert name_of(replace(drawn, setting="zero-shot!")) == "sorites_small_entailment_zero_shot"


def test_rows_are_told_of_their_task(release: Path, tmp_path: Path) -> None:
    exported = export_trl(planned(release, "relation", "zero-shot"), tmp_path)
    assert {row["task"] for row in rows(exported.folder / "data" / "train.jsonl")} == {
        exported.name
    }
