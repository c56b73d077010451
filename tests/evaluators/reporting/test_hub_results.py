"""Scores for the Hub, read back by the Hub's own library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from huggingface_hub._eval_results import parse_eval_result_entries
from ruamel.yaml import YAML

from sorites_eval.backends.baselines import Oracle, Random
from sorites_eval.contract.release import open_release
from sorites_eval.errors import RunError
from sorites_eval.reporting.hub_results import results_yaml
from sorites_eval.running.finished import find_runs
from sorites_eval.running.run import perform, plan


@pytest.fixture
def runs(make_release: Callable[..., Path], tmp_path: Path) -> Path:
    release = open_release(make_release(items=24))
    task = release.task("entailment")
    perform(plan(release, task, "few-shot"), Oracle(), tmp_path / "runs" / "whole")
    perform(plan(release, task, "zero-shot", limit=8), Oracle(), tmp_path / "runs" / "sample")
    return tmp_path / "runs"


def test_what_is_written_is_what_the_hub_reads(runs: Path) -> None:
    text = results_yaml(find_runs([runs]), "org/small")
    sample, whole = parse_eval_result_entries(YAML(typ="safe").load(text))
    assert (whole.dataset_id, whole.task_id, whole.value) == ("org/small", "entailment", 1.0)
    assert whole.dataset_revision is None
    assert whole.notes == "accuracy, few-shot, version 1.0.0; 95 % interval 0.712 to 1.000"
    assert sample.notes == (
        "accuracy, zero-shot, version 1.0.0; a stratified sample of 8 of 24 items; "
        "95 % interval 0.283 to 1.000"
    )


def test_a_folder_is_no_data_set(runs: Path) -> None:
    with pytest.raises(RunError, match=r"its release was a folder\. Name the data set on the Hub"):
        results_yaml(find_runs([runs]))


def test_one_file_is_of_one_model(runs: Path, small_release: Path) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    perform(plan(release, task, "zero-shot"), Random(task, 0), runs / "random")
    with pytest.raises(RunError, match=r"^runs of 2 models: oracle, random\."):
        results_yaml(find_runs([runs]), "org/small")
