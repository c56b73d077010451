"""What composites that are added to the training parts teach an LSTM: minutes on a CPU.

    python -m tests.bench.veridical_curves [--pairs 60] [--steps 0,4,10] [--epochs 15]

Sixty pairs of SICK below thirty verbs: an LSTM is trained on the parts, and on composites of the
same sixty pairs, or of as many others, below one veridical verb after the other. Both curves are
tested on the composites below the twenty verbs that are never added. Prints both tables, and the
accuracy on yes/unk (a veridical verb, and a pair that is no entailment) at the last step. Fails
where composites of the same pairs bring it below 90 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, cast

import torch

from sorites.errors import SourceError
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from sorites.specfile.reader import read
from sorites_eval.contract.release import open_release
from sorites_eval.training.growth import Growth
from sorites_eval.training.lstm import LstmSettings
from sorites_eval.training.results import growth_tables
from sorites_eval.training.training_run import Request, train

SPEC = Path(__file__).resolve().parents[2] / "specs" / "veridical-transitivity.yaml"
LEAST = 0.9
CURVES = ("same-pairs", "further-pairs")


def main() -> int:
    """Compile, train, and print; 1 where the curve of the same pairs stays too low."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--steps", default="0,4,10")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=15)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        spec = reduced(Path(scratch), chosen.pairs)
        try:
            folder = compile_spec(spec, Path(scratch) / "out", workers=1, progress=Silent())
        except SourceError as error:
            print(f"veridical_curves: skipped: {error}")
            return 0
        release = open_release(str(folder))
        started = time.perf_counter()
        request = Request(
            model="lstm",
            runs=chosen.runs,
            epochs=chosen.epochs,
            curves=CURVES,
            steps=tuple(map(int, chosen.steps.split(","))),
            # So few rows take several epochs before anything is learnt: none may end training.
            lstm=LstmSettings(dimensions=100, hidden=100, batch=32, patience=chosen.epochs),
        )
        trained = train(release, release.task("naturalistic"), request)
    print(growth_tables(trained.growths, trained.by))
    last = {growth.name: at_the_end(growth) for growth in trained.growths}
    same, further = (last[name] for name in CURVES)
    seconds = time.perf_counter() - started
    print(f"\nyes/unk: same pairs {same:.1%}, further pairs {further:.1%} ({seconds:.0f} s)")
    return int(same < LEAST)


def reduced(folder: Path, pairs: int) -> Path:
    """The spec of the release with some pairs, of its naturalistic part alone."""
    data = cast("dict[str, Any]", read(SPEC).data)
    for section in ("synthetic", "fragment", "human", "analyses"):
        data.pop(section)
    data["sources"] = {"sick": data["sources"]["sick"]}
    data["name"] = "reduced"
    part = data["naturalistic"]
    part["pairs"] = part["augmentation"]["number"] = pairs
    part.pop("noise")
    task = data["tasks"]["naturalistic"]
    training = task["train"]
    training["sets"] = {"both-parts": training["sets"]["both-parts"]}
    training["curves"] = {name: training["curves"][name] for name in CURVES}
    task.pop("references")
    data["tasks"] = {"naturalistic": task}
    path = folder / "reduced.yaml"
    # JSON is YAML.
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def at_the_end(growth: Growth) -> float:
    """The accuracy on yes/unk at the last step."""
    groups = growth.points[-1].summary.groups["label_veridical", "label_embedded"]
    cell = {"label_veridical": "yes", "label_embedded": "unk"}
    return next(group.accuracy.mean for group in groups if group.values == cell)


if __name__ == "__main__":
    sys.exit(main())
