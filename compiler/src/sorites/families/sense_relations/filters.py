"""The cascade of filters: each drops pairs, counts them and shows one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.families.sense_relations.folding import fold_gloss
from sorites.families.sense_relations.leaks import Leak, find_leak
from sorites.families.sense_relations.pairs import SensePair
from sorites.families.sense_relations.plan import (
    Filter,
    Identical,
    Length,
    Lexicalisation,
    PartnerLemma,
    Relation,
)
from sorites.sources.lexicons.lexicon import Lexicon

__all__ = ["Dropped", "apply_filters", "identical"]

Reason: TypeAlias = Mapping[str, Json]
Test: TypeAlias = Callable[[SensePair], "Reason | None"]


@dataclass(frozen=True, slots=True)
class Dropped:
    """What one filter dropped: how many pairs of each relation, and the first with its reason."""

    filter: str
    before: int
    by_relation: Mapping[str, int]
    example: Mapping[str, Json] | None

    @property
    def pairs(self) -> int:
        """How many pairs the filter dropped."""
        return sum(self.by_relation.values())


def apply_filters(
    pairs: Sequence[SensePair],
    lexicon: Lexicon,
    languages: Sequence[str],
    filters: Sequence[Filter],
    relations: Sequence[Relation],
    *,
    where: str,
) -> tuple[list[SensePair], list[Dropped]]:
    """Apply the filters in order to pairs, which keep their order.

    Raises SourceError when a relation has no pair left: its labels could not be asked for.
    """
    kept = list(pairs)
    steps: list[Dropped] = []
    for step in filters:
        test = _test(step, kept, lexicon, languages)
        passed: list[SensePair] = []
        by_relation: Counter[str] = Counter()
        example: Mapping[str, Json] | None = None
        for pair in kept:
            reason = test(pair)
            if reason is None:
                passed.append(pair)
                continue
            by_relation[pair.relation] += 1
            example = example or {"pair": pair.id, **reason}
        steps.append(Dropped(step.name, len(kept), dict(sorted(by_relation.items())), example))
        _refuse_emptied(relations, kept, passed, step, where)
        kept = passed
    return kept, steps


def identical(first: str, second: str, language: str, choices: Identical) -> bool:
    """Whether two glosses are the same, compared as the choices say."""
    if first == second or choices.compare == "exact":
        return first == second
    return fold_gloss(first, language) == fold_gloss(second, language)


def _refuse_emptied(
    relations: Sequence[Relation],
    before: Sequence[SensePair],
    after: Sequence[SensePair],
    step: Filter,
    where: str,
) -> None:
    had = Counter(pair.relation for pair in before)
    have = Counter(pair.relation for pair in after)
    for relation in relations:
        if not have[relation.name]:
            raise SourceError(
                f"{where}: no pair of the relation '{relation.name}' is left: the filter "
                f"'{step.name}' dropped the last {had[relation.name]}; loosen the filter, choose "
                "fewer languages, or leave the relation out"
            )


def _test(
    step: Filter, pairs: Sequence[SensePair], lexicon: Lexicon, languages: Sequence[str]
) -> Test:
    choices = step.choices
    if isinstance(choices, Identical):
        return _identical(lexicon, languages, choices)
    if isinstance(choices, Lexicalisation):
        return _lexicalisation(lexicon, languages, choices)
    if isinstance(choices, PartnerLemma):
        return _partner_lemma(lexicon, languages, choices)
    if isinstance(choices, Length):
        return _length(lexicon, languages, choices)
    if step.name == "glosses":
        return _glosses(lexicon, languages)
    if step.name == "part-of-speech":
        return _part_of_speech(lexicon)
    return _one_relation(pairs)


def _glosses(lexicon: Lexicon, languages: Sequence[str]) -> Test:
    def test(pair: SensePair) -> Reason | None:
        for ili in (pair.first, pair.second):
            for language in languages:
                if ili not in lexicon.glosses[language]:
                    return {"ili": ili, "language": language}
        return None

    return test


def _identical(lexicon: Lexicon, languages: Sequence[str], choices: Identical) -> Test:
    def test(pair: SensePair) -> Reason | None:
        same = [
            language
            for language in languages
            if identical(
                lexicon.glosses[language][pair.first],
                lexicon.glosses[language][pair.second],
                language,
                choices,
            )
        ]
        if not same or (choices.languages == "all" and len(same) < len(languages)):
            return None
        return {"language": same[0], "gloss": lexicon.glosses[same[0]][pair.first]}

    return test


def _lexicalisation(lexicon: Lexicon, languages: Sequence[str], choices: Lexicalisation) -> Test:
    found: dict[str, Leak | None] = {}

    def test(pair: SensePair) -> Reason | None:
        for ili in (pair.first, pair.second):
            if ili not in found:
                found[ili] = find_leak(lexicon, ili, languages, choices)
            leak = found[ili]
            if leak is not None:
                return {
                    "ili": ili,
                    "language": leak.language,
                    "word": leak.word,
                    "gloss": leak.gloss,
                }
        return None

    return test


def _partner_lemma(lexicon: Lexicon, languages: Sequence[str], choices: PartnerLemma) -> Test:
    def test(pair: SensePair) -> Reason | None:
        for ili, partner in ((pair.first, pair.second), (pair.second, pair.first)):
            leak = find_leak(lexicon, ili, languages, choices.find, words_of=partner)
            if leak is not None:
                return {
                    "ili": ili,
                    "language": leak.language,
                    "word of": partner,
                    "word": leak.word,
                    "gloss": leak.gloss,
                }
        return None

    return test


def _length(lexicon: Lexicon, languages: Sequence[str], choices: Length) -> Test:
    def test(pair: SensePair) -> Reason | None:
        for ili in (pair.first, pair.second):
            for language in languages:
                gloss = lexicon.glosses[language][ili]
                if len(gloss) < choices.characters:
                    return {"ili": ili, "language": language, "gloss": gloss}
        return None

    return test


def _part_of_speech(lexicon: Lexicon) -> Test:
    def test(pair: SensePair) -> Reason | None:
        first, second = lexicon.pos[pair.first], lexicon.pos[pair.second]
        return None if first == second else {"pos_1": first, "pos_2": second}

    return test


def _one_relation(pairs: Sequence[SensePair]) -> Test:
    relations: dict[frozenset[str], set[str]] = {}
    for pair in pairs:
        relations.setdefault(pair.ends, set()).add(pair.relation)

    def test(pair: SensePair) -> Reason | None:
        names = relations[pair.ends]
        return None if len(names) == 1 else {"relations": sorted(names)}

    return test
