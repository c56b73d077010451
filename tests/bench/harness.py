"""Run an exported task with lm-evaluation-harness, in the Python that has it, and print JSON.

    PYTHON tests/bench/harness.py FOLDER TASK MODEL BATCH_SIZE

Prints ``seconds`` (without loading the model), ``scores`` and, by item id and view, the
harness's own prediction for each document of a choice.
"""

from __future__ import annotations

import json
import sys
import time

import torch
from lm_eval.evaluator import simple_evaluate
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager


def main() -> None:
    folder, task, model, batch_size = sys.argv[1:]
    lm = HFLM(pretrained=model, dtype="float32", batch_size=int(batch_size), device="cpu")
    manager = TaskManager(include_path=folder)
    start = time.perf_counter()
    with torch.inference_mode():
        found = simple_evaluate(
            model=lm, tasks=[task], task_manager=manager, log_samples=True, bootstrap_iters=0
        )
    seconds = time.perf_counter() - start
    predicted = {}
    for samples in found["samples"].values():
        for sample in samples:
            document, replies = sample["doc"], sample["filtered_resps"]
            key = f"{document['id']}/{document['view']}"
            if "choices" in document:
                scores = [float(reply[0]) for reply in replies]
                predicted[key] = document["choices"][scores.index(max(scores))]
            else:
                predicted[key] = replies[0]
    scores = found["results"].get(task) or found["groups"][task]
    print(json.dumps({"seconds": seconds, "scores": scores, "predicted": predicted}))


if __name__ == "__main__":
    main()
