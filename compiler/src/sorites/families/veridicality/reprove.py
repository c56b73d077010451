"""Every label of a release derived and proved again, from its rows and its spec alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.families.veridicality.audit import overlaps
from sorites.families.veridicality.clauses.frames import Frame
from sorites.families.veridicality.clauses.realise import Bottom, embed
from sorites.families.veridicality.clauses.stacks import Construction, Stack
from sorites.families.veridicality.composites import (
    VERDICT_OF,
    composed_verdict,
    composite_label,
    stack_commitment,
)
from sorites.families.veridicality.embedded import NO, YES
from sorites.families.veridicality.english.backshift import backshift
from sorites.families.veridicality.english.finite_verbs import UncertainVerb
from sorites.families.veridicality.judgements import THRESHOLD, majority
from sorites.families.veridicality.plan import Plan, no_problem, read_plan
from sorites.families.veridicality.polarity import Environment, Sign
from sorites.families.veridicality.rows import Part, Row
from sorites.logic.formulas import FormulaError, parse
from sorites.logic.grammar.fragment import Fragment, Sentence, capitalised
from sorites.logic.grammar.parse_check import Reader
from sorites.logic.prover import Prover, Verdict
from sorites.seeds import ranked

__all__ = ["recheck", "reprove"]

_Tables: TypeAlias = "Mapping[tuple[str, str], pa.Table]"

_SAMPLE = 60
"""Whole sentences that are parsed, beyond one of every shape in every tense."""

_MOST = 100
"""Faults that are told before the rest is only counted."""


def reprove(
    tables: _Tables,
    document: Mapping[str, Json],
    *,
    engine: Engine | None = None,  # noqa: ARG001 - one core does it in seconds
) -> list[str]:
    """What is wrong with the rows of a release; empty if nothing is."""
    return _faults(tables, document, proved=True)


def recheck(
    tables: _Tables,
    document: Mapping[str, Json],
    *,
    engine: Engine | None = None,  # noqa: ARG001 - one core does it in seconds
) -> list[str]:
    """The same without proofs: what follows from what is for the certificates to show."""
    return _faults(tables, document, proved=False)


def _faults(tables: _Tables, document: Mapping[str, Json], *, proved: bool) -> list[str]:
    plan = read_plan(document, no_problem)
    if plan is None:
        return ["the spec of the release is not valid"]
    own = {key: table for key, table in tables.items() if key[0] != "human"}
    checker = _Checker(plan, _parts(own.values()), proved=proved)
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


_Key: TypeAlias = tuple[str | int | None, ...]


def _key(row: Row) -> _Key:
    """What a composite has in common with its part veridical: all but the hypothesis."""
    around = (row.environment, row.complement, row.depth, row.above)
    return (row.pair, row.verb, row.tense, row.frame, *around)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the rows of the parts say, by what a composite has in common with them."""

    embedded: Mapping[str, Row]
    premises: Mapping[_Key, str]


