from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import mlcroissant
import pytest

from sorites.release.content import Content
from sorites.release.files import parquet
from sorites.release.write import write_release
from sorites.specfile.model import Spec
from tests.compiler.release.sample import ITEM_COLUMNS, items, split_of


def plain(value: Any, prefix: str) -> Any:
    """A record as the rows of the table are: text for bytes, names without their path."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {key.rsplit("/", 1)[-1]: plain(inner, prefix) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner, prefix) for inner in value]
    return value


def test_records_are_the_rows(release: Path, content: Content) -> None:
    dataset = mlcroissant.Dataset(release / "croissant.json")
    assert not dataset.metadata.issues.errors
    for split in content.splits:
        name = f"{split.config}/{split.name}"
        records = [plain(record, name) for record in dataset.records(name)]
        rows = split.table.to_pylist()
        for row in rows:
            if "note" in row and row["note"] is None:
                # A null struct has no form of its own in Croissant: its fields are null.
                row["note"] = {"name": None, "price": None}
        assert records == rows


def test_the_data_set_is_described(release: Path, spec: Spec) -> None:
    metadata = mlcroissant.Dataset(release / "croissant.json").metadata
    assert metadata.name == "cafe-menu"
    assert str(metadata.version) == "1.0.0"
    assert metadata.description == spec.summary
    assert metadata.license == ["https://creativecommons.org/licenses/by/4.0/"]
    assert "doe2025" in metadata.cite_as
    described = {field.id: field.description for field in metadata.record_sets[0].fields}
    assert described["items/test/steps"] == "How many premises it needs."


def test_the_day_and_the_place_of_publication(spec: Spec, content: Content, tmp_path: Path) -> None:
    dated = replace(spec, card=replace(spec.card, home="cafe/menu", date="2026-12-01"))
    made = write_release(dated, content, tmp_path / "dated")
    metadata = mlcroissant.Dataset(made / "croissant.json").metadata
    assert metadata.date_published.date().isoformat() == "2026-12-01"
    assert metadata.url == "https://huggingface.co/datasets/cafe/menu"


def test_an_altered_file_is_seen_when_records_are_read(release: Path) -> None:
    (path,) = (release / "data" / "items").iterdir()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    dataset = mlcroissant.Dataset(release / "croissant.json")
    with pytest.raises(mlcroissant.GenerationError) as caught:
        list(dataset.records("items/test"))
    assert "is not identical with the reference" in str(caught.value.__cause__)


def test_shards_are_read_as_one(
    spec: Spec, content: Content, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS_PER_SHARD", 15)
    split = split_of("items", "test", ITEM_COLUMNS, items("t", 40))
    sharded = replace(content, splits=(split, *content.splits[1:]))
    made = write_release(spec, sharded, tmp_path / "out")
    assert len([*(made / "data" / "items").iterdir()]) == 3
    records = mlcroissant.Dataset(made / "croissant.json").records("items/test")
    assert sorted(record["items/test/id"].decode() for record in records) == [
        row["id"] for row in items("t", 40)
    ]
