"""Certificates of arguments: one for all items that differ in names and distractors alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.engines.spool import open_spool
from sorites.engines.units import Made, Slices, do_units, slices_of, unpacked
from sorites.errors import SoritesError
from sorites.families.argument_schemes.read_rows import words_of_release
from sorites.families.argument_schemes.words import ASSERTED, DENIED, Words
from sorites.logic.certificates.shown import Refutation, Refuter, model_of
from sorites.logic.formulas import Formula, negation, parse
from sorites.logic.prover import Verdict
from sorites.logic.sentence_templates import Forms, Template
from sorites.progress import Progress
from sorites.release.certificates.certificates import (
    SCHEMA,
    SPLITS,
    Certificate,
    Certificates,
    Readings,
    certificate_tables,
    each_once,
)
from sorites.release.certificates.check import fold

__all__ = ["certify"]

_ROWS_AT_ONCE = 10_000
"""Rows whose arguments a worker certifies at one time: about a thousand arguments."""

_COLUMNS = (
    "argument",
    "verdict",
    "polarity",
    "distractors",
    "premise_formulas",
    "conclusion_formula",
    "gold_premises",
)


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument with the most distractors of all rows that share its key."""

    config: str
    key: str
    verdict: str
    premises: tuple[str, ...]
    conclusion: str
    gold: tuple[int, ...]


def certify(
    tables: Mapping[tuple[str, str], pa.Table],
    document: Mapping[str, Json],
    *,
    engine: Engine,
    progress: Progress,
    scratch: Path | None = None,
) -> Certificates:
    """The certificates of all rows, whose labels are proved already.

    Rows of one argument stand together in the tables. What an earlier run has left in the folder
    ``scratch`` is not made again.

    Raises SoritesError for an argument that has none: its label is not what its formulas say, or
    they are beyond what can be refuted by clauses.
    """
    logic = cast("Mapping[str, Json]", document.get("logic", {}))
    imports = bool(logic.get("existential_import", False))
    jobs = [
        job
        for (config, _), table in tables.items()
        for job in slices_of(
            config, table.select(list(_COLUMNS)), _ROWS_AT_ONCE, together="argument"
        )
    ]
    with open_spool(scratch, dict.fromkeys(SPLITS, SCHEMA)) as spool:
        do_units(
            engine,
            _certified,
            Slices(jobs),
            shared=imports,
            spool=spool,
            advance=progress.stage("certificates", len(jobs)),
        )
        made = {name: spool.table(name) for name in SPLITS}
    made["refutations"] = each_once(made["refutations"])
    return Certificates(made, _readings(words_of_release(document), imports))


def _certified(imports: bool, job: tuple[str, bytes]) -> Made:
    config, packed = job
    refuter = Refuter(existential_import=imports)
    arguments = _arguments(config, unpacked(packed))
    return Made(certificate_tables([_certificate(each, refuter, imports) for each in arguments]))


def _arguments(config: str, table: pa.Table) -> Iterator[_Argument]:
    """One argument for each key, in the order of the rows: with the most that is shown of it."""
    most: dict[str, _Argument] = {}
    level: dict[str, int] = {}
    for row in table.to_pylist():
        key = f"{row['argument']} {row['verdict']} {row['polarity']}"
        if level.get(key, -1) < row["distractors"]:
            level[key] = row["distractors"]
            most[key] = _Argument(
                config,
                key,
                row["verdict"],
                tuple(row["premise_formulas"]),
                row["conclusion_formula"],
                tuple(row["gold_premises"]),
            )
    yield from most.values()


def _certificate(argument: _Argument, refuter: Refuter, imports: bool) -> Certificate:
    premises = [parse(text) for text in argument.premises]
    conclusion = parse(argument.conclusion)
    verdict = Verdict(argument.verdict)

    def model(of: Sequence[Formula], conclusion_is: bool) -> str:
        found = model_of(of, conclusion, conclusion_is=conclusion_is, existential_import=imports)
        if found is None:
            raise _no_certificate(argument)
        return found

    gold = [position - 1 for position in argument.gold]
    refuted: tuple[Refutation, dict[str, str]] | None = None
    if verdict is not Verdict.UNDETERMINED:
        denied = negation(conclusion) if verdict is Verdict.ENTAILED else conclusion
        used = [premises[index] for index in gold] or _enough(premises, denied, refuter)
        refuted = refuter.refute(used, denied)
        if refuted is None:
            raise _no_certificate(argument)
    return Certificate(
        argument.config,
        argument.key,
        None if refuted is None else refuted[0],
        None if refuted is None else tuple(f"{own}={its}" for own, its in refuted[1].items()),
        None if verdict is Verdict.CONTRADICTED else model(premises, True),
        None if verdict is Verdict.ENTAILED else model(premises, False),
        tuple(model([*premises[:index], *premises[index + 1 :]], False) for index in gold) or None,
    )


def _enough(premises: Sequence[Formula], denied: Formula, refuter: Refuter) -> list[Formula]:
    """Premises that cannot all be true with the denied conclusion, none of which can be spared."""
    left = [*premises]
    for premise in premises:
        others = [each for each in left if each is not premise]
        if refuter.refute(others, denied) is not None:
            left = others
    return left


def _no_certificate(argument: _Argument) -> SoritesError:
    return SoritesError(
        f"{argument.config}: no certificate for an argument that is {argument.verdict}: "
        f"{'; '.join(argument.premises)}; therefore {argument.conclusion}"
    )


def _readings(words: Words, imports: bool) -> Readings:
    vocabulary = words.vocabulary
    phrases: dict[str, Json] = {
        key: [
            fold(words.phrases[key].before),
            words.phrases[key].clause,
            fold(words.phrases[key].after + words.rules.full_stop),
        ]
        for key in (ASSERTED, DENIED)
    }
    return Readings(
        templates=[
            {
                "formula": saying.formula.text,
                "texts": {
                    clause: _text(template, saying.formula)
                    for clause, template in wording.clauses.items()
                },
            }
            for saying in words.templates.by_shape.values()
            for wording in saying.wordings
        ],
        imports=imports,
        further={
            "names": {
                "class": _forms("class", vocabulary.classes),
                "individual": _forms("individual", vocabulary.individuals),
            },
            "phrases": {"": ["", "main", fold(words.rules.full_stop)], **phrases},
        },
    )


def _forms(kind: str, forms: Forms) -> dict[str, Json]:
    return {f"{kind} {form}".strip(): text for form, text in forms.items()}


def _text(template: Template, formula: Formula) -> str:
    """A template with the kind of name and its form at each place: ``{F:class dative}``."""
    found = formula.symbols
    order = [*found.predicates, *found.individuals]
    text = ""
    for literal, index, form in template.parts:
        text += literal.replace("{", "{{").replace("}", "}}")
        if index >= 0:
            kind = "class" if index < len(found.predicates) else "individual"
            text += f"{{{order[index]}:{f'{kind} {form}'.strip()}}}"
    return text
