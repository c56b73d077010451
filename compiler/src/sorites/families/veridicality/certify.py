"""Certificates of inferences below verbs: one for each two formulas, whatever the verbs.

The signatures give what the premise commits to; the certificate shows how the hypothesis stands to
that. Labels that a source has given have none: check.py looks them up where the source is given.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from sorites.canonical import Json, json_line
from sorites.engines.engine import Engine
from sorites.errors import SoritesError
from sorites.families.veridicality.clauses.frames import Frame, InnerClause
from sorites.families.veridicality.clauses.language import TENSES
from sorites.families.veridicality.clauses.realise import pattern_for
from sorites.families.veridicality.embedded import VERDICTS
from sorites.families.veridicality.plan import NaturalisticPlan, Plan, no_problem, read_plan
from sorites.families.veridicality.verbs import Complement, Verb
from sorites.logic.certificates.shown import Refuter, model_of
from sorites.logic.formulas import negation, parse
from sorites.logic.grammar.fragment import EMBEDDED, Fragment, Shape
from sorites.logic.prover import Verdict
from sorites.progress import Progress
from sorites.release.certificates.certificates import Certificate, Certificates, Readings
from sorites.sources.sentence_pairs.table_formats import TableFormat

__all__ = ["certify"]

SUBJECT = "\ue001"
"""Stands in a pattern for the subject that an infinitive shares: check.py reads it there."""

_Inference: TypeAlias = tuple[str | None, str, str]
"""What a premise commits to, the hypothesis, and the verdict."""


def certify(
    tables: Mapping[tuple[str, str], pa.Table],
    document: Mapping[str, Json],
    *,
    engine: Engine,  # noqa: ARG001 - the inferences are few
    progress: Progress,
    scratch: Path | None = None,  # noqa: ARG001 - they are soon made
) -> Certificates:
    """The certificates of all rows with formulas. Raises SoritesError for a row that has none."""
    plan = read_plan(document, no_problem)
    if plan is None:
        raise SoritesError("the spec has problems: run check first")
    inferences = [*dict.fromkeys(_inferences(tables))]
    advance = progress.stage("certificates", len(inferences))
    refuter = Refuter()
    rows = []
    for inference in inferences:
        rows.append(_certificate(inference, refuter))
        advance(1)
    return Certificates.of(rows, _readings(plan))


def _inferences(tables: Mapping[tuple[str, str], pa.Table]) -> Iterator[_Inference]:
    for table in tables.values():
        if "hypothesis_formula" not in table.column_names:
            continue
        names = ("premise_formula", "hypothesis_formula", "verdict")
        for premise, hypothesis, verdict in zip(
            *(table.column(name).to_pylist() for name in names), strict=True
        ):
            if hypothesis is not None:
                yield premise, hypothesis, verdict


def _certificate(inference: _Inference, refuter: Refuter) -> Certificate:
    premise, hypothesis, said = inference
    premises, last = [parse(text) for text in (premise,) if text is not None], parse(hypothesis)
    verdict = Verdict(said)
    refuted = None
    if verdict is not Verdict.UNDETERMINED:
        refuted = refuter.refute(premises, negation(last) if verdict is Verdict.ENTAILED else last)
    models = {
        sign: model_of(premises, last, conclusion_is=sign)
        for sign, without in ((True, Verdict.CONTRADICTED), (False, Verdict.ENTAILED))
        if verdict is not without
    }
    if None in models.values() or (refuted is None and verdict is not Verdict.UNDETERMINED):
        raise SoritesError(f"no certificate: {premise} does not leave {hypothesis} {said}")
    return Certificate(
        None,
        f"{premise or ''} => {hypothesis}",
        None if refuted is None else refuted[0],
        None if refuted is None else tuple(f"{own}={its}" for own, its in refuted[1].items()),
        models.get(True),
        models.get(False),
    )


def _readings(plan: Plan) -> Readings:
    frames = {frame.id: _frame(plan, frame) for frame in (plan.frame, *plan.further_frames)}
    inner = max((each.inner for each in plan.constructions), key=len, default=())
    clauses = [_inner(clause) for clause in inner]
    agreements = dict.fromkeys(str(each["agreement"]) for each in (*frames.values(), *clauses))
    from_grammar = plan.synthetic or plan.control
    words: dict[str, dict[str, str]] = {}
    templates = []
    if from_grammar is not None:
        templates = [*_templates(from_grammar.fragment, words)]
    return Readings(
        templates=templates,
        words=words,
        further={
            "frames": frames,
            "inner": clauses,
            "verbs": {verb.name: _verb(plan, verb, [*agreements]) for verb in plan.verbs},
            **_source(plan.naturalistic),
        },
    )


def _agreement(plural: bool, negative: bool) -> str:
    return ("plural" if plural else "singular") + (" negative" if negative else "")


def _frame(plan: Plan, frame: Frame) -> dict[str, Json]:
    return {
        "subject": frame.subject,
        "adjunct": frame.adjunct,
        "agreement": _agreement(frame.plural, frame.negative),
        **(frame.consequent or plan.language.consequent),
    }


def _inner(clause: InnerClause) -> dict[str, Json]:
    return {
        "subject": clause.subject,
        "environment": clause.environment.value,
        "agreement": _agreement(clause.plural, clause.negative),
    }


def _verb(plan: Plan, verb: Verb, agreements: list[str]) -> dict[str, Json]:
    """A verb's signature, and its clauses by kind, environment, tense and agreement."""
    language = plan.language
    clauses: dict[str, Json] = {}
    kinds = {"main": language.main, "embedded": language.embedded, "passive": language.passive}
    for kind, patterns in kinds.items():
        for environment, tense in patterns:
            for agreement in agreements:
                text = pattern_for(
                    language,
                    patterns,
                    environment,
                    verb,
                    tense,
                    plural=agreement.startswith("plural"),
                    negative=agreement.endswith("negative"),
                    subject=SUBJECT,
                )
                if text is not None:
                    adjunct = "" if kind == "embedded" else "{adjunct} "
                    clauses[f"{kind} {environment.value} {tense} {agreement}"] = adjunct + text
    return {
        "signature": verb.signature,
        "to": verb.complement is Complement.TO,
        "clauses": clauses,
    }


