"""Pairs from a grammar: a sentence, and an atom of its formula or the negation of one.

For each label every shape of sentence that can bear it is used equally often; within a shape,
the hypothesis and the words are drawn evenly. Every verdict is proved.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sorites.errors import SoritesError
from sorites.families.veridicality.embedded import NO, YES, Control, EmbeddedPair, Logic
from sorites.logic.formulas import Formula, atoms, negation, rename
from sorites.logic.grammar.fragment import INFINITIVE, Fragment, Sentence, Shape
from sorites.logic.prover import Prover, Verdict
from sorites.seeds import random_for, ranked

__all__ = ["SyntheticPairs", "draw_pairs"]

_TRIES = 40
"""Draws for each pair wanted before a shape counts as used up."""


@dataclass(frozen=True, slots=True)
class SyntheticPairs:
    """The pairs, how many of each shape there are by label, and what was left out and why."""

    pairs: tuple[EmbeddedPair, ...]
    shapes: Mapping[str, Mapping[str, int]]
    rejected: Mapping[str, int]


def draw_pairs(
    fragment: Fragment,
    count: int,
    max_connectives: int,
    seed: int,
    prover: Prover,
    *,
    controlled: bool = False,
) -> SyntheticPairs:
    """Draw pairs with distinct premises, half of them entailments.

    ``controlled`` takes only premises that can be infinitives below another verb. Raises
    SoritesError where the grammar does not have that many sentences.
    """
    named = "control" if controlled else "synthetic"
    able = [shape for shape in fragment.shapes if not controlled or INFINITIVE in shape.leaves]
    allowed = [shape for shape in able if shape.connectives <= max_connectives]
    rejected: Counter[str] = Counter()
    rejected["shapes with too many connectives"] = len(able) - len(allowed)
    choices = {shape.name: _literals(fragment, shape, prover, rejected) for shape in allowed}
    quotas = {shape.name: dict.fromkeys((YES, NO), 0) for shape in allowed}
    for label, wanted in ((YES, count // 2), (NO, count - count // 2)):
        bearing = [shape.name for shape in allowed if choices[shape.name][label]]
        if not bearing:
            raise SoritesError(f"no sentence of the grammar has a hypothesis labelled {label}")
        order = ranked(((name, name) for name in bearing), seed, f"shapes {label}")
        for index, name in enumerate(order):
            quotas[name][label] = wanted // len(order) + (index < wanted % len(order))
    drawn: list[tuple[str, EmbeddedPair]] = []
    short: Counter[str] = Counter()
    streams = {
        shape.name: _Stream(
            fragment, shape, random_for(seed, named, shape.name, digest_bytes=16), prover
        )
        for shape in allowed
    }
    for name, quota in quotas.items():
        for label, wanted in quota.items():
            got = streams[name].take(wanted, choices[name][label], rejected)
            drawn += got
            short[label] += wanted - len(got)
    for label, missing in short.items():
        drawn += _refill(streams, choices, label, missing, rejected)
    if len(drawn) < count:
        raise SoritesError(
            f"the grammar gives {len(drawn):,} different pairs, and {count:,} are asked for"
        )
    pairs = [
        replace(
            pair,
            id=f"{named[0]}{number + 1:05}",
            tense=fragment.tenses[number % len(fragment.tenses)],
        )
        for number, pair in enumerate(ranked(drawn, seed, "order of pairs"))
    ]
    shapes = {
        name: {label: n for label, n in stream.labels.items() if n}
        for name, stream in streams.items()
    }
    return SyntheticPairs(tuple(pairs), shapes, {k: n for k, n in rejected.items() if n})


def _literals(
    fragment: Fragment, shape: Shape, prover: Prover, rejected: Counter[str]
) -> dict[str, list[Formula]]:
    """The literals over the places of a shape that may be its hypothesis, by label."""
    found: dict[str, list[Formula]] = {YES: [], NO: []}
    for atom in atoms(shape.formula):
        for literal in (atom, negation(atom)):
            said = fragment.says(literal)
            if said is None:
                rejected["hypotheses that the grammar cannot say"] += 1
                continue
            if said.shape is shape:
                # The hypothesis would be the premise itself: not an inference to learn.
                continue
            verdict = prover.verdict([shape.formula], literal)
            if verdict in (Verdict.UNKNOWN, Verdict.INCONSISTENT):
                rejected[f"hypotheses whose verdict is {verdict.value}"] += 1
                continue
            found[YES if verdict is Verdict.ENTAILED else NO].append(literal)
    return found


class _Stream:
    """The sentences of one shape, each drawn at most once, whatever its label."""

    def __init__(
        self, fragment: Fragment, shape: Shape, chance: random.Random, prover: Prover
    ) -> None:
        self.labels: Counter[str] = Counter()
        self._fragment = fragment
        self._shape = shape
        self._chance = chance
        self._prover = prover
        self._used: set[tuple[str, ...]] = set()

    def take(
        self, wanted: int, literals: Sequence[Formula], rejected: Counter[str]
    ) -> list[tuple[str, EmbeddedPair]]:
        """Up to that many pairs, each with its identity: fewer if the shape is used up."""
        taken: list[tuple[str, EmbeddedPair]] = []
        tries = _TRIES * wanted
        while len(taken) < wanted and literals and tries:
            tries -= 1
            filled = self._fill()
            if filled in self._used:
                rejected["sentences drawn again"] += 1
                continue
            self._used.add(filled)
            pair = self._pair(filled, self._chance.choice(literals))
            if pair is not None:
                taken.append((f"{self._shape.name} {' '.join(filled)}", pair))
                self.labels[pair.label] += 1
        return taken

    def _fill(self) -> tuple[str, ...]:
        """A different symbol for each place."""
        filled: list[str] = []
        for category in self._shape.categories:
            free = [s for s in self._fragment.vocabulary[category] if s not in filled]
            filled.append(self._chance.choice(free))
        return tuple(filled)

    def _pair(self, filled: tuple[str, ...], literal: Formula) -> EmbeddedPair | None:
        premise = Sentence(self._shape, filled)
        conclusion = rename(literal, {f"slot{i}": symbol for i, symbol in enumerate(filled)})
        hypothesis = self._fragment.says(conclusion)
        if hypothesis is None:
            return None
        tenses = self._fragment.tenses
        return EmbeddedPair(
            id="",
            premise={tense: premise.words(tense) for tense in tenses},
            hypothesis={tense: hypothesis.words(tense) for tense in tenses},
            tense="",
            verdict=self._prover.verdict([premise.formula], conclusion),
            source_id=None,
            logic=Logic(
                premise.formula,
                conclusion,
                self._shape.connectives,
                self._shape.depth,
                self._shape.name,
            ),
            below_a_verb={tense: premise.below_a_verb(tense) for tense in tenses},
            control=Control(*premise.controlled) if premise.controlled else None,
        )


def _refill(
    streams: Mapping[str, _Stream],
    choices: Mapping[str, Mapping[str, Sequence[Formula]]],
    label: str,
    missing: int,
    rejected: Counter[str],
) -> Iterator[tuple[str, EmbeddedPair]]:
    """What used-up shapes could not give, one by one from the shapes that still can."""
    able = [name for name, by_label in choices.items() if by_label[label]]
    while missing and able:
        for name in list(able):
            got = streams[name].take(1, choices[name][label], rejected)
            if not got:
                able.remove(name)
            yield from got
            missing -= len(got)
            if not missing:
                return
