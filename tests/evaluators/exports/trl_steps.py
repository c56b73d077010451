"""Two steps of GRPO with an exported reward: ``trl_steps.py MODEL NAME OUT``, in its folder.

Prints, as JSON, every completion with its item and reward, and the means that TRL logged.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

from datasets import load_dataset
from transformers import AutoTokenizer
from trl import GRPOConfig, GRPOTrainer

sys.path.insert(0, str(Path.cwd()))


def main(model: str, name: str, out: str) -> None:
    """Train on CPU, and note what the reward was given and gave."""
    exported = importlib.import_module(name)
    tokenizer = AutoTokenizer.from_pretrained(model)
    rewards = exported.reward_for(tokenizer)
    seen: list[list[object]] = []

    def reward(prompts, completions, completion_ids, **columns):
        found = rewards(prompts, completions, completion_ids, **columns)
        for ids, item, number in zip(completion_ids, columns["id"], found, strict=True):
            text = tokenizer.decode(ids, skip_special_tokens=True)
            seen.append([item, text, ids[-1] != tokenizer.eos_token_id, number])
        return found

    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[reward],
        args=GRPOConfig(
            output_dir=out,
            max_steps=2,
            per_device_train_batch_size=8,
            num_generations=4,
            max_completion_length=exported.LIMIT,
            use_cpu=True,
            bf16=False,
            report_to="none",
            save_strategy="no",
            logging_steps=1,
            seed=3,
        ),
        processing_class=tokenizer,
        train_dataset=load_dataset("./data", split="train"),
    )
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "rewards/reward/mean" in entry]
    means = [entry["rewards/reward/mean"] for entry in logged]
    print(json.dumps({"steps": trainer.state.global_step, "completions": seen, "means": means}))


if __name__ == "__main__":
    main(*sys.argv[1:])
