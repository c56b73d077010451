"""The decision over types beside Z3 on the very same arguments: `python -m tests.bench.provers`."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from sorites.logic.deciding import decide
from sorites.logic.formulas import Formula, parse
from sorites.logic.prover import Answer, Prover
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from sorites.release.manifest.verify import verify_release

ROOT = Path(__file__).resolve().parents[2]

ROWS = 1_000


def main() -> None:
    """Decide a thousand rows of the sample, those with most distractors, both ways."""
    with tempfile.TemporaryDirectory() as scratch:
        spec = ROOT / "specs" / "sample" / "syllobio-nli.yaml"
        folder = compile_spec(spec, Path(scratch), workers=2, progress=Silent())
        table = verify_release(folder)["items", "test"]
        rows = [row for row in table.to_pylist() if row["distractors"] == 5 and row["label"]]
    step = max(1, len(rows) // ROWS)
    arguments = [_read(row) for row in rows[::step][:ROWS]]
    seconds = {}
    found: dict[str, list[bool]] = {}
    for name, judge in (("types", _by_types), ("Z3", _by_z3)):
        start = time.process_time()
        # A prover for each argument: none is spared for being like one before.
        found[name] = [judge(*argument) for argument in arguments]
        seconds[name] = time.process_time() - start
    same = sum(one == other for one, other in zip(*found.values(), strict=True))
    rate = len(arguments) / seconds["types"]
    print(
        f"proofs: {len(arguments):,} arguments with five distractors, verdict and only minimal "
        f"premises: {rate:,.0f} a second by types, {seconds['Z3'] / seconds['types']:.1f} times "
        f"as many as by Z3; {same:,} verdicts equal"
    )


def _read(row: dict[str, object]) -> tuple[list[Formula], Formula, list[int]]:
    premises = [parse(text) for text in row["premise_formulas"]]  # type: ignore[attr-defined]
    gold = [position - 1 for position in row["gold_premises"]]  # type: ignore[attr-defined]
    return premises, parse(str(row["conclusion_formula"])), gold


def _by_types(premises: list[Formula], conclusion: Formula, gold: list[int]) -> bool:
    judged = decide(Prover(), premises, conclusion)
    return judged.verdict.value == "entailed" and judged.needed == frozenset(gold)


def _by_z3(premises: list[Formula], conclusion: Formula, gold: list[int]) -> bool:
    prover = Prover()
    return (
        prover.satisfiable(premises) is Answer.YES
        and prover.verdict(premises, conclusion).value == "entailed"
        and prover.only_minimal_set(premises, gold, conclusion) is Answer.YES
    )


if __name__ == "__main__":
    main()
