"""The splits of a spec are known before its sources are read; ``check`` holds tasks to them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sorites import compile, verify
from sorites.errors import InvalidSpec
from sorites.families import argument_schemes, veridicality
from sorites.families.argument_schemes.items_plan import Subset
from sorites.families.argument_schemes.plan import read_plan
from sorites.pipeline import FAMILIES, check_spec
from sorites.release.certificates.certificates import CONFIG as CERTIFICATES
from sorites.specfile.load import load
from tests.conftest import ROOT
from tests.samples import SAMPLES, compiled
from tests.small_spec import small_spec

OPTIONAL = {("human", "composite"), ("human", "veridical")}
"""Judgements may be of one part alone."""


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_splits_that_are_told_of_are_those_of_the_release(
    path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = compiled(path, tmp_path_factory)
    made = {
        (file.parent.name, re.sub(r"-\d{5}-of-\d{5}\Z", "", file.stem))
        for file in (folder / "data").rglob("*.parquet")
        if file.parent.name != CERTIFICATES and pq.read_metadata(file).num_rows
    }
    spec = load(path)
    told = set(FAMILIES[spec.kind]().splits(spec))
    assert made <= told
    if spec.kind != "audit":
        assert told - made <= OPTIONAL


def test_what_a_spec_leaves_out_is_not_told_of(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["exemplars"]

    spec = load(small_spec(tmp_path, change))
    assert argument_schemes.split_names(spec) == [
        ("items", "test"),
        ("denials", "test"),
        ("counterfactual", "test"),
    ]


@pytest.mark.parametrize("config", ["denials", "counterfactual"])
def test_a_config_of_no_arguments_is_not_made(config: str, tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["items"][config] = {"arguments": 0}
        data["tasks"] = {
            name: task for name, task in data["tasks"].items() if task["data"]["config"] != config
        }

    path = small_spec(tmp_path, change)
    assert (config, "test") not in argument_schemes.split_names(load(path))
    release = compile(path, out=tmp_path / "out")
    made = {folder.name for folder in (release / "data").iterdir()}
    others = {"denials", "counterfactual"} - {config}
    assert made == {"items", "exemplars", "certificates", *others}
    card = (release / "README.md").read_text(encoding="utf-8")
    assert f"`{config}`" not in card
    assert all(f"`{other}`" in card for other in others)
    verify(release)


@pytest.mark.parametrize("config", ["denials", "counterfactual"])
def test_a_config_without_levels_has_most_distractors(config: str, tmp_path: Path) -> None:
    spec = load(small_spec(tmp_path, lambda data: data["items"].update({config: {"arguments": 3}})))
    plan, problems = read_plan(spec)
    assert not problems
    assert getattr(plan, config) == Subset(3, (2,))


def test_every_part_of_verbs_is_told_of() -> None:
    told = veridicality.split_names(load(ROOT / "specs" / "veridical-transitivity.yaml"))
    assert len(told) == len(set(told))
    configs = {config for config, _ in told}
    assert {"synthetic", "synthetic-random", "naturalistic", "naturalistic-noise"} <= configs
    assert ("naturalistic-same-pairs", "train") in told


def test_a_task_that_names_a_split_that_will_not_be_is_refused(tmp_path: Path) -> None:
    """Those of its items, of its examples, and of what it trains on."""

    def change(data: dict[str, Any]) -> None:
        del data["exemplars"]
        tasks = data["tasks"]
        data["tasks"] = {name: tasks[name] for name in ("entailment", "faithfulness")}
        data["tasks"]["faithfulness"]["data"] = {"config": "denials", "split": "train"}
        del data["tasks"]["faithfulness"]["prompts"]["few-shot"]

    with pytest.raises(InvalidSpec) as caught:
        check_spec(small_spec(tmp_path, change))
    hint = "its splits are: items/test, denials/test, counterfactual/test"
    assert {(each.path, each.message, each.hint) for each in caught.value.problems} == {
        (
            "tasks.entailment.prompts.few-shot.exemplars",
            "the release has no split exemplars/train",
            hint,
        ),
        ("tasks.faithfulness.data", "the release has no split denials/train", hint),
    }
