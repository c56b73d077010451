"""Proving every row of a release again, from the sentences that stand in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.engines.serial import Serial
from sorites.engines.units import Slices, slices_of, unpacked
from sorites.errors import SoritesError
from sorites.families.argument_schemes.read_rows import RowReader, words_of_release
from sorites.families.argument_schemes.splits import promise_faults
from sorites.families.argument_schemes.splits_plan import read_splits
from sorites.families.argument_schemes.words import Words
from sorites.logic.deciding import decide, in_sample
from sorites.logic.formulas import Formula, FormulaError, negation, parse
from sorites.logic.prover import DEFAULT_RESOURCE_LIMIT, Answer, Prover, Verdict
from sorites.release.audit.row_hashes import hashes_of, repeated

__all__ = ["recheck", "reprove"]

_NEEDED = (
    "premises",
    "conclusion",
    "premise_formulas",
    "conclusion_formula",
    "gold_premises",
    "bindings",
    "polarity",
    "wording",
    "scheme",
    "variant",
    "distractors",
)
_MAY_BE_NULL = ("assumptions", "domain")


_COMPARED = ["id", "partner", "premises", "polarity", "conclusion_formula"]

ROWS_AT_ONCE = 2_000
"""Rows that are Python objects at one time."""


def reprove(
    tables: Mapping[tuple[str, str], pa.Table],
    document: Mapping[str, Json],
    *,
    engine: Engine | None = None,
) -> list[str]:
    """What is wrong with the labels, verdicts and gold premises of all rows; [] if nothing.

    The labels are proved from the words of a row: its sentences are read back to formulas, and
    the formulas in the row must be those. They are decided over types; the prover decides
    besides what shows as few distractors as any of its scheme, which each argument does once, and
    a sample of the others.
    """
    try:
        words = words_of_release(document)
    except SoritesError as error:
        return [str(error)]
    rows = sum(table.num_rows for table in tables.values())
    needed = {*_COMPARED, *_NEEDED, *_MAY_BE_NULL, "label", "verdict"}
    faults = _checked(
        tables,
        needed,
        lambda table: _Proving(document, words, _least_distractors(table), rows),
        _proved,
        engine or Serial(),
    )
    return [*faults, *_split_faults(tables, document)]


def recheck(
    tables: Mapping[tuple[str, str], pa.Table],
    document: Mapping[str, Json],
    *,
    engine: Engine | None = None,
) -> list[str]:
    """What is wrong with rows beside their labels: ids, partners and splits; [] if nothing."""
    faults = _checked(tables, {*_COMPARED}, lambda table: None, _rechecked, engine or Serial())
    return [*faults, *_split_faults(tables, document)]


def _split_faults(
    tables: Mapping[tuple[str, str], pa.Table], document: Mapping[str, Json]
) -> list[str]:
    """What the splits of the items share and must not; only for tables that could be read."""
    items = {split: table for (config, split), table in tables.items() if config == "items"}
    needed = {"argument", "bindings", "domain", "premises"}
    if len(items) < 2 or any(needed - {*table.column_names} for table in items.values()):
        return []
    return [f"items: {fault}" for fault in promise_faults(read_splits(document).disjoint, items)]


_Shared = TypeVar("_Shared")


def _checked(
    tables: Mapping[tuple[str, str], pa.Table],
    needed: Collection[str],
    shared: Callable[[pa.Table], _Shared],
    step: Callable[[_Shared, tuple[str, bytes]], list[str]],
    engine: Engine,
) -> list[str]:
    """The faults of all tables, some rows at a time; rows of an argument stand together."""
    faults = []
    for (config, split), table in tables.items():
        where = f"{config}/{split}"
        if absent := sorted({*needed} - {*table.column_names}):
            faults.append(f"{where} has no column {', '.join(absent)}")
            continue
        together = "argument" if "argument" in table.column_names else None
        # A worker gets what it looks at, and not all that a row holds.
        seen = table.select([name for name in table.column_names if name in {*needed, together}])
        slices = Slices(slices_of(where, seen, ROWS_AT_ONCE, together=together))
        for found in engine.map(step, slices, shared=shared(table)):
            faults += found
        twice = repeated(hashes_of(table, ["id"]))
        if twice is not None:
            faults.append(
                f"{where}, item {table['id'][twice[0]].as_py()}: another item has the same id"
            )
    return faults


@dataclass(slots=True)
class _Proving:
    """What a worker needs to prove rows: of one table, whose release has so many ``rows``."""

    document: Mapping[str, Json]
    words: Words
    least: Mapping[tuple[object, object], int]
    rows: int
    _tools: tuple[Prover, RowReader] | None = None

    def tools(self) -> tuple[Prover, RowReader]:
        """A prover and a reader that remember what they have answered."""
        if self._tools is None:
            logic = cast("Mapping[str, Json]", self.document.get("logic", {}))
            assumptions = logic.get("assumptions")
            self._tools = (
                Prover(
                    existential_import=bool(logic.get("existential_import", False)),
                    resource_limit=cast(int, logic.get("resource_limit", DEFAULT_RESOURCE_LIMIT)),
                ),
                RowReader(self.words, None if assumptions is None else str(assumptions)),
            )
        return self._tools


def _proved(shared: _Proving, job: tuple[str, bytes]) -> list[str]:
    where, packed = job
    prover, reader = shared.tools()
    table = unpacked(packed)
    faults = [
        f"{where}, item {row['id']}: {fault}"
        for row in table.to_pylist()
        for fault in _faults(
            row,
            prover,
            reader,
            proved=row["distractors"] == shared.least.get((row["scheme"], row["variant"]))
            or in_sample(str(row["id"]), shared.rows),
        )
    ]
    return faults + _rechecked(None, job)


def _rechecked(shared: None, job: tuple[str, bytes]) -> list[str]:
    del shared
    where, packed = job
    compared = unpacked(packed).select(_COMPARED).to_pylist()
    return [f"{where}, {fault}" for fault in _partner_faults(compared)]


def _least_distractors(table: pa.Table) -> dict[tuple[object, object], int]:
    """The smallest number of distractors by scheme and variant."""
    grouped = table.group_by(["scheme", "variant"]).aggregate([("distractors", "min")])
    return {(row["scheme"], row["variant"]): row["distractors_min"] for row in grouped.to_pylist()}


def _faults(
    row: Mapping[str, object], prover: Prover, reader: RowReader, *, proved: bool
) -> list[str]:
    if missing := [name for name in _NEEDED if row.get(name) is None]:
        return [f"it has no {', '.join(missing)}"]
    texts = [*cast("Sequence[str]", row["premise_formulas"]), cast(str, row["conclusion_formula"])]
    bound = {
        cast(str, binding["symbol"])
        for binding in cast("Sequence[Mapping[str, object]]", row["bindings"])
    }
    try:
        formulas = [parse(text) for text in texts]
        for text, formula in zip(texts, formulas, strict=True):
            if formula.text != text:
                return [f"the formula {text} is not in NLTK's form"]
            found = formula.symbols
            if unbound := {*found.predicates, *found.individuals} - bound:
                return [f"nothing is bound to {', '.join(sorted(unbound))}"]
    except FormulaError as error:
        return [str(error)]
    predicates = {name for formula in formulas for name in formula.symbols.predicates}
    said = reader.read(row, predicates)
    if said.faults:
        return [*said.faults]
    faults = []
    *premises, conclusion = formulas
    if len(said.premises) != len(premises):
        return ["there are not as many premises as formulas for them"]
    for formula, read in zip(formulas, (*said.premises, said.conclusion), strict=True):
        if formula != read:
            faults.append(f"the sentence for {formula} says {read}")
    if faults:
        return faults
    judged = decide(prover, premises, conclusion)
    if judged.verdict.value != row["verdict"]:
        faults.append(f"the verdict is {judged.verdict.value}, not {row['verdict']}")
    if proved and (verdict := prover.verdict(premises, conclusion)) is not judged.verdict:
        faults.append(
            f"the decision over types says {judged.verdict.value}, the prover {verdict.value}"
        )
    if row["label"] != (row["verdict"] == Verdict.ENTAILED.value):
        faults.append(f"the label is {row['label']} and the verdict {row['verdict']}")
    gold = [position - 1 for position in cast("Sequence[int]", row["gold_premises"])]
    shown = ", ".join(str(position + 1) for position in gold)
    if gold != sorted({*gold} & {*range(len(premises))}):
        faults.append(f"the gold premises {shown} are not positions of premises, each once")
    elif row["verdict"] == Verdict.ENTAILED.value:
        if not _only_minimal(premises, gold, conclusion, judged.needed, prover, proved=proved):
            faults.append(f"the premises {shown} are not the only minimal set that suffices")
    elif gold:
        faults.append("gold premises for a conclusion that does not follow")
    return faults


def _only_minimal(
    premises: Sequence[Formula],
    gold: Sequence[int],
    conclusion: Formula,
    needed: frozenset[int],
    prover: Prover,
    *,
    proved: bool,
) -> bool:
    """Whether the gold premises are enough, and each of them is needed among all that are shown."""
    if proved:
        return prover.only_minimal_set(premises, gold, conclusion) is Answer.YES
    enough = prover.entails([premises[index] for index in gold], conclusion)
    return needed >= {*gold} and enough is Answer.YES


def _partner_faults(rows: Iterable[Mapping[str, object]]) -> list[str]:
    faults = []
    by_id = {row["id"]: row for row in rows}
    for row in by_id.values():
        if row["partner"] is None:
            continue
        partner = by_id.get(row["partner"])
        if partner is None or partner["partner"] != row["id"]:
            faults.append(f"item {row['id']}: its partner is not beside it or is another's")
        elif partner["premises"] != row["premises"] or not _opposed(row, partner):
            faults.append(f"item {row['id']}: its partner differs in more than the phrase")
    return faults


def _opposed(row: Mapping[str, object], partner: Mapping[str, object]) -> bool:
    """Whether one denies what the other asserts."""
    said = {entry["polarity"]: cast(str, entry["conclusion_formula"]) for entry in (row, partner)}
    if said.keys() != {"asserted", "denied"}:
        return False
    try:
        return said["denied"] == negation(parse(said["asserted"])).text
    except FormulaError:
        return False
