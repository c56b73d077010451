"""Every label of a release derived and proved again, from its rows and its spec alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import pyarrow as pa

from sorites.canonical import Json
from sorites.families.veridicality.audit import overlaps
from sorites.families.veridicality.chance import ranked
from sorites.families.veridicality.composites import (
    VERDICT_OF,
    commitment,
    composed_verdict,
    composite_label,
)
from sorites.families.veridicality.embedded import NO, YES
from sorites.families.veridicality.english.backshift import backshift
from sorites.families.veridicality.english.finite_verbs import UncertainVerb
from sorites.families.veridicality.frames import Frame, embed
from sorites.families.veridicality.plan import Plan, no_problem, read_plan
from sorites.families.veridicality.rows import Part, Row
from sorites.families.veridicality.verbs import Sign, Verb
from sorites.logic.formulas import FormulaError, parse
from sorites.logic.grammar.fragment import capitalised
from sorites.logic.grammar.parse_check import Reader
from sorites.logic.prover import Prover, Verdict

__all__ = ["reprove"]

_Tables: TypeAlias = "Mapping[tuple[str, str], pa.Table]"

_SAMPLE = 60
"""Whole sentences that are parsed, beyond one of every shape in every tense."""

_MOST = 100
"""Faults that are told before the rest is only counted."""


def reprove(tables: _Tables, document: Mapping[str, Json]) -> list[str]:
    """What is wrong with the rows of a release; empty if nothing is."""
    plan = read_plan(document, no_problem)
    if plan is None:
        return ["the spec of the release is not valid"]
    own = {key: table for key, table in tables.items() if key[0] != "human"}
    checker = _Checker(plan, _parts(own.values()))
    faults: list[str] = []
    for (config, split), table in own.items():
        for row, flip in zip(_rows(table), _flipped(table), strict=True):
            faults += (
                f"{config}/{split}: {row.id}: {fault}" for fault in checker.faults(row, flip)
            )
    faults += _overlap_faults(own)
    faults += _parse_faults(plan, own.values())
    faults += _human_faults(plan, tables)
    if len(faults) > _MOST:
        return [*faults[:_MOST], f"and {len(faults) - _MOST:,} more"]
    return faults


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the rows of the parts say, by what a composite has in common with them."""

    embedded: Mapping[str, Row]
    premises: Mapping[tuple[str, str | None, str, str | None], str]


class _Checker:
    def __init__(self, plan: Plan, parts: _Parts) -> None:
        self._verbs = {verb.lemma: verb for verb in plan.verbs}
        self._frames = {frame.id: frame for frame in (plan.frame, *plan.further_frames)}
        self._fragment = plan.synthetic.fragment if plan.synthetic else None
        self._prover = Prover()
        self._parts = parts

    def faults(self, row: Row, flipped: bool) -> Iterator[str]:
        label = (NO if row.label == YES else YES) if flipped else row.label
        if (row.verdict == Verdict.ENTAILED.value) != (label == YES):
            yield f"the label {row.label} does not go with the verdict {row.verdict}"
        if row.part == Part.EMBEDDED:
            if row.label_embedded != label:
                yield f"label_embedded is {row.label_embedded}"
            yield from self._proof_faults(row, row.premise_formula)
            return
        verb = self._verbs.get(row.verb or "")
        frame = self._frames.get(row.frame or "")
        if verb is None or frame is None:
            yield f"no verb {row.verb} or no frame {row.frame} in the spec"
            return
        sign = verb.sign(negated=frame.negated)
        veridical = YES if sign is Sign.TRUE else NO
        if row.label_veridical != veridical:
            yield f"label_veridical is {row.label_veridical}; {verb.lemma} is {verb.signature}"
        if row.part == Part.VERIDICAL:
            yield from self._veridical_faults(row, label, veridical, verb, frame)
            if row.verdict != VERDICT_OF[sign].value:
                yield f"the verdict is {row.verdict}; {verb.lemma} is {verb.signature}"
            if row.hypothesis_formula is not None:
                yield from self._proof_faults(row, commitment(sign, row.hypothesis_formula))
        else:
            yield from self._composite_faults(row, label, veridical, sign)

    def _veridical_faults(
        self, row: Row, label: str, veridical: str, verb: Verb, frame: Frame
    ) -> Iterator[str]:
        if label != veridical:
            yield f"the label is {row.label}; {verb.lemma} is {verb.signature}"
        complement = row.hypothesis
        small = complement[:1].lower() + complement[1:]
        if row.premise not in [
            embed(frame, verb, row.tense, clause) for clause in (complement, small)
        ]:
            yield f"the premise '{row.premise}' does not embed the hypothesis '{row.hypothesis}'"

    def _composite_faults(self, row: Row, label: str, veridical: str, sign: Sign) -> Iterator[str]:
        if row.label_embedded is None or label != composite_label(veridical, row.label_embedded):
            yield f"the label {row.label} does not follow from its parts"
        key = (row.pair, row.verb, row.tense, row.frame)
        if self._parts.premises.get(key, row.premise) != row.premise:
            yield f"the premise is not that of the part veridical: {self._parts.premises[key]}"
        pair = self._parts.embedded.get(row.pair)
        committed = None
        if pair is not None:
            if pair.label_embedded != row.label_embedded:
                yield f"label_embedded is not that of the pair {row.pair}"
            if row.hypothesis != self._in_tense(pair, row.tense):
                yield f"the hypothesis is not that of the pair {row.pair}: {pair.hypothesis}"
            verdict = composed_verdict(sign, Verdict(pair.verdict))
            if pair.premise_formula is None and row.verdict != verdict.value:
                yield f"the verdict is {row.verdict}, and from the parts follows {verdict.value}"
            if pair.premise_formula is not None:
                committed = commitment(sign, pair.premise_formula)
                if row.hypothesis_formula != pair.hypothesis_formula:
                    yield f"hypothesis_formula is not that of the pair {row.pair}"
        yield from self._proof_faults(row, committed)

    def _in_tense(self, pair: Row, tense: str) -> str | None:
        """The hypothesis of a pair, put into a tense anew; None where that cannot be done."""
        if pair.tense == tense:
            return pair.hypothesis
        if pair.hypothesis_formula is not None:
            said = self._fragment.says(parse(pair.hypothesis_formula)) if self._fragment else None
            return capitalised(said.words(tense)) if said else None
        try:
            return backshift(pair.hypothesis)
        except UncertainVerb:
            return None

    def _proof_faults(self, row: Row, committed: str | None) -> Iterator[str]:
        """What is wrong with the formulas of a row that has them."""
        if row.hypothesis_formula is None:
            return
        if row.premise_formula != committed:
            yield f"premise_formula is {row.premise_formula}, not {committed}"
        try:
            premises = [parse(committed)] if committed else []
            verdict = self._prover.verdict(premises, parse(row.hypothesis_formula))
        except FormulaError as error:
            yield str(error)
            return
        if verdict.value != row.verdict:
            yield f"the verdict is {row.verdict}; proved is {verdict.value}"


