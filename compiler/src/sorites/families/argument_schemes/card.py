"""What the card of a release says of its arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pyarrow as pa

from sorites.families.argument_schemes.audit import diversity
from sorites.families.argument_schemes.making.schemes import SchemeItems
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.search.world import World
from sorites.families.argument_schemes.shortcuts import READERS, Shortcuts, stratum
from sorites.families.argument_schemes.splits import leakage
from sorites.families.argument_schemes.splits_plan import Disjoint
from sorites.release.audit.shortcuts.measure import OVERALL
from sorites.release.describe.markdown import escape, table

__all__ = [
    "PROVED",
    "REJECTED",
    "hierarchy_table",
    "made",
    "scheme_table",
    "shortcut_section",
    "split_section",
]

_MADE = {
    "matched": """\
For each argument scheme the compiler searches the ontology for classes (and an individual) under
which every premise is true and none trivially so, and draws bindings so that no class dominates.
Each argument that holds is paired with one that does not, matched in everything but the
connection: premises of the same forms, the same form of conclusion after the same phrase, as many
names, those of the conclusion as often. In `items` all premises and both conclusions are true in
the ontology. {counterfactual}{denials}Premises stand
in a random order, the same in both of a pair. Every pair is shown with each number of distractors
up to the largest, the same ones in both: half have a form that the argument has and speak of one of
its names. A scheme whose premises may be turned round cannot be matched without a distractor, which
then brings the name that is missing; such schemes start at one distractor. Where two of a pair are
bound to different classes, those are taken under which their words differ as they would if a coin
had dealt the two. Where the ontology holds fewer bindings of a scheme than pairs were asked for,
all of them are found, and how often each is used, under which of the names that its sets of members
have, is the answer of an integer programme: the most frequent class stands in as few pairs as can
be. Such a pair does without a distractor only where the same classes can serve both of it.""",
    "denials": """\
The design of the original paper: for each argument scheme the compiler searches the ontology for
classes (and an individual) under which every premise is true and none trivially so. Each argument
that holds is paired with its own denial: the same premises, the same conclusion, and the opposite
phrase before it. **The form of the conclusion with the phrase before it gives every label away**,
and no argument need be read: see the table of shortcuts.""",
}

_COUNTERFACTUAL = """\
In `counterfactual` some premise of each is false, and the conclusion is as often true
as not. """

_DENIALS = """\
`denials` shows arguments that hold beside the same with the opposite phrase. """

PROVED = """\
For every row it was decided, exactly, that the verdict is what the column says, that the premises
are consistent, and, for an entailed conclusion, that the gold premises are the only minimal set
among all premises shown, distractors included. The decision is over types, the sets of classes to
which an individual can belong; Z3 decides where there are too many of them. Z3, independently, has
proved every argument without its distractors, each once up to the names in it, and about two
thousand with all their distractors (how many, is in `audit.json`); had the two disagreed once,
there would be no release. `sorites verify` proves it all again, in the same way, from the sentences
in the rows."""

REJECTED = """\
Distractors that would have settled an open conclusion or made a gold premise dispensable were drawn
again; how many, and whatever else was left out, is in `audit.json`."""


def made(plan: ArgumentPlan) -> str:
    """How items come to be, and those of the other configs that the spec asks for."""
    return _MADE[plan.negatives].format(
        counterfactual=_COUNTERFACTUAL if plan.counterfactual.arguments else "",
        denials=_DENIALS if plan.denials.arguments else "",
    )


def scheme_table(done: Sequence[SchemeItems], world: World) -> str:
    """Pairs, classes, conclusions and the largest share, by scheme."""
    rows = []
    for scheme in done:
        found = diversity(scheme, world)
        rows.append(
            [
                escape(scheme.scheme.name),
                escape(scheme.scheme.variant),
                str(found["pairs"]),
                str(found["bindings"]),
                str(found["distinct_classes"]),
                str(found["distinct_conclusions"]),
                f"{found['largest_share_of_a_class']:.1%}",
                f"{found['largest_share_among_the_others']:.1%}",
            ]
        )
    return table(
        [
            "Scheme",
            "Variant",
            "Pairs",
            "Bindings",
            "Classes",
            "Conclusions",
            "Most frequent class",
            "The same where nothing follows",
        ],
        rows,
    )


def hierarchy_table(world: World) -> str:
    """Classes and members at each level of the hierarchy, the root being 0."""
    levels = world.ontology.levels()
    classes: Counter[int] = Counter()
    members: dict[int, set[str]] = {}
    for entry in world.ontology.classes:
        level = levels[entry.id]
        classes[level] += 1
        members.setdefault(level, set()).update(entry.members)
    rows = [
        [str(level), str(classes[level]), str(len(members[level]))] for level in sorted(classes)
    ]
    return table(["Level", "Classes", "Members"], rows)


def split_section(plan: ArgumentPlan, items: Mapping[str, pa.Table]) -> str:
    """What the splits of the items have in common, and what they have not."""
    kinds = {
        Disjoint.ARGUMENT: "no argument is in two of them",
        Disjoint.CLASS: "no class is spoken of in two of them, nor is a domain of two",
        Disjoint.INDIVIDUAL: "no individual is named in two of them, and no argument is in two",
    }
    rows = [
        [escape(f"{found['splits'][0]} and {found['splits'][1]}")]
        + [f"{found[kind]:,}" for kind in ("arguments", "classes", "individuals", "premises")]
        for found in cast("list[dict[str, Any]]", leakage(items))
    ]
    return (
        f"The splits of `items` are disjoint by {plan.splits.disjoint}:"
        f" {kinds[plan.splits.disjoint]}, distractors included. What each two have in common:\n\n"
        + table(["Splits", "Arguments", "Classes", "Individuals", "Sentences of premises"], rows)
    )


def shortcut_section(plan: ArgumentPlan, shortcuts: Mapping[str, Shortcuts]) -> str:
    """How often readers of a part of an item are right, by config."""
    parts = [
        "Readers that see only a part of an item, cross-validated in five folds that keep pairs"
        " together (real names; 50 % is chance, save for premise selection). A compile fails where"
        f" one is right in more than {plan.shortcuts.bound:.0%}, overall or within a scheme, by"
        " more than chance (exact binomial tests over pairs, Holm, 0.01)."
        if plan.negatives == "matched"
        else "What gives labels away in this design: readers that see only a part of an item."
    ]
    for key, (bound, reason) in plan.shortcuts.own().items():
        parts.append(f"The bound of {escape(stratum(*key))} is {bound:.0%}: {escape(reason)}")
    for config, read in shortcuts.items():
        if read.figures:
            of = "" if read.share == 1 else f", {read.share:.1%} of its arguments, drawn by hash"
            parts += [f"`{config}`{of}:", _shortcut_table(read)]
    return "\n\n".join(parts)


def _shortcut_table(shortcuts: Shortcuts) -> str:
    rows = []
    for reader, meaning in READERS.items():
        figures = [figure for figure in shortcuts.figures if figure.reader == reader]
        overall = [figure.accuracy for figure in figures if figure.stratum == OVERALL]
        schemes = [figure for figure in figures if figure.stratum != OVERALL]
        if not overall or not schemes:
            continue
        worst = max(schemes, key=lambda figure: figure.accuracy)
        rows.append(
            [
                escape(meaning),
                f"{min(overall):.1%}–{max(overall):.1%}",
                f"{worst.accuracy:.1%} ({escape(worst.stratum)})",
            ]
        )
    return table(["What the reader sees", "Right overall, by level", "Worst scheme"], rows)
