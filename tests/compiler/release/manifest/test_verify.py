from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sorites.errors import InvalidRelease
from sorites.release.content import Content
from sorites.release.files import mapped
from sorites.release.files.parquet import file_sha256
from sorites.release.manifest.verify import content_faults, verify_release
from sorites.release.write import write_release
from sorites.specfile.model import Spec
from tests.compiler.release.sample import sample_content

ITEMS = "data/items/test-00000-of-00001.parquet"


def test_a_whole_release_gives_its_tables(release: Path, content: Content) -> None:
    tables = verify_release(release)
    assert {name: table.to_pylist() for name, table in tables.items()} == {
        (split.config, split.name): split.table.to_pylist() for split in content.splits
    }


def forge(release: Path, change: Callable[[dict], object]) -> None:
    path = release / "release.json"
    record = json.loads(path.read_bytes())
    change(record)
    path.write_text(json.dumps(record))


def flip_a_bit(release: Path) -> None:
    data = bytearray((release / ITEMS).read_bytes())
    data[100] ^= 1
    (release / ITEMS).write_bytes(data)


def other_rows_with_the_right_checksum(release: Path) -> None:
    table = pq.read_table(release / ITEMS)
    turned = table.set_column(5, "label", table["label"].combine_chunks().is_null())
    pq.write_table(turned.cast(table.schema), release / ITEMS)

    def change(record: dict) -> None:
        record["splits"][0]["files"][0]["sha256"] = file_sha256(release / ITEMS)

    forge(release, change)


def no_parquet_with_the_right_checksum(release: Path) -> None:
    (release / ITEMS).write_bytes(b"PAR1 is all it says PAR1")
    forge(
        release,
        lambda r: r["splits"][0]["files"][0].update(sha256=file_sha256(release / ITEMS)),
    )


def link_to_the_same_file(release: Path) -> None:
    elsewhere = (release / ITEMS).rename(release.parent / "elsewhere.parquet")
    (release / ITEMS).symlink_to(elsewhere)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file is altered": (
        flip_a_bit,
        "{release}/" + ITEMS + ": altered: its SHA-256 is not the one in release.json",
    ),
    "the card is altered": (
        lambda r: (r / "README.md").write_text("mine"),
        "{release}/README.md: altered: its SHA-256 is not the one in release.json",
    ),
    "a shard is missing": (lambda r: (r / ITEMS).unlink(), "{release}/" + ITEMS + ": missing"),
    "a file too many": (
        lambda r: (r / "data" / "items" / "more.parquet").write_bytes(b""),
        "{release}/data/items/more.parquet: not part of the release (release.json lacks it)",
    ),
    "a link": (
        link_to_the_same_file,
        "{release}/" + ITEMS + ": a link, not a file",
    ),
    "no manifest": (
        lambda r: (r / "release.json").unlink(),
        "{release}/release.json: there is no such file, so this is not a whole release",
    ),
    "a manifest that is not JSON": (
        lambda r: (r / "release.json").write_text("{"),
        "{release}/release.json: not JSON: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)",
    ),
    "a manifest of another format": (
        lambda r: forge(r, lambda record: record.update(manifest=2)),
        "{release}/release.json: $.manifest: 1 was expected",
    ),
    "a path out of the release": (
        lambda r: forge(
            r, lambda record: record["splits"][0]["files"][0].update(path="data/../../x.parquet")
        ),
        "{release}/release.json: $.splits[0].files[0].path: 'data/../../x.parquet' does not match "
        "'^data/[A-Za-z0-9]+([._-][A-Za-z0-9]+)*/[A-Za-z0-9][A-Za-z0-9_]*-[0-9]{{5}}-of-[0-9]{{5}}"
        "\\\\.parquet\\\\Z'",
    ),
    "tasks that are not JSON": (
        lambda r: (r / "benchmark.json").write_text("{"),
        "{release}/benchmark.json: altered: its SHA-256 is not the one in release.json\n"
        "{release}/benchmark.json: not JSON: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)",
    ),
    "a forged number of rows": (
        lambda r: forge(r, lambda record: record["splits"][0].update(rows=41)),
        "{release}/data/items: test: 40 rows, but release.json says 41",
    ),
    "a forged number of rows of a file": (
        lambda r: forge(r, lambda record: record["splits"][0]["files"][0].update(rows=41)),
        "{release}/" + ITEMS + ": 40 rows, but release.json says 41",
    ),
    "forged columns": (
        lambda r: forge(r, lambda record: record["splits"][0]["columns"].pop()),
        "{release}/data/items: test: its columns are not those that release.json names",
    ),
    "rows exchanged, checksum forged": (
        other_rows_with_the_right_checksum,
        "{release}/data/items: test: its rows are not those that release.json was written for",
    ),
    "a forged spec": (
        lambda r: forge(r, lambda record: record["spec"]["document"].update(seed=8)),
        "{release}/release.json: spec.sha256 is not the digest of spec.document",
    ),
    "another name": (
        lambda r: forge(r, lambda record: record.update(name="other")),
        "{release}/release.json: the name is not the one in spec.document\n"
        "{release}/benchmark.json: it is of another release",
    ),
    "another total": (
        lambda r: forge(r, lambda record: record.update(content_sha256="0" * 64)),
        "{release}/release.json: content_sha256 does not follow from the splits",
    ),
}


NO_RELEASE = {
    "no manifest",
    "a manifest that is not JSON",
    "a manifest of another format",
    "a path out of the release",
}
"""Where nothing can be judged: the others are found by looking."""


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_release_that_is_not_what_it_says(fault: str, release: Path) -> None:
    damage, message = FAULTS[fault]
    damage(release)
    with pytest.raises(InvalidRelease) as caught:
        verify_release(release)
    assert str(caught.value) == message.format(release=release)
    told = () if fault in NO_RELEASE else tuple(str(caught.value).splitlines())
    assert getattr(caught.value, "faults", ()) == told


def test_a_file_that_is_no_parquet_is_named(release: Path) -> None:
    no_parquet_with_the_right_checksum(release)
    with pytest.raises(InvalidRelease) as caught:
        verify_release(release)
    assert str(caught.value).startswith(f"{release / ITEMS}: cannot be read: ")


def test_a_file_that_would_flood_the_memory_is_not_read(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapped, "_LARGEST_FILE", 1_000)
    with pytest.raises(InvalidRelease, match=r"bytes once decoded; at most 1,000 are read$"):
        verify_release(release)


def test_every_fault_is_named_at_once(release: Path) -> None:
    flip_a_bit(release)
    (release / "audit.json").unlink()
    with pytest.raises(InvalidRelease) as caught:
        verify_release(release)
    assert str(caught.value) == (
        f"{release}/audit.json: missing\n"
        f"{release}/{ITEMS}: altered: its SHA-256 is not the one in release.json"
    )


def test_a_rebuilt_release_is_compared_by_its_rows(
    release: Path, spec: Spec, content: Content, tmp_path: Path
) -> None:
    again = write_release(spec, content, tmp_path / "again")
    other = write_release(spec, sample_content(44), tmp_path / "other")
    shutil.rmtree(release / "data")
    assert content_faults(release, again) == []
    assert content_faults(release, other) == [f"{release}: items/test: rebuilt with other rows"]
    forge(again, lambda record: record["splits"].pop(1))
    assert content_faults(release, again) == [f"{release}: exemplars/train: not rebuilt"]
    assert content_faults(again, release) == [
        f"{again}: exemplars/train: rebuilt, but not recorded"
    ]
