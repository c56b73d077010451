"""What the card of a release says of its arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from sorites.families.argument_schemes.audit import diversity
from sorites.families.argument_schemes.making.fallacies import KINDS
from sorites.families.argument_schemes.making.schemes import SchemeItems
from sorites.families.argument_schemes.search.world import World
from sorites.release.describe.markdown import escape, table

__all__ = ["MADE", "PROVED", "REJECTED", "hierarchy_table", "kinds_table", "scheme_table"]

MADE = """\
For each argument scheme the compiler searches the ontology for classes (and an individual) under
which every premise is true and none trivially so, and draws bindings so that no class
dominates. Each binding gives a pair of arguments. One holds. The other ends in the same words and
does not: either the same premises with the opposite phrase before the conclusion (contradicted), or
other true premises from which the conclusion does not follow (undetermined), made by one of the
fallacies in the table of negatives. Premises stand in a random order. Every argument is shown with
each number of distractors up to the largest: true premises of other arguments, half of which speak
of something that this one speaks of."""

PROVED = """\
Z3 has proved for every row: that the verdict is what the column says, that the premises are
consistent, and, for an entailed conclusion, that the gold premises are the only minimal set among
all premises shown, distractors included. `sorites verify` proves it all again from the formulas in
the rows."""

REJECTED = """\
Sets of distractors that would have settled an open conclusion or made a gold premise dispensable
were drawn again; how many, and whatever else was left out, is in `audit.json`."""


def scheme_table(done: Sequence[SchemeItems], world: World) -> str:
    """Pairs, classes, conclusions and the largest share, by scheme."""
    rows = []
    for scheme in done:
        found = diversity(scheme, world)
        rows.append(
            [
                escape(scheme.scheme.name),
                escape(scheme.scheme.variant),
                str(len(scheme.pairs)),
                str(found["distinct_classes"]),
                str(found["distinct_conclusions"]),
                f"{found['largest_share_of_a_class']:.1%}",
            ]
        )
    return table(
        ["Scheme", "Variant", "Bindings", "Classes", "Conclusions", "Most frequent class"], rows
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


def kinds_table(items: pa.Table) -> str:
    """How many items are of each kind of negative, and what the kind is."""
    counts = Counter(items["negative"].to_pylist())
    rows = [
        [kind, str(counts[kind]), meaning] for kind, meaning in KINDS.items() if counts[kind] > 0
    ]
    return table(["Negative", "Items", "What it is"], rows)
