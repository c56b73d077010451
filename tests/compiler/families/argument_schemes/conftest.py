"""The sample, compiled once for all tests of the run, and what it was compiled from."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from filelock import FileLock

from compiler.families.argument_schemes import read_ontology
from compiler.families.argument_schemes.plan import ArgumentPlan, Scheme, read_plan
from compiler.families.argument_schemes.space import World, build_world
from compiler.logic.prover import Prover
from compiler.pipeline import check_spec, compile_spec
from compiler.progress import Silent
from compiler.release.verify import verify_release
from compiler.sources.fetch import obtain
from compiler.spec.model import Spec
from compiler.spec.reader import read

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Sample:
    """A compiled release of argument schemes, with what it was compiled from."""

    folder: Path
    spec: Spec
    plan: ArgumentPlan
    world: World
    items: Sequence[Row]
    exemplars: Sequence[Row]
    tables: Mapping[tuple[str, str], pa.Table]


@pytest.fixture(scope="session")
def sample_spec(root: Path) -> Path:
    return root / "specs" / "sample" / "syllobio-nli.yaml"


@pytest.fixture(scope="session")
def sample(sample_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """The sample release; processes of one run of the tests share it."""
    shared = tmp_path_factory.getbasetemp()
    if shared.name.startswith("popen-"):
        shared = shared.parent
    spec = check_spec(sample_spec)
    with FileLock(shared / "argument-schemes.lock"):
        folder = shared / "argument-schemes" / spec.name / spec.version
        if not folder.is_dir():
            out = shared / "argument-schemes"
            assert compile_spec(sample_spec, out, workers=1, progress=Silent()) == folder
    return read_sample(folder, sample_spec)


@pytest.fixture(scope="session")
def reactome(
    root: Path, shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sample]:
    """The full spec over Reactome with forty arguments a scheme."""
    folder = tmp_path_factory.mktemp("reactome")
    data = copy.deepcopy(read(root / "specs" / "syllobio-nli.yaml").data)
    assert isinstance(data, dict)
    data["items"]["arguments"] = 40
    path = folder / "syllobio-nli.yaml"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SORITES_SOURCES", str(shared_data))
        spec = check_spec(path)
        files = {name: obtain(pin, Silent()) for name, pin in spec.sources.items()}
        release = compile_spec(path, folder / "out", workers=1, progress=Silent())
        yield read_sample(release, path, files)


def read_sample(folder: Path, path: Path, files: Mapping[str, Path] | None = None) -> Sample:
    """A release and its spec, read back."""
    spec = check_spec(path)
    plan, _ = read_plan(spec)
    if files is None:
        files = {name: pin.file for name, pin in spec.sources.items() if pin.file is not None}
    tables = verify_release(folder)
    return Sample(
        folder=folder,
        spec=spec,
        plan=plan,
        world=build_world(read_ontology(plan.ontology, files)),
        items=tables["items", "test"].to_pylist(),
        exemplars=tables["exemplars", "train"].to_pylist(),
        tables=tables,
    )


@pytest.fixture(scope="session")
def schemes(sample_spec: Path) -> Mapping[tuple[str, str], Scheme]:
    """The 28 schemes by name and variant."""
    plan, problems = read_plan(check_spec(sample_spec))
    assert problems == []
    return {scheme.key: scheme for scheme in plan.schemes}


@pytest.fixture(scope="session")
def prover() -> Prover:
    return Prover()
