"""How fast models are scored: our items a second over lm-evaluation-harness's.

Same model (SmolLM2-135M), same rows with a five-shot prefix, CPU, float32, one process after
the other, loading not counted. Ours runs before and after the harness, and its time is the
mean of both, so that a machine that is busier at one time than at another favours neither. The
harness lives in an environment of its own, made here if ``SORITES_LM_EVAL`` does not name the
Python of one.

    python tests/bench/evaluate.py [--rows 300] [--no-harness]

Prints JSON: items a second of both, their ratio, what the token counts allow ((prefix + suffix)
over suffix), the agreement of the labels, and the peak memory at 300 and 3,000 rows.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import platformdirs

HERE = Path(__file__).resolve().parent
REQUIREMENTS = ("lm_eval==0.4.13", "torch==2.13.0", "transformers==5.24.0", "accelerate==1.15.0")


def harness_python() -> str:
    """A Python that has lm-evaluation-harness."""
    if chosen := os.environ.get("SORITES_LM_EVAL"):
        return chosen
    folder = platformdirs.user_cache_path("sorites") / "lm-eval"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *REQUIREMENTS], check=True)
    return str(python)


def write_rows(root: Path, rows: int) -> Path:
    """A release of ``rows`` syllogisms with five worked examples."""
    spec = importlib.util.spec_from_file_location(
        "small_release", HERE.parent / "evaluators" / "conftest.py"
    )
    assert spec
    assert spec.loader
    small = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(small)
    tables = small.small_tables(rows + rows % 2, 9)
    examples = small._syllogisms("e", 3, 100)[:5]
    tables["exemplars", "train"] = examples
    tables["items", "test"] = tables["items", "test"][:rows]
    path: Path = small.write_release(root / f"rows{rows}" / "1.0.0", small.DOCUMENT, tables)
    return path


def ours(release: Path, model: str, out: Path) -> dict[str, object]:
    """Time one run in this process, without loading the model."""
    from sorites_eval.backends.local.tokens import Encoder, common_prefix
    from sorites_eval.backends.opening import Options, open_backend
    from sorites_eval.contract.release import open_release
    from sorites_eval.prompts.requests import ask
    from sorites_eval.running.predictions import read_table
    from sorites_eval.running.run import perform, plan

    opened = open_release(release)
    drawn = plan(opened, opened.task("entailment"), "few-shot")
    backend = open_backend(
        model, drawn.task, drawn.everything, Options(dtype="float32", chat=False), out
    )
    start = time.perf_counter()
    perform(drawn, backend, out)
    seconds = time.perf_counter() - start
    encoder: Encoder = backend._encoder
    requests = list(ask(opened, drawn.task, "few-shot", drawn.items))
    prompts = encoder.choices([encoder.text(r) for r in requests], ["True", "False"])
    contexts = [prompt.context for prompt in prompts]
    shared = common_prefix(contexts)
    tokens = sum(map(len, contexts))
    own = tokens - shared * len(contexts)
    rows = read_table(out / "predictions.parquet").to_pylist()
    return {
        "seconds": seconds,
        "allowed": tokens / own,
        "shared_tokens": shared,
        "own_tokens": own / len(contexts),
        "predicted": {f"{row['id']}/{row['view']}": row["constrained"] for row in rows},
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def in_own_process(release: Path, model: str, out: Path) -> dict[str, object]:
    """As ``ours``, in a fresh process, so that its peak memory is its own."""
    command = [
        sys.executable,
        __file__,
        "--only",
        str(release),
        "--model",
        model,
        "--out",
        str(out),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--many", type=int, default=0, help="rows of a second run, for its memory")
    parser.add_argument("--no-harness", action="store_true")
    parser.add_argument("--only", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.only:
        print(json.dumps(ours(options.only, options.model, options.out)))
        return
    located = [sys.executable, str(HERE / "smollm2.py")]
    model = subprocess.run(located, check=True, capture_output=True, text=True).stdout.split()[-1]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        release = write_rows(folder, options.rows)
        mine = in_own_process(release, model, folder / "before")
        theirs: dict[str, object] = {}
        if not options.no_harness:
            theirs = harness(release, model, folder / "harness")
            after = in_own_process(release, model, folder / "after")
            mine["seconds"] = (mine["seconds"] + after["seconds"]) / 2
        result = {
            "rows": options.rows,
            "items_per_second": options.rows / mine["seconds"],
            **{key: mine[key] for key in ("allowed", "shared_tokens", "own_tokens", "peak_mb")},
        }
        if options.many:
            many = in_own_process(write_rows(folder, options.many), model, folder / "many")
            result[f"peak_mb_at_{options.many}_rows"] = many["peak_mb"]
        if theirs:
            result |= compared(mine, theirs, options.rows)
    print(json.dumps(result, indent=2))


def harness(release: Path, model: str, folder: Path) -> dict[str, object]:
    """The same rows with the harness."""
    command = [sys.executable, "-m", "sorites_eval", "export", str(release), "--to", "lm-eval"]
    asked = ["--task", "entailment", "--setting", "few-shot", "--out", str(folder)]
    subprocess.run(command + asked, check=True, capture_output=True)
    name = "sorites_small_entailment_few_shot"
    done = subprocess.run(
        [harness_python(), str(HERE / "harness.py"), str(folder), name, model, "8"],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def compared(mine: dict[str, object], theirs: dict[str, object], rows: int) -> dict[str, object]:
    """The harness's speed, ours over it, and whether labels agree."""
    agreed = sum(mine["predicted"][key] == label for key, label in theirs["predicted"].items())
    speed = theirs["seconds"] / mine["seconds"]
    return {
        "harness_items_per_second": rows / theirs["seconds"],
        "ratio": speed,
        "of_what_is_allowed": speed / mine["allowed"],
        "labels_agree": agreed / len(theirs["predicted"]),
        "harness_scores": theirs["scores"],
    }


if __name__ == "__main__":
    main()
