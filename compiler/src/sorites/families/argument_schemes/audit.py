"""What the compile found out about its own items, for audit.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sorites.canonical import Json
from sorites.families.argument_schemes.making.schemes import SchemeItems
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.search.world import World
from sorites.release.audit.bag_of_words import bag_of_words_accuracy

__all__ = ["audit", "diversity"]


def audit(plan: ArgumentPlan, world: World, done: Sequence[SchemeItems]) -> dict[str, Json]:
    """Proofs, rejections, diversity by scheme, and how far the conclusion alone gives the label."""
    rejected: Counter[str] = Counter()
    for scheme in done:
        rejected.update(scheme.rejected)
    everything = pa.concat_tables([scheme.items for scheme in done])
    return {
        "ontology": {
            "classes": len(world.ontology.classes),
            "individuals": len(world.individuals),
            "distinct_member_sets": len(set(world.members)),
            "empty_classes_left_out": len(world.ontology.empty),
            "classes_left_out_for_a_shared_name": list(world.ambiguous),
        },
        "proof": {
            "existential_import": plan.existential_import,
            "resource_limit": plan.resource_limit,
            "questions_put_to_the_prover": sum(scheme.checks for scheme in done),
            "questions_answered_before_up_to_renaming": sum(scheme.repeated for scheme in done),
        },
        "rejected": dict(sorted(rejected.items())),
        "conclusion_only": {
            "what": "accuracy of a bag-of-words classifier that sees nothing but the conclusion, "
            "in cross-validation that keeps the items of one binding together",
            "overall": _conclusion_only(everything),
            "by_scheme": {_name(scheme): _conclusion_only(scheme.items) for scheme in done},
        },
        "schemes": {_name(scheme): diversity(scheme, world) for scheme in done},
    }


def _name(scheme: SchemeItems) -> str:
    return f"{scheme.scheme.name}, {scheme.scheme.variant}"


def _conclusion_only(items: pa.Table) -> float | None:
    """Over the shortest form of each argument with real names: the others repeat it.

    None for fewer than two bindings, over which nothing can be cross-validated.
    """
    mask = pc.and_(pc.equal(items["distractors"], 0), pc.equal(items["names"], "real"))
    shown = items.filter(mask)
    if len(shown["argument"].unique()) < 2:
        return None
    return bag_of_words_accuracy(
        shown["conclusion"].to_pylist(),
        [str(label) for label in shown["label"].to_pylist()],
        shown["argument"].to_pylist(),
    )


def diversity(scheme: SchemeItems, world: World) -> dict[str, Json]:
    """Bindings, classes and conclusions of a scheme, and the largest share of one class."""
    uses: Counter[int] = Counter()
    domains: set[int | None] = set()
    for pair in scheme.pairs:
        uses.update(pair.entailed.binding.classes.values())
        domains.add(pair.entailed.binding.domain)
    conclusions = set(scheme.items["conclusion"].to_pylist())
    most = uses.most_common(1)
    kinds: Mapping[str, int] = Counter(pair.other.negative or "" for pair in scheme.pairs)
    return {
        "bindings": len(scheme.pairs),
        "distinct_classes": len(uses),
        "distinct_conclusions": len(conclusions),
        "most_frequent_class": world.ontology.classes[most[0][0]].name if most else None,
        "largest_share_of_a_class": round(most[0][1] / len(scheme.pairs), 4) if most else 0.0,
        "domains": len(domains - {None}),
        "negatives": dict(sorted(kinds.items())),
    }
