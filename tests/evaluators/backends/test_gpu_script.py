"""The script for machines with GPUs: on a CPU it runs what can be run there, and skips the rest."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.loading import Loaded
from tests.bench import gpu


@pytest.mark.slow
def test_it_runs_on_a_cpu(
    make_model: Callable[..., Loaded], capsys: pytest.CaptureFixture[str]
) -> None:
    code = gpu.main(["--model", make_model().source, "--rows", "24", "--device", "cpu"])
    lines = capsys.readouterr().out.splitlines()
    assert code == 0, lines
    said = {name: rest for name, _, rest in (line.partition(": ") for line in lines[2:])}
    assert list(said) == [way.name for way in gpu.PATHS]
    assert said["float16"] == said["device map"] == "skipped: no GPU"
    for name in ("float32, batch 1", "float32, batch 64", "several processes (with opening)"):
        assert said[name].endswith("times the CPU, 100.0% agree")
    for name in ("vLLM", "Ray (with opening)"):
        assert said[name].startswith("skipped: ")


def test_labels_that_differ_are_counted() -> None:
    cpu = gpu.Outcome(2.0, {"a": ("True", False), "b": ("False", True), "c": ("True", False)})
    other = gpu.Outcome(1.0, {"a": ("True", False), "b": ("True", False), "c": ("False", False)})
    assert gpu.compared("x", other, cpu) == (
        "x: 2.00 times the CPU, 33.3% agree, 2 others, 1 of them near ties"
    )
