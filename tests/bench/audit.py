"""How fast labels are audited, beside `verify` on the same rows and on a release of ours.

    python -m tests.bench.audit [--rows 2000]

Syllogisms drawn by a seed: two premises of the four forms and a conclusion, on nouns of their own.
They are audited, compiled into the release of what is proved, and that release is verified; the
sample of argument schemes is compiled and verified too. Counted is processor time of this process,
a row. Fails where an audit costs more than `MOST` times what verifying the same rows does.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sorites import api
from sorites.auditing import draft
from sorites.families.audit.draft import FirstLook

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "specs" / "sample" / "syllobio-nli.yaml"
MOST = 1.5
FORMS = (
    "all x.({0}(x) -> {1}(x))",
    "all x.({0}(x) -> -{1}(x))",
    "exists x.({0}(x) & {1}(x))",
    "exists x.({0}(x) & -{1}(x))",
)
NOUNS = [f"{first}{last}" for first in "bdfgklmnprst" for last in ("ako", "eni", "iru", "ola")]


def main() -> int:
    """Audit, compile, verify, and print; 1 where an audit is too slow."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=2_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        spec = written(folder, rows)
        audited = seconds(lambda: api.audit(spec))
        release = api.compile(spec, folder / "releases")
        verified = seconds(lambda: api.verify(release))
        ours = api.compile(SAMPLE, folder / "releases")
        own = seconds(lambda: api.verify(ours))
        own_rows = sum(split.rows for split in api.verify(ours).splits)
    print(f"audit: {rows:,} syllogisms in {audited:.1f} s ({rows / audited:,.0f} rows a second)")
    print(f"  verify of the same rows: {verified:.1f} s; audit / verify: {audited / verified:.2f}")
    ratio = audited / rows / (own / own_rows)
    print(
        f"  verify of {SAMPLE.stem}: {own_rows:,} rows in {own:.1f} s; a row's ratio: {ratio:.2f}"
    )
    return int(audited > MOST * verified)


def seconds(done: Callable[[], object]) -> float:
    """Processor time of this process."""
    start = time.process_time()
    done()
    return time.process_time() - start


def written(folder: Path, rows: int) -> Path:
    """The spec of an audit of syllogisms, as the command prints it, and their file."""
    file = folder / "syllogisms.jsonl"
    drawn = random.Random(17)
    with file.open("w", encoding="utf-8") as out:
        for number in range(rows):
            out.write(json.dumps({"id": str(number), **syllogism(drawn)}) + "\n")
    look = FirstLook(
        ("premises",),
        "conclusion",
        "label",
        "nltk",
        {"Yes": ("entailed",), "No": ("contradicted", "undetermined")},
        id="id",
        existential=True,
    )
    spec = folder / "syllogisms.yaml"
    spec.write_text(draft(file, look), encoding="utf-8")
    return spec


def syllogism(drawn: random.Random) -> dict[str, object]:
    """One of 256 moods in one of four figures, with a label by the toss of a coin."""
    middle, subject, predicate = drawn.sample(NOUNS, 3)
    major = drawn.sample((middle, predicate), 2)
    minor = drawn.sample((middle, subject), 2)
    return {
        "premises": [
            drawn.choice(FORMS).format(*major),
            drawn.choice(FORMS).format(*minor),
        ],
        "conclusion": drawn.choice(FORMS).format(subject, predicate),
        "label": drawn.choice(("Yes", "No")),
    }


if __name__ == "__main__":
    sys.exit(main())
