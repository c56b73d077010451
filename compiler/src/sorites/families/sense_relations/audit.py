"""What the compile found out about its lexicon and its pairs, for audit.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from sorites.canonical import Json
from sorites.families.sense_relations.filters import Dropped
from sorites.families.sense_relations.gloss_statistics import GlossStatistics
from sorites.families.sense_relations.pairs import Extraction, SensePair
from sorites.families.sense_relations.plan import Plan
from sorites.sources.lexicons.lexicon import Lexicon, count_by_pos
from sorites.sources.lexicons.policies import Policy, Repeats

__all__ = ["audit", "by_relation_and_pos"]


def audit(
    lexicon: Lexicon,
    languages: Sequence[str],
    plan: Plan,
    extraction: Extraction,
    steps: Sequence[Dropped],
    kept: Sequence[SensePair],
    items: Sequence[SensePair],
    *,
    statistics: Mapping[str, GlossStatistics],
    nominal: Json,
    merged: Json,
    between: int = 0,
) -> dict[str, Json]:
    """Synsets, relations, what each filter dropped, and what is known of glosses and licences.

    ``kept`` are the pairs that passed the filters, ``items`` those of them that share no synset
    with a worked example, but for those ``between`` two splits.
    """
    glossed = lexicon.fully_glossed(languages)
    several = Counter(pair.ends for pair in items)
    return {
        "synsets": {
            "glossed in every language": len(glossed),
            "by part of speech": count_by_pos(lexicon, glossed),
            "without ILI, kept"
            if plan.policies.without_ili == "keep"
            else "without ILI, left out": lexicon.synsets_without_ili,
            "with conflicting parts of speech": lexicon.pos_conflicts,
        },
        "repeated": {
            "glosses": _repeats(lexicon.repeated_glosses, plan.policies.glosses),
            "ILIs": _repeats(lexicon.repeated_ilis, plan.policies.ilis),
        },
        "glosses left out": {
            "in other languages": dict(lexicon.other_glosses),
            "of a variant or another language's lexicon": lexicon.secondary_glosses,
        },
        "glosses that held hidden characters": lexicon.cleaned_glosses,
        "relations": {
            relation.name: {
                "pairs in the lexicon": sum(
                    pair.relation == relation.name for pair in extraction.pairs
                ),
                "related to itself, left out": extraction.reflexive[relation.name],
                "held both ways round, left out": extraction.both_ways[relation.name],
            }
            for relation in plan.relations
        },
        "filters": [
            {
                "filter": step.filter,
                "before": step.before,
                "dropped": step.pairs,
                "dropped by relation": step.by_relation,
                "example": step.example,
            }
            for step in steps
        ],
        "kept": by_relation_and_pos(kept, lexicon),
        "taken out for the exemplars": len(kept) - len(items) - between,
        "pairs with several relations": sum(count > 1 for count in several.values()),
        "glosses": {language: asdict(each) for language, each in statistics.items()},
        "nominal heads": nominal,
        "wordnets named by the source": [asdict(each) for each in lexicon.wordnets],
        "licence that all wordnets allow": merged,
    }


def _repeats(repeats: Repeats, policy: Policy) -> Json:
    return {
        "policy": policy,
        "concepts": repeats.concepts,
        "examples": list(repeats.examples),
    }


def by_relation_and_pos(pairs: Sequence[SensePair], lexicon: Lexicon) -> dict[str, Json]:
    """How many pairs of each relation there are, by the parts of speech of their synsets."""
    counts: dict[str, Counter[str]] = {}
    for pair in pairs:
        parts = dict.fromkeys((lexicon.pos[pair.first], lexicon.pos[pair.second]))
        counts.setdefault(pair.relation, Counter())["-".join(parts)] += 1
    return {relation: dict(sorted(by_pos.items())) for relation, by_pos in counts.items()}
