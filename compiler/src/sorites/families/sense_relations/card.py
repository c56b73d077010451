"""What the dataset card says of a release of sense relations, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from sorites.families.sense_relations.filters import Dropped
from sorites.families.sense_relations.gloss_statistics import GlossStatistics
from sorites.families.sense_relations.pairs import SensePair
from sorites.families.sense_relations.plan import Plan, Relation
from sorites.families.sense_relations.splits import Disjoint, Ends, Splits, in_common
from sorites.licences import name_of
from sorites.release.describe.markdown import bullets, code, escape, table
from sorites.sources.lexicons.lexicon import Lexicon

__all__ = [
    "filters_table",
    "glosses_table",
    "licences_table",
    "made_text",
    "pairs_table",
    "splits_table",
]


def made_text(plan: Plan, languages: Sequence[str], synsets: int) -> str:
    """How the pairs were made, in a few sentences."""
    k = len(languages)
    text = (
        f"{synsets:,} synsets have a gloss in every one of {', '.join(languages)}. Two synsets "
        "make a pair where the lexicon relates them:\n\n"
        f"{bullets(map(_relation_line, plan.relations))}\n\n"
        f"A pair has one row for each ordered pair of languages, {k * k} in all. The label of a "
        "row says how sense 2 is related to sense 1; no label was added or judged by hand or by "
        "a model."
    )
    if plan.exemplars:
        shown = "one sense pair" if plan.exemplars == 1 else f"{plan.exemplars} sense pairs"
        text += (
            f" The exemplars are {shown} for each label, the same in all languages; pairs that "
            "share a synset with one of them are not among the items."
        )
    return text


def _relation_line(relation: Relation) -> str:
    types = [code(each) for each in relation.synset_types]
    types += [f"{code(each)} between senses" for each in relation.sense_types]
    labels = code(relation.label)
    if not relation.symmetric:
        labels += f", in the other order {code(relation.inverse)}"
    return f"**{escape(relation.name)}** ({', '.join(types)}): {labels}"


def pairs_table(pairs: Sequence[SensePair], lexicon: Lexicon) -> str:
    """How many sense pairs there are by relation and part of speech."""
    counts = Counter((pair.relation, lexicon.pos[pair.first]) for pair in pairs)
    rows = [(escape(name), escape(pos), f"{count:,}") for (name, pos), count in counts.items()]
    return table(
        ("relation", "part of speech", "sense pairs"), [*rows, ("all", "", f"{len(pairs):,}")], [2]
    )


def filters_table(steps: Sequence[Dropped], near_exemplars: int) -> str:
    """What each filter dropped, in its order, and what the exemplars took."""
    rows = [
        (step.filter, f"{step.before:,}", f"{step.pairs:,}", f"{step.before - step.pairs:,}")
        for step in steps
    ]
    return table(("filter", "pairs before", "dropped", "left"), rows, [1, 2, 3]) + (
        f"\n\n{near_exemplars:,} more pairs are exemplars or share a synset with one. One dropped "
        "pair for each filter, with its reason, is in `audit.json`."
    )


def glosses_table(statistics: Mapping[str, GlossStatistics], nominal: Mapping[str, float]) -> str:
    """The lengths of the glosses by language, and the share of nominal heads if measured."""
    header = ["language", "glosses", "words, mean", "median", "longest", "characters, mean"]
    header += ["nominal heads"] * bool(nominal)
    rows = []
    for language, each in statistics.items():
        row = [escape(language), f"{each.glosses:,}"]
        row.append("–" if each.words_mean is None else f"{each.words_mean:.1f}")
        row.append("–" if each.words_median is None else f"{each.words_median:g}")
        row.append("–" if each.words_longest is None else f"{each.words_longest}")
        row.append(f"{each.characters_mean:.1f}")
        if nominal:
            row.append(f"{nominal[language]:.0%}")
        rows.append(row)
    notes = ["A dash stands where the language has no tokenizer here."] * any(
        each.words_mean is None for each in statistics.values()
    )
    notes += ["Japanese words are counted by Janome."] * ("ja" in statistics)
    notes += ["Heads were found by Stanza."] * bool(nominal)
    return "\n\n".join(
        [table(header, rows, range(1, len(header))), *([" ".join(notes)] if notes else [])]
    )


def licences_table(plan: Plan, merged: str) -> str:
    """The wordnets, their languages and licences, and what follows for the release."""
    rows = [
        (
            f"[{escape(each.name)}]({each.url})" if each.url else escape(each.name),
            escape(", ".join(each.languages)),
            escape(name_of(each.license)),
        )
        for each in plan.wordnets
    ]
    return table(("wordnet", "languages", "licence"), rows) + (
        f"\n\nThe laxest licence that all of them allow for a work made of them is "
        f"{escape(name_of(merged))}."
    )


def splits_table(splits: Splits, ends: Mapping[str, Sequence[Ends]], between: int) -> str:
    """The size of each split, and what each two have in common."""
    kinds = {
        Disjoint.PAIR: "no pair of synsets is in two of them, in whatever order and relation",
        Disjoint.SYNSET: "no synset is in two of them",
    }
    sizes = ", ".join(f"{name} {len(found):,}" for name, found in ends.items())
    rows = [
        (
            f"{found['splits'][0]} and {found['splits'][1]}",
            f"{found['pairs']:,}",
            f"{found['synsets']:,}",
        )
        for found in cast("list[dict[str, Any]]", in_common(ends))
    ]
    left_out = f" {between:,} pairs between two splits are left out." if between else ""
    return (
        f"The splits are disjoint by {splits.disjoint}: {kinds[splits.disjoint]}. Sense pairs: "
        f"{sizes}.{left_out} What each two have in common:\n\n"
        + table(("splits", "pairs", "synsets"), rows, range(1, 3))
    )