class _Checker:
    def __init__(self, plan: Plan, parts: _Parts, *, proved: bool) -> None:
        self._plan = plan
        self._proved = proved
        self._verbs = {verb.name: verb for verb in plan.verbs}
        self._frames = {frame.id: frame for frame in (plan.frame, *plan.further_frames)}
        # Environments are strings, so that a row's text finds the spec's construction.
        self._around: dict[tuple[str | None, int, bool], Construction] = {
            (of.environment, of.depth, of.passive): of for of in plan.constructions
        }
        self._fragment = _fragment(plan)
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
        frame, stack = self._frames.get(row.frame or ""), self._stack(row)
        if frame is None or stack is None:
            around = f"{row.environment}, {row.complement}, depth {row.depth}"
            yield (
                f"no verb {row.verb}{f' below {row.above}' if row.above else ''} or no frame "
                f"{row.frame} in the spec, or no construction {around}"
            )
            return
        told = (row.signature, row.polarity)
        if told != (stack.verb.signature, stack.polarity):
            yield f"signature and polarity are not {stack.verb.signature} and {stack.polarity}"
        veridical = YES if stack.sign is Sign.TRUE else NO
        if row.label_veridical != veridical:
            yield f"label_veridical is {row.label_veridical}; {_said(stack)}"
        if row.part == Part.VERIDICAL:
            yield from self._veridical_faults(row, label, veridical, stack, frame)
        else:
            yield from self._composite_faults(row, label, veridical, stack)

    def _stack(self, row: Row) -> Stack | None:
        """The verbs of a row in their construction; None where the spec has no such."""
        names = [*(row.above.split(" > ") if row.above else []), row.verb or ""]
        around = self._around.get((row.environment, row.depth, row.complement == "passive"))
        if around is None or len(names) != row.depth or not {*names} <= {*self._verbs}:
            return None
        stack = Stack(tuple(self._verbs[name] for name in names), around)
        return stack if stack.complement == row.complement else None

    def _veridical_faults(
        self, row: Row, label: str, veridical: str, stack: Stack, frame: Frame
    ) -> Iterator[str]:
        if label != veridical:
            yield f"the label is {row.label}; {_said(stack)}"
        if row.verdict != VERDICT_OF[stack.sign].value:
            yield f"the verdict is {row.verdict}; {_said(stack)}"
        sentence = self._sentence(row.shape, row.hypothesis_formula)
        if row.hypothesis_formula is not None:
            if sentence is None:
                yield f"no sentence of the grammar says {row.hypothesis_formula}"
                return
            if row.hypothesis != capitalised(sentence.words(row.tense)):
                yield f"the hypothesis '{row.hypothesis}' does not say {row.hypothesis_formula}"
        if row.premise not in [
            embed(self._plan.language, frame, stack, row.tense, bottom)
            for bottom in _bottoms(row, sentence)
        ]:
            yield f"the premise '{row.premise}' does not embed the hypothesis '{row.hypothesis}'"
        if row.hypothesis_formula is not None:
            committed = stack_commitment(stack, row.hypothesis_formula, _subject(sentence))
            yield from self._proof_faults(row, committed)

    def _composite_faults(
        self, row: Row, label: str, veridical: str, stack: Stack
    ) -> Iterator[str]:
        by_rule = composite_label(veridical, row.label_embedded or "")
        if row.label_embedded is None or (stack.sign is not Sign.FALSE and label != by_rule):
            yield f"the label {row.label} does not follow from its parts"
        premise = self._parts.premises.get(_key(row), row.premise)
        if premise != row.premise:
            yield f"the premise is not that of the part veridical: {premise}"
        pair = self._parts.embedded.get(row.pair)
        committed = None
        if pair is not None:
            if pair.label_embedded != row.label_embedded:
                yield f"label_embedded is not that of the pair {row.pair}"
            if row.hypothesis != self._in_tense(pair, row.tense):
                yield f"the hypothesis is not that of the pair {row.pair}: {pair.hypothesis}"
            verdict = composed_verdict(stack.sign, Verdict(pair.verdict))
            if pair.premise_formula is None and row.verdict != verdict.value:
                yield f"the verdict is {row.verdict}, and from the parts follows {verdict.value}"
            if pair.premise_formula is not None:
                sentence = self._sentence(pair.shape, pair.premise_formula)
                committed = stack_commitment(stack, pair.premise_formula, _subject(sentence))
                if row.hypothesis_formula != pair.hypothesis_formula:
                    yield f"hypothesis_formula is not that of the pair {row.pair}"
        yield from self._proof_faults(row, committed)

    def _sentence(self, shape: str | None, formula: str | None) -> Sentence | None:
        if self._fragment is None or shape is None or formula is None:
            return None
        return self._fragment.sentence(shape, formula)

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
        if not self._proved:
            return
        try:
            premises = [parse(committed)] if committed else []
            verdict = self._prover.verdict(premises, parse(row.hypothesis_formula))
        except FormulaError as error:
            yield str(error)
            return
        if verdict.value != row.verdict:
            yield f"the verdict is {row.verdict}; proved is {verdict.value}"


def _fragment(plan: Plan) -> Fragment | None:
    """The grammar, which all sections that draw from one share."""
    from_grammar = plan.synthetic or plan.control
    return from_grammar.fragment if from_grammar is not None else None


def _said(stack: Stack) -> str:
    """Why a label is what it is: the signatures, from the outside in, and where they stand."""
    signatures = " > ".join(f"{verb.name} is {verb.signature}" for verb in stack.verbs)
    marks = stack.construction.marks
    return f"{signatures}, {marks}" if marks else signatures


def _subject(sentence: Sentence | None) -> str | None:
    controlled = sentence.controlled if sentence is not None else None
    return controlled[1] if controlled is not None else None


def _bottoms(row: Row, sentence: Sentence | None) -> list[Bottom]:
    """What a premise may embed; a sentence of a source may have had a capital of its own."""
    if sentence is None:
        small = row.hypothesis[:1].lower() + row.hypothesis[1:]
        return [Bottom(row.hypothesis), Bottom(small)]
    subject, _, infinitive = sentence.controlled or ("", "", "")
    return [Bottom(sentence.below_a_verb(row.tense), subject, infinitive)]


def _parts(tables: Iterable[pa.Table]) -> _Parts:
    embedded: dict[str, Row] = {}
    premises: dict[_Key, str] = {}
    for table in tables:
        for row in _rows(table):
            if row.part == Part.EMBEDDED:
                embedded[row.pair] = row
            elif row.part == Part.VERIDICAL:
                premises[_key(row)] = row.premise
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
    fragment = _fragment(plan)
    if fragment is None:
        return
    prover = Prover()
    reader = Reader(fragment.grammar)
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
    verbs = {verb.name: verb for verb in plan.verbs}
    table = plan.human.table if plan.human is not None else None
    threshold = THRESHOLD if table is None else table.threshold
    for row in rows:
        verb = verbs.get(row["verb"])
        environment = Environment.__members__.get(str(row["environment"]).upper())
        if verb is None or environment is None:
            yield f"human: {row['id']}: no verb {row['verb']} or no environment in the spec"
            continue
        stack = Stack((verb,), Construction(environment))
        veridical = YES if stack.sign is Sign.TRUE else NO
        composite = row["part"] == Part.COMPOSITE
        label = composite_label(veridical, row["label_embedded"]) if composite else veridical
        if (row["label_veridical"], row["label"]) != (veridical, label):
            yield f"human: {row['id']}: the label {row['label']} does not follow"
        if row["polarity"] != stack.polarity:
            yield f"human: {row['id']}: the polarity is {stack.polarity}"
        said = majority(row["human_scores"], threshold)
        if said != row["human_label"]:
            yield f"human: {row['id']}: the majority is {said}"
