"""What is written for TRL: prompts as a data set, and our score as the reward."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from sorites_eval.exports.trl import export_trl
from sorites_eval.prompts.requests import ask
from tests.evaluators.exports.exported import asked, loaded, ours, planned, python_of, rows

MODEL = Path(__file__).with_name("trl_model.py")
STEPS = Path(__file__).with_name("trl_steps.py")


@pytest.mark.parametrize("chat", [False, True])
def test_prompts_are_ours(small_release: Path, tmp_path: Path, chat: bool) -> None:
    drawn = planned(small_release, "relation", "two-shot")
    exported = export_trl(drawn, tmp_path, chat=chat)
    requests = list(ask(drawn.release, drawn.task, "two-shot", drawn.items))
    found = rows(exported.folder / "data" / "train.jsonl")
    for row, request in zip(found, requests, strict=True):
        turns = [{"role": m.role, "content": m.content} for m in request.messages]
        assert row["prompt"] == (turns if chat else request.plain().rstrip(" "))
        assert (row["label"], row["answer"]) == (request.gold, request.gold)
        assert (row["selection"], row["view"], row["task"]) == (None, request.view, exported.name)


def test_a_reward_is_told_of_by_its_columns(small_release: Path, tmp_path: Path) -> None:
    exported = export_trl(planned(small_release, "premise-selection", "few-shot"), tmp_path)
    module = loaded(exported.folder / f"{exported.name}.py")
    logged: dict[str, float] = {}
    columns = {
        "completion_ids": [[1, 2], [1], [1], [1] * 12],
        "task": [exported.name, exported.name, "another", exported.name],
        "label": ["True", "True", "True", "True"],
        "selection": [[1, 3], [1, 3], [1, 3], [1, 3]],
        "log_metric": logged.__setitem__,
        "trainer_state": None,
    }
    texts = ["True, P1 and P3.", "True, P1.", "True, P1 and P3.", "True, P1, P3"]
    assert module.reward(["…"] * 4, texts, **columns) == [1.0, 0.0, None, 0.0]
    assert logged == {"accuracy": 1.0, "reasoning_accuracy": pytest.approx(1 / 3)}
    turns = [[{"role": "assistant", "content": text}] for text in texts]
    assert module.reward([[]] * 4, turns, **columns) == [1.0, 0.0, None, 0.0]
    nothing = [[{"role": "assistant", "content": None}], [], "", [{"role": "assistant"}]]
    assert module.reward([[]] * 4, nothing, **columns) == [0.0, 0.0, None, 0.0]


def test_a_reward_for_a_tokenizer_knows_ends_and_thoughts(
    small_release: Path, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    words = ["<unk>", "<end>", "<think>", "</think>", "True", "False", ",", "P1"]
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>")
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="<unk>",
        eos_token="<end>",
        pad_token="<end>",
        additional_special_tokens=["<think>", "</think>"],
    )
    tokenizer.chat_template = (
        "{{ messages[-1]['content'] }}{% if thinks is defined %}<think>{% endif %}"
    )
    number = {word: n for n, word in enumerate(words)}
    said = ["True <end>", "True", "<think> True </think> False <end>", "True </think> True <end>"]
    said += ["True , P1", "True , P1 <end>", "False <end>"]
    ids = [[number[word] for word in text.split()] for text in said]
    drawn = planned(small_release, "premise-selection", "few-shot")
    exported = export_trl(drawn, tmp_path, chat=True)
    module = loaded(exported.folder / f"{exported.name}.py")
    columns = {
        "completion_ids": ids,
        "task": [exported.name] * len(ids),
        "label": ["True"] * len(ids),
        "selection": [[], [], [], [], [1], [1], []],
    }
    closed = module.reward_for(tokenizer)(None, None, **columns)
    assert closed == [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    # Where the template opens a thought, what does not close it is no answer.
    opened = module.reward_for(tokenizer, thinks=True)(None, None, **columns)
    assert opened == [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]


def test_names_of_a_release_are_no_code(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release, "entailment", "zero-shot")
    hostile = '"""\nraise SystemExit\n"""'
    drawn.task.prompts[hostile] = drawn.task.prompts["zero-shot"]
    exported = export_trl(replace(drawn, setting=hostile), tmp_path)
    assert exported.name == "sorites_small_entailment_raise_systemexit"
    assert exported.name == loaded(exported.folder / f"{exported.name}.py").TASK
    readme = (exported.folder / "README.md").read_text()
    assert 'task entailment, setting """ raise SystemExit """.' in readme


@pytest.mark.slow
@pytest.mark.parametrize("chat", [False, True])
def test_trl_takes_two_steps_with_our_scores(
    small_release: Path, tmp_path: Path, chat: bool
) -> None:
    """Each reward is that of the completion as the run's own reader scores it."""
    python = python_of("trl")
    drawn = planned(small_release, "entailment", "zero-shot")
    exported = export_trl(drawn, tmp_path, chat=chat)
    model = tmp_path / "model"
    subprocess.run([python, MODEL, model, *drawn.task.answer.labels], check=True)
    done = subprocess.run(
        [python, STEPS, model, exported.name, tmp_path / "trained"],
        cwd=exported.folder,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["steps"] == 2
    assert len(told["completions"]) == 16
    items = {gold["id"]: (request, item) for request, item, gold in asked(drawn)}
    for name, text, cut_off, reward in told["completions"]:
        assert reward == ours(drawn, *items[name], text, chat, cut_off)
    rewards = [reward for *_, reward in told["completions"]]
    assert 0 < sum(rewards) < len(rewards)
    assert told["means"] == [
        pytest.approx(sum(rewards[:8]) / 8),
        pytest.approx(sum(rewards[8:]) / 8),
    ]


@pytest.mark.slow
def test_the_command_trains(small_release: Path, tmp_path: Path) -> None:
    python = python_of("trl")
    exported = export_trl(planned(small_release, "premise-selection", "zero-shot"), tmp_path)
    model = tmp_path / "model"
    subprocess.run([python, MODEL, model, "True", "False"], check=True)
    command = exported.command.replace("trl grpo", f"{python.parent / 'trl'} grpo")
    small = "--max_steps 2 --use_cpu --num_generations 4 --per_device_train_batch_size 4"
    quiet = "--report_to none --save_strategy no --logging_steps 1 --bf16 False"
    done = subprocess.run(
        ["sh", "-c", f"{command.replace('MODEL', str(model))} {small} {quiet}"],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "rewards/reward/mean" in done.stdout
    assert (exported.folder / "trained" / "model.safetensors").is_file()
