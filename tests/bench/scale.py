"""Memory and speed as rows grow: `python -m tests.bench.scale ARGUMENTS [ARGUMENTS…]`.

A spec like syllobio-nli's, with so many arguments a scheme, is compiled from an ontology in the
shape of Reactome's with twice as many classes and individuals. Each compile is a process of
its own; every process is looked at four times a second for what it holds.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from sorites.release.manifest.recorded import read_manifest
from sorites.specfile.reader import read
from tests.bench.ontology import synthetic_ontology

ROOT = Path(__file__).resolve().parents[2]

CLASSES, INDIVIDUALS = 1_480, 24_000

_TOP = "R-HSA-1643685"


@dataclass
class Peaks:
    """The most that any process held, in MB: of its own, and with files that are mapped."""

    own: float = 0.0
    with_files: float = 0.0
    stopped: threading.Event = field(default_factory=threading.Event)

    def watch(self, parent: int) -> None:
        """Look at a process and all below it until it is told to stop."""
        while not self.stopped.wait(0.25):
            for process in _below(parent):
                held = _held(process)
                self.own = max(self.own, held.get("RssAnon", 0) / 1024)
                self.with_files = max(self.with_files, held.get("VmRSS", 0) / 1024)


def main(sizes: list[str]) -> int:
    """Compile for each number of arguments, and print rows, speed and peaks; 1 if one failed."""
    with tempfile.TemporaryDirectory() as scratch:
        return max([_compile(Path(scratch) / size, int(size)) for size in sizes], default=0)


def write_spec(folder: Path, arguments: int, *, classes: int, individuals: int) -> Path:
    """The spec of syllobio-nli for a synthetic ontology, written into a folder with its sources."""
    folder.mkdir(parents=True)
    data: Any = copy.deepcopy(read(ROOT / "specs" / "syllobio-nli.yaml").data)
    data["name"] = "scale"
    items = data["items"]
    items["arguments"] = arguments
    items["denials"]["arguments"] = items["counterfactual"]["arguments"] = min(100, arguments)
    files = dict(zip(("pathways", "hierarchy"), _files(folder, classes, individuals), strict=True))
    for name, pin in data["sources"].items():
        del pin["url"]
        pin["file"] = files[name].name
        pin["sha256"] = sha256(files[name].read_bytes()).hexdigest()
    path = folder / "scale.yaml"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def _files(folder: Path, classes: int, individuals: int) -> tuple[Path, Path]:
    """The ontology in Reactome's own formats: gene sets, and the hierarchy."""
    ontology = synthetic_ontology(classes, individuals)
    called = {
        entry.id: _TOP if not entry.parents else f"R-HSA-{place + 2_000_000}"
        for place, entry in enumerate(ontology.classes)
    }
    sets = [
        "\t".join([entry.name, called[entry.id], *(f"GENE{name[1:]}" for name in entry.members)])
        for entry in ontology.classes
    ]
    edges = [
        f"{called[parent]}\t{called[entry.id]}"
        for entry in ontology.classes
        for parent in entry.parents
    ]
    members, hierarchy = folder / "pathways.gmt", folder / "hierarchy.txt"
    members.write_text("\n".join(sets) + "\n", encoding="utf-8")
    hierarchy.write_text("\n".join(edges) + "\n", encoding="utf-8")
    return members, hierarchy


def _compile(folder: Path, arguments: int) -> int:
    spec = write_spec(folder, arguments, classes=CLASSES, individuals=INDIVIDUALS)
    command = [sys.executable, "-m", "sorites", "compile", str(spec), "--out", str(folder / "out")]
    start = time.perf_counter()
    process = subprocess.Popen([*command, "--workers", "2"], stderr=subprocess.DEVNULL)
    peaks = Peaks()
    watcher = threading.Thread(target=peaks.watch, args=(process.pid,))
    watcher.start()
    failed = process.wait()
    peaks.stopped.set()
    watcher.join()
    if failed:
        print(f"{arguments} arguments a scheme: failed")
        return 1
    (written,) = folder.glob("out/*/*")
    rows = sum(split.rows for split in read_manifest(written).splits)
    seconds = time.perf_counter() - start
    print(
        f"{arguments} arguments a scheme: {rows:,} rows in {seconds:,.0f} s on 2 workers; at most "
        f"{peaks.own:,.0f} MB in any process, {peaks.with_files:,.0f} MB with files that are mapped"
    )
    return 0


def _below(parent: int) -> list[int]:
    found = [parent]
    for process in found:
        for task in Path(f"/proc/{process}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except OSError:
                continue
    return found


def _held(process: int) -> dict[str, int]:
    """The memory of a process in kB, by what it is for; nothing of one that is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return {
        name: int(value.split()[0])
        for name, _, value in (line.partition(":") for line in lines)
        if name in ("RssAnon", "VmRSS")
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
