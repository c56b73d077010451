from __future__ import annotations

import json
import logging
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import datasets
import pytest

from sorites.errors import SoritesError
from sorites.release.content import Content
from sorites.release.manifest.verify import verify_release
from sorites.release.write import write_release
from sorites.specfile.model import Spec
from sorites_eval.contract.identity import parse_version
from tests.compiler.release.sample import sample_content, tree_hashes
from tests.conftest import ROOT
from tests.processes import line_of, started

WRITE = """
import sys
from pathlib import Path
from tests.compiler.release.sample import sample_content, sample_spec
from sorites.release.write import write_release

class Waiting:
    '''Stops in the middle, when the first split is on the disk, until its input ends.'''
    def stage(self, name, total):
        return self.advance
    def advance(self, steps):
        print("half", flush=True)
        sys.stdin.read()

folder = Path(sys.argv[1])
progress = Waiting() if sys.argv[2:] == ["wait"] else None
print(write_release(sample_spec(folder / "specs"), sample_content(), folder / "out",
                    progress=progress))
"""


class Waiting(logging.Handler):
    """Hears from filelock that someone waits for a lock."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.for_a_lock = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if "waiting" in record.getMessage():
            self.for_a_lock.set()

    @contextmanager
    def heard(self, name: str) -> Iterator[None]:
        logger = logging.getLogger(name)
        level = logger.level
        logger.addHandler(self)
        logger.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            logger.setLevel(level)
            logger.removeHandler(self)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _paths() -> dict[str, str]:
    paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


@contextmanager
def half_written(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that writes the sample, and stops in the middle."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", WRITE, folder, "wait"]
    with started(command, env=_paths(), stdin=pipe, stdout=pipe, stderr=pipe) as run:
        assert line_of(run) == "half\n"
        yield run


def test_the_files_of_a_release(release: Path, tmp_path: Path) -> None:
    assert release == tmp_path / "releases" / "cafe-menu" / "1.0.0"
    assert sorted(tree_hashes(release)) == [
        "CHANGELOG.md",
        "README.md",
        "audit.json",
        "benchmark.json",
        "croissant.json",
        "data/exemplars/train-00000-of-00001.parquet",
        "data/items/test-00000-of-00001.parquet",
        "data/pairs/test-00000-of-00001.parquet",
        "eval.yaml",
        "release.json",
    ]
    assert names(release.parent) == ["1.0.0"]
    assert stat.S_IMODE(release.stat().st_mode) & 0o555 == 0o555


def test_the_manifest_records_what_was_written(release: Path, spec: Spec) -> None:
    text = (release / "release.json").read_text(encoding="utf-8")
    record = json.loads(text)
    hashes = tree_hashes(release)
    del hashes["release.json"]
    files = {file["path"]: file["sha256"] for split in record["splits"] for file in split["files"]}
    assert files | record["files"] == hashes
    assert text == json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert record["spec"]["document"] == spec.document.data
    assert record["sources"]["menu"] == {
        "url": "https://example.org/menu.ttl",
        "version": "3",
        "license": "cc0-1.0",
        "attribution": "The <b>Corner</b> Café",
        "sha256": "ab" * 32,
    }
    assert record["splits"][2]["columns"][1] == {
        "name": "first",
        "type": "struct<name: string, price: float64>",
        "description": "One drink.",
    }


def test_sizes_of_sources_are_recorded(spec: Spec, content: Content, tmp_path: Path) -> None:
    made = write_release(spec, content, tmp_path, source_bytes={"menu": 12})
    assert json.loads((made / "release.json").read_bytes())["sources"]["menu"]["bytes"] == 12


def test_the_first_changelog(release: Path) -> None:
    assert (release / "CHANGELOG.md").read_text(encoding="utf-8") == (
        "# Changes to Café menu, a \\*small\\* test\n\n## 1.0.0\n\nFirst release.\n\n"
        "- `items/test`: 40 rows\n- `exemplars/train`: 8 rows\n- `pairs/test`: 9 rows\n"
    )


def test_datasets_loads_every_config(release: Path, content: Content, tmp_path: Path) -> None:
    for split in content.splits:
        loaded = datasets.load_dataset(
            str(release), split.config, split=split.name, cache_dir=str(tmp_path / "cache")
        )
        assert loaded.to_list() == split.table.to_pylist()
    default = datasets.load_dataset(str(release), cache_dir=str(tmp_path / "cache"))
    assert {name: rows.num_rows for name, rows in default.items()} == {"test": 40}


def test_the_bytes_depend_on_nothing_but_the_content(release: Path, tmp_path: Path) -> None:
    for seed in "01":
        done = subprocess.run(
            [sys.executable, "-c", WRITE, str(tmp_path / seed)],
            env={**os.environ, **_paths(), "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert tree_hashes(Path(done.stdout.strip())) == tree_hashes(release)


def test_the_same_again_changes_nothing(release: Path, spec: Spec, content: Content) -> None:
    before = {path: path.stat().st_mtime_ns for path in release.rglob("*")}
    assert write_release(spec, content, release.parents[1]) == release
    assert {path: path.stat().st_mtime_ns for path in release.rglob("*")} == before


def test_a_version_never_changes(release: Path, spec: Spec) -> None:
    before = tree_hashes(release)
    with pytest.raises(SoritesError) as caught:
        write_release(spec, sample_content(44), release.parents[1])
    assert str(caught.value) == (
        f"{release}: this version is there already, with other content (README.md, audit.json, "
        "croissant.json, data/items/test-00000-of-00001.parquet, release.json). "
        "A version never changes once it is published: raise the version in the spec, "
        "or remove the folder if it was never published"
    )
    assert tree_hashes(release) == before
    assert names(release.parent) == ["1.0.0"]


def test_a_ledger_entry_gets_its_data_back(release: Path, spec: Spec, content: Content) -> None:
    before = tree_hashes(release)
    (release / "croissant.json").unlink()
    for file in (release / "data").rglob("*.parquet"):
        file.unlink()
    for folder in ("items", "exemplars", "pairs", ""):
        (release / "data" / folder).rmdir()
    assert write_release(spec, content, release.parents[1]) == release
    assert tree_hashes(release) == before
    verify_release(release)


def test_a_ledger_entry_of_another_writer_is_not_touched(
    release: Path, spec: Spec, content: Content
) -> None:
    record = json.loads((release / "release.json").read_bytes())
    record["created_by"] = {"sorites": "0.0.1", "pyarrow": "1.0.0"}
    (release / "release.json").write_text(json.dumps(record))
    before = tree_hashes(release)
    with pytest.raises(SoritesError, match="written by other versions of the programs") as caught:
        write_release(spec, content, release.parents[1])
    assert '({"pyarrow":"1.0.0","sorites":"0.0.1"}, here {' in str(caught.value)
    assert tree_hashes(release) == before


def test_versions_live_side_by_side(release: Path, spec: Spec, content: Content) -> None:
    other = write_release(
        replace(spec, version=parse_version("1.0.1")), content, release.parents[1]
    )
    assert names(release.parent) == ["1.0.0", "1.0.1"]
    assert (
        tree_hashes(other)["data/items/test-00000-of-00001.parquet"]
        == (tree_hashes(release)["data/items/test-00000-of-00001.parquet"])
    )


@pytest.mark.parametrize("name", ["../cafe", "/tmp/cafe"])
def test_a_name_cannot_lead_elsewhere(
    name: str, spec: Spec, content: Content, tmp_path: Path
) -> None:
    with pytest.raises(SoritesError, match="is not the name of a release"):
        write_release(replace(spec, name=name), content, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "cafe").exists()


def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    with half_written(tmp_path) as run:
        assert (tmp_path / "out" / "cafe-menu" / ".1.0.0.partial" / "data").is_dir()
        run.send_signal(signal.SIGINT)
        assert run.wait() == -signal.SIGINT
    assert not (tmp_path / "out").exists()


def test_what_a_killed_run_left_is_cleared_by_the_next(
    tmp_path: Path, spec: Spec, content: Content
) -> None:
    with half_written(tmp_path) as run:
        run.kill()
        run.wait()
    home = tmp_path / "out" / "cafe-menu"
    assert names(home) == [".1.0.0.partial", ".lock"]
    (home / ".mine.partial").mkdir()
    write_release(replace(spec, version=parse_version("2.0.0")), content, tmp_path / "out")
    assert names(home) == [".mine.partial", "2.0.0"]


def test_two_runs_at_once_do_not_meet(tmp_path: Path, spec: Spec, content: Content) -> None:
    waiting = Waiting()
    with (
        half_written(tmp_path) as run,
        waiting.heard("filelock"),
        ThreadPoolExecutor(1) as pool,
    ):
        other = pool.submit(write_release, spec, content, tmp_path / "out")
        assert waiting.for_a_lock.wait(60)
        # The second waits while the first holds the folder, and does not clear its work away.
        assert not other.done()
        assert (tmp_path / "out" / "cafe-menu" / ".1.0.0.partial" / "data").is_dir()
        run.send_signal(signal.SIGINT)
        done = other.result(60)
    assert names(tmp_path / "out" / "cafe-menu") == ["1.0.0"]
    verify_release(done)


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
"""


def test_a_file_too_large_for_the_system_leaves_nothing(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FULL + WRITE, str(tmp_path)],
        env={**os.environ, **_paths()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == (
        f"sorites.errors.CutShort: {tmp_path}/out/cafe-menu/1.0.0: cannot be written: "
        "File too large. Nothing was left behind"
    )
    assert not (tmp_path / "out").exists()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 32 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=32k", "none", str(disk)], capture_output=True
    )
    if mount.returncode:
        pytest.skip(f"cannot mount a small file system: {mount.stderr.decode().strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_leaves_nothing(tiny_disk: Path, spec: Spec) -> None:
    with pytest.raises(SoritesError) as caught:
        write_release(spec, sample_content(4_000), tiny_disk / "out")
    assert str(caught.value) == (
        f"{tiny_disk}/out/cafe-menu/1.0.0: cannot be written: No space left on device. "
        "Nothing was left behind"
    )
    assert names(tiny_disk) == []
