"""What an LSTM makes of a release of the kind veridicality, in minutes on a CPU.

    python tests/bench/veridical_lstm.py RELEASE [--task synthetic] [--rows 8100] [--runs 1]

Prints the accuracy on each cell of the composites, mean ± standard deviation over the runs. The
network is smaller than the default of ``sorites-eval train`` and stops sooner.
"""

from __future__ import annotations

import argparse
import time

import torch

from sorites_eval.contract.release import open_release
from sorites_eval.training.lstm import LstmSettings
from sorites_eval.training.results import summary_table
from sorites_eval.training.training_run import Request, train


def main() -> None:
    """Train, and print the table and the time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("release")
    parser.add_argument("--task", default="synthetic")
    parser.add_argument("--rows", type=int, default=8_100)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=12)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    release = open_release(chosen.release)
    request = Request(
        model="lstm",
        runs=chosen.runs,
        epochs=chosen.epochs,
        limit=chosen.rows,
        lstm=LstmSettings(dimensions=100, hidden=100, patience=3),
    )
    started = time.perf_counter()
    trained = train(release, release.task(chosen.task), request)
    print(summary_table(trained.summaries, trained.by))
    print(f"\n{trained.summaries[0].trained_on:,} rows, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
