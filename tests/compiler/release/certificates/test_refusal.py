"""A certificate that check.py refuses stops the compile; templates told otherwise fail verify."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from sorites.api import verify
from sorites.engines.processes import Processes
from sorites.engines.serial import Serial
from sorites.errors import FaultyRelease, SoritesError
from sorites.families.argument_schemes import certify
from sorites.pipeline import compile_spec, prove_again
from sorites.progress import Silent
from sorites.release.certificates.certificates import CONFIG
from sorites.release.certificates.refusal import checked_rows
from sorites.release.manifest.recorded import read_manifest
from tests.conftest import ROOT
from tests.samples import compiled
from tests.small_spec import SCHEMES, small_spec


def test_a_refused_certificate_stops_the_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = small_spec(tmp_path / "spec", schemes=SCHEMES[:2])
    # The package offers the function under the module's own name.
    module = sys.modules[certify.__module__]
    monkeypatch.setattr(module, "model_of", lambda *_, **__: "a b c: F(a)")
    with pytest.raises(SoritesError, match=r"^certificates that check\.py refuses:\n") as caught:
        compile_spec(spec, tmp_path / "out", workers=1, progress=Silent())
    assert "in the model a b c: F(a)" in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_without_a_worker_nothing_is_found_sound(tmp_path: Path) -> None:
    release = compile_spec(
        small_spec(tmp_path / "spec", schemes=SCHEMES[:1]),
        tmp_path / "out",
        workers=1,
        progress=Silent(),
    )
    rows = sum(split.rows for split in read_manifest(release).splits if split.config != CONFIG)
    for engine in (Serial(), Processes(2)):
        counts, faults = checked_rows(release, engine=engine)
        assert (counts, faults) == ({"proved": rows}, [])
    for nobody in (0, -1):
        with pytest.raises(SoritesError) as caught:
            verify(release, workers=nobody)
        assert str(caught.value) == f"{nobody} workers do no work: give 1 or more"


def test_templates_that_the_spec_does_not_have_are_found(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = compiled(ROOT / "specs" / "sample" / "german-syllogisms.yaml", tmp_path_factory)
    place = tmp_path / "release"
    shutil.copytree(whole, place)
    record = json.loads((place / "release.json").read_bytes())
    (text,) = [t for t in record["certificates"]["readings"]["templates"] if t["formula"] == "F(a)"]
    text["formula"] = "-F(a)"
    (place / "release.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(FaultyRelease) as caught:
        prove_again(place)
    assert "release.json tells check.py otherwise than the spec does" in str(caught.value)
