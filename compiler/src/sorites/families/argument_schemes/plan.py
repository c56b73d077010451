"""What a spec of kind ``argument-schemes`` asks for, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from sorites.canonical import Json
from sorites.errors import Problem, SourceError
from sorites.families.argument_schemes.items_plan import (
    NegativeDesign,
    ShortcutBounds,
    Subset,
    read_bounds,
    read_subset,
)
from sorites.families.argument_schemes.read_formula import read_formula
from sorites.families.argument_schemes.read_words import read_words
from sorites.families.argument_schemes.splits_plan import Splits, read_splits
from sorites.families.argument_schemes.words import Words
from sorites.logic.formulas import Formula
from sorites.logic.prover import DEFAULT_RESOURCE_LIMIT
from sorites.sources.ontologies.formats import FORMATS
from sorites.sources.ontologies.names import NameRules, name_ontology, read_name_rules
from sorites.sources.ontologies.ontology import Ontology
from sorites.sources.ontologies.ontology_format import OntologyFormat, Section
from sorites.sources.ontologies.sparql import QueryError
from sorites.specfile.model import Spec
from sorites.specfile.reader import Document

__all__ = [
    "ArgumentPlan",
    "Exemplar",
    "OntologyPlan",
    "Scheme",
    "read_plan",
]


@dataclass(frozen=True, slots=True)
class Scheme:
    """Premises and a conclusion; ``position`` is the scheme's place in the spec, from 0."""

    name: str
    variant: str
    premises: tuple[Formula, ...]
    conclusion: Formula
    position: int

    @property
    def key(self) -> tuple[str, str]:
        """What identifies a scheme: its name and its variant."""
        return self.name, self.variant


