"""What a compile will take, known before the work, and refused where there is too little."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from sorites.errors import SoritesError
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.sizes import (
    BYTES_OF_A_RELEASE,
    BYTES_ON_THE_WAY,
    in_words,
    rows_at_most,
)
from sorites.pipeline import check_spec, compile_spec
from sorites.progress import Silent
from sorites.release.manifest.recorded import read_manifest
from tests.compiler.families.argument_schemes.samples import Sample
from tests.small_spec import SCHEMES, small_spec

Usage = namedtuple("Usage", "total used free")


def test_the_sample_has_no_more_rows_than_that(sample: Sample) -> None:
    asked = rows_at_most(sample.plan)
    for config, rows in asked.items():
        made = sum(t.num_rows for (name, _), t in sample.tables.items() if name == config)
        assert made <= rows
        # Some schemes have no items without a distractor, and the ontology is small.
        assert made >= 0.8 * rows


def test_rows_take_no_more_room_than_that(sample: Sample) -> None:
    tables = [table for (config, _), table in sample.tables.items() if config != "certificates"]
    rows = sum(table.num_rows for table in tables)
    assert sum(table.nbytes for table in tables) <= rows * BYTES_ON_THE_WAY
    files = sum(file.bytes for file in read_manifest(sample.folder).data_files())
    assert files <= rows * BYTES_OF_A_RELEASE


def test_a_disk_that_is_too_small_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = small_spec(tmp_path / "spec", schemes=SCHEMES[:2])
    plan, _ = read_plan(check_spec(spec))
    rows = sum(rows_at_most(plan).values())
    needed = rows * BYTES_ON_THE_WAY
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, needed - 1))
    with pytest.raises(SoritesError) as caught:
        compile_spec(spec, tmp_path / "out", workers=1, progress=Silent())
    where, _, said = str(caught.value).partition(": ")
    assert Path(where).parent == tmp_path / "cache" / "unfinished"
    assert said == (
        f"up to {rows:,} rows need {in_words(needed)} there while they are made, and "
        f"{in_words(needed - 1)} are free. Let SORITES_CACHE name a folder on a larger disk, or "
        "ask for fewer arguments (items.arguments)"
    )
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 0, needed))
    compile_spec(spec, tmp_path / "out", workers=1, progress=Silent())
