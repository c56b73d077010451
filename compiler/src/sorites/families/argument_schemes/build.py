"""From a valid spec and its ontology to the content of the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.errors import SoritesError
from sorites.families.argument_schemes import card
from sorites.families.argument_schemes.audit import audit, said
from sorites.families.argument_schemes.making.items import COLUMNS
from sorites.families.argument_schemes.making.schemes import SchemeItems, build_items
from sorites.families.argument_schemes.making.workshop import NO_DISTRACTORS
from sorites.families.argument_schemes.plan import ArgumentPlan, read_plan
from sorites.families.argument_schemes.search.world import build_world
from sorites.families.argument_schemes.shortcuts import Shortcuts, read_shortcuts
from sorites.families.argument_schemes.sizes import refuse_small_disk
from sorites.families.argument_schemes.trust import templates_table
from sorites.progress import Progress
from sorites.release.content import CardSection, Content, Split, SplitName
from sorites.specfile.model import Spec

__all__ = ["build", "refuse_shortcuts", "split_names"]


def build(
    spec: Spec,
    files: Mapping[str, Path],
    *,
    engine: Engine,
    progress: Progress,
    scratch: Path | None = None,
) -> Content:
    """Items and worked examples for all schemes of a spec that ``check`` finds no fault in.

    What an earlier run has left in the folder ``scratch`` is not made again.

    Raises SourceError for an ontology that cannot be read and SoritesError where it fills no
    scheme at all.
    """
    plan, _ = read_plan(spec)
    if scratch is not None:
        refuse_small_disk(plan, scratch.parent)
    world = build_world(plan.ontology.read(files))
    made = build_items(plan, world, engine=engine, progress=progress, scratch=scratch)
    done, items = made.schemes, made.tables["items"]
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
    exemplars = made.tables["exemplars"]
    tables = {config: made.tables[config] for config in _CONFIGS}
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


def _shortfalls(plan: ArgumentPlan, done: Sequence[SchemeItems], exemplars: int) -> tuple[str, ...]:
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
