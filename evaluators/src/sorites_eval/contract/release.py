"""Open a release, from a directory or from the Hub, and trust nothing in it unchecked.

Every file that the manifest lists is hashed before anything is read from it. A Hub release
is resolved once, to a commit, and that snapshot is what everything then reads.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.parquet as pq

from sorites_eval.contract.benchmark import Benchmark
from sorites_eval.contract.parquet import FloodError, is_plain, portions
from sorites_eval.contract.read import MAX_BYTES, read_benchmark
from sorites_eval.contract.tasks import Table, Task
from sorites_eval.errors import InvalidRelease
from sorites_eval.names import did_you_mean

__all__ = ["Release", "Row", "open_release"]

Row = Mapping[str, object]

MAX_MANIFEST = 64_000_000
MAX_FILES = 10_000
MAX_ROWS = 50_000_000
MAX_TABLE_BYTES = 16 * 2**30

_HUB = re.compile(
    r"(?:hf://(?:datasets/)?)?(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./+-]+))?", re.A
)


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    rows: int


@dataclass(frozen=True, slots=True)
class Release:
    """A release whose files were all hashed and found to be what its manifest promises.

    ``origin`` is what was asked for; ``repo`` and ``commit`` are where on the Hub that was found,
    empty for a directory; ``content`` is the hash of all its rows.
    """

    origin: str
    root: Path
    repo: str
    commit: str
    name: str
    version: str
    content: str
    benchmark: Benchmark
    _tables: Mapping[tuple[str, str], tuple[_File, ...]]

    def task(self, name: str) -> Task:
        """The task of that name; InvalidRelease with the nearest one if there is none."""
        if name not in self.benchmark.tasks:
            raise InvalidRelease(
                f'{self.name} {self.version} has no task "{name}". '
                f"{did_you_mean(name, self.benchmark.tasks)}"
            )
        return self.benchmark.tasks[name]

    def columns(self, table: Table) -> tuple[str, ...]:
        """The names of a table's columns."""
        schema: pa.Schema = pq.read_schema(self._files(table)[0].path)
        return tuple(schema.names)

    def rows(self, table: Table, columns: Iterable[str]) -> list[dict[str, object]]:
        """The rows of a table with the columns asked for, as plain Python values.

        Raises InvalidRelease if a column is missing, is of a type that no release has, or if
        the file holds another number of rows than the manifest says.
        """
        wanted = sorted(set(columns))
        result: list[dict[str, object]] = []
        for file in self._files(table):
            try:
                with pq.ParquetFile(file.path, arrow_extensions_enabled=False) as parquet:
                    self._check(parquet, file, wanted)
                    for portion in portions(
                        parquet, wanted, most_rows=MAX_ROWS, most_bytes=MAX_TABLE_BYTES
                    ):
                        result += portion.to_pylist()
            except FloodError as error:
                raise InvalidRelease(f"{file.path}: {error}.") from error
            except UnicodeDecodeError as error:
                raise InvalidRelease(f"{file.path}: a text is not UTF-8.") from error
            except (pa.ArrowException, OSError) as error:
                raise InvalidRelease(f"{file.path}: not a Parquet file: {error}") from error
        return result

    def _files(self, table: Table) -> tuple[_File, ...]:
        files = self._tables.get((table.config, table.split))
        if not files:
            known = [f"{config}/{split}" for config, split in self._tables]
            asked = f"{table.config}/{table.split}"
            raise InvalidRelease(
                f"{self.name} {self.version} has no data {asked}. {did_you_mean(asked, known)}"
            )
        return files

    def _check(self, parquet: pq.ParquetFile, file: _File, wanted: Sequence[str]) -> None:
        metadata = parquet.metadata
        if metadata.num_rows != file.rows:
            raise InvalidRelease(
                f"{file.path}: {metadata.num_rows} rows; the manifest says {file.rows}."
            )
        schema = parquet.schema_arrow
        for column in wanted:
            if column not in schema.names:
                raise InvalidRelease(
                    f'{file.path}: no column "{column}". {did_you_mean(column, schema.names)}'
                )
            if not is_plain(schema.field(column).type):
                raise InvalidRelease(
                    f'{file.path}: column "{column}" has the type {schema.field(column).type}; '
                    "text, numbers, true/false, and lists and structures of them are read."
                )