def _parts(tables: Iterable[pa.Table]) -> _Parts:
    embedded: dict[str, Row] = {}
    premises: dict[tuple[str, str | None, str, str | None], str] = {}
    for table in tables:
        for row in _rows(table):
            if row.part == Part.EMBEDDED:
                embedded[row.pair] = row
            elif row.part == Part.VERIDICAL:
                premises[row.pair, row.verb, row.tense, row.frame] = row.premise
    return _Parts(embedded, premises)


def _rows(table: pa.Table) -> Iterator[Row]:
    """The rows of a table, some thousand of which are Python's at a time."""
    names = [field.name for field in fields(Row)]
    for batch in table.select(names).to_batches(max_chunksize=5_000):
        columns = [column.to_pylist() for column in batch.columns]
        yield from (Row(*values) for values in zip(*columns, strict=True))


def _flipped(table: pa.Table) -> list[bool]:
    if "flipped" in table.column_names:
        found: list[bool] = table.column("flipped").to_pylist()
        return found
    return [False] * table.num_rows


def _overlap_faults(tables: _Tables) -> Iterator[str]:
    configs: dict[str, dict[str, pa.Table]] = {}
    for (config, split), table in tables.items():
        configs.setdefault(config, {})[split] = table
    for config, splits in configs.items():
        for what, number in overlaps(splits).items():
            if number:
                yield f"{config}: inferences {what}: {number}"


def _parse_faults(plan: Plan, tables: Iterable[pa.Table]) -> Iterator[str]:
    """Sentences that the parser reads otherwise: one a shape and tense, and some at random."""
    if plan.synthetic is None:
        return
    prover = Prover()
    reader = Reader(plan.synthetic.fragment.grammar)
    shapes: dict[tuple[str | None, str], tuple[str, str]] = {}
    others: dict[str, str] = {}
    for table in tables:
        for row in _rows(table):
            if row.hypothesis_formula is None:
                continue
            # Of the embedded part both sentences are the grammar's own, of the others only s2.
            said = [(row.hypothesis, row.hypothesis_formula)]
            if row.part == Part.EMBEDDED and row.premise_formula is not None:
                said.append((row.premise, row.premise_formula))
                shapes.setdefault((row.shape, row.tense), said[-1])
            elif row.part == Part.VERIDICAL:
                shapes.setdefault((row.shape, row.tense), said[0])
            others.update(said)
    sample = ranked(((sentence, (sentence, f)) for sentence, f in others.items()), 0, "parse")
    for sentence, formula in dict([*shapes.values(), *sample[:_SAMPLE]]).items():
        fault = reader.fault(sentence, parse(formula), prover)
        if fault is not None:
            yield fault


def _human_faults(plan: Plan, tables: _Tables) -> Iterator[str]:
    """Judged rows whose labels do not follow from the verb and the rule, or from the ratings."""
    rows: list[dict[str, Any]] = [
        row for key, table in tables.items() if key[0] == "human" for row in table.to_pylist()
    ]
    verbs = {verb.lemma: verb for verb in plan.verbs}
    for row in rows:
        verb = verbs.get(row["verb"])
        veridical = YES if verb is not None and verb.positive is Sign.TRUE else NO
        composite = row["part"] == Part.COMPOSITE
        label = composite_label(veridical, row["label_embedded"]) if composite else veridical
        if verb is None or (row["label_veridical"], row["label"]) != (veridical, label):
            yield f"human: {row['id']}: the label {row['label']} does not follow"
        scores = row["human_scores"]
        majority = YES if 2 * sum(score >= 4 for score in scores) > len(scores) else NO
        if majority != row["human_label"]:
            yield f"human: {row['id']}: the majority is {majority}"