@dataclass(frozen=True, slots=True)
class OntologyPlan:
    """In which format the ontology is, and the section of the spec that says how to read it."""

    format: OntologyFormat
    section: Section
    places: Mapping[str, str] = field(default_factory=dict)
    """Where each query stands: file, line and column."""

    def read(self, files: Mapping[str, Path]) -> Ontology:
        """The ontology, from the verified files by source id.

        Raises SourceError for an ontology that cannot be read or named.
        """
        where = ", ".join(str(files[name]) for _, name in self.format.sources(self.section))
        try:
            found = self.format.read(self.section, files)
        except QueryError as error:
            place = self.places.get(error.role)
            raise SourceError(f"{place}: {error}") if place is not None else error from None
        return name_ontology(
            found,
            self.name_rules("class_names"),
            self.name_rules("individual_names"),
            where=where,
        )

    def name_rules(self, field: str) -> NameRules:
        """How the names of classes or of individuals become text."""
        return read_name_rules(cast("Mapping[str, Json]", self.section.get(field, {})))


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A worked example that the spec asks for: of which scheme, with which verdict."""

    scheme: tuple[str, str]
    verdict: str
    distractors: int


@dataclass(frozen=True, slots=True)
class ArgumentPlan:
    """All that the family reads from a spec.

    ``assumptions`` is the sentence that says what is taken for granted beside the premises.
    """

    seed: int
    ontology: OntologyPlan
    schemes: tuple[Scheme, ...]
    words: Words
    arguments: int
    distractors: int
    local_domains: frozenset[tuple[str, str]]
    negatives: NegativeDesign
    denials: Subset
    counterfactual: Subset
    shortcuts: ShortcutBounds
    trivial_premises: bool
    synthetic_pattern: str | None
    exemplars: tuple[Exemplar, ...]
    existential_import: bool
    assumptions: str | None
    resource_limit: int
    splits: Splits


def read_plan(spec: Spec) -> tuple[ArgumentPlan, list[Problem]]:
    """The plan of a spec that fits its JSON Schema, and what is wrong beyond the schema.

    A plan with problems holds what could be read: for further checks, not for compiling.
    """
    document = spec.document
    problems: list[Problem] = []
    schemes = _read_schemes(document, problems)
    words = read_words(document, spec.languages[0], problems)
    items = _mapping(document, "items")
    logic = _mapping(document, "logic")
    known = {scheme.key: scheme for scheme in schemes}
    local = _read_keys(document, ("items", "local_domains"), known, problems)
    exemplars = _read_exemplars(document, known, problems)
    synthetic = items.get("synthetic_names")
    plan = ArgumentPlan(
        seed=spec.seed,
        ontology=_read_ontology(spec, problems),
        schemes=schemes,
        words=words,
        arguments=cast(int, items["arguments"]),
        distractors=cast(int, items["distractors"]),
        local_domains=frozenset(local),
        negatives=cast(NegativeDesign, items.get("negatives", "matched")),
        denials=read_subset(document, "denials", problems),
        counterfactual=read_subset(document, "counterfactual", problems),
        shortcuts=read_bounds(document, list(known), problems),
        trivial_premises=bool(items.get("trivial_premises", False)),
        synthetic_pattern=None if synthetic is None else str(synthetic),
        exemplars=exemplars,
        existential_import=bool(logic.get("existential_import", False)),
        assumptions=None if logic.get("assumptions") is None else str(logic["assumptions"]),
        resource_limit=cast(int, logic.get("resource_limit", DEFAULT_RESOURCE_LIMIT)),
        splits=read_splits(cast("Mapping[str, Json]", document.data)),
    )
    return plan, problems


def _mapping(document: Document, section: str) -> Mapping[str, Json]:
    return cast("Mapping[str, Json]", cast("Mapping[str, Json]", document.data).get(section, {}))


def _sequence(document: Document, section: str) -> Sequence[Mapping[str, Json]]:
    data = cast("Mapping[str, Json]", document.data)
    return cast("Sequence[Mapping[str, Json]]", data.get(section, ()))


def _read_schemes(document: Document, problems: list[Problem]) -> tuple[Scheme, ...]:
    schemes: list[Scheme] = []
    seen: dict[tuple[str, str], int] = {}
    for position, entry in enumerate(_sequence(document, "schemes")):
        place: tuple[str | int, ...] = ("schemes", position)
        key = str(entry["scheme"]), str(entry["variant"])
        if key in seen:
            problems.append(
                document.problem(
                    place,
                    f'the scheme "{key[0]}" has a variant "{key[1]}" already: schemes[{seen[key]}]',
                    "give one of the two another variant",
                )
            )
        seen[key] = position
        texts = cast("Sequence[str]", entry["premises"])
        premises = [
            read_formula(document, (*place, "premises", index), text, problems)
            for index, text in enumerate(texts)
        ]
        conclusion = read_formula(
            document, (*place, "conclusion"), str(entry["conclusion"]), problems
        )
        read = [premise for premise in premises if premise is not None]
        if conclusion is not None and len(read) == len(texts):
            schemes.append(Scheme(*key, tuple(read), conclusion, position))
    return tuple(schemes)


def _read_keys(
    document: Document,
    section: tuple[str, str],
    known: Mapping[tuple[str, str], Scheme],
    problems: list[Problem],
) -> list[tuple[str, str]]:
    entries = cast(
        "Sequence[Mapping[str, Json]]", _mapping(document, section[0]).get(section[1], ())
    )
    keys = []
    for position, entry in enumerate(entries):
        key = str(entry["scheme"]), str(entry["variant"])
        if key not in known:
            problems.append(_unknown_scheme(document, (*section, position), key, known))
        keys.append(key)
    return keys


def _read_exemplars(
    document: Document, known: Mapping[tuple[str, str], Scheme], problems: list[Problem]
) -> tuple[Exemplar, ...]:
    exemplars = []
    for position, entry in enumerate(_sequence(document, "exemplars")):
        key = str(entry["scheme"]), str(entry["variant"])
        if key not in known:
            problems.append(_unknown_scheme(document, ("exemplars", position), key, known))
        exemplars.append(
            Exemplar(key, str(entry["verdict"]), cast(int, entry.get("distractors", 0)))
        )
    return tuple(exemplars)


def _unknown_scheme(
    document: Document,
    place: tuple[str | int, ...],
    key: tuple[str, str],
    known: Mapping[tuple[str, str], Scheme],
) -> Problem:
    variants = [variant for name, variant in known if name == key[0]]
    if variants:
        hint = f'the variants of "{key[0]}" are: ' + ", ".join(f'"{name}"' for name in variants)
    else:
        names = dict.fromkeys(name for name, _ in known)
        hint = "the schemes are: " + ", ".join(f'"{name}"' for name in names)
    return document.problem(place, f'no scheme "{key[0]}" with variant "{key[1]}"', hint)


def _read_ontology(spec: Spec, problems: list[Problem]) -> OntologyPlan:
    section = _mapping(spec.document, "ontology")
    format = FORMATS[str(section["format"])]
    places = {}
    for role in format.query_fields:
        at = spec.document.problem(("ontology", role), "")
        places[role] = f"{at.file}:{at.line}:{at.column}"
    plan = OntologyPlan(format, section, places)
    for place, name in plan.format.sources(section):
        if name not in spec.sources:
            problems.append(
                spec.document.problem(
                    ("ontology", *place),
                    f'no source is called "{name}"',
                    "the sources are: " + ", ".join(f'"{known}"' for known in spec.sources),
                )
            )
    return plan