def open_release(where: str | Path) -> Release:
    """Open the release in a directory, or ``ORG/NAME@vX.Y.Z`` or ``hf://…`` on the Hub.

    A path that exists is a directory; anything else of the shape ``ORG/NAME`` is looked up
    on the Hub. Raises InvalidRelease if there is none or if any file differs from its
    checksum in release.json.
    """
    root, repo, commit = _locate(str(where))
    manifest = _read_manifest(root / "release.json")
    name, version = _text(manifest, "name"), _text(manifest, "version")
    listed = _named_files(root, manifest)
    tables: dict[tuple[str, str], tuple[_File, ...]] = {}
    for entry in _list(manifest, "splits"):
        key = (_text(entry, "config"), _text(entry, "split"))
        files: list[_File] = []
        for shard in _list(entry, "files"):
            path = _safe(root, _text(shard, "path"))
            listed[path] = _text(shard, "sha256")
            files.append(_File(path, _count(shard, "rows")))
        tables[key] = tuple(files)
    if len(listed) > MAX_FILES:
        raise InvalidRelease(f"{root}: {len(listed)} files; at most {MAX_FILES} are read.")
    if root / "benchmark.json" not in listed:
        raise InvalidRelease(f"{root}: release.json does not list benchmark.json.")
    for path, digest in listed.items():
        _verify(path, digest)
    if (root / "benchmark.json").stat().st_size > MAX_BYTES:
        raise InvalidRelease(f"{root / 'benchmark.json'}: over {MAX_BYTES} bytes.")
    benchmark = read_benchmark((root / "benchmark.json").read_bytes())
    if (benchmark.name, str(benchmark.version)) != (name, version):
        raise InvalidRelease(
            f"{root}: benchmark.json is of {benchmark.name} {benchmark.version}, "
            f"release.json of {name} {version}."
        )
    content = _text(manifest, "content_sha256")
    return Release(str(where), root, repo, commit, name, version, content, benchmark, tables)


def _locate(where: str) -> tuple[Path, str, str]:
    folder = Path(where)
    if folder.is_dir() and not where.startswith("hf://"):
        return folder.resolve(), "", ""
    match = _HUB.fullmatch(where)
    if not match or where.count("/") == 0 or where.startswith((".", "/", "~")):
        raise InvalidRelease(
            f"{where}: no such directory. Give the folder that holds release.json, "
            "or ORG/NAME@vVERSION on the Hub."
        )
    return _download(where, match["repo"], match["revision"])


def _download(where: str, repo: str, revision: str | None) -> tuple[Path, str, str]:
    from httpx2 import HTTPError
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HFValidationError, RevisionResolutionError

    try:
        # Resolved once: the cache keeps tag -> commit, so what was downloaded is there offline,
        # and a version that was not is an error, never another version.
        resolved = HfApi().resolve_revision(repo, repo_type="dataset", revision=revision)
        path = snapshot_download(repo, repo_type="dataset", revision=resolved.resolved)
    except (HTTPError, HFValidationError, RevisionResolutionError, OSError) as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InvalidRelease(
            f"{where}: no such directory, and the Hub did not give it: {first}"
        ) from error
    return Path(path), repo, resolved.resolved


def _read_manifest(path: Path) -> dict[str, object]:
    if not path.is_file():
        raise InvalidRelease(
            f"{path.parent}: not a release: it has no release.json. Look in NAME/VERSION/."
        )
    if path.stat().st_size > MAX_MANIFEST:
        raise InvalidRelease(f"{path}: over {MAX_MANIFEST} bytes.")
    try:
        manifest = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InvalidRelease(f"{path}: not valid JSON: {error}.") from error
    if not isinstance(manifest, dict) or manifest.get("manifest") != 1:
        raise InvalidRelease(f"{path}: not a manifest of format 1, the only one known here.")
    return manifest


def _named_files(root: Path, manifest: Mapping[str, object]) -> dict[Path, str]:
    named = manifest.get("files")
    if not isinstance(named, dict):
        raise InvalidRelease('release.json: "files" must be an object.')
    return {_safe(root, path): _text(named, path) for path in named}


def _safe(root: Path, path: str) -> Path:
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or "\\" in path or "\0" in path:
        raise InvalidRelease(f'release.json: "{path[:200]}" is not a path inside the release.')
    return root.joinpath(*pure.parts)


def _verify(path: Path, digest: str) -> None:
    if not path.is_file():
        raise InvalidRelease(f"{path}: listed in release.json and missing.")
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != digest:
        raise InvalidRelease(
            f"{path}: altered: its sha256 is {found}, release.json says {digest[:64]}. "
            "Fetch or compile the release again."
        )


def _text(entry: Mapping[str, object], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise InvalidRelease(f'release.json: "{key[:100]}" must be text.')
    return value


def _count(entry: Mapping[str, object], key: str) -> int:
    value = entry.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidRelease(f'release.json: "{key}" must be a number of rows.')
    return value


def _list(entry: Mapping[str, object], key: str) -> list[dict[str, object]]:
    value = entry.get(key)
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise InvalidRelease(f'release.json: "{key}" must be a list of objects.')
    return value
