"""What is written for another harness: complete, self-contained, and with our scores."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sorites_eval.contract.release import open_release
from sorites_eval.errors import RunError
from sorites_eval.exports import written
from sorites_eval.exports.lm_eval import export_lm_eval
from sorites_eval.prompts.requests import ask, plain_text
from sorites_eval.running.run import Plan, plan
from sorites_eval.scoring.answers import Reader

REPLIES = (
    *("<True, P1, P10>", "true or false", "not true", "False", "", "True, P1-P3", "答えはTrueです"),
    *(
        "<think>P3?</think>True, P1",
        "<think>It is",
        '{"answer": true}',
        "\\boxed{False}",
        "True? No.",
    ),
    *(
        "Answer: **True** (not False)\nPremises: P1 to P3",
        "It isn’t true.",
        "ＴＲＵＥ",
        "Maybe true",
    ),
)


def planned(root: Path, task: str, setting: str) -> Plan:
    release = open_release(root)
    return plan(release, release.task(task), setting)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def settings(path: Path) -> dict[str, object]:
    """The YAML is one JSON value a line, but for the tag."""
    pairs = [
        line.split(": ", 1) for line in path.read_text().splitlines() if "!function" not in line
    ]
    return {key: json.loads(value) for key, value in pairs}


def test_the_prompt_put_together_as_the_harness_does_is_ours(
    small_release: Path, tmp_path: Path
) -> None:
    drawn = planned(small_release, "entailment", "few-shot")
    exported = export_lm_eval(drawn, tmp_path)
    task = settings(tmp_path / f"{exported.name}.yaml")
    examples = lines(tmp_path / f"{exported.name}.train.jsonl")
    delimiter, between = task["target_delimiter"], task["fewshot_delimiter"]
    requests = list(ask(drawn.release, drawn.task, "few-shot", drawn.items))
    for document, request in zip(
        lines(tmp_path / f"{exported.name}.test.jsonl"), requests, strict=True
    ):
        text = str(document["system"])
        for example in examples:
            answer = example["choices"][example["target"]]
            text += f"{example['question']}{delimiter}{answer}{between}"
        text += f"{document['question']}{delimiter}"
        assert text == plain_text(request.messages)
        assert document["choices"][document["target"]] == request.gold


def test_requests_with_other_examples_are_tasks_of_a_group(
    small_release: Path, tmp_path: Path
) -> None:
    exported = export_lm_eval(planned(small_release, "relation", "two-shot"), tmp_path)
    group = settings(tmp_path / f"{exported.name}.yaml")
    assert group["group"] == exported.name
    documents = [lines(tmp_path / f"{part}.test.jsonl") for part in group["task"]]
    assert len(documents) == 3
    assert sum(map(len, documents)) == 36


def reader_of(folder: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("exported_reader", folder / f"{name}_reader.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reader_goes_along_and_reads_as_ours(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "premise-selection", "few-shot")
    exported = export_lm_eval(drawn, tmp_path)
    module = reader_of(tmp_path, exported.name)
    for document in lines(tmp_path / f"{exported.name}.test.jsonl"):
        assert module.process_results(document, [document["target"]]) == {
            "accuracy": 1.0,
            "reasoning_accuracy": 1.0,
        }
    ours = Reader(["True", "False"], "P")
    for text in REPLIES:
        theirs, own = module._READER.read(text), ours.read(text)
        assert (str(theirs.outcome), theirs.label, theirs.selection) == (
            str(own.outcome),
            own.label,
            own.selection,
        )


def test_the_modules_of_the_reader_can_stand_in_one_file() -> None:
    """No two of them give one name to different things."""
    seen: dict[str, str] = {}
    for module in written._READER:
        tree = ast.parse(inspect.getsource(module))
        for node in tree.body:
            for name in _names(node):
                assert seen.setdefault(name, module.__name__) == module.__name__, name


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    parts = [part for target in targets for part in ast.walk(target)]
    return [part.id for part in parts if isinstance(part, ast.Name) and part.id != "__all__"]


def test_the_exported_files_need_no_sorites(small_release: Path, tmp_path: Path) -> None:
    exported = export_lm_eval(planned(small_release, "premise-selection", "few-shot"), tmp_path)
    assert "import evaluators" not in (tmp_path / f"{exported.name}_reader.py").read_text()
    assert "from evaluators" not in (tmp_path / f"{exported.name}_reader.py").read_text()


def test_no_text_of_a_release_is_a_template_there(small_release: Path, tmp_path: Path) -> None:
    exported = export_lm_eval(planned(small_release, "entailment", "zero-shot"), tmp_path)
    task = settings(tmp_path / f"{exported.name}.yaml")
    assert (task["description"], task["doc_to_text"]) == ("system", "question")
    assert {"system", "question"} <= lines(tmp_path / f"{exported.name}.test.jsonl")[0].keys()


def test_prompts_that_end_in_two_ways_are_refused(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "entailment", "zero-shot")
    prompt = drawn.task.prompts["zero-shot"]
    uneven = type(prompt)(prompt.system, prompt.user + "{% if label %} Now{% endif %}", None)
    drawn.task.prompts["zero-shot"] = uneven
    with pytest.raises(RunError, match="some prompts end in a colon and some do not"):
        export_lm_eval(drawn, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif("SORITES_LM_EVAL" not in os.environ, reason="SORITES_LM_EVAL names no Python")
@pytest.mark.parametrize(
    ("task", "measures"),
    [
        ("entailment", {"acc": "accuracy"}),
        ("premise-selection", {"accuracy": "accuracy", "reasoning_accuracy": "reasoning-accuracy"}),
    ],
)
def test_the_harness_gets_our_scores(
    small_release: Path, root: Path, tmp_path: Path, task: str, measures: dict[str, str]
) -> None:
    pytest.importorskip("torch")
    from sorites_eval.backends.local.loading import load
    from sorites_eval.backends.local.model import Local
    from sorites_eval.running.run import perform

    bench = root / "tests" / "bench"
    model = subprocess.check_output([sys.executable, bench / "smollm2.py"], text=True).split()[-1]
    drawn = planned(small_release, task, "few-shot")
    exported = export_lm_eval(drawn, tmp_path / "exported")
    local = Local(load(model, dtype="float32", device_map="cpu"), drawn.task, chat=False)
    scores = perform(drawn, local, tmp_path / "run").scores
    ours = scores["constrained"]["overall"] if task == "entailment" else scores["overall"]
    done = subprocess.check_output(
        [
            os.environ["SORITES_LM_EVAL"],
            bench / "harness.py",
            exported.folder,
            exported.name,
            model,
            "4",
        ],
        text=True,
    )
    theirs = json.loads(done.splitlines()[-1])["scores"]
    for name, metric in measures.items():
        assert theirs[f"{name},none"] == pytest.approx(ours[metric])
