"""The sample, compiled once for all tests of the run, and what it was compiled from."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from filelock import FileLock

from sorites.families.argument_schemes.plan import Scheme, read_plan
from sorites.logic.prover import Prover
from sorites.pipeline import check_spec, compile_spec
from sorites.progress import Silent
from sorites.sources.fetch import obtain
from sorites.specfile.reader import read
from tests.compiler.families.argument_schemes.samples import Sample, read_sample


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
        folder = shared / "argument-schemes" / spec.name / str(spec.version)
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


@pytest.fixture(scope="session")
def schemes(sample_spec: Path) -> Mapping[tuple[str, str], Scheme]:
    """The 28 schemes by name and variant."""
    plan, problems = read_plan(check_spec(sample_spec))
    assert problems == []
    return {scheme.key: scheme for scheme in plan.schemes}


@pytest.fixture(scope="session")
def prover() -> Prover:
    return Prover()
