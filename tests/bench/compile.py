"""How long a compile takes, where the time goes, and how much memory it needs."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from sorites.errors import SoritesError
from sorites.pipeline import check_spec, compile_spec
from sorites.progress import Advance
from sorites.release.manifest.recorded import read_manifest
from sorites.sources.fetch import obtain
from sorites.sources.ontologies.rdf import read_rdf

ROOT = Path(__file__).resolve().parents[2]


class Stopwatch:
    """A progress that remembers when each stage began."""

    def __init__(self) -> None:
        self.began: dict[str, float] = {}

    def stage(self, name: str, total: int) -> Advance:
        """Note the time at which a stage begins."""
        self.began.setdefault(name, time.perf_counter())
        return lambda steps: None


def main(arguments: list[str]) -> None:
    """Compile one spec and print rows, seconds by stage and peak memory."""
    spec, workers = Path(arguments[0]), int(arguments[1])
    watch = Stopwatch()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            written = compile_spec(spec, Path(scratch), workers=workers, progress=watch)
        except SoritesError as error:
            print(f"{spec.name}: skipped: {error}")
            return
        rows = sum(split.rows for split in read_manifest(written).splits)
    end = time.perf_counter()
    marks = sorted([(start, "reading"), *((at, name) for name, at in watch.began.items())])
    parts = [
        f"{name} {following - at:.1f} s"
        for (at, name), (following, _) in zip(marks, [*marks[1:], (end, "")], strict=True)
    ]
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    peak = (own + (workers * child if workers > 1 else 0)) / 1024
    print(f"{spec.name}: {rows:,} rows in {end - start:.1f} s on {workers} workers")
    print(f"  {', '.join(parts)}")
    print(f"  peak memory at most {peak:,.0f} MB, all processes together")


def stores() -> None:
    """Read an ontology with rdflib's own store and with Oxigraph's, and print the ratio."""
    try:
        import oxrdflib  # noqa: F401
    except ImportError:
        print("rdf stores: skipped: the extra `fast` is not installed")
        return
    spec = check_spec(ROOT / "specs/sample/syllobio-nli.yaml")
    file = obtain(spec.sources["pathways"], Stopwatch())
    section = dict(spec.document.data["ontology"])  # type: ignore[call-overload,index]
    seconds = {}
    found = {}
    for store in ("memory", "oxigraph"):
        start = time.perf_counter()
        for _ in range(3):
            found[store] = read_rdf(
                [file],
                classes=section["classes"],
                hierarchy=section["hierarchy"],
                members=section["members"],
                syntax="turtle",
                store=store,  # type: ignore[arg-type]
            )
        seconds[store] = time.perf_counter() - start
    same = "the same" if found["memory"] == found["oxigraph"] else "ANOTHER"
    ratio = seconds["memory"] / seconds["oxigraph"]
    print(f"rdf stores: Oxigraph reads the sample {ratio:.1f} times as fast, with {same} result")


if __name__ == "__main__":
    main(sys.argv[1:])
