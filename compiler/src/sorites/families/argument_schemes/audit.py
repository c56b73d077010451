"""What the compile found out about its own items, for audit.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pyarrow.compute as pc

from sorites.canonical import Json
from sorites.families.argument_schemes.making.arguments import Argument
from sorites.families.argument_schemes.making.schemes import SchemeItems
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.search.matching import symmetries
from sorites.families.argument_schemes.search.sampling import Identity
from sorites.families.argument_schemes.search.world import World
from sorites.families.argument_schemes.shortcuts import READERS, Shortcuts, stratum
from sorites.release.audit.shortcuts.measure import OVERALL, Finding

__all__ = ["audit", "diversity", "said", "shortcut_figures"]


def audit(
    plan: ArgumentPlan,
    world: World,
    done: Sequence[SchemeItems],
    shortcuts: Mapping[str, Shortcuts],
) -> dict[str, Json]:
    """Proofs, rejections, diversity by scheme, and what readers of a part of an item make of it."""
    rejected: Counter[str] = Counter()
    for scheme in done:
        rejected.update(scheme.rejected)
    return {
        "ontology": {
            "classes": len(world.ontology.classes),
            "individuals": len(world.individuals),
            "distinct_member_sets": len(set(world.members)),
            "empty_classes_left_out": len(world.ontology.empty),
            "left_out": {
                why: {"count": len(names), "names": list(names)}
                for why, names in sorted(world.ontology.left_out.items())
            },
        },
        "proof": {
            "existential_import": plan.existential_import,
            "resource_limit": plan.resource_limit,
            "questions_put_to_the_prover": sum(scheme.checks for scheme in done),
            "arguments_proved_with_all_their_distractors": sum(scheme.whole for scheme in done),
            "questions_answered_before_up_to_renaming": sum(scheme.repeated for scheme in done),
        },
        "rejected": dict(sorted(rejected.items())),
        "shortcuts": {config: shortcut_figures(plan, found) for config, found in shortcuts.items()},
        "schemes": {_name(scheme): diversity(scheme, world) for scheme in done},
    }


def _name(scheme: SchemeItems) -> str:
    return stratum(*scheme.scheme.key)


def diversity(scheme: SchemeItems, world: World) -> dict[str, Json]:
    """Pairs, bindings, classes and conclusions of a scheme, and the largest share of one class.

    Bindings are told apart by sets of members, up to the symmetries of the formulas. A share
    counts pairs, not rows, and leaves out distractors and domains; that of the arguments that hold
    stands apart from that of the others.
    """
    holds = [_own(pair.entailed) for pair in scheme.pairs]
    others = [_own(pair.other) for pair in scheme.pairs]
    uses = Counter(index for classes in holds for index in classes)
    domains = {pair.entailed.binding.domain for pair in scheme.pairs} - {None}
    often = min(uses, key=lambda index: (-uses[index], index), default=None)
    kinds: Mapping[str, int] = Counter(pair.other.negative or "" for pair in scheme.pairs)
    return {
        "pairs": len(scheme.pairs),
        "bindings": _bindings(scheme, world),
        "distinct_classes": len(uses),
        "distinct_conclusions": pc.count_distinct(scheme.items["conclusion"]).as_py(),
        "most_frequent_class": None if often is None else world.ontology.classes[often].name,
        "largest_share_of_a_class": _largest_share(holds),
        "largest_share_among_the_others": _largest_share(others),
        "domains": len(domains),
        **_scarcity(scheme),
        "negatives": dict(sorted(kinds.items())),
        "of_the_same_classes": sum(
            pair.entailed.binding == pair.other.binding for pair in scheme.pairs
        ),
    }


def _bindings(scheme: SchemeItems, world: World) -> int:
    """How many bindings there are among the arguments that hold."""
    premises, conclusion = scheme.scheme.premises, scheme.scheme.conclusion
    symbols = [premise.symbols for premise in premises]
    names = {name for found in symbols for name in (*found.predicates, *found.individuals)}
    identity = Identity(world, symmetries(premises, conclusion), frozenset(names))
    return len({identity.key(pair.entailed.binding) for pair in scheme.pairs})


def _scarcity(scheme: SchemeItems) -> dict[str, Json]:
    """What going through all bindings has shown where there are fewer than asked for."""
    found = scheme.scarcity
    if found is None:
        return {}
    return {
        "bindings_that_there_are": found.bindings,
        "most_of_them_in_one_domain": found.in_domain,
        "least_largest_share": (
            None if found.least is None else round(found.least / found.bindings, 4)
        ),
    }


def _own(argument: Argument) -> frozenset[int]:
    """The classes that an argument's own premises speak of."""
    names = {name for premise in argument.premises for name in premise.symbols.predicates}
    return frozenset(argument.binding.classes[name] for name in names)


def _largest_share(arguments: Sequence[frozenset[int]]) -> float:
    uses = Counter(index for classes in arguments for index in classes)
    return round(max(uses.values(), default=0) / max(len(arguments), 1), 4)


def shortcut_figures(plan: ArgumentPlan, shortcuts: Shortcuts) -> dict[str, Json]:
    """For each reader its accuracy at each level, overall and by scheme."""
    told: dict[str, dict[str, dict[str, Json]]] = {}
    for figure in shortcuts.figures:
        name = figure.stratum if figure.stratum != OVERALL else "overall"
        of_reader = told.setdefault(figure.reader, {})
        of_reader.setdefault(name, {})[str(figure.level)] = round(figure.accuracy, 4)
    readers: dict[str, Json] = {}
    for reader, of_stratum in told.items():
        overall = of_stratum.pop("overall")
        readers[reader] = {
            "what": READERS[reader],
            "overall": overall,
            "by_scheme": of_stratum,
        }
    return {
        "what": "accuracy of readers that see only a part of an item, cross-validated over pairs,"
        " by number of distractors",
        **({} if shortcuts.share == 1 else {"share_of_the_arguments": round(shortcuts.share, 4)}),
        "bound": plan.shortcuts.bound,
        "bounds_of_schemes": {
            stratum(*key): {"bound": bound, "reason": reason}
            for key, (bound, reason) in plan.shortcuts.own().items()
        },
        "readers": readers,
        "beyond_their_bound": [said(finding) for finding in shortcuts.findings],
    }


def said(finding: Finding) -> str:
    """A figure that is beyond its bound, in words."""
    figure = finding.figure
    where = "all schemes" if figure.stratum == OVERALL else figure.stratum
    side = "above" if figure.accuracy > finding.bound else "below"
    bound = finding.bound if side == "above" else 1 - finding.bound
    return (
        f"{where}: the reader of {figure.reader} is right in {figure.accuracy:.1%} of the items"
        f" with {figure.level} distractors, {side} {bound:.0%}"
    )
