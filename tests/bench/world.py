"""What a large ontology costs a search: processor time and memory, over those of a smaller one.

    python -m tests.bench.world [CLASSES INDIVIDUALS]

Without sizes each of SIZES has a process of its own, and ratios are printed. The world is built,
and bindings for 200 pairs are looked for in every scheme of `specs/syllobio-nli.yaml` about the
whole domain; those within local domains are left out, for how many there are grows with the
ontology.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from sorites.families.argument_schemes.making.pairs import build_arguments
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.families.argument_schemes.search.world import build_world
from sorites.logic.types import TypeProver
from sorites.pipeline import check_spec
from tests.bench.ontology import synthetic_ontology

ROOT = Path(__file__).resolve().parents[2]

SIZES = ((4_000, 40_000), (20_000, 200_000))

MOST_MEMORY = 3.0
"""Gigabytes that the search in the largest may take."""


def main(arguments: list[str]) -> int:
    """Print the figures of both sizes, and the ratios; 1 if memory is over its limit."""
    if arguments:
        print(json.dumps(_measured(int(arguments[0]), int(arguments[1]))))
        return 0
    found = []
    for size in SIZES:
        command = [sys.executable, "-m", "tests.bench.world", *map(str, size)]
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        found.append(json.loads(done.stdout))
        figures = ", ".join(f"{name} {value:,.1f}" for name, value in found[-1].items())
        print(f"{size[0]:,} classes, {size[1]:,} individuals: {figures}")
    small, large = found
    for name in small:
        print(f"  {name}: {large[name] / small[name]:.1f} times for five times the size")
    return int(large["peak GB"] > MOST_MEMORY)


def _measured(classes: int, individuals: int) -> dict[str, float]:
    """Processor seconds and peak memory of this process, with the ontology itself."""
    plan, _ = read_plan(check_spec(ROOT / "specs/syllobio-nli.yaml"))
    ontology = synthetic_ontology(classes, individuals)
    start = time.process_time()
    spaces = Spaces(build_world(ontology), trivial=plan.trivial_premises)
    built = time.process_time()
    prover = TypeProver(
        existential_import=plan.existential_import, resource_limit=plan.resource_limit
    )
    pairs = 0
    for scheme in plan.schemes:
        if scheme.key not in plan.local_domains:
            pairs += len(build_arguments(plan, scheme, spaces, prover).pairs)
    return {
        "world CPU s": built - start,
        "search CPU s": time.process_time() - built,
        "pairs": pairs,
        "peak GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
