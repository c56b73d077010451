"""Write a task so that TRL trains on it: prompts as a data set, and our score as the reward.

A row of another task gets no reward, so that the rewards of several tasks can stand beside each
other over one data set. What a reply's tokens tell, its end and the special tokens that part a
thought, is known where the reward is made for a tokenizer (``reward_for``); else a reply of as many
tokens as the task allows counts as cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sorites_eval.exports.rewards import golds, origin, reward_source
from sorites_eval.exports.written import Exported, lines, name_of
from sorites_eval.files import write_text
from sorites_eval.running.run import Plan

__all__ = ["export_trl"]

_FUNCTIONS = '''

TASK = {name!r}
"""What the column ``task`` holds in the rows of this task; any other row gets no reward."""

_KEPT = re.compile(r"think|thought|reason|channel|<\\|message\\|>", re.IGNORECASE)
"""Special tokens that part a thought from the answer."""


def reward(prompts, completions, completion_ids, **columns):
    """The release's own score of each completion, for ``trl grpo --reward_funcs``.

    A completion of as many tokens as the task allows counts as cut off.
    """
    texts = [_text(completion) for completion in completions]
    cut_off = [len(ids) >= LIMIT for ids in completion_ids]
    return _rewards(texts, cut_off, **columns)


def reward_for(tokenizer, **chat_template_kwargs):
    """The reward for a tokenizer, which tells what ends a reply and what opens a thought."""
    ends = {{tokenizer.eos_token_id, tokenizer.pad_token_id}}
    special = dict(zip(tokenizer.all_special_ids, tokenizer.all_special_tokens, strict=True))
    dropped = {{number for number, text in special.items() if not _KEPT.search(str(text))}}
    opened = "" if PLAIN else _opened(tokenizer, chat_template_kwargs)

    def reward(prompts, completions, completion_ids, **columns):
        shown = [[number for number in ids if number not in dropped] for ids in completion_ids]
        texts = [opened + tokenizer.decode(ids, skip_special_tokens=False) for ids in shown]
        cut_off = [not len(ids) or ids[-1] not in ends for ids in completion_ids]
        return _rewards(texts, cut_off, **columns)

    return reward


def _rewards(texts, cut_off, *, task, label, selection, log_metric=None, **_):
    found = []
    for text, cut, name, gold, chosen in zip(texts, cut_off, task, label, selection, strict=True):
        found.append(judge(text, gold, chosen, cut) if name == TASK else None)
    ours = [measures for measures in found if measures is not None]
    for measure in (ours[0] if ours and log_metric else ()):
        log_metric(measure, sum(measures[measure] for measures in ours) / len(ours))
    return [None if measures is None else reward_of(measures) for measures in found]


def _text(completion):
    """A completion's text: as it is, or that of its last turn."""
    if isinstance(completion, str):
        return completion
    return str(completion[-1].get("content") or "") if completion else ""


def _opened(tokenizer, chat_template_kwargs):
    """The mark of a thought, where the chat template opens one for the reply."""
    turns = [{{"role": "user", "content": "?"}}]
    prompt = tokenizer.apply_chat_template(
        turns, tokenize=False, add_generation_prompt=True, **chat_template_kwargs
    )
    return "<think>" if part_thought(prompt.rpartition("?")[2]).unfinished else ""
'''

_README = """\
# {name}

{origin}.

`data/train.jsonl` holds the prompts with their gold, `{name}.py` the reward: the release's own
score of a reply, 1 if all that the task asks for is right, else 0.

    pip install trl
    trl grpo --model_name_or_path MODEL --dataset_name ./data --reward_funcs {name}.reward \\
        --max_completion_length {limit} --output_dir trained

In Python, the reward can be made for a tokenizer, which tells what ends a reply and what a thought:

    reward_funcs=[{name}.reward_for(tokenizer)]
"""


def export_trl(plan: Plan, out: Path, *, chat: bool = False) -> Exported:
    """Write a folder for ``trl grpo``: a data set of prompts, and a module with ``reward``.

    ``chat`` is for models that are trained with their chat template: prompts are turns then, and
    else plain text, in which a reply ends at a blank line.
    """
    name = name_of(plan)
    folder = out / name
    limit = plan.task.answer.max_new_tokens
    write_text(folder / "data" / "train.jsonl", lines(_rows(plan, name, chat)))
    functions = _FUNCTIONS.format(name=name)
    write_text(folder / f"{name}.py", reward_source(plan, chat=chat) + functions)
    readme = _README.format(name=name, origin=origin(plan), limit=limit)
    write_text(folder / "README.md", readme)
    command = (
        f"cd {folder} && trl grpo --model_name_or_path MODEL --dataset_name ./data "
        f"--reward_funcs {name}.reward --max_completion_length {limit} --output_dir trained"
    )
    return Exported(name, folder, command)


def _rows(plan: Plan, name: str, chat: bool) -> Iterator[dict[str, object]]:
    for request, gold in golds(plan):
        turns = [{"role": turn.role, "content": turn.content} for turn in request.messages]
        prompt = turns if chat else request.plain().rstrip(" ")
        yield {"prompt": prompt, "task": name, "view": request.view, **gold}
