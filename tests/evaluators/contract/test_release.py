"""Opening a release: nothing is read that is not what the manifest promises."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Table
from sorites_eval.errors import InvalidRelease

ITEMS = Table("items", "test")


def test_it_opens_and_reads_what_is_asked(small_release: Path) -> None:
    release = open_release(small_release)
    assert (release.name, release.version, release.commit) == ("small", "1.0.0", "")
    rows = release.rows(ITEMS, ["label", "id"])
    assert len(rows) == 12
    assert rows[0] == {"id": "i-0-yes", "label": True}


@pytest.mark.parametrize(
    "name", ["README.md", "benchmark.json", "data/items/test-00000-of-00001.parquet"]
)
def test_an_altered_file_is_named(make_release: Callable[..., Path], name: str) -> None:
    root = make_release()
    path = root / name
    path.write_bytes(path.read_bytes() + b" ")
    expected = json.loads((root / "release.json").read_text())["files"].get(name)
    with pytest.raises(InvalidRelease) as caught:
        open_release(root)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    assert str(caught.value).startswith(
        f"{path}: altered: its sha256 is {found}, release.json says "
    )
    assert expected is None or expected in str(caught.value)
    assert str(caught.value).endswith("Fetch or compile the release again.")


def test_a_missing_file_is_named(make_release: Callable[..., Path]) -> None:
    root = make_release()
    (root / "README.md").unlink()
    with pytest.raises(InvalidRelease) as caught:
        open_release(root)
    assert str(caught.value) == f"{root / 'README.md'}: listed in release.json and missing."


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/../../b", "", "a\\..\\b", "a\0b"])
def test_paths_stay_inside(make_release: Callable[..., Path], path: str) -> None:
    root = make_release()
    manifest = json.loads((root / "release.json").read_text())
    manifest["files"][path] = "0" * 64
    (root / "release.json").write_text(json.dumps(manifest))
    with pytest.raises(InvalidRelease) as caught:
        open_release(root)
    assert str(caught.value) == f'release.json: "{path}" is not a path inside the release.'


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "not a manifest of format 1"),
        ('{"manifest": 2}', "not a manifest of format 1"),
        ('{"manifest": 1}', 'release.json: "name" must be text.'),
        ('{"manifest": 1, "name": "x", "version": "1"}', '"files" must be an object.'),
        (
            '{"manifest": 1, "name": "x", "version": "1", "files": {}, "splits": 3}',
            '"splits" must be a list of objects.',
        ),
        (
            '{"manifest": 1, "name": "x", "version": "1", "files": {}, "splits": []}',
            "does not list benchmark.json",
        ),
    ],
)
def test_a_broken_manifest(make_release: Callable[..., Path], manifest: str, message: str) -> None:
    root = make_release()
    (root / "release.json").write_text(manifest)
    with pytest.raises(InvalidRelease) as caught:
        open_release(root)
    assert message in str(caught.value)


def test_a_folder_that_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(InvalidRelease) as caught:
        open_release(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: not a release: it has no release.json. Look in NAME/VERSION/."
    )


@pytest.mark.parametrize("where", ["/no/such/folder", "./nothing", "nothing", "a/b/c"])
def test_a_path_that_is_nothing_is_not_asked_of_the_hub(where: str) -> None:
    with pytest.raises(InvalidRelease) as caught:
        open_release(where)
    assert str(caught.value) == (
        f"{where}: no such directory. Give the folder that holds release.json, "
        "or ORG/NAME@vVERSION on the Hub."
    )


def test_unknown_names_get_the_nearest(small_release: Path) -> None:
    release = open_release(small_release)
    with pytest.raises(InvalidRelease) as caught:
        release.task("entailmnt")
    assert str(caught.value) == (
        'small 1.0.0 has no task "entailmnt". Did you mean "entailment"? There are: entailment, '
        "premise-selection, relation."
    )
    with pytest.raises(InvalidRelease, match='no column "lable"\\. Did you mean "label"'):
        release.rows(ITEMS, ["lable"])
    with pytest.raises(InvalidRelease, match=r"has no data items/tset\. Did you mean"):
        release.rows(Table("items", "tset"), ["id"])


def replace_items(root: Path, table: pa.Table, rows: int) -> None:
    """Another table in place of the items, with a manifest that fits it."""
    path = root / "data/items/test-00000-of-00001.parquet"
    pq.write_table(table, path)
    manifest = json.loads((root / "release.json").read_text())
    shard = next(s for s in manifest["splits"] if s["config"] == "items")["files"][0]
    shard |= {"rows": rows, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    (root / "release.json").write_text(json.dumps(manifest))


def test_the_number_of_rows_is_checked(make_release: Callable[..., Path]) -> None:
    root = make_release()
    replace_items(root, pa.table({"id": ["a", "b"]}), rows=3)
    with pytest.raises(InvalidRelease, match="2 rows; the manifest says 3"):
        open_release(root).rows(ITEMS, ["id"])


def test_only_plain_types_are_read(make_release: Callable[..., Path]) -> None:
    root = make_release()
    replace_items(root, pa.table({"id": pa.array([b"\x80"], pa.binary())}), rows=1)
    with pytest.raises(InvalidRelease, match='column "id" has the type binary; text, numbers'):
        open_release(root).rows(ITEMS, ["id"])


def test_a_file_that_is_not_parquet(make_release: Callable[..., Path]) -> None:
    root = make_release()
    replace_items(root, pa.table({"id": ["a"]}), rows=1)
    path = root / "data/items/test-00000-of-00001.parquet"
    path.write_bytes(b"PAR1 nonsense PAR1")
    manifest = json.loads((root / "release.json").read_text())
    shard = next(s for s in manifest["splits"] if s["config"] == "items")["files"][0]
    shard["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (root / "release.json").write_text(json.dumps(manifest))
    with pytest.raises(InvalidRelease, match="not a Parquet file"):
        open_release(root).rows(ITEMS, ["id"])
