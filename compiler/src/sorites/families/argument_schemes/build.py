"""From a valid spec and its ontology to the content of the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.errors import SoritesError
from sorites.families.argument_schemes import card
from sorites.families.argument_schemes.audit import audit, said
from sorites.families.argument_schemes.making.arguments import SchemeArguments, together
from sorites.families.argument_schemes.making.items import COLUMNS
from sorites.families.argument_schemes.making.schemes import (
    Arguments,
    SchemeItems,
    build_items,
)
from sorites.families.argument_schemes.making.workshop import NO_DISTRACTORS
from sorites.families.argument_schemes.plan import ArgumentPlan, read_plan
from sorites.families.argument_schemes.search.memory import refuse_too_large
from sorites.families.argument_schemes.search.world import World, build_world
from sorites.families.argument_schemes.shortcuts import Shortcuts, read_shortcuts
from sorites.families.argument_schemes.sizes import refuse_small_disk
from sorites.families.argument_schemes.splits import (
    leakage,
    plan_of,
    promise_faults,
    world_of,
)
from sorites.families.argument_schemes.splits_plan import TEST, Disjoint
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
    scheme at all, or needs more memory than there is.
    """
    plan, _ = read_plan(spec)
    if scratch is not None:
        refuse_small_disk(plan, scratch.parent)
    world = build_world(plan.ontology.read(files))
    refuse_too_large(world, local=bool(plan.local_domains), workers=engine.processes_here)
    made = _build_splits(plan, world, engine, progress, scratch)
    test = made[TEST]
    done = test.schemes
    for name, arguments in made.items():
        if arguments.tables["items"].num_rows == 0:
            raise _without_items(plan_of(plan, name), arguments, name)
    items = {name: arguments.tables["items"] for name, arguments in made.items()}
    if broken := [*promise_faults(plan.splits.disjoint, items)]:
        raise SoritesError("\n".join(broken))
    tables = {config: test.tables[config] for config in _CONFIGS}
    shortcuts = {_config(name): read_shortcuts(plan, table) for name, table in items.items()}
    if tables["counterfactual"].num_rows:
        shortcuts["counterfactual"] = read_shortcuts(plan, tables["counterfactual"])
    refuse_shortcuts(plan, shortcuts)
    splits = [
        *(Split("items", name, _ITEMS[name], COLUMNS, table) for name, table in items.items()),
        *(
            Split(config, TEST, _CONFIGS[config], COLUMNS, table)
            for config, table in tables.items()
            if table.num_rows
        ),
    ]
    exemplars = test.tables["exemplars"]
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
    audited = audit(plan, world, done, shortcuts)
    if len(items) > 1:
        audited["splits"] = {
            "disjoint": plan.splits.disjoint.value,
            "rows": {name: table.num_rows for name, table in items.items()},
            "in_common": leakage(items),
        }
    return Content(
        splits=tuple(splits),
        audit=audited,
        counts=_counts(items[TEST]),
        shortfalls=(
            *(
                short
                for name, arguments in made.items()
                for short in _shortfalls(plan_of(plan, name), arguments.schemes, name)
            ),
            *_missing_exemplars(plan, exemplars.num_rows),
        ),
        sections=(
            CardSection("Classes and members by level", card.hierarchy_table(world)),
            CardSection("Schemes", card.scheme_table(done, world)),
            *_split_section(plan, items),
            CardSection("Shortcuts", card.shortcut_section(plan, shortcuts)),
            CardSection("Templates and what they say", templates_table(plan.words)),
        ),
        made=card.made(plan),
        proofs=card.PROVED,
        rejected=card.REJECTED,
    )


def _build_splits(
    plan: ArgumentPlan, world: World, engine: Engine, progress: Progress, scratch: Path | None
) -> dict[str, Arguments]:
    """What each split is made of, in their order in a release; the test is made first."""
    made: dict[str, Arguments] = {}
    taken: Sequence[SchemeArguments] = ()
    for name in reversed(plan.splits.names):
        made[name] = build_items(
            plan_of(plan, name),
            world_of(world, plan, name),
            engine=engine,
            progress=progress,
            scratch=None if scratch is None else scratch / name,
            split=name,
            # Where each has its own classes no argument can be in two of them.
            before=() if plan.splits.disjoint is Disjoint.CLASS else taken,
        )
        taken = together(taken, made[name].made)
    return {name: made[name] for name in plan.splits.names}


def _without_items(plan: ArgumentPlan, made: Arguments, name: str) -> SoritesError:
    split = "" if name == TEST else f"the split {name}: "
    if any(scheme.rejected[NO_DISTRACTORS] for scheme in made.schemes):
        return SoritesError(
            f"{split}no {plan.distractors} distractors were found for any argument: ask for fewer "
            "of them (items.distractors), or for more arguments, whose premises they are"
        )
    return SoritesError(
        f"{split}the ontology has no binding for any scheme: the classes are too few or too alike;"
        " see which premises it must make true in the spec's schemes"
    )


def _config(split: str) -> str:
    """The items of a split, as the audit calls them."""
    return "items" if split == TEST else f"items, {split}"


def _split_section(plan: ArgumentPlan, items: Mapping[str, pa.Table]) -> tuple[CardSection, ...]:
    if len(items) < 2:
        return ()
    return (CardSection("Splits", card.split_section(plan, items)),)


def split_names(spec: Spec) -> list[SplitName]:
    """The splits that a spec without problems asks for."""
    plan, _ = read_plan(spec)
    asked = {"denials": plan.denials, "counterfactual": plan.counterfactual}
    names = [("items", name) for name in plan.splits.names]
    names += [(config, TEST) for config in _CONFIGS if asked[config].arguments]
    return [*names, ("exemplars", "train")] if plan.exemplars else names


_ITEMS = {
    "train": "Arguments to learn from.",
    "validation": "Arguments to choose by, while learning.",
    TEST: "Arguments to judge.",
}

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


def _shortfalls(plan: ArgumentPlan, done: Sequence[SchemeItems], split: str) -> Iterator[str]:
    for scheme in done:
        name = f"{scheme.scheme.name}, {scheme.scheme.variant}"
        name += "" if split == TEST else f" ({split})"
        left_out = scheme.rejected[NO_DISTRACTORS]
        found = len(scheme.pairs) + left_out
        if found < plan.arguments:
            yield f"{name}: {_of_few(scheme, found, plan.arguments)}"
        if left_out:
            yield (
                f"{name}: {left_out} of {found} pairs are left out, for no {plan.distractors}"
                " distractors were found for them"
            )


def _missing_exemplars(plan: ArgumentPlan, found: int) -> Iterator[str]:
    if found < len(plan.exemplars):
        yield f"{found} worked examples of the {len(plan.exemplars)} asked for"


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
