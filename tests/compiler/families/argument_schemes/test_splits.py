"""Splits that share nothing which the spec names: what they promise is counted in their rows."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites import api
from sorites.errors import InvalidSpec
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.reprove import recheck
from sorites.families.argument_schemes.search.world import World, build_world
from sorites.families.argument_schemes.splits import world_of
from sorites.families.argument_schemes.splits_plan import Disjoint
from sorites.pipeline import check_spec
from sorites.release.manifest.recorded import read_manifest
from sorites.release.manifest.verify import verify_release
from sorites_eval.contract.release import open_release
from sorites_eval.training.fine_tuning import choose_set, prepare
from tests.conftest import ROOT
from tests.small_spec import small_spec

SIZES = {"train": 10, "validation": 3}
SCHEMES = [("generalized modus ponens", "base"), ("hypothetical syllogism 1", "base")]


def spec_of(folder: Path, disjoint: str, **more: Any) -> Path:
    def change(data: dict[str, Any]) -> None:
        data["splits"] = {"disjoint": disjoint, **SIZES, **more}
        data["items"].update(arguments=5, distractors=2)

    return small_spec(folder, change, schemes=SCHEMES)


@pytest.fixture(scope="module", params=[*Disjoint])
def compiled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Disjoint, Path]:
    folder = tmp_path_factory.mktemp(request.param)
    return request.param, api.compile(spec_of(folder / "spec", request.param), folder / "out")


def spoken_of(rows: list[dict[str, Any]]) -> dict[str, set[object]]:
    """What rows speak of, looked up by hand."""
    found: dict[str, set[object]] = {
        "arguments": {row["argument"] for row in rows},
        "classes": {row["domain"] for row in rows} - {None},
        "individuals": set(),
        "premises": {sentence for row in rows for sentence in row["premises"]},
    }
    for row in rows:
        for bound in row["bindings"]:
            if bound["symbol"].isupper():
                found["classes"].add(bound["name"])
            elif row["names"] == "real":
                found["individuals"].add(bound["id"])
    return found


def test_splits_share_nothing_that_the_spec_names(compiled: tuple[Disjoint, Path]) -> None:
    disjoint, folder = compiled
    tables = verify_release(folder)
    items = {split: table for (config, split), table in tables.items() if config == "items"}
    assert [*items] == ["train", "validation", "test"]
    found = {name: spoken_of(table.to_pylist()) for name, table in items.items()}
    told = json.loads((folder / "audit.json").read_bytes())["splits"]
    assert told["disjoint"] == disjoint
    assert told["rows"] == {name: table.num_rows for name, table in items.items()}
    for (one, other), shared in zip(combinations(items, 2), told["in_common"], strict=True):
        counted = {kind: len(found[one][kind] & found[other][kind]) for kind in found[one]}
        assert shared == {"splits": [one, other], **counted}
        assert counted["arguments"] == 0
        if disjoint is Disjoint.CLASS:
            assert counted["classes"] == 0
        if disjoint is Disjoint.INDIVIDUAL:
            assert counted["individuals"] == 0
    for name, size in {**SIZES, "test": 5}.items():
        pairs = {(row["scheme"], row["argument"]) for row in items[name].to_pylist()}
        assert len(pairs) <= len(SCHEMES) * size
        if disjoint is Disjoint.ARGUMENT:
            assert len(pairs) == len(SCHEMES) * size
    api.verify(folder)
    api.verify(folder, with_z3=True, workers=2)


def test_denials_and_examples_go_with_the_test(compiled: tuple[Disjoint, Path]) -> None:
    _, folder = compiled
    splits = [(split.config, split.split) for split in read_manifest(folder).splits]
    assert splits[:3] == [("items", "train"), ("items", "validation"), ("items", "test")]
    assert ("denials", "test") in splits
    assert ("denials", "train") not in splits
    told = (folder / "README.md").read_text(encoding="utf-8")
    assert "## Splits" in told
    assert "| train and validation | 0 |" in told


def test_the_same_bytes_on_two_workers(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "spec", "individual")
    found = []
    for workers in (1, 2):
        folder = api.compile(spec, tmp_path / f"{workers}", workers=workers)
        found.append((folder / "release.json").read_bytes())
    assert found[0] == found[1]


def test_the_test_is_the_same_with_and_without_more_arguments_to_learn_from(
    tmp_path: Path,
) -> None:
    hashes = []
    for name, more in (("few", {}), ("many", {"train": 20})):
        folder = api.compile(spec_of(tmp_path / name / "spec", "argument", **more), tmp_path / name)
        (test,) = [
            split.content_sha256
            for split in read_manifest(folder).splits
            if (split.config, split.split) == ("items", "test")
        ]
        hashes.append(test)
    assert hashes[0] == hashes[1]


def test_a_promise_that_is_broken_is_found_in_the_rows(compiled: tuple[Disjoint, Path]) -> None:
    disjoint, folder = compiled
    tables = verify_release(folder)
    document = read_manifest(folder).document
    rows = {key: table for key, table in tables.items() if key[0] != "certificates"}
    assert recheck(rows, document) == []
    pair = rows["items", "test"].slice(0, 2)
    mixed = {**rows, ("items", "train"): pa.concat_tables([rows["items", "train"], pair])}
    faults = recheck(mixed, document)
    assert "items: the splits train and test have arguments in common: 1" in faults
    kinds = {Disjoint.CLASS: "classes", Disjoint.INDIVIDUAL: "individuals"}
    kind = kinds.get(disjoint, "arguments")
    assert any(
        fault.startswith(f"items: the splits train and test have {kind} in common: ")
        for fault in faults
    )


@cache
def world() -> World:
    spec = check_spec(ROOT / "specs" / "sample" / "syllobio-nli.yaml")
    plan, _ = read_plan(spec)
    return build_world(plan.ontology.read({n: p.file for n, p in spec.sources.items() if p.file}))


@given(seed=st.integers(0, 10**6))
def test_classes_and_individuals_are_dealt_out_whole(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = world()
    for disjoint in (Disjoint.CLASS, Disjoint.INDIVIDUAL):
        path = spec_of(tmp_path_factory.mktemp("spec"), disjoint)
        plan, _ = read_plan(check_spec(path))
        object.__setattr__(plan, "seed", seed)
        parts = [world_of(whole, plan, name) for name in plan.splits.names]
        if disjoint is Disjoint.CLASS:
            assert sorted(index for part in parts for index in part.usable) == [*whole.usable]
            same = [{int(whole.same[index]) for index in part.usable} for part in parts]
            assert not any(one & other for one, other in combinations(same, 2))
        else:
            own = [part.nameable for part in parts if part.nameable is not None]
            assert np.array_equal(np.sum(own, axis=0), np.ones(len(whole.individuals)))


NEEDED = '973:2: splits: one of the keys "train" or "validation" is needed'


@pytest.mark.parametrize(
    ("section", "messages"),
    [
        ({}, [NEEDED, "973:12: splits: this mapping must not be empty"]),
        ({"disjoint": "class"}, [NEEDED]),
        ({"train": 0}, ["974:12: splits.train: 0 is not at least 1"]),
        (
            {"train": 5, "test": 5},
            ['975:3: splits.test: unknown key "test"\n    known: disjoint, validation'],
        ),
        (
            {"train": 5, "disjoint": "gene"},
            [
                '975:15: splits.disjoint: "gene" is not one of the values allowed\n'
                "    known: argument, class, individual"
            ],
        ),
    ],
)
def test_sections_that_say_nothing_or_too_much(
    section: dict[str, Any], messages: list[str], tmp_path: Path
) -> None:
    path = small_spec(tmp_path, lambda data: data.update(splits=section), schemes=SCHEMES[:1])
    with pytest.raises(InvalidSpec) as caught:
        check_spec(path)
    assert str(caught.value) == "\n".join(f"{path}:{message}" for message in messages)


def test_a_task_trains_on_one_split_and_is_scored_on_the_other(tmp_path: Path) -> None:
    def train(data: dict[str, Any]) -> None:
        data["splits"] = SIZES
        sets = {name: [{"config": "items", "split": name}] for name in ("train", "validation")}
        task = data["tasks"]["entailment"]
        task["train"] = {
            "text": ["premises", "conclusion"],
            "sets": {"disjoint": {"title": "Other arguments", **sets}},
        }

    folder = api.compile(small_spec(tmp_path / "spec", train, schemes=SCHEMES), tmp_path / "out")
    release = open_release(str(folder))
    task = release.task("entailment")
    training, name = choose_set(task, None)
    data = prepare(release, task, training, name)
    rows = {split.split: split.rows for split in read_manifest(folder).splits[:3]}
    found = {"train": data.train, "validation": data.validation, "test": data.test}
    assert {name: len(examples) for name, examples in found.items()} == rows
    (first, *_) = verify_release(folder)["items", "train"].to_pylist()
    assert data.train[0].texts == (" ".join(first["premises"]), first["conclusion"])
    leaks = json.loads((folder / "audit.json").read_bytes())["release"]["leakage"]["entailment"]
    assert {tuple(leak["splits"]): leak["prompts"] for leak in leaks} == {
        ("items/test", "exemplars/train"): 0,
        ("items/test", "items/train"): 0,
        ("items/test", "items/validation"): 0,
        ("items/train", "items/validation"): 0,
    }


def test_a_task_of_a_split_that_is_not_made_is_refused(tmp_path: Path) -> None:
    def other(data: dict[str, Any]) -> None:
        data["splits"] = {"train": 5}
        data["tasks"]["entailment"]["data"]["split"] = "validation"

    with pytest.raises(InvalidSpec, match="validation"):
        check_spec(small_spec(tmp_path, other, schemes=SCHEMES))
