"""What an ontology holds, and how much of it each scheme of a spec can speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from sorites.errors import Problem, SoritesError
from sorites.families.argument_schemes.making.demands import Demands
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme, read_plan
from sorites.families.argument_schemes.search.counting import Count, count_bindings
from sorites.families.argument_schemes.search.matching import symmetries
from sorites.families.argument_schemes.search.sampling import Identity, Spaces
from sorites.families.argument_schemes.search.world import World, build_world
from sorites.families.argument_schemes.sizes import (
    BYTES_OF_A_RELEASE,
    BYTES_ON_THE_WAY,
    in_words,
    rows_at_most,
)
from sorites.families.description import Description, Table, examples
from sorites.logic.types import TypeProver
from sorites.seeds import random_for
from sorites.specfile.model import Spec

__all__ = ["describe"]

EMPTY = "classes without members"
SAME_NAME = "names that classes with other members share"


def describe(spec: Spec, files: Mapping[str, Path]) -> Description:
    """Classes, individuals, hierarchy and policies of the ontology; bindings of each scheme."""
    plan, _ = read_plan(spec)
    if any(name not in files for _, name in plan.ontology.format.sources(plan.ontology.section)):
        return Description()
    try:
        world = build_world(plan.ontology.read(files))
    except SoritesError as error:
        return Description(problems=(spec.document.problem(("ontology",), str(error)),))
    counts = _counts(plan, world, spec)
    tables = (
        _ontology(plan, world),
        _policies(world),
        _levels(world),
        _schemes(counts),
        _sizes(plan),
    )
    problems: tuple[Problem, ...] = ()
    if not any(count.bindings for count in counts.values()):
        message = "the ontology has no binding for any scheme: the classes are too few or too alike"
        problems = (spec.document.problem(("schemes",), message),)
    return Description(
        tuple(table for table in tables if table.rows),
        problems,
        () if problems else tuple(_shortfalls(plan, counts, spec)),
    )


def _counts(plan: ArgumentPlan, world: World, spec: Spec) -> dict[Scheme, Count]:
    spaces = Spaces(world, trivial=plan.trivial_premises)
    prover = TypeProver(
        existential_import=plan.existential_import, resource_limit=plan.resource_limit
    )
    counts = {}
    for scheme in plan.schemes:
        own = Demands(scheme, prover, trivial=plan.trivial_premises).own
        identity = Identity(
            world,
            symmetries(scheme.premises, scheme.conclusion),
            frozenset({*own.predicates, *own.individuals}),
        )
        counts[scheme] = count_bindings(
            spaces,
            identity,
            own,
            random_for(spec.seed, "count", *scheme.key),
            local=scheme.key in plan.local_domains,
        )
    return counts


def _ontology(plan: ArgumentPlan, world: World) -> Table:
    classes = world.ontology.classes
    return Table(
        "Ontology",
        ("", "Found"),
        (
            ("read as", plan.ontology.format.name),
            ("classes with members", len(classes)),
            ("of them, with a name that a sentence can use", len(world.usable)),
            ("distinct sets of members", len(set(world.members))),
            ("individuals", len(world.individuals)),
            ("subclass relations", sum(len(entry.parents) for entry in classes)),
            ("memberships, inherited ones too", sum(len(entry.members) for entry in classes)),
        ),
    )


def _policies(world: World) -> Table:
    left_out = {**world.ontology.left_out}
    if world.ontology.empty:
        left_out[EMPTY] = world.ontology.empty
    told = {name for names in left_out.values() for name in names}
    if ambiguous := tuple(name for name in world.ambiguous if name not in told):
        left_out[SAME_NAME] = ambiguous
    return Table(
        "Left out or passed over",
        ("What", "How many", "Such as"),
        tuple((why, len(names), examples(names)) for why, names in sorted(left_out.items())),
    )


def _levels(world: World) -> Table:
    levels = world.ontology.levels()
    classes: dict[int, int] = {}
    members: dict[int, set[str]] = {}
    for entry in world.ontology.classes:
        level = levels[entry.id]
        classes[level] = classes.get(level, 0) + 1
        members.setdefault(level, set()).update(entry.members)
    rows = tuple((str(level), classes[level], len(members[level])) for level in sorted(classes))
    return Table("Levels of the hierarchy", ("Level", "Classes", "Members"), rows)


def _schemes(counts: Mapping[Scheme, Count]) -> Table:
    return Table(
        "Schemes",
        ("Scheme", "Variant", "Bindings"),
        tuple((scheme.name, scheme.variant, str(count)) for scheme, count in counts.items()),
    )


def _sizes(plan: ArgumentPlan) -> Table:
    rows = sum(rows_at_most(plan).values())
    return Table(
        "What a compile takes, at most",
        ("", ""),
        (
            ("rows", rows),
            ("disk while it lasts (in the cache)", in_words(rows * BYTES_ON_THE_WAY)),
            ("disk for the release", in_words(rows * BYTES_OF_A_RELEASE)),
        ),
    )


def _shortfalls(
    plan: ArgumentPlan, counts: Mapping[Scheme, Count], spec: Spec
) -> Iterator[Problem]:
    for scheme, count in counts.items():
        if count.complete and count.bindings < plan.arguments:
            yield spec.document.problem(
                ("schemes", scheme.position),
                f"the ontology has {count.bindings:,} bindings over distinct sets of members for "
                f"{scheme.name}, {scheme.variant}; {plan.arguments:,} pairs are asked for",
            )
