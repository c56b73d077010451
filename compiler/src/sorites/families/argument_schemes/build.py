"""From a valid spec and its ontology to the content of the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from sorites.canonical import Json
from sorites.errors import SoritesError
from sorites.families.argument_schemes import card
from sorites.families.argument_schemes.audit import audit, said
from sorites.families.argument_schemes.making.items import COLUMNS
from sorites.families.argument_schemes.making.schemes import (
    NO_DISTRACTORS,
    SchemeItems,
    build_items,
)
from sorites.families.argument_schemes.plan import ArgumentPlan, read_plan
from sorites.families.argument_schemes.read_rows import RowReader
from sorites.families.argument_schemes.reprove import ROWS_AT_ONCE
from sorites.families.argument_schemes.search.memory import refuse_too_large
from sorites.families.argument_schemes.search.world import build_world
from sorites.families.argument_schemes.shortcuts import Shortcuts, read_shortcuts
from sorites.families.argument_schemes.trust import templates_table
from sorites.logic.formulas import parse
from sorites.progress import Progress
from sorites.release.content import CardSection, Content, Split, SplitName
from sorites.specfile.model import Spec

__all__ = ["build", "refuse_shortcuts", "split_names"]


def build(spec: Spec, files: Mapping[str, Path], *, workers: int, progress: Progress) -> Content:
    """Items and worked examples for all schemes of a spec that ``check`` finds no fault in.

    Raises SourceError for an ontology that cannot be read and SoritesError where it fills no
    scheme at all, or needs more memory than there is.
    """
    plan, _ = read_plan(spec)
    world = build_world(plan.ontology.read(files))
    refuse_too_large(world, local=bool(plan.local_domains), workers=workers)
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
    tables = {
        "denials": pa.concat_tables([scheme.denials for scheme in done]),
        "counterfactual": pa.concat_tables([scheme.counterfactual for scheme in done]),
    }
    _refuse_unreadable(plan, [items, exemplars, *tables.values()])
    shortcuts = {"items": read_shortcuts(plan, items)}
    if tables["counterfactual"].num_rows:
        shortcuts["counterfactual"] = read_shortcuts(plan, tables["counterfactual"])
    refuse_shortcuts(plan, shortcuts)
    splits = [
        Split("items", "test", "Arguments to judge.", COLUMNS, items),
        *(
            Split(config, "test", _CONFIGS[config], COLUMNS, table)
            for config, table in tables.items()
            if table.num_rows
        ),
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
        audit=audit(plan, world, done, shortcuts),
        counts=_counts(items),
        shortfalls=_shortfalls(plan, done, exemplars.num_rows),
        sections=(
            CardSection("Classes and members by level", card.hierarchy_table(world)),
            CardSection("Schemes", card.scheme_table(done, world)),
            CardSection("Shortcuts", card.shortcut_section(plan, shortcuts)),
            CardSection("Templates and what they say", templates_table(plan.words)),
        ),
        made=card.made(plan),
        proofs=card.PROVED,
        rejected=card.REJECTED,
    )


def split_names(spec: Spec) -> list[SplitName]:
    """The splits that a spec without problems asks for."""
    plan, _ = read_plan(spec)
    asked = {"denials": plan.denials, "counterfactual": plan.counterfactual}
    names = [("items", "test")]
    names += [(config, "test") for config in _CONFIGS if asked[config].arguments]
    return [*names, ("exemplars", "train")] if plan.exemplars else names


def _refuse_unreadable(plan: ArgumentPlan, tables: Sequence[pa.Table]) -> None:
    """Raise SoritesError for names that make a sentence readable in two ways, or in none.

    Of the items of an argument those with the most distractors are read: they hold the sentences
    and the names of all others.
    """
    reader = RowReader(plan.words, plan.assumptions)
    columns = [
        "premises",
        "conclusion",
        "premise_formulas",
        "conclusion_formula",
        "bindings",
        "assumptions",
        "domain",
        "wording",
        "polarity",
    ]
    batches = (
        batch
        for table in tables
        for batch in _fullest(table).select(columns).to_batches(max_chunksize=ROWS_AT_ONCE)
    )
    for batch in batches:
        for row in batch.to_pylist():
            formulas = [*row["premise_formulas"], row["conclusion_formula"]]
            predicates = {name for text in formulas for name in parse(text).symbols.predicates}
            said = reader.read(row, predicates)
            if said.faults:
                raise SoritesError(
                    f"a sentence cannot be read back: {said.faults[0]}. Let the spec clean the"
                    " names or leave them out: ontology.class_names, ontology.individual_names"
                )


def _fullest(table: pa.Table) -> pa.Table:
    """The rows with the most distractors of each argument, under each kind of names."""
    keys = [*zip(*(table[name].to_pylist() for name in _ARGUMENT), strict=True)]
    levels = table["distractors"].to_pylist()
    most: dict[tuple[object, ...], int] = {}
    for key, level in zip(keys, levels, strict=True):
        most[key] = max(level, most.get(key, 0))
    fullest = [most[key] == level for key, level in zip(keys, levels, strict=True)]
    return table.filter(pa.array(fullest, type=pa.bool_()))


_ARGUMENT = ("argument", "verdict", "polarity", "names")
"""What items share that differ in nothing but the number of distractors."""

_CONFIGS = {
    "denials": "Arguments that hold, each beside the same with the opposite phrase.",
    "counterfactual": "Arguments with false premises, whose conclusions are as often true as not.",
}


def refuse_shortcuts(plan: ArgumentPlan, shortcuts: Mapping[str, Shortcuts]) -> None:
    """Raise SoritesError where a reader of a part of an item does better than its bound.

    The paper's own design is not held to it: its card says what gives the label away.
    """
    found = [
        f"{config}: {said(finding)}"
        for config, read in shortcuts.items()
        for finding in read.findings
    ]
    if found and plan.negatives == "matched":
        raise SoritesError(
            "the labels can be told without the argument:\n"
            + "\n".join(found)
            + "\nask for more arguments, or let the scheme declare another bound with its reason"
            " (items.shortcuts)"
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
            short.append(f"{name}: {_of_few(scheme, found, plan.arguments)}")
        if left_out:
            short.append(
                f"{name}: {left_out} of {found} pairs are left out, for no {plan.distractors}"
                " distractors were found for them"
            )
    if exemplars < len(plan.exemplars):
        short.append(f"{exemplars} worked examples of the {len(plan.exemplars)} asked for")
    return tuple(short)


def _of_few(scheme: SchemeItems, found: int, asked: int) -> str:
    """Why a scheme has fewer pairs than asked for."""
    short = f"{found} pairs of the {asked} asked for"
    few = scheme.scarcity
    if few is None:
        return f"{short} are all that were found"
    there_are = f"{short}: the ontology holds {few.bindings} bindings over distinct sets of members"
    if few.least is None:
        return there_are
    return (
        f"{there_are}, {few.in_domain} of them in one domain. Whatever is chosen, some class stands"
        f" in {few.least} of {few.bindings} or more; here none stands in more, for some bindings"
        " are used under several names and others are not used"
    )
