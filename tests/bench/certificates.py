"""What certificates cost: check.py's seconds a row, a verify over one with Z3, bytes over bytes.

python -m tests.bench.certificates RELEASE
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from sorites.pipeline import prove_again
from sorites.release.certificates.certificates import CONFIG
from sorites.release.certificates.refusal import checked_rows

PLANNED = 1.34
"""Milliseconds that reading formulas and checking a row took in a first trial, on one core."""


def main(arguments: list[str]) -> int:
    """Print the figures of one release."""
    release = Path(arguments[0])
    start = time.perf_counter()
    counts, faults = checked_rows(release, workers=1)
    each = 1000 * (time.perf_counter() - start) / counts.total()
    print(f"{release.parent.name}: check.py {each:.2f} ms a row on one core ({PLANNED} planned)")
    sizes = {path: path.stat().st_size for path in release.glob("data/*/*.parquet")}
    whole = sum(sizes.values())
    own = sum(size for path, size in sizes.items() if path.parent.name == CONFIG)
    print(f"  data with certificates over data without: {whole / (whole - own):.2f}")
    start = time.perf_counter()
    prove_again(release, workers=2)
    middle = time.perf_counter()
    prove_again(release, with_z3=True, workers=2)
    certified, proved = middle - start, time.perf_counter() - middle
    print(f"  verify {certified:.1f} s; --with z3 {proved:.1f} s, certificates among them")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
