"""The memory that a run takes does not grow with its items."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.loading import Loaded

RUN = """
import resource, sys
from pathlib import Path
import torch
from sorites_eval.backends.local.loading import load
from sorites_eval.backends.local.model import Local
from sorites_eval.contract.release import open_release
from sorites_eval.running.run import perform, plan

torch.set_num_threads(1)
release = open_release(sys.argv[1])
drawn = plan(release, release.task("entailment"), "few-shot")
loaded = load(sys.argv[2], dtype="float32", device_map="cpu")
perform(drawn, Local(loaded, drawn.task), Path(sys.argv[3]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_ten_times_the_items_take_the_same_memory(
    make_release: Callable[..., Path], make_model: Callable[..., Loaded], tmp_path: Path
) -> None:
    model = make_model().source
    peaks = []
    for items in (300, 3000):
        command = [
            sys.executable,
            "-c",
            RUN,
            make_release(items=items),
            model,
            tmp_path / str(items),
        ]
        peaks.append(int(subprocess.check_output(command, text=True).split()[-1]))
    assert peaks[1] < 1.1 * peaks[0]