def _templates(
    fragment: Fragment, words: dict[str, dict[str, str]]
) -> Iterator[Mapping[str, Json]]:
    """The shapes of a grammar as templates; their words go to ``words``, by symbol and form."""
    names: dict[str, str] = {}
    for shape in fragment.shapes:
        yield {
            "formula": shape.formula.text,
            "texts": {form: _text(shape, of, names, words) for form, of in _forms(shape).items()},
        }


def _forms(shape: Shape) -> dict[str, str]:
    """Each form that a clause has in sentences, and the form of the grammar that is meant.

    Where no other order is told, a clause below a verb is as it is by itself.
    """
    forms = {form: form for form in shape.leaves}
    for tense in TENSES:
        if tense in forms:
            forms.setdefault(f"{tense} {EMBEDDED}", tense)
    return forms


def _text(shape: Shape, form: str, names: dict[str, str], words: dict[str, dict[str, str]]) -> str:
    parts = []
    for leaf in shape.leaves[form]:
        if isinstance(leaf, str):
            parts.append(leaf.replace("{", "{{").replace("}", "}}"))
            continue
        table = shape.slots[form][leaf].words
        name = names.setdefault(json_line(dict(table)), f"form{len(names) + 1}")
        for symbol, word in table.items():
            words.setdefault(symbol, {})[name] = word
        parts.append(f"{{slot{leaf}:{name}}}")
    return " ".join(parts).replace(" ,", ",")


def _source(plan: NaturalisticPlan | None) -> dict[str, Json]:
    """How check.py finds a pair in the source, for tables whose pairs have an id."""
    if plan is None or plan.table.columns.id is None:
        return {}
    layout, columns = plan.table.layout, plan.table.columns
    if layout.format not in (TableFormat.TSV, TableFormat.CSV):
        return {}
    tabs = layout.format is TableFormat.TSV
    labels = {name: VERDICTS[of].value for name, of in plan.table.labels.items() if of is not None}
    return {
        "columns": [columns.id, columns.label, columns.premise, columns.hypothesis],
        "dialect": [
            "\t" if tabs else layout.delimiter,
            csv.QUOTE_NONE if tabs and layout.keep_quotes else csv.QUOTE_MINIMAL,
        ],
        "labels": dict(labels),
    }
