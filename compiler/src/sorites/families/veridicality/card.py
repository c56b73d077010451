"""What the dataset card says of a release of this kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from sorites.canonical import Json
from sorites.families.veridicality.clauses.stacks import Construction
from sorites.families.veridicality.plan import AugmentationPlan, Plan
from sorites.logic.prover import Prover
from sorites.release.content import CardSection
from sorites.release.describe.markdown import bullets, code, table

__all__ = ["SPLITS", "made", "proofs", "rejected", "sections"]

SPLITS = {
    "train": "The parts f(s1) to s1 and s1 to s2, to train on.",
    "validation": "A share of the parts, to choose a model by.",
    "test": "The composites f(s1) to s2.",
    "random train": "Composites drawn at random, to train on.",
    "random validation": "Composites drawn at random, to choose a model by.",
    "random test": "The other composites.",
    "noise train": "The training parts, some labels of f(s1) to s1 flipped on purpose.",
    "noise validation": "The validation parts, some labels of f(s1) to s1 flipped on purpose.",
    "human composite": "Composites f(s1) to s2 that people have judged.",
    "human veridical": "Inferences f(s1) to s1 that people have judged.",
    "same pairs": "Composites of the test's pairs below some of its verbs, to be added to the "
    "training parts verb by verb; test on the other verbs.",
    "further pairs": "Composites of further pairs, to be added to the training parts verb by verb.",
}


def made(plan: Plan) -> str:
    """How the rows came about, in Markdown."""
    lines = [
        "An embedded pair is a premise s1 and a hypothesis s2. Put below a clause-embedding verb "
        "f, as in *Someone knew that …*, it gives two more inferences: f(s1) to s1, which holds "
        "if the verb vouches for its complement, and the composite f(s1) to s2, which is what "
        "follows from what f(s1) commits to: s1, its denial, or nothing. Below verbs that never "
        "deny their complement it holds if and only if both of its parts do.",
        f"There are {len(plan.verbs)} verbs, {len(plan.further_frames) + 1} main clauses and two "
        "tenses; the complement of a verb in the past is in the past too.",
    ]
    if plan.constructions != (Construction(),):
        lines.append(_around(plan))
    if plan.synthetic is not None:
        lines.append(
            f"Config `synthetic`: {plan.synthetic.pairs:,} sentences of a grammar with at most "
            f"{plan.synthetic.max_connectives} connectives, composed together with their formulas. "
            "The hypothesis is an atom of the formula or the negation of one. For each label, "
            "every shape of sentence that can bear it is used equally often."
        )
    if plan.control is not None:
        lines.append(
            f"Config `control`: {plan.control.pairs:,} sentences of the same grammar whose subject "
            "is one name, as infinitives below verbs that share the subject: *Ann managed to …*."
        )
    if plan.naturalistic is not None:
        lines.append(
            f"Config `naturalistic`: {plan.naturalistic.pairs:,} labelled pairs of a source, half "
            "of them entailments; neutral and contradictory pairs both count as `unk`, and the "
            "column `verdict` keeps them apart."
        )
        if plan.naturalistic.augmentation is not None:
            lines.append(_added(plan.naturalistic.augmentation, len(plan.verbs)))
    return "\n\n".join(lines)


def _added(plan: AugmentationPlan, verbs: int) -> str:
    """Which composites may be added to the training parts, in Markdown."""
    kinds = []
    if plan.same:
        kinds.append("of the same pairs as the test (`naturalistic-same-pairs`)")
    if plan.further:
        kinds.append(f"of {plan.further:,} further pairs (`naturalistic-further-pairs`)")
    held_out = verbs - len(plan.verbs)
    return (
        f"To be added to the training parts, verb by verb: composites {' and '.join(kinds)} below "
        f"{len(plan.verbs)} veridical verbs: {', '.join(plan.verbs)}. The other {held_out} verbs "
        "are left to test on. A model that learns from composites of the same pairs what becomes "
        "of these pairs below a veridical verb need not have learnt to compose; composites of "
        "further pairs show whether it has."
    )


def _around(plan: Plan) -> str:
    """The constructions of the release, in Markdown."""
    around = plan.constructions
    environments = ", ".join(dict.fromkeys(of.environment.value for of in around))
    deepest = max(of.depth for of in around)
    voices = "active and passive" if any(of.passive for of in around) else "active"
    verbs = "one verb" if deepest == 1 else f"up to {deepest} verbs"
    return (
        f"The same pairs stand in {len(around)} constructions: {voices} clauses with {verbs}, "
        f"whose main clause is {environments}. Half of the verbs in each vouch for their "
        "complement there. The polarity of each verb, and with it what the whole commits to, comes "
        "from the verbs and environments above it (Nairn, Condoravdi and Karttunen 2006); the "
        "columns `environment`, `polarity` and `depth` tell it."
    )


def proofs(plan: Plan, prover: Prover) -> str:
    """What was proved, in Markdown."""
    configs = [
        f"`{name}`"
        for name, part in (("synthetic", plan.synthetic), ("control", plan.control))
        if part is not None
    ]
    if not configs:
        return (
            "Nothing: the labels of the pairs are those of their source, those of the verbs follow "
            "from their signatures, and those of the composites from both."
        )
    return (
        f"In {' and '.join(configs)}, every label and every verdict: that the hypothesis follows "
        "from what the premise commits to, is ruled out by it, or neither "
        f"({prover.checks:,} arguments that differ in more than names put to Z3). Elsewhere the "
        "labels of the pairs are those of their source, and composites follow from them and from "
        "what the verbs commit to."
    )


def rejected(audit: Mapping[str, Json]) -> str:
    """What was left out and why, in Markdown."""
    reasons = cast("dict[str, int]", audit["rejected"])
    return bullets([f"{reason}: {number:,}" for reason, number in reasons.items()])


def sections(audit: Mapping[str, Json]) -> tuple[CardSection, ...]:
    """The four cells of the composites and, where people judged, how far they agree."""
    cells = cast("dict[str, dict[str, int]]", audit["cells"])
    heads = [*next(iter(cells.values()))] if cells else []
    found = [
        CardSection(
            "Labels of the parts and of the composites",
            "Each column is a label of f(s1) to s1 and one of s1 to s2; only the composites of "
            "the first are labelled `yes`.\n\n"
            + table(
                ["split", *heads],
                [[code(split), *(f"{of[h]:,}" for h in heads)] for split, of in cells.items()],
            ),
        )
    ]
    if "human" in audit:
        found.append(_human(cast("dict[str, Any]", audit["human"])))
    return tuple(found)


def _human(human: Mapping[str, Any]) -> CardSection:
    rows = [["all pairs", _share(human["agreement"])]]
    rows += [[f"part {part}", _share(value)] for part, value in human["by part"].items()]
    rows += [[f"composite {cell}", _share(v)] for cell, v in human["composites by cell"].items()]
    verbs = sorted(human["by verb"].items(), key=lambda item: item[1]["veridical"])
    lowest = ", ".join(f"{verb} ({_share(of['veridical'])})" for verb, of in verbs[:5])
    return CardSection(
        "Human judgements",
        f"The config `human` has {human['pairs']:,} pairs that people rated. The share whose "
        "majority is the label of this data set:\n\n"
        + table(["", "agreement"], rows)
        + f"\n\nLowest on f(s1) to s1: {lowest}. A reader's sense of what a speaker takes for "
        "granted is not what a verb entails; `audit.json` has the figures by verb.",
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"
