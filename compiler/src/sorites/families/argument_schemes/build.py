"""Argument schemes: valid arguments and tempting fallacies over the classes of an ontology.

After SylloBio-NLI (Wysocka et al., 2025, sections 2 and 3 and appendices A to G), with every
label proved and the faults of the published generator mended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from sorites.canonical import Json
from sorites.errors import Problem, SoritesError
from sorites.families.argument_schemes.audit import (
    audit,
    hierarchy_table,
    kinds_table,
    scheme_table,
)
from sorites.families.argument_schemes.check import soundness_problems
from sorites.families.argument_schemes.making.items import COLUMNS
from sorites.families.argument_schemes.making.schemes import (
    NO_DISTRACTORS,
    SchemeItems,
    build_items,
)
from sorites.families.argument_schemes.plan import ArgumentPlan, OntologyPlan, read_plan
from sorites.families.argument_schemes.reprove import reprove_rows
from sorites.families.argument_schemes.search.world import build_world
from sorites.progress import Progress
from sorites.release.content import CardSection, Content, Split
from sorites.sources.ontologies.gene_sets import read_reactome
from sorites.sources.ontologies.ontology import Ontology
from sorites.sources.ontologies.rdf import read_rdf
from sorites.sources.ontologies.sparql import query_fault
from sorites.specfile.model import Spec

__all__ = ["build", "check", "reprove"]


def check(spec: Spec) -> list[Problem]:
    """Every problem of the schemes, templates, queries and names of a spec; needs no sources."""
    plan, problems = read_plan(spec)
    for role, query in plan.ontology.queries.items():
        if fault := query_fault(role, query):
            problems.append(
                spec.document.problem(
                    ("ontology", role), fault, "see the SPARQL 1.1 query language"
                )
            )
    return [*problems, *soundness_problems(plan, spec.document)]


def build(spec: Spec, files: Mapping[str, Path], *, workers: int, progress: Progress) -> Content:
    """Items and worked examples for all schemes of a spec that ``check`` finds no fault in.

    Raises SourceError for an ontology that cannot be read and SoritesError where it fills no
    scheme at all.
    """
    plan, _ = read_plan(spec)
    world = build_world(read_ontology(plan.ontology, files))
    done = build_items(plan, world, workers=workers, progress=progress)
    items = pa.concat_tables([scheme.items for scheme in done])
    if items.num_rows == 0:
        if any(scheme.rejected[NO_DISTRACTORS] for scheme in done):
            raise SoritesError(
                f"no {plan.distractors} distractors were found for any argument: ask for fewer of"
                " them (items.distractors), or for more arguments, whose premises they are"
            )
        raise SoritesError(
            "the ontology has no binding for any scheme: the classes are too few or too alike;"
            " see which premises it must make true in the spec's schemes"
        )
    exemplars = pa.concat_tables([scheme.exemplars for scheme in done])
    splits = [
        Split("items", "test", "Arguments to judge.", COLUMNS, items),
    ]
    if exemplars.num_rows:
        splits.append(
            Split(
                "exemplars",
                "train",
                "Worked examples for prompts; their bindings are in no item.",
                COLUMNS,
                exemplars,
            )
        )
    return Content(
        splits=tuple(splits),
        audit=audit(plan, world, done),
        counts=_counts(items),
        shortfalls=_shortfalls(plan, done, exemplars.num_rows),
        sections=(
            CardSection("Classes and members by level", hierarchy_table(world)),
            CardSection("Schemes", scheme_table(done, world)),
            CardSection("Negatives", kinds_table(items)),
        ),
        made=_MADE,
        proofs=_PROVED,
        rejected=_REJECTED,
    )


def reprove(tables: Mapping[tuple[str, str], pa.Table], document: Mapping[str, Json]) -> list[str]:
    """What is wrong with a release's labels, proved again row by row; [] if nothing."""
    return reprove_rows(tables, document)


def read_ontology(plan: OntologyPlan, files: Mapping[str, Path]) -> Ontology:
    """The ontology of a spec, from its verified files."""
    if plan.hierarchy_file is not None:
        return read_reactome(
            files[plan.files[0]],
            files[plan.hierarchy_file],
            branch=plan.branch,
            drop_empty=plan.drop_empty,
        )
    return read_rdf(
        [files[name] for name in plan.files],
        classes=plan.queries["classes"],
        hierarchy=plan.queries["hierarchy"],
        members=plan.queries["members"],
        syntax=plan.syntax,
        branch=plan.branch,
        drop_empty=plan.drop_empty,
    )


def _counts(items: pa.Table) -> dict[str, Json]:
    return {
        column: dict(sorted(Counter(map(str, items[column].to_pylist())).items()))
        for column in ("label", "verdict", "names", "distractors", "scheme")
    }


def _shortfalls(plan: ArgumentPlan, done: list[SchemeItems], exemplars: int) -> tuple[str, ...]:
    short = []
    for scheme in done:
        name = f"{scheme.scheme.name}, {scheme.scheme.variant}"
        left_out = scheme.rejected[NO_DISTRACTORS]
        found = len(scheme.pairs) + left_out
        if found < plan.arguments:
            short.append(
                f"{name}: {found} bindings of the {plan.arguments} asked for are all that were"
                " found"
            )
        if left_out:
            short.append(
                f"{name}: {left_out} of {found} bindings are left out, for no {plan.distractors}"
                " distractors were found for them"
            )
    if exemplars < len(plan.exemplars):
        short.append(f"{exemplars} worked examples of the {len(plan.exemplars)} asked for")
    return tuple(short)


_MADE = """\
For each argument scheme the compiler searches the ontology for classes (and an individual) under
which every premise is true and none trivially so, and draws bindings so that no class
dominates. Each binding gives a pair of arguments. One holds. The other ends in the same words and
does not: either the same premises with the opposite phrase before the conclusion (contradicted), or
other true premises from which the conclusion does not follow (undetermined), made by one of the
fallacies in the table of negatives. Premises stand in a random order. Every argument is shown with
each number of distractors up to the largest: true premises of other arguments, half of which speak
of something that this one speaks of."""

_PROVED = """\
Z3 has proved for every row: that the verdict is what the column says, that the premises are
consistent, and, for an entailed conclusion, that the gold premises are the only minimal set among
all premises shown, distractors included. `sorites verify` proves it all again from the formulas in
the rows."""

_REJECTED = """\
Sets of distractors that would have settled an open conclusion or made a gold premise dispensable
were drawn again; how many, and whatever else was left out, is in `audit.json`."""
